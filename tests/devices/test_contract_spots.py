"""The contract of coin spots and their lamps: one suite, whatever they are wired to.

A wire joins the lamp of a spot with its sensor, so each proves the other. What it runs on, simulated or
real, is in `spot_backends.py`.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import get_args

import pytest

from firmware.devices import spot_board
from firmware.devices.spots import Spots
from firmware.table.effects import Pattern
from firmware.table.events import CoinSensed, FaultNoticed
from sim.table.lamp_watch import LampWatch
from tests.devices.intake import FakeIntake
from tests.devices.spot_backends import BACKENDS, SPOT, Backend
from tests.spot_board.interpreters import needs_interpreter

PATIENCE_S = 30
_LOOK_S = 0.005
Play = Callable[[Spots, FakeIntake, Backend], Awaitable[None]]
on_each = pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=needs_interpreter if "MicroPython" in name else ())
        for name in BACKENDS
    ],
)


@pytest.fixture(autouse=True)
def _wire_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let simulated pins lose only their wire: the table that would end with them is this test."""
    monkeypatch.setattr("os.kill", lambda _process, _signal: None)
    monkeypatch.setattr(spot_board, "ASK_S", 0.25)


def play(name: str, folder: Path, scene: Play) -> None:
    """Play a scene on a backend whose spot is known to be empty."""

    async def played() -> None:
        backend, shell = BACKENDS[name](folder), FakeIntake()
        spots = backend.open(shell)
        try:
            judged = asyncio.Event()
            spots.when_judged(judged.set)
            async with asyncio.timeout(PATIENCE_S):
                await judged.wait()
            assert await sensed(shell) is False
            await scene(spots, shell, backend)
        finally:
            spots.close()
            backend.close()

    asyncio.run(played())


async def sensed(shell: FakeIntake, before: bool | None = None) -> bool:  # noqa: FBT001  # a level
    """Wait for the next report of the spot that says something else than before."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            event = await shell.events.get()
            assert not isinstance(event, FaultNoticed)
            if isinstance(event, CoinSensed) and event.present is not before:
                assert (event.seat, event.bet) == SPOT
                return event.present


@on_each
def test_a_spot_reports_its_level_at_the_start_and_every_change(name: str, tmp_path: Path) -> None:
    async def scene(spots: Spots, shell: FakeIntake, _backend: Backend) -> None:
        for _ in range(3):
            spots.set(SPOT, "steady")
            assert await sensed(shell, before=False) is True
            spots.set(SPOT, "off")
            assert await sensed(shell, before=True) is False

    play(name, tmp_path, scene)


@on_each
def test_a_level_is_reported_again_when_it_is_asked_for(name: str, tmp_path: Path) -> None:
    async def scene(spots: Spots, shell: FakeIntake, _backend: Backend) -> None:
        spots.set(SPOT, "steady")
        assert await sensed(shell, before=False) is True
        spots.read_again()
        assert await sensed(shell) is True

    play(name, tmp_path, scene)


@on_each
def test_the_bare_level_and_its_changes_are_there_for_diagnosis(name: str, tmp_path: Path) -> None:
    async def scene(spots: Spots, shell: FakeIntake, _backend: Backend) -> None:
        before = spots.readings()[SPOT]
        spots.set(SPOT, "steady")
        assert await sensed(shell, before=False) is True
        async with asyncio.timeout(PATIENCE_S):
            while not spots.readings()[SPOT].level:  # noqa: ASYNC110  # a reading has no event
                await asyncio.sleep(_LOOK_S)
        reading = spots.readings()[SPOT]
        assert reading.edges > before.edges
        assert (reading.chatters, reading.stuck) == (False, False)

    play(name, tmp_path, scene)


@on_each
@pytest.mark.parametrize("pattern", get_args(Pattern))
def test_a_lamp_shows_each_pattern_so_that_it_can_be_read(
    name: str, pattern: Pattern, tmp_path: Path
) -> None:
    async def scene(spots: Spots, _shell: FakeIntake, backend: Backend) -> None:
        loop, watch = asyncio.get_running_loop(), LampWatch()
        spots.set(SPOT, "off" if pattern != "off" else "steady")
        await asyncio.sleep(0.05)
        spots.set(SPOT, pattern)
        async with asyncio.timeout(PATIENCE_S):
            while True:
                at_ms, lit = loop.time() * 1_000, backend.lit()
                if lit != watch.lit:
                    watch.changed(at_ms, lit=lit)
                if watch.pattern(at_ms) == pattern:
                    return
                await asyncio.sleep(_LOOK_S)

    play(name, tmp_path, scene)
