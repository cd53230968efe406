"""Prints what a table answers, with lines broken between words where the terminal is narrow."""

import shutil
import sys

from sim.table.visible import wrapped

_ANY_WIDTH = 10_000


def print_lines(text: str) -> None:
    """Print lines; what is read by a program, and not by a person, is not broken."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else _ANY_WIDTH
    print(wrapped(text, width), flush=True)
