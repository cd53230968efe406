"""The shell around the pure table: the loop that takes events, steps, journals, carries out.

`wiring` puts the firmware together, `runtime` is the loop (event, step, journal, effects),
`inbox` is where everything arrives. Nothing here knows a rule of a game.
"""
