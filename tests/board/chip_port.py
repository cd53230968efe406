"""The cable to an emulated board as the host tools know one: reading it lets the chip's time go by.

Nothing here waits on the wall clock: a second is one of the chip's. The port vanishes with a reset, as the
real one does.
"""

import serial

from host_tools.board.cable import READ_S, PortError
from sim.pico.chip import Chip

STEP_MS = 2.0
FOUND_MS = 50.0
"""How long a host looks for the board before it says that there is none."""


class ChipPort:
    """An open port."""

    def __init__(self, chip: Chip) -> None:
        self._chip = chip
        self.timeout: float | None = READ_S
        self._heard = len(chip.heard)
        self._unread = b""

    @property
    def in_waiting(self) -> int:
        """How many bytes can be read; a little time goes by if there are none."""
        self._take()
        if not self._unread:
            self._chip.run_ms(STEP_MS)
            self._take()
        return len(self._unread)

    def inWaiting(self) -> int:  # noqa: N802  # pyserial's older name, which mpremote uses
        """Return how many bytes can be read."""
        return self.in_waiting

    def read(self, size: int = 1) -> bytes:
        """Read so many bytes, or what has come within the timeout."""
        end_ms = self._chip.now_ms + (self.timeout or 0.0) * 1000
        while len(self._unread) < size and self._chip.now_ms < end_ms:
            if self.in_waiting == 0:
                self._check()
        data, self._unread = self._unread[:size], self._unread[size:]
        return data

    def write(self, data: bytes) -> int:
        """Send bytes."""
        self._check()
        self._chip.host.write(data)
        return len(data)

    def close(self) -> None:
        """Let the port go."""

    def _take(self) -> None:
        new = self._chip.heard[self._heard :]
        self._heard += len(new)
        self._unread += b"".join(data for _, data in new)

    def _check(self) -> None:
        if not self._unread and not (self._chip.has_power and self._chip.host.open):
            raise serial.SerialException("the port is gone")


class ChipCable:
    """The cable."""

    path = "the emulated board"

    def __init__(self, chip: Chip) -> None:
        self._chip = chip

    def open(self) -> ChipPort:
        """Open the port, once the host has found the board."""
        self._chip.run_until(lambda: self._chip.host.open, FOUND_MS)
        if not self._chip.host.open:
            raise PortError("missing", f"{self.path}: there is no such port; wait for it")
        return ChipPort(self._chip)

    def now_s(self) -> float:
        """Return the chip's time."""
        return self._chip.now_ms / 1000

    def wait(self, seconds: float) -> None:
        """Let the chip's time go by."""
        self._chip.run_ms(seconds * 1000)
