"""Measures a coin spot on a spot board beside one on pins: sensor to event, and lamp command to lamp.

The board is the real program on MicroPython behind a pseudo-terminal, and a wire joins its first lamp with
its first sensor, as one joins the pins. Both debounce for as long; what a real Pico takes besides for USB
is in no figure here.
"""

import asyncio
import socket
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from firmware.table.events import CoinSensed
from sim.spot_board.interpreter import PROJECT, find
from tests.devices.intake import FakeIntake
from tests.devices.spot_backends import SPOT, BoardOnMicroPython, SimulatedPins

ROUNDS = 40
_HOURS = "0.1"
"""Of virtual time."""
_APART_S = 0.04
"""So that no sensor chatters: 20 changes a second are too many."""


class Took(NamedTuple):
    """The seconds from the command to the lamp, and from there to the event of the sensor."""

    lamp: float
    event: float


class _TimedPins(SimulatedPins):
    changed_at = 0.0

    def _wire(self, listener: socket.socket) -> None:
        hands, _ = listener.accept()
        with suppress(OSError):
            hands.sendall(f"pin {self.sensor} 0\ngo\n".encode("ascii"))
            for line in hands.makefile("rb"):
                self.changed_at = perf_counter()
                hands.sendall(f"pin {self.sensor} ".encode("ascii") + line.split()[2] + b"\n")


class _TimedBoard(BoardOnMicroPython):
    changed_at = 0.0
    _was_lit = False

    def _follow(self) -> None:
        if self.lit() != self._was_lit:
            self._was_lit = self.lit()
            self.changed_at = perf_counter()
        super()._follow()


BACKENDS: Mapping[str, type[_TimedPins | _TimedBoard]] = {
    "on pins": _TimedPins,
    "on a spot board": _TimedBoard,
}


def latencies(folder: Path) -> dict[str, list[Took]]:
    """Measure both kinds, one after the other."""
    found = {}
    for name, kind in BACKENDS.items():
        (folder / name).mkdir(parents=True)
        found[name] = asyncio.run(_latencies(kind, folder / name))
    return found


async def _latencies(kind: type[_TimedPins | _TimedBoard], folder: Path) -> list[Took]:
    backend, shell = kind(folder), FakeIntake()
    spots = backend.open(shell)
    try:
        await _sensed(shell, present=False)
        # Before the first sign of life the lamps of a board are dark.
        await asyncio.sleep(0.5)
        found = []
        for number in range(2 * ROUNDS):
            lit = number % 2 == 0
            began = perf_counter()
            spots.set(SPOT, "steady" if lit else "off")
            sensed_at = await _sensed(shell, present=lit)
            await asyncio.sleep(_APART_S)
            found.append(Took(backend.changed_at - began, sensed_at - backend.changed_at))
        return found
    finally:
        spots.close()
        backend.close()


async def _sensed(shell: FakeIntake, *, present: bool) -> float:
    while True:
        event = await shell.events.get()
        if isinstance(event, CoinSensed) and event.present is present:
            return perf_counter()


def heap_free_bytes() -> int:
    """Return how much of a Pico's heap is free at the least while the board is played with."""
    program = PROJECT / "tests/spot_board/on_board/memory.py"
    said = subprocess.run(
        find().runs(program, PROJECT, _HOURS), check=True, capture_output=True
    )  # our own command
    return min(map(int, said.stdout.split()))
