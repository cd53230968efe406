"""The shell around the pure table: the only place with asyncio, a clock and a disk.

`wiring` puts the firmware together, `runtime` is the loop (event, step, journal, effects),
`inbox` is where everything arrives. Nothing here knows a rule of a game.
"""
