"""The firmware's only clocks; the table gets its time from here, inside events."""

import time


def now_ms() -> int:
    """Return the wall-clock time in milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


def monotonic_ms() -> int:
    """Return the time of a clock that nobody can set, in milliseconds."""
    return time.monotonic_ns() // 1_000_000
