"""Times: read from the command line, and written for people in the time zone of the laptop.

The journal keeps milliseconds in UTC, and a record may claim a time that no calendar has. What is
printed names its offset from UTC, so that it is the same moment wherever it is read.
"""

import os
import re
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from firmware.errors import BadInput

NO_SUCH_TIME = "no such time"
"""What is printed for a time that no calendar has."""
ALWAYS_MS = 2**63
"""Later than any record, whatever time it claims."""
_LOCALTIME = Path("/etc/localtime")
_ZONE_FILES = "/zoneinfo/"
_ZONE_NAME = re.compile(r"[A-Za-z]+(?:[/_+-]?[A-Za-z0-9]+)*")


def on_the_calendar(at_ms: int) -> datetime | None:
    """Return a time of a record or a table; None for one before year 1 or after year 9999."""
    try:
        return datetime.fromtimestamp(at_ms // 1000, UTC).replace(microsecond=at_ms % 1000 * 1000)
    except (ValueError, OverflowError, OSError):
        return None


def locally(at_ms: int) -> datetime | None:
    """Return a time in the local time zone; None for one that no calendar has."""
    moment = on_the_calendar(at_ms)
    try:
        return moment.astimezone() if moment is not None else None
    except (ValueError, OverflowError, OSError):
        return None


def local_time(at_ms: int) -> str:
    """Write a time in the local time zone: `2026-11-18 15:04:05 +08:00`."""
    moment = locally(at_ms)
    return f"{moment:%Y-%m-%d %H:%M:%S} {_offset(moment)}" if moment else NO_SUCH_TIME


def local_day(at_ms: int) -> str:
    """Write the day of a time, and its offset: `2026-11-18 +08:00`."""
    moment = locally(at_ms)
    return f"{moment:%Y-%m-%d} {_offset(moment)}" if moment else NO_SUCH_TIME


def iso_time(at_ms: int) -> str:
    """Write a time for spreadsheets and scripts: `2026-11-18T15:04:05.123+08:00` (ISO 8601)."""
    moment = locally(at_ms)
    return moment.isoformat(timespec="milliseconds") if moment else NO_SUCH_TIME


def time_zone() -> str:
    """Name the local time zone: `Asia/Singapore`; its offset, where it has no name."""
    named = os.environ.get("TZ", "").lstrip(":")
    if not named and _ZONE_FILES in str(_LOCALTIME.resolve()):
        named = str(_LOCALTIME.resolve()).rpartition(_ZONE_FILES)[2]
    if not _is_zone(named):
        return f"UTC{_offset(datetime.now(UTC).astimezone())}".replace("UTC+00:00", "UTC")
    return named.removeprefix("Etc/")


def at_ms(text: str, option: str, default: int) -> int:
    """Return a time in milliseconds since 1970; without a zone it is local time."""
    if not text:
        return default
    try:
        # Without a zone `timestamp` takes it as local; a printed time has a blank before it.
        moment = datetime.fromisoformat(re.sub(r" (?=[+-]\d\d:\d\d\Z)", "", text))
        return round(moment.timestamp() * 1000)
    except (ValueError, OverflowError):
        wanted = "write it as 2026-01-02T03:04:05 (local time) or 2026-01-02T03:04:05+08:00"
        raise BadInput(option, f"{text!r} is not a time; {wanted}") from None


def _offset(moment: datetime) -> str:
    offset = f"{moment:%z}"
    return f"{offset[:3]}:{offset[3:5]}"


def _is_zone(name: str) -> bool:
    """Tell whether the system has a zone of this name: any other is taken as UTC."""
    try:
        return bool(_ZONE_NAME.fullmatch(name)) and bool(ZoneInfo(name))
    except (ValueError, OSError, LookupError):
        return name == "UTC"
