"""The cable to a spot board: its port is opened, and opened again after a reset, which makes it vanish.

A port that cannot be opened is one sentence with its remedy. Time is the cable's, so that a board which is
emulated has its own.
"""

import errno
import time
from pathlib import Path
from typing import Literal, Protocol

from firmware.devices.bootsel import pico_waits
from firmware.errors import UnderfeltError

READ_S = 0.05
"""How long a read waits for a first byte."""
_BAUD = 115_200
"""Means nothing on USB."""
Trouble = Literal["missing", "bootsel", "in_use", "forbidden", "no_port"]


class Port(Protocol):
    """An open serial port, as pyserial has one."""

    timeout: float | None

    @property
    def in_waiting(self) -> int:
        """How many bytes can be read at once."""

    def read(self, size: int = 1, /) -> bytes:
        """Read so many bytes, or what comes within the timeout."""

    def write(self, data: bytes, /) -> int | None:
        """Send bytes."""

    def close(self) -> None:
        """Let the port go."""


class Cable(Protocol):
    """A way to a board."""

    @property
    def path(self) -> str:
        """The port, as it was named."""

    def open(self) -> Port:
        """Open the port; a `PortError` if it cannot be."""

    def now_s(self) -> float:
        """Return the time on this cable."""

    def wait(self, seconds: float) -> None:
        """Let time go by."""


class PortError(UnderfeltError):
    """A port that cannot be opened: what is wrong with it, and the sentence."""

    def __init__(self, trouble: Trouble, sentence: str) -> None:
        super().__init__(sentence)
        self.trouble: Trouble = trouble


class SerialCable:
    """A port of this machine."""

    def __init__(self, path: str) -> None:
        self.path = path

    def open(self) -> Port:
        """Open the port for ourselves alone, as the table does."""
        # Imported here, so that the help does not wait for it.
        import serial  # noqa: PLC0415

        try:
            port: Port = serial.Serial(
                self.path, _BAUD, timeout=READ_S, write_timeout=2, exclusive=True
            )
        except (OSError, ValueError) as error:
            raise _why_not(self.path, error) from None
        return port

    def now_s(self) -> float:
        """Return the time."""
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)


def _why_not(path: str, error: Exception) -> PortError:
    number = getattr(error, "errno", None)
    if number == errno.ENOENT or not Path(path).exists():
        return missing(path)
    if number in (errno.EACCES, errno.EPERM):
        return PortError(
            "forbidden", f"{path}: this user may not open it; add the user to the group dialout"
        )
    if number in (errno.EWOULDBLOCK, errno.EBUSY) or "exclusively lock" in str(error):
        return PortError(
            "in_use",
            f"{path}: it is in use, probably by the running table; stop the service ('sudo systemctl stop "
            "underfelt-table'), or, to see the board, name the table instead",
        )
    return PortError("no_port", f"{path}: is no serial port; name the one of the spot board")


def missing(path: str) -> PortError:
    """Say that nothing is there, and whether a Pico waits for its image."""
    if pico_waits():
        return PortError(
            "bootsel",
            f"{path}: there is no such port, but a Pico waits in BOOTSEL without a program; give it its "
            "image: 'underfelt board flash --image FILE.uf2'",
        )
    return PortError(
        "missing",
        f"{path}: there is no such port; plug the spot board in, or name its port (see /dev/underfelt)",
    )
