"""Times: read from the command line, and written for people in the time zone of the laptop.

The journal keeps milliseconds in UTC, and a record may claim a time that no calendar has. What is
printed names its offset from UTC, so that it is the same moment wherever it is read.
"""

import os
import re
import time
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from firmware.errors import BadInput

NO_SUCH_TIME = "no such time"
"""What is printed for a time that no calendar has."""
ALWAYS_MS = 2**63
"""Later than any record, whatever time it claims."""
_DAY_S = 86_400
_LOCALTIME = Path("/etc/localtime")
_ZONE_FILES = "/zoneinfo/"
_ZONE_NAME = re.compile(r"[A-Za-z]+(?:[/_+-]?[A-Za-z0-9]+)*")
_ZONE_RULE = re.compile(r"(?:[A-Za-z]{3,}|<[A-Za-z0-9+-]{3,}>)[+-]?[0-9].*")
"""A zone by its rule, such as SGT-8 or EST5EDT: the system needs no file for it."""


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


def unknown_zone() -> str:
    """Return what TZ names, if the system has no such zone, or no clock on Earth can show it."""
    named = os.environ.get("TZ", "").removeprefix(":")
    known = _is_zone(named) or _ZONE_RULE.fullmatch(named) or _is_zone_file(named)
    return "" if known and _is_within_a_day() else named


def take_utc() -> None:
    """Tell all times of this process in UTC, whatever makes them."""
    os.environ["TZ"] = "UTC"
    time.tzset()


def _is_within_a_day() -> bool:
    """Tell whether local times are less than a day from UTC, in summer and winter: others fail."""
    return max(abs(time.timezone), abs(time.altzone)) < _DAY_S


def at_ms(text: str, option: str, default: int) -> int:
    """Return a time in milliseconds since 1970; without a zone it is local time."""
    if not text:
        return default
    try:
        # A printed time has a blank before its zone.
        moment = datetime.fromisoformat(re.sub(r" (?=[+-]\d\d:\d\d\Z)", "", text))
        told_ms = round(moment.timestamp() * 1000)
    except (ValueError, OverflowError):
        wanted = "write it as 2026-01-02T03:04:05 (local time) or 2026-01-02T03:04:05+08:00"
        raise BadInput(option, f"{text!r} is not a time; {wanted}") from None
    if moment.tzinfo is None:
        _check_local(moment, text, option)
    return told_ms


def period(since: str, until: str, *, first_ms: int, last_ms: int) -> tuple[int, int]:
    """Return the times of --from and --to, each with what it is if it is not given."""
    earliest, latest = at_ms(since, "--from", first_ms), at_ms(until, "--to", last_ms)
    if earliest > latest:
        raise BadInput("--from", "is later than --to; swap them")
    return earliest, latest


def _check_local(moment: datetime, text: str, option: str) -> None:
    """Refuse a local time that the clocks have skipped, or shown twice: it is no one moment."""
    try:
        first, second = (moment.replace(fold=fold).astimezone() for fold in (0, 1))
    except (ValueError, OverflowError, OSError):
        return  # at the end of the calendar, where no clocks are set
    if first.utcoffset() == second.utcoffset():
        return
    zone = time_zone()
    if first.replace(tzinfo=None) != moment:
        raise BadInput(
            option,
            f"{text} did not exist in {zone}: the clocks were put forward; write an earlier or later time",
        )
    offsets = " or ".join(_offset(each) for each in (first, second))
    raise BadInput(
        option, f"{text} came twice in {zone}: the clocks were put back; add which, {offsets}"
    )


def _offset(moment: datetime) -> str:
    offset = f"{moment:%z}"
    return f"{offset[:3]}:{offset[3:5]}"


def _is_zone(name: str) -> bool:
    """Tell whether the system has a zone of this name: any other is taken as UTC."""
    try:
        return bool(_ZONE_NAME.fullmatch(name)) and bool(ZoneInfo(name))
    except (ValueError, OSError, LookupError):
        return name == "UTC"


def _is_zone_file(name: str) -> bool:
    try:
        return name.startswith("/") and Path(name).is_file()
    except OSError:
        return False
