"""Times as the rules core asks for them: the table itself counts milliseconds since 1970."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def moment(at_ms: int) -> datetime:
    """Give a time of the table's clock as a date and time."""
    return _EPOCH + timedelta(milliseconds=at_ms)
