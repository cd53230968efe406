"""The contract of coin spots and lamps, over simulated pins and, where they are, real ones.

A wire joins a lamp's pin with a sensor's, so each proves the other. The simulated pins are
those of a simulated table, behind their socket, and a thread is the wire.
"""

import asyncio
import socket
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import get_args

import pytest
from gpiozero import DigitalInputDevice
from gpiozero.pins import Factory

from firmware.devices.coin_spots import CoinSpots
from firmware.devices.lamps import Lamps
from firmware.table.effects import Pattern
from firmware.table.events import CoinSensed, FaultPassed
from sim.table.lamp_watch import LampWatch
from sim.table.pins import SimFactory
from tests.devices.hardware import BOTH, PINS, Where, real
from tests.devices.intake import FakeIntake

SPOT = (1, "jackpot")
Joined = tuple[int, int, Factory | None]
"""The pin of the lamp, the pin of the sensor, and whose pins they are."""


def joined(path: Path) -> SimFactory:
    """Make simulated pins, of which 4 follows 16 over a wire."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen()

    def wire() -> None:
        hands, _ = listener.accept()
        with hands, suppress(OSError):
            hands.sendall(b"pin 4 0\ngo\n")
            for line in hands.makefile("rb"):
                _, _pin, level = line.split()
                hands.sendall(b"pin 4 " + level + b"\n")

    threading.Thread(target=wire, daemon=True).start()
    return SimFactory(path)


Play = Callable[[Joined], Awaitable[None]]


def on_pins(where: Where, folder: Path, play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play on two joined pins."""
    if where == "real":
        lamp, sensor = map(int, real(PINS).split(","))
        pins: Joined = (lamp, sensor, None)
    else:
        # A simulated table ends with its hardware; this one only loses its wire.
        monkeypatch.setattr("os.kill", lambda _process, _signal: None)
        pins = (16, 4, joined(folder / "pins.sock"))

    async def played() -> None:
        await play(pins)

    asyncio.run(played())


wherever_they_are = pytest.mark.parametrize("where", BOTH)


async def sensed(shell: FakeIntake) -> bool:
    """Wait for the next report of the spot."""
    async with asyncio.timeout(30):
        while isinstance(event := await shell.events.get(), FaultPassed):
            pass
    assert isinstance(event, CoinSensed)
    return event.present


@wherever_they_are
def test_a_spot_reports_its_level_at_the_start_and_every_change(
    where: Where, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(pins: Joined) -> None:
        lamp, sensor, factory = pins
        shell = FakeIntake()
        lamps = Lamps({SPOT: lamp}, factory)
        spots = CoinSpots({SPOT: sensor}, factory, shell)
        assert await sensed(shell) is False
        for _ in range(3):
            lamps.set(SPOT, "steady")
            assert await sensed(shell) is True
            lamps.set(SPOT, "off")
            assert await sensed(shell) is False
        spots.close()
        lamps.close()

    on_pins(where, tmp_path, play, monkeypatch)


@wherever_they_are
@pytest.mark.parametrize("pattern", get_args(Pattern))
def test_a_lamp_shows_each_pattern_so_that_it_can_be_read(
    where: Where, pattern: Pattern, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(pins: Joined) -> None:
        lamp, sensor, factory = pins
        loop = asyncio.get_running_loop()
        watch = LampWatch()
        line = DigitalInputDevice(sensor, pull_up=False, pin_factory=factory)

        def changed() -> None:
            at_ms, lit = loop.time() * 1_000, bool(line.is_active)
            loop.call_soon_threadsafe(lambda: watch.changed(at_ms, lit=lit))

        line.when_activated = line.when_deactivated = changed
        lamps = Lamps({SPOT: lamp}, factory)
        lamps.set(SPOT, "off" if pattern != "off" else "steady")
        lamps.set(SPOT, pattern)
        async with asyncio.timeout(30):
            while watch.pattern(loop.time() * 1_000) != pattern:  # noqa: ASYNC110  # a lamp has no event
                await asyncio.sleep(0.01)
        lamps.close()
        line.close()

    on_pins(where, tmp_path, play, monkeypatch)
