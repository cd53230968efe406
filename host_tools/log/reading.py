"""Reads the log of a table through its maintenance socket and prints it, once or as it comes.

The table keeps the lines (`firmware/maintenance/log_tail.py`) and numbers them, so that each is
printed once; a connection that is lost is made again, as in `underfelt watch`.
"""

import re
import time
from collections.abc import Iterable
from datetime import datetime, timedelta
from datetime import time as clock_time

from msgspec import Struct

from firmware.errors import BadInput
from firmware.maintenance.log_tail import LogEntry
from firmware.maintenance.protocol import Logged, LogLines
from host_tools.connection.table_stream import RefusedError, TableStream, open_table
from host_tools.connection.targets import TargetError
from host_tools.journal.times import ALWAYS_MS, local_time
from host_tools.terminal import counted, say, sentence

LOOK_S = 0.5
_AGAIN_S = 2.0
_LEVELS = ("debug", "info", "warning", "error", "critical")
_AGO = re.compile(r"(\d{1,6}) ?(s|min|h|d)")
_UNITS = {"s": "seconds", "min": "minutes", "h": "hours", "d": "days"}


class Wanted(Struct, frozen=True):
    """Which lines somebody wants to see."""

    most: int
    since_ms: int
    level: str

    def fits(self, entry: LogEntry) -> bool:
        """Return whether a line is wanted; one of a level that nobody knows is."""
        known = entry.level in _LEVELS
        loud = not known or _LEVELS.index(entry.level) >= _LEVELS.index(self.level)
        return loud and entry.at_ms >= self.since_ms


def moment_ms(text: str, now: datetime | None = None) -> int:
    """Return since when lines are wanted: so long ago, last at a time of day, or at a date and time."""
    if not text:
        return -ALWAYS_MS
    now = now or datetime.now().astimezone()
    ago = _AGO.fullmatch(text)
    try:
        if ago:
            moment = now - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
        elif "-" in text:
            # Without a zone it is this machine's.
            moment = datetime.fromisoformat(text).astimezone()
        else:
            at = datetime.strptime(text, "%H:%M").time()  # noqa: DTZ007  # a time of day
            moment = _last_at(at, now)
        return int(moment.timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        hint = "write 10min, 2h, 15:04 or 2026-01-02T15:04"
        raise BadInput("--since", f"{text!r} is not a time; {hint}") from None


def _last_at(at: clock_time, now: datetime) -> datetime:
    """Return the last moment at which a clock here showed this: today, or yesterday."""
    days = (now.date(), now.date() - timedelta(days=1))
    # Without a zone it is this machine's, whose distance from UTC may differ between the two days.
    moments = [datetime.combine(day, at).astimezone() for day in days]
    return next((moment for moment in moments if moment <= now), moments[-1])


def show(target: str, wanted: Wanted) -> None:
    """Print the last lines of the log."""
    with open_table(target) as table:
        found = [each for each in _entries(table) if wanted.fits(each)]
    _print(found[-wanted.most :] if wanted.most else [])
    if not found:
        say(f"{target}: the log has no such line.", err=True)


def follow(target: str, wanted: Wanted) -> None:
    """Print the last lines and then each that comes; a lost connection is made again."""
    seen = _Seen(wanted)
    with open_table(target) as table:
        seen.read(table)
        lost = seen.follow(table)
    while True:
        say(f"{lost} Trying again until it answers.", err=True)
        lost = seen.follow_again(target)


class _Seen:
    """How far the log of a table was printed."""

    def __init__(self, wanted: Wanted) -> None:
        self._wanted = wanted
        self._last: LogEntry | None = None
        self._stream: TableStream | None = None

    def read(self, table: TableStream) -> None:
        """Print what was not printed yet."""
        entries = _entries(table)
        first, connected_anew = self._stream is None, self._stream is not table
        self._stream = table
        if connected_anew and self._last not in entries:
            # The firmware was started again, and counts from 1.
            self._last = None
        seen = self._last.number if self._last is not None else 0
        new = [each for each in entries if each.number > seen]
        if new and seen and new[0].number > seen + 1:
            lost = new[0].number - seen - 1
            say(f"… {counted(lost, 'line')} came faster than they were read and are gone …")
        found = [each for each in new if self._wanted.fits(each)]
        if first:
            found = found[-self._wanted.most :] if self._wanted.most else []
        _print(found)
        self._last = new[-1] if new else self._last

    def follow(self, table: TableStream) -> str:
        """Print what comes until the connection is lost; return why."""
        try:
            while True:
                self.read(table)
                time.sleep(LOOK_S)
        except RefusedError:
            raise
        except TargetError as error:
            return sentence(str(error))

    def follow_again(self, target: str) -> str:
        """Connect as soon as the table answers, and go on."""
        while True:
            time.sleep(_AGAIN_S)
            try:
                with open_table(target) as table:
                    return self.follow(table)
            except TargetError:
                continue


def _entries(table: TableStream) -> tuple[LogEntry, ...]:
    reply = table.ask(Logged, lambda number: LogLines(number=number))
    if reply.lines and not reply.entries:
        raise table.other_version()
    return reply.entries


def _print(entries: Iterable[LogEntry]) -> None:
    for each in entries:
        say(f"{local_time(each.at_ms)} {each.level.upper():<7} {each.text}")
