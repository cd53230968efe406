"""An emulated Pi: the firmware installed as on a table, on an arm64 machine with simulated pins.

`build` makes the parts of the machine, `machine` runs it, `hardware` drives it as the
simulated hardware is driven. What the image holds is in `hw/image/`.
"""
