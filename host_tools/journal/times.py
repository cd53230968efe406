"""Reads a time from the command line."""

from datetime import UTC, datetime

from firmware.errors import BadInput


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
