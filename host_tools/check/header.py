"""The 40-pin header of a Raspberry Pi: which pin is what, and what a board puts on it.

The numbering of the header is the same on every Pi since the B+. A pin goes by its
number on the header, which a technician counts, and by its GPIO, which files use.
"""

from collections.abc import Iterator

from msgspec import Struct

from firmware.settings.board import Board, Line

POWER = {
    **dict.fromkeys((1, 17), "3V3"),
    **dict.fromkeys((2, 4), "5V"),
    **dict.fromkeys((6, 9, 14, 20, 25, 30, 34, 39), "GND"),
}
"""The pins that carry power, by their number on the header."""
GPIO = {
    3: 2,
    5: 3,
    7: 4,
    8: 14,
    10: 15,
    11: 17,
    12: 18,
    13: 27,
    15: 22,
    16: 23,
    18: 24,
    19: 10,
    21: 9,
    22: 25,
    23: 11,
    24: 8,
    26: 7,
    27: 0,
    28: 1,
    29: 5,
    31: 6,
    32: 12,
    33: 13,
    35: 19,
    36: 16,
    37: 26,
    38: 20,
    40: 21,
}
"""The GPIO of every other pin, by its number on the header."""
FIXED = {
    2: "clock SDA",
    3: "clock SCL",
    0: "keep free",
    1: "keep free",
}
"""What is on the pins that no board may use."""


class HeaderPin(Struct, frozen=True):
    """One pin of the header; `kind` decides its colour."""

    number: int
    name: str
    kind: str
    label: str = ""
    line: Line | None = None


def header(board: Board) -> Iterator[HeaderPin]:
    """Return all forty pins with what a board puts on them, in header order."""
    lines = {line.number: line for line in board.lines()}
    for number in range(1, 41):
        if number in POWER:
            yield HeaderPin(number, POWER[number], POWER[number])
            continue
        gpio = GPIO[number]
        line = lines.get(gpio)
        if line is not None:
            yield HeaderPin(number, f"GPIO{gpio}", _kind(line), label(line), line)
        elif gpio in FIXED:
            kind = "clock" if FIXED[gpio].startswith("clock") else "free"
            yield HeaderPin(number, f"GPIO{gpio}", kind, FIXED[gpio])
        else:
            yield HeaderPin(number, f"GPIO{gpio}", "free")


def label(line: Line, what: str = "") -> str:
    """Return what a line is connected to, in a few words."""
    if line.seat is None:
        return line.what
    dealer = " (dealer)" if line.bet == "jackpot_dealer" else ""
    return f"seat {line.seat} {what or line.what}{dealer}"


def _kind(line: Line) -> str:
    return line.what if line.seat is not None else "service"
