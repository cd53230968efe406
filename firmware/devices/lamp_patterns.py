"""The lamp language as on and off: what a pattern does this far into it. Pure, on times alone.

The same file runs on the Pi and on the spot board's MicroPython, so it stays in what both
understand. Who drives which lamp is in `lamps.py` and in `spot_board/`.
"""

TYPE_CHECKING = False  # MicroPython has no module `typing`
if TYPE_CHECKING:
    from collections.abc import Mapping

    from firmware.table.effects import Pattern

PATTERNS: "Mapping[Pattern, tuple[int, ...]]" = {
    # on for, off for, on for, … in milliseconds, and round again
    "off": (),
    "steady": (1000,),
    "slow_blink": (800, 800),
    "quick_blink": (150, 150),
    "flutter": (50, 50),
    "double_blink": (150, 150, 150, 750),
}


def is_lit(pattern: "Pattern", into_ms: int) -> bool:
    """Return whether a lamp is lit this far into its pattern."""
    lit, _ = _stretch(pattern, into_ms)
    return lit


def next_change_ms(pattern: "Pattern", into_ms: int) -> int | None:
    """Return how far into its pattern a lamp changes next; None if it never does."""
    times = PATTERNS[pattern]
    if len(times) < 2:  # noqa: PLR2004  # one time, or none, means no change
        return None
    _, left_ms = _stretch(pattern, into_ms)
    return into_ms + left_ms


def _stretch(pattern: "Pattern", into_ms: int) -> tuple[bool, int]:
    """Return the level this far into a pattern, and how long it still lasts."""
    times = PATTERNS[pattern]
    left_ms = into_ms % sum(times) if times else 0
    for place, duration_ms in enumerate(times):
        if left_ms < duration_ms:
            return place % 2 == 0, duration_ms - left_ms
        left_ms -= duration_ms
    return False, 0
