"""The spot board of a simulated table: its real program on MicroPython, with pins that are simulated."""
