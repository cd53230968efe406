"""Reads the lamp language: which pattern a lamp's last changes make.

Only what is visible counts: the level and when it changed. A pattern is known after one full
cycle; until then the lamp still seems to show the one before.
"""

from collections import deque
from collections.abc import Sequence
from itertools import pairwise

from firmware.table.effects import Pattern

UNCHANGED_MS = 1_000
"""A lamp that has not changed for this long is steady or off; no pattern rests longer."""


# Between the times of the patterns, with tolerance for a lamp that is driven a tick late.
_FLUTTER_MS = 110
_SHORT_MS = 400
_LONG_MS = 500


class LampWatch:
    """One lamp, watched."""

    def __init__(self) -> None:
        self.lit = False
        self._edges_ms: deque[float] = deque(maxlen=6)

    def changed(self, at_ms: float, *, lit: bool) -> None:
        """Note a change of the lamp."""
        self.lit = lit
        self._edges_ms.append(at_ms)

    def dark(self) -> None:
        """Forget everything: the power is off."""
        self.lit = False
        self._edges_ms.clear()

    def rests(self, at_ms: float) -> bool:
        """Return whether it has not changed for so long that it is steady or off."""
        return not self._edges_ms or at_ms - self._edges_ms[-1] > UNCHANGED_MS

    def pattern(self, at_ms: float) -> Pattern:
        """Return the pattern that the lamp shows."""
        return pattern_of(list(self._edges_ms), at_ms, lit=self.lit)


def pattern_of(edges_ms: Sequence[float], at_ms: float, *, lit: bool) -> Pattern:
    """Return the pattern that a lamp with these last changes shows."""
    if not edges_ms or at_ms - edges_ms[-1] > UNCHANGED_MS:
        return "steady" if lit else "off"
    gaps_ms = [after - before for before, after in pairwise(edges_ms)]
    if _is_double_blink(gaps_ms, lit=lit):
        return "double_blink"
    longest_ms = max([*gaps_ms[-2:], at_ms - edges_ms[-1]])
    if longest_ms < _FLUTTER_MS:
        return "flutter"
    return "quick_blink" if longest_ms < _SHORT_MS else "slow_blink"


def _is_double_blink(gaps_ms: Sequence[float], *, lit: bool) -> bool:
    """Return whether there are three short times and a long dark one, wherever the cycle starts.

    A lamp that goes from a quick pattern to a slow one has a long time too, but a lit one.
    """
    cycle_ms = list(gaps_ms[-4:])
    if len(cycle_ms) < 4:  # noqa: PLR2004  # two flashes and what is between them
        return False
    longest = max(cycle_ms)
    others = sorted(cycle_ms)[:-1]
    steps_back = len(cycle_ms) - cycle_ms.index(longest)
    was_lit = lit if steps_back % 2 == 0 else not lit
    return not was_lit and others[-1] < _SHORT_MS < _LONG_MS < longest
