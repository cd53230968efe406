"""What MicroPython runs first, instead of its own file of this name: nothing.

Its own formats the flash whenever the file system does not mount, and with it the session's sectors.
The file system is mounted in `firmware/spot_board/start.py`, and formatted by `underfelt board flash` alone.
"""
