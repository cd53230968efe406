"""The hardware watchdog: it restarts the controller unless it is kicked in time.

It is kicked only while events are taken (`shell/alive.py`). A clean stop disarms it; a crash
does not, which is the point. Whether there is one is a setting (`/dev/watchdog`).
"""

import fcntl
import os
import struct
from contextlib import suppress

KICK_S = 3.0
TIMEOUT_S = 15
"""The longest that a Pi's watchdog can wait."""
_SET_TIMEOUT = 0xC0045706  # WDIOC_SETTIMEOUT of linux/watchdog.h
_DISARM = b"V"  # the kernel's magic close


class Watchdog:
    """An armed watchdog."""

    def __init__(self, path: str) -> None:
        """Open the watchdog, which arms it; a table set to have one must not run without."""
        self._file = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
        with suppress(OSError):  # one with a fixed time refuses, and keeps its own
            fcntl.ioctl(self._file, _SET_TIMEOUT, struct.pack("i", TIMEOUT_S))

    def kick(self) -> None:
        """Postpone the restart."""
        os.write(self._file, b"\0")

    def close(self) -> None:
        """Disarm the watchdog and release it."""
        with suppress(OSError):
            os.write(self._file, _DISARM)
        os.close(self._file)
