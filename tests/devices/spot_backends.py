"""What the contract suite of coin spots runs on: one spot, whose lamp a wire joins with its sensor.

Simulated pins are those of a simulated table, behind their socket, and a thread is the wire. Another
backend is a class and a line in `BACKENDS`.
"""

import asyncio
import socket
import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from gpiozero.pins import Factory

from firmware.devices.spot_board import SpotBoard
from firmware.devices.spots import PinSpots, Spots
from firmware.table.effects import SpotKey
from firmware.table.intake import Intake
from sim.spot_board.interpreter import find
from sim.spot_board.process import SpotBoardProcess
from sim.table.pins import SimFactory
from tests.devices.hardware import PINS, real
from tests.devices.spot_peer import SpotPeer

_ALIVE_S = 0.25
SPOT: SpotKey = (1, "jackpot")


class Backend(ABC):
    """One spot, and the wire that joins its lamp with its sensor; made in a running event loop."""

    def __init__(self, folder: Path) -> None:
        """Set it up; the folder is for its files."""
        self.folder = folder

    @abstractmethod
    def open(self, intake: Intake) -> Spots:
        """Open the table's side."""

    @abstractmethod
    def lit(self) -> bool:
        """Return whether the lamp is lit now, as somebody sees it."""

    def close(self) -> None:  # noqa: B027  # nothing to take apart, unless there is
        """Take everything apart."""


class JoinedPins(Backend):
    """Two pins, of which the sensor's follows the lamp's over a wire."""

    lamp, sensor = 16, 4
    factory: Factory | None = None

    def open(self, intake: Intake) -> Spots:
        """Open the two pins."""
        self._spots = PinSpots({SPOT: (self.sensor, self.lamp)}, self.factory, intake)
        return self._spots

    def lit(self) -> bool:
        """Look at the other end of the wire."""
        return self._spots.readings()[SPOT].level


class SimulatedPins(JoinedPins):
    """Pins of a simulated table, which lose only their wire when it ends."""

    def __init__(self, folder: Path) -> None:
        """Make the pins, and the wire."""
        super().__init__(folder)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(folder / "pins.sock"))
        listener.listen()
        threading.Thread(target=self._wire, args=(listener,), daemon=True).start()
        self.factory = SimFactory(folder / "pins.sock")

    def _wire(self, listener: socket.socket) -> None:
        hands, _ = listener.accept()
        with hands, suppress(OSError):
            hands.sendall(f"pin {self.sensor} 0\ngo\n".encode("ascii"))
            for line in hands.makefile("rb"):
                _, _pin, level = line.split()
                hands.sendall(f"pin {self.sensor} ".encode("ascii") + level + b"\n")


class RealPins(JoinedPins):
    """Pins of this machine that a real wire joins."""

    def __init__(self, folder: Path) -> None:
        """Take the pins that whoever sits at the bench has named."""
        super().__init__(folder)
        self.lamp, self.sensor = map(int, real(PINS).split(","))


class BoardInPython(Backend):
    """A spot board that CPython runs, whose first input follows its first output."""

    def __init__(self, folder: Path) -> None:
        """Plug the board in."""
        super().__init__(folder)
        self.peer = SpotPeer()
        self.peer.joined[1] = 1
        self.peer.plug_in()

    def open(self, intake: Intake) -> Spots:
        """Open the board's port."""
        self._spots = SpotBoard(self.peer.path, {SPOT: (1, 1)}, intake)
        return self._spots

    def lit(self) -> bool:
        """Look at the lamp."""
        return self.peer.lit(1)

    def close(self) -> None:
        """Take the board away."""
        self.peer.close()


class BoardOnMicroPython(Backend):
    """A spot board that runs the real program on the real MicroPython; its first lamp drives its first sensor."""

    def __init__(self, folder: Path) -> None:
        """Start the program."""
        super().__init__(folder)
        self.board = SpotBoardProcess(folder / "spot-board", find(), folder / "spots")
        self.board.on_change = self._follow

    def open(self, intake: Intake) -> Spots:
        """Open the board's port, and give it the table's sign of life as the table does."""
        self._spots = SpotBoard(self.board.path, {SPOT: (1, 1)}, intake)
        self._living = asyncio.create_task(self._live())
        return self._spots

    def lit(self) -> bool:
        """Look at the lamp."""
        return self.board.lamps()[0]

    def close(self) -> None:
        """Take the board away."""
        self._living.cancel()
        self.board.close()

    def _follow(self) -> None:
        self.board.set_level(1, self.lit())

    async def _live(self) -> None:
        while True:
            self._spots.alive()
            await asyncio.sleep(_ALIVE_S)


BACKENDS: Mapping[str, type[Backend]] = {
    "simulated pins": SimulatedPins,
    "real pins": RealPins,
    "spot board in Python": BoardInPython,
    "spot board on MicroPython": BoardOnMicroPython,
}
