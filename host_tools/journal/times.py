"""Times: read from the command line, and of records and tables, which may be no time at all."""

from datetime import UTC, datetime

from firmware.errors import BadInput

NO_SUCH_TIME = "no such time"
"""What is printed for a time that no calendar has."""
ALWAYS_MS = 2**63
"""Later than any record, whatever time it claims."""


def on_the_calendar(at_ms: int) -> datetime | None:
    """Return a time of a record or a table; None for one before year 1 or after year 9999."""
    try:
        return datetime.fromtimestamp(at_ms // 1000, UTC).replace(microsecond=at_ms % 1000 * 1000)
    except (ValueError, OverflowError, OSError):
        return None


def local_time(at_ms: int) -> str:
    """Return a moment in this machine's time zone, such as 2026-11-18 15:04:05 +08:00."""
    moment = on_the_calendar(at_ms)
    if moment is None:
        return NO_SUCH_TIME
    try:
        local = moment.astimezone()
    except (ValueError, OverflowError, OSError):
        return NO_SUCH_TIME
    told = local.isoformat(" ", "seconds")
    return f"{told[:19]} {told[19:]}"


def time_zone() -> str:
    """Return this machine's time zone now, such as +08:00."""
    return local_time(int(datetime.now(UTC).timestamp() * 1000))[-6:]


def at_ms(text: str, option: str, default: int) -> int:
    """Return a time in milliseconds since 1970; without a zone it is UTC."""
    if not text:
        return default
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise BadInput(option, f"{text!r} is not a time; write it as 2026-01-02T03:04:05") from None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return int(moment.timestamp() * 1000)
