"""The spot board's pins: the Raspberry Pi Pico's forty, and the two registers that drive its lamps.

Inputs 1 to 14 are GP0 to GP13; outputs 1 to 8 are the drains of the first register, 9 to 14 those of the
second. What stands around them is in `hw/README.md`.
"""

from collections.abc import Iterator, Mapping

from firmware.settings.board import Board, Line
from host_tools.check.header import HeaderPin, label

PICO: Mapping[int, str] = {
    **dict.fromkeys((3, 8, 13, 18, 23, 28, 33, 38), "GND"),
    30: "RUN",
    31: "GP26",
    32: "GP27",
    34: "GP28",
    35: "VREF",
    36: "3V3",
    37: "3V3 EN",
    39: "VSYS",
    40: "VBUS",
    1: "GP0",
    2: "GP1",
    4: "GP2",
    5: "GP3",
    6: "GP4",
    7: "GP5",
    9: "GP6",
    10: "GP7",
    11: "GP8",
    12: "GP9",
    14: "GP10",
    15: "GP11",
    16: "GP12",
    17: "GP13",
    19: "GP14",
    20: "GP15",
    21: "GP16",
    22: "GP17",
    24: "GP18",
    25: "GP19",
    26: "GP20",
    27: "GP21",
    29: "GP22",
}
"""What each pin of a Pico is, by its number."""
_FIXED: Mapping[str, tuple[str, str]] = {
    "GP16": ("service", "to the lamp enable"),
    "GP17": ("data", "latch of both registers"),
    "GP18": ("data", "clock of both registers"),
    "GP19": ("data", "data of register 1"),
    "3V3": ("3V3", "3.3 V of the opto-couplers"),
    "VSYS": ("5V", "5 V through a diode"),
}
"""What is on the pins that every spot board uses in the same way: kind and label."""
REGISTERS = 2
OUTPUTS_OF_A_REGISTER = 8
REGISTER: Mapping[int, str] = {
    **dict.fromkeys((1, 20), "NC"),
    **dict.fromkeys((10, 11, 19), "GND"),
    2: "VCC",
    3: "SER IN",
    8: "SRCLR",
    9: "G",
    12: "RCK",
    13: "SRCK",
    18: "SER OUT",
    **{number: f"DRAIN{number - 4}" for number in range(4, 8)},
    **{number: f"DRAIN{number - 10}" for number in range(14, 18)},
}
"""What each pin of a TPIC6B595 is, by its number."""


def pico(board: Board) -> Iterator[HeaderPin]:
    """Return all forty pins of the Pico with what a board puts on them."""
    inputs = {f"GP{line.number - 1}": line for line in _lines(board, "input")}
    for number in range(1, 41):
        name = PICO[number]
        line = inputs.get(name)
        if line is not None:
            yield HeaderPin(number, name, "sensor", label(line, "sensor"), line)
        elif name in _FIXED:
            yield HeaderPin(number, name, *_FIXED[name])
        else:
            yield HeaderPin(number, name, "GND" if name == "GND" else "free")


def register(board: Board, which: int) -> Iterator[HeaderPin]:
    """Return the twenty pins of a lamp register, the first or the second."""
    first = (which - 1) * OUTPUTS_OF_A_REGISTER + 1
    outputs = {f"DRAIN{line.number - first}": line for line in _lines(board, "output")}
    last = which == REGISTERS
    around = {
        "VCC": ("5V", "5 V"),
        "SER IN": ("data", "data" if which == 1 else f"SER OUT of register {which - 1}"),
        "SRCLR": ("service", "clear"),
        "G": ("service", "lamp enable"),
        "RCK": ("data", "latch"),
        "SRCK": ("data", "clock"),
        "SER OUT": ("free", "") if last else ("data", f"SER IN of register {which + 1}"),
        "GND": ("GND", ""),
    }
    for number in range(1, 21):
        name = REGISTER[number]
        line = outputs.get(name)
        if line is not None:
            yield HeaderPin(number, name, "lamp", label(line, "lamp"), line)
        else:
            yield HeaderPin(number, name, *around.get(name, ("free", "")))


def wired(board: Board) -> Iterator[tuple[str, HeaderPin]]:
    """Return every pin that something is wired to, with the part that it is on; without the grounds."""
    parts = [("Pico", pico(board))]
    parts += [(f"register {which}", register(board, which)) for which in range(1, REGISTERS + 1)]
    for part, pins in parts:
        for pin in pins:
            if pin.label:
                yield part, pin


def _lines(board: Board, what: str) -> list[Line]:
    return [line for line in board.spot_board_lines() if line.what == what]
