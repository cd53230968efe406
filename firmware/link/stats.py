"""What the link knows about itself, for diagnosis."""

from msgspec import Struct


class LinkStats(Struct, kw_only=True):
    """How the link is doing, since the firmware was started."""

    broker: str | None = None
    """The broker that is connected, as host:port."""
    connected_since_ms: int | None = None
    connections: int = 0
    """How many times a broker was connected; all but the first are reconnections."""
    sent: int = 0
    """Obligations sent, counted each time."""
    acknowledged: int = 0
    ignored: int = 0
    """Messages that were not understood, not for this table, old, repeated or too long."""
    last_ignored: str = ""
    """Why the last of them was ignored, in words."""
    last_problem: str = ""
    certificate_expires: str | None = None
    """When the certificate of this table expires, in UTC."""
