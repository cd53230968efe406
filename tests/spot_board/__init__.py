"""The spot board's program: its pure part here, and all of it on the real MicroPython."""
