"""Keeps the last lines of the log in memory, for a technician with no other access to it."""

import logging
from collections import deque

LINES = 200
_LONGEST = 400


class LogTail(logging.Handler):
    """A log handler that remembers; what must not be in the log is not here either."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        self._lines: deque[str] = deque(maxlen=LINES)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line."""
        self._lines.append(self.format(record)[:_LONGEST])

    def lines(self) -> tuple[str, ...]:
        """Return the lines, oldest first."""
        return tuple(self._lines)
