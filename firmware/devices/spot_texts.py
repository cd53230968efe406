"""What the table and a spot board say to each other: the texts of the line protocol's kind `spots`.

LIMITS <inputs> <limits>…                which inputs have a sensor (hex, input 1 is bit 0), its limits
LEVELS                                   to the board: say what lies on every spot now
LEVELS <letters>                         from the board: what lies there, a letter for each input
LAMPS <letters>                          what every lamp does from now on, a letter for each output
SPOT <input> <finding> <age> [<words>]   what was found, and how many milliseconds ago
READINGS <levels> <edges>,<edges>…       the bare levels (hex), and how often each has changed

Pure. What follows from them is in `spot_board.py`; `hw/line-protocol.md` is for makers of boards.
"""

from binascii import crc_hqx
from collections.abc import Iterable, Mapping
from typing import Literal, get_args

from msgspec import Struct

from firmware.devices.sensor_limits import SensorLimits, SensorNews
from firmware.table.effects import Pattern

LINES = 14
"""How many inputs and how many outputs a spot board has."""
MAJOR = "1"
"""The version of the kind that the table knows: the number before the dot."""
LETTERS: Mapping[Pattern, str] = {
    "off": "-",
    "steady": "1",
    "slow_blink": "s",
    "quick_blink": "q",
    "flutter": "f",
    "double_blink": "d",
}
Level = Literal["-", ".", "o", "s", "c"]
"""Not known, no chip, a chip, a chip for too long, chatters."""
_MOST_DIGITS = 10
_MOST_WORDS = 80
"""So many characters of what a sensor does are kept."""


class SpotGreeting(Struct, frozen=True):
    """What a spot board says of itself."""

    version: str
    inputs: int
    limits: str
    """The CRC of the limits in force; a dash before any."""
    program: str

    @property
    def major(self) -> str:
        """The number of its version before the dot."""
        return self.version.partition(".")[0]


class Found(Struct, frozen=True):
    """What a board has found at an input, and how long ago."""

    input: int
    news: SensorNews
    age_ms: int
    words: str = ""


class Readings(Struct, frozen=True):
    """The bare levels of the inputs, and how often each has changed since the board was started."""

    levels: tuple[bool, ...] = (False,) * LINES
    edges: tuple[int, ...] = (0,) * LINES


def limits_text(inputs: Iterable[int], limits: SensorLimits) -> str:
    """Write which inputs have a sensor and when it is not trusted."""
    mask = sum(1 << (number - 1) for number in inputs)
    numbers = (
        limits.debounce_ms,
        limits.chatter_edges,
        limits.chatter_window_ms,
        limits.news_burst,
        limits.news_every_ms,
        limits.quiet_ms,
        limits.stuck_ms,
    )
    return f"LIMITS {mask:04X} {' '.join(map(str, numbers))}"


def crc_of(text: str) -> str:
    """Return the CRC of a message's text, with which a board confirms its limits."""
    return f"{crc_hqx(text.encode('ascii'), 0):04X}"


def lamps_text(patterns: Mapping[int, Pattern]) -> str:
    """Write what every lamp does, by output; one without a lamp is off."""
    letters = (LETTERS[patterns.get(output, "off")] for output in range(1, LINES + 1))
    return f"LAMPS {''.join(letters)}"


def greeting_of(version: str, words: tuple[str, ...]) -> SpotGreeting | None:
    """Read what follows version and session in a board's greeting; None if it makes no sense."""
    match words:
        case [inputs, limits, program, *_] if _is_number(inputs):
            return SpotGreeting(version, int(inputs), limits, program)
    return None


def found_of(text: str) -> Found | None:
    """Read a finding; None if it makes no sense."""
    match text.split(maxsplit=4):
        case ["SPOT", number, news, age_ms, *words] if (
            _is_number(number) and 1 <= int(number) <= LINES and _is_number(age_ms)
        ):
            for known in get_args(SensorNews):
                if news == known:
                    return Found(int(number), known, int(age_ms), " ".join(words)[:_MOST_WORDS])
    return None


def levels_of(text: str) -> tuple[Level, ...] | None:
    """Read what lies on the spots, by input; None if it makes no sense."""
    _, _, letters = text.partition(" ")
    known: dict[str, Level] = {letter: letter for letter in get_args(Level)}
    if len(letters) != LINES or not all(letter in known for letter in letters):
        return None
    return tuple(known[letter] for letter in letters)


def readings_of(words: tuple[str, ...]) -> Readings | None:
    """Read the bare levels and edges; None if they make no sense."""
    match words:
        case [levels, edges] if len(levels) == len("FFFF") and _is_hex(levels):
            counts = edges.split(",")
            if len(counts) == LINES and all(map(_is_number, counts)):
                mask = int(levels, 16)
                lit = tuple(bool(mask >> place & 1) for place in range(LINES))
                return Readings(lit, tuple(map(int, counts)))
    return None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS


def _is_hex(text: str) -> bool:
    return all(digit in "0123456789ABCDEF" for digit in text)
