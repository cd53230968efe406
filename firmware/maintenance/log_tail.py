"""Keeps the last lines of the log in memory, for a technician with no other access to it."""

import logging
from collections import deque

from msgspec import Struct

LINES = 200
_LONGEST = 400


class LogEntry(Struct, frozen=True):
    """A message of the log: its number since the start, when, how bad, and what."""

    number: int
    at_ms: int
    level: str
    text: str


class LogTail(logging.Handler):
    """A log handler that remembers; what must not be in the log is not here either."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        self._short = logging.Formatter("%(name)s: %(message)s")
        self._lines: deque[str] = deque(maxlen=LINES)
        self._entries: deque[LogEntry] = deque(maxlen=LINES)
        self._count = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line."""
        self._count += 1
        text = self._short.format(record)[:_LONGEST]
        at_ms = int(record.created * 1000)
        self._entries.append(LogEntry(self._count, at_ms, record.levelname.lower(), text))
        self._lines.append(self.format(record)[:_LONGEST])

    def lines(self) -> tuple[str, ...]:
        """Return the lines, oldest first."""
        return tuple(self._lines)

    def entries(self) -> tuple[LogEntry, ...]:
        """Return the same with what they say apart, oldest first."""
        return tuple(self._entries)
