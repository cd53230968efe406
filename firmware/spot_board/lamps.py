"""The lamps as one number: bit 0 is output 1. Pure, on times alone.

What a pattern does is in `devices/lamp_patterns.py`, the same as on the Pi; the registers that drive
the lamps are in `pins.py`.
"""

from firmware.devices.lamp_patterns import is_lit, next_change_ms
from firmware.spot_board.limits import INPUTS

TYPE_CHECKING = False  # MicroPython has no module `typing`
if TYPE_CHECKING:
    from collections.abc import Mapping

    from firmware.table.effects import Pattern

LETTERS: "Mapping[str, Pattern]" = {
    "-": "off",
    "1": "steady",
    "s": "slow_blink",
    "q": "quick_blink",
    "f": "flutter",
    "d": "double_blink",
}
"""The patterns as the message `LAMPS` has them."""


class Lamps:
    """The lamps of all outputs."""

    def __init__(self) -> None:
        self._letters = "-" * INPUTS
        self._since_ms = [0] * INPUTS
        self._lit = 0
        self._next_ms: int | None = None

    def show(self, letters: str, at_ms: int) -> None:
        """Give every lamp a pattern; one that has it already goes on, another starts, lit."""
        if len(letters) != INPUTS or not all(letter in LETTERS for letter in letters):
            return
        for place in range(INPUTS):
            if letters[place] != self._letters[place]:
                self._since_ms[place] = at_ms
        self._letters = letters
        self._next_ms = at_ms

    def lit(self, at_ms: int) -> int:
        """Return which lamps are lit now."""
        if self._next_ms is not None and at_ms >= self._next_ms:
            self._work_out(at_ms)
        return self._lit

    def _work_out(self, at_ms: int) -> None:
        self._lit, self._next_ms = 0, None
        for place, letter in enumerate(self._letters):
            since_ms = self._since_ms[place]
            if is_lit(LETTERS[letter], at_ms - since_ms):
                self._lit |= 1 << place
            into_ms = next_change_ms(LETTERS[letter], at_ms - since_ms)
            if into_ms is not None:
                change_ms = since_ms + into_ms
                if self._next_ms is None or change_ms < self._next_ms:
                    self._next_ms = change_ms
