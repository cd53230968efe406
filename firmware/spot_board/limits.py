"""The message `LIMITS`: which inputs have a sensor, and beyond which limits none is trusted.

The table says them, since its file sets them; what they do is in `devices/sensing.py`.
"""

from firmware.devices.line import crc_hqx  # type: ignore[attr-defined]  # the interpreter's

INPUTS = 14
_WORDS = 9
_HEX_DIGITS = 4
_MOST_DIGITS = 9
MOST_CHATTER_EDGES = 500
"""A watch has room for so many edges, and 14 watches for all of them must fit into the chip."""


class Limits:
    """The limits in force, as `sensing.SensorWatch` takes them."""

    def __init__(self, mask: int, numbers: "list[int]", crc: str) -> None:
        """Take the numbers in the order in which the message has them."""
        self.mask = mask
        """Bit 0 is input 1: the inputs that have a sensor."""
        self.debounce_ms = numbers[0]
        self.chatter_edges = numbers[1]
        self.chatter_window_ms = numbers[2]
        self.news_burst = numbers[3]
        self.news_every_ms = numbers[4]
        self.quiet_ms = numbers[5]
        self.stuck_ms = numbers[6]
        self.crc = crc
        """By this the table knows that these limits are in force, and no others."""


def read_limits(text: str) -> "Limits | None":
    """Read the message; None if this board cannot do what it says."""
    words = text.split()
    if len(words) != _WORDS or words[0] != "LIMITS":
        return None
    mask, numbers = _hex(words[1]), [_number(word) for word in words[2:]]
    if mask < 0 or mask >> INPUTS or min(numbers) < 0 or numbers[1] > MOST_CHATTER_EDGES:
        return None
    return Limits(mask, numbers, crc_of(text))


def crc_of(text: str) -> str:
    """Return the CRC of a text as the greeting has it: four hex digits."""
    return "%04X" % crc_hqx(text.encode(), 0)  # noqa: UP031  # in both interpreters


def _hex(word: str) -> int:
    """Read four hex digits; -1 if these are others."""
    fits = len(word) == _HEX_DIGITS and all(digit in "0123456789abcdefABCDEF" for digit in word)
    return int(word, 16) if fits else -1


def _number(word: str) -> int:
    """Read a number; -1 if this is none."""
    fits = 0 < len(word) <= _MOST_DIGITS and all(digit in "0123456789" for digit in word)
    return int(word) if fits else -1
