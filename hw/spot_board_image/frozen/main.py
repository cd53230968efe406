"""What MicroPython runs last: the board's program, from the image alone.

A frozen `main.py` comes before one in the file system, but modules there would come before frozen ones.
"""

import sys

sys.path[:] = [".frozen"]

from frozen_program import DIGEST  # noqa: E402  # written when the image is built

from firmware.spot_board.start import start  # noqa: E402  # only now is it sure which one it is

start(DIGEST)
