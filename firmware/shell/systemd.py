"""What the firmware tells systemd: ready, alive, stopping, and how it is doing.

The protocol of `sd_notify`: datagrams to the socket that `NOTIFY_SOCKET` names. Where there is
none, as in a terminal, nothing is sent. `WATCHDOG=1` is sent only while events are taken
(`alive.py`), so that a table that hangs is restarted.
"""

import logging
import os
import socket
from collections.abc import Mapping

_log = logging.getLogger(__name__)

_BEATS = 4
"""Signs of life per watchdog period: one may come late."""
_PATIENCE_S = 1.0
_MOST_STATUS_CHARACTERS = 200


class Notifier:
    """The way to systemd, if this process was started by it."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        if self._address.startswith("@"):
            self._address = "\0" + self._address[1:]
        self._watchdog_s = _watchdog_s(environment)

    @property
    def beat_s(self) -> float | None:
        """How often to say that the process is alive, or None if systemd does not ask."""
        return self._watchdog_s / _BEATS if self._address and self._watchdog_s else None

    def ready(self, status: str) -> None:
        """Say that the self-tests are done and the table runs."""
        self._send("READY=1", _status(status))

    def status(self, status: str) -> None:
        """Say in one line how it is doing; `systemctl status` shows it."""
        self._send(_status(status))

    def stopping(self) -> None:
        """Say that the process is about to end, as it was told to."""
        self._send("STOPPING=1", _status("stopping"))

    def alive(self, status: str) -> None:
        """Say that the table is alive, and how it is doing."""
        self._send("WATCHDOG=1", _status(status))

    def _send(self, *lines: str) -> None:
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as way:
                way.settimeout(_PATIENCE_S)
                way.sendto("\n".join(lines).encode(), self._address)
        except OSError as error:
            # The table carries on: systemd decides whether to restart it.
            _log.warning("cannot tell systemd %s: %s", lines[0], error)


def _status(text: str) -> str:
    return f"STATUS={' '.join(text.split())[:_MOST_STATUS_CHARACTERS]}"


def _watchdog_s(environment: Mapping[str, str]) -> float | None:
    """Return the silence after which systemd gives up, if that applies to this process."""
    if environment.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    wanted = environment.get("WATCHDOG_USEC", "")
    return int(wanted) / 1_000_000 if wanted.isdecimal() and int(wanted) else None
