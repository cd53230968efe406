"""Programs that run on MicroPython: the board's own tests, and what answers the tests of the other side."""
