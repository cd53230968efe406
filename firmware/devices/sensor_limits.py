"""What can be said of a sensor, and the limits beyond which it is not trusted, as the table file sets them.

What they do is in `sensing.py`, which the spot board runs too; there the limits come over the line.
"""

from typing import Literal

from msgspec import Struct

from firmware.devices.sensing import (
    CHATTER_EDGES,
    CHATTER_WINDOW_MS,
    DEBOUNCE_MS,
    NEWS_BURST,
    NEWS_EVERY_MS,
    QUIET_MS,
    STUCK_MS,
)

SensorNews = Literal["present", "absent", "chatters", "quiet", "stuck", "free"]
"""A chip or none; too many changes and their end; never seen empty and its end."""


class SensorLimits(Struct, frozen=True, kw_only=True):
    """The limits of every sensor of a table."""

    debounce_ms: int = DEBOUNCE_MS
    chatter_edges: int = CHATTER_EDGES
    chatter_window_ms: int = CHATTER_WINDOW_MS
    news_burst: int = NEWS_BURST
    news_every_ms: int = NEWS_EVERY_MS
    quiet_ms: int = QUIET_MS
    stuck_ms: int = STUCK_MS
