"""How the firmware logs: one line per message, on standard error, never a card.

Under systemd a line begins with its level as journald reads it (`<4>`), so that
`journalctl -p warning` works, and journald adds the time; elsewhere a line begins with the time,
in UTC, and the level's name.
"""

import logging
import os
import sys
import time
from typing import TextIO

_LEVELS = (
    (logging.CRITICAL, 2),
    (logging.ERROR, 3),
    (logging.WARNING, 4),
    (logging.INFO, 6),
)
_DEBUG = 7
_TIME = "%Y-%m-%dT%H:%M:%S"


def begin() -> None:
    """Log to standard error from now on."""
    handler = logging.StreamHandler()
    if goes_to_journald(sys.stderr):
        handler.setFormatter(_JournaldFormatter("%(name)s: %(message)s"))
    else:
        handler.setFormatter(in_utc("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def in_utc(line: str) -> logging.Formatter:
    """Return a formatter whose times say their zone."""
    formatter = logging.Formatter(line)
    formatter.converter = time.gmtime
    formatter.default_time_format, formatter.default_msec_format = _TIME, "%s.%03dZ"
    return formatter


def goes_to_journald(stream: TextIO) -> bool:
    """Return whether a stream ends in journald; one redirected since does not."""
    try:
        found = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return False
    return os.environ.get("JOURNAL_STREAM") == f"{found.st_dev}:{found.st_ino}"


def complain(sentence: str) -> None:
    """Write the one sentence with which the process ends."""
    level = "<3>" if goes_to_journald(sys.stderr) else ""
    print(f"{level}underfelt-table: {' '.join(sentence.split())}", file=sys.stderr)


class _JournaldFormatter(logging.Formatter):
    """Writes the level before every line, of a traceback too."""

    def format(self, record: logging.LogRecord) -> str:
        number = next((each for least, each in _LEVELS if record.levelno >= least), _DEBUG)
        return "\n".join(f"<{number}>{line}" for line in super().format(record).splitlines())
