"""The pins of a simulated table, inside its process: gpiozero's mock pins, driven over a socket.

Lines on the socket: `pin <number> <0|1>` comes in and drives a sensor, `clock <ms>` sets the
offset of the wall clock, `go` says that all sensors have their initial level; `lamp <number>
<0|1>` goes out whenever the firmware changes a pin. `SensorLine`, on the other end of the
socket, is the level that a chip and a fault give a line. Not simulated: bouncing contacts other
than chatter on demand, pull resistors (a driven line ignores them), current, and a pin wired to
the wrong place.
"""

import os
import signal
import socket
import threading
from pathlib import Path
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin
from msgspec import Struct

from sim.table.wall_clock import WallClock


class SensorLine(Struct):
    """One sensor's line: whether a chip is on its spot, and the level it is stuck at, if any."""

    chip: bool = False
    stuck: bool | None = None

    @property
    def level(self) -> bool:
        """The level that reaches the pin."""
        return self.chip if self.stuck is None else self.stuck


class SimPin(MockPin):
    """A mock pin that keeps its driven level and reports what the firmware sets."""

    def _set_pull(self, value: str) -> None:
        self._pull = value

    def _set_state(self, value: Any) -> None:  # noqa: ANN401  # gpiozero's signature
        before = self._get_state()
        super()._set_state(value)
        if self._get_state() != before:
            self.factory.report(self.info.name, lit=bool(value))


class SimFactory(MockFactory):
    """A pin factory whose pins are in this process and are driven over the socket."""

    def __init__(self, path: Path) -> None:
        """Connect to the simulated hardware and wait for the first levels."""
        super().__init__(pin_class=SimPin)
        self._clock = WallClock()
        self._clock.install()
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(path))
        self._lines = self._socket.makefile("r", encoding="ascii")
        for line in self._lines:
            if line == "go\n":
                break
            self._drive(line)
        threading.Thread(target=self._follow, name="sim-pins", daemon=True).start()

    def report(self, name: str, *, lit: bool) -> None:
        """Tell the simulated hardware that the firmware has changed a pin."""
        number = name.removeprefix("GPIO")
        self._socket.sendall(f"lamp {number} {int(lit)}\n".encode("ascii"))

    def _follow(self) -> None:
        for line in self._lines:
            self._drive(line)
        # Without hardware there is no power: no simulated table outlives its simulator.
        os.kill(os.getpid(), signal.SIGTERM)

    def _drive(self, line: str) -> None:
        what, number, *rest = line.split()
        if what == "clock":
            self._clock.set_off(int(number))
            return
        pin, level = self.pin(int(number)), rest[0]
        if level == "1":
            pin.drive_high()
        else:
            pin.drive_low()
