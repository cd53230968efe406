"""The spot board's own program: coin spots and their lamps on a Raspberry Pi Pico, in MicroPython.

It speaks the line protocol's kind `spots` (`hw/line-protocol.md`). What a sensor means, what a lamp does
and what a frame is are in `firmware/devices/`, in files that run on the Pi and here.
"""
