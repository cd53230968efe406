"""A table process whose devices fail: it stays up, and goes on when they are good again.

Real processes, pseudo-terminals that vanish and come back, pins that chatter. What a fault
does to a round is the table's business and tested there; here, that the process lives, and a
device that is back shows what it should.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from firmware.journal.reader import records
from firmware.table.events import CoinSensed
from sim.broker import EmbeddedBroker
from sim.table.hardware import TableHardware
from sim.table.line_device import LineDevice
from tests.sim.floors import one_table

HANG_S = 240
Play = Callable[[TableHardware], Awaitable[None]]


def with_a_table(folder: Path, play: Play) -> None:
    """Play with a table that is up and on its link; it must be up at the end, too."""

    async def played() -> None:
        async with one_table(folder, EmbeddedBroker) as floor, asyncio.timeout(HANG_S):
            (table,) = floor.tables
            await table.until(lambda: table.screen.meter_cents is not None)
            await table.until(lambda: table.screen.code == "idle")
            await play(table)
            assert table.process is not None
            assert table.process.returncode is None

    asyncio.run(played())


async def opened(table: TableHardware) -> None:
    """Open the bets; while a device is gone the table may refuse to."""
    while table.screen.code != "betting":
        await table.press("OPEN")
        await asyncio.sleep(0.2)


def coins(table: TableHardware) -> list[tuple[int, bool]]:
    """Read the chips that the table has written down."""
    events = [record.event for record in records(table.folder)]
    return [(event.seat, event.present) for event in events if isinstance(event, CoinSensed)]


def test_a_panel_that_is_unplugged_shows_the_prompt_and_takes_keys_when_it_is_back(
    tmp_path: Path,
) -> None:
    async def play(table: TableHardware) -> None:
        table.panel.unplug()
        table.screen.code = ""
        pressing = asyncio.create_task(table.press("OPEN"))
        await asyncio.sleep(0.3)
        assert not pressing.done()
        table.panel.plug_in()
        await table.until(lambda: table.screen.code != "")
        await pressing
        await opened(table)

    with_a_table(tmp_path, play)


def test_a_sign_that_is_unplugged_shows_the_meter_again_when_it_is_back(tmp_path: Path) -> None:
    async def play(table: TableHardware) -> None:
        meter_cents = table.screen.meter_cents
        table.sign.unplug()
        table.screen.meter_cents = None
        await asyncio.sleep(0.3)
        table.sign.plug_in()
        await table.until(lambda: table.screen.meter_cents == meter_cents)

    with_a_table(tmp_path, play)


def test_a_table_starts_without_its_sign_and_shows_the_meter_when_it_comes(tmp_path: Path) -> None:
    async def play(table: TableHardware) -> None:
        await table.kill()
        table.sign.unplug()
        table.screen.code, table.screen.meter_cents = "", None
        await table.start()
        await table.until(lambda: table.screen.code == "idle")
        table.sign.plug_in()
        await table.until(lambda: table.screen.meter_cents is not None)

    with_a_table(tmp_path, play)


@pytest.mark.parametrize("device", ["panel", "cards"])
def test_a_device_that_sends_garbage_takes_nothing_down(tmp_path: Path, device: str) -> None:
    async def play(table: TableHardware) -> None:
        babbling: LineDevice = table.panel if device == "panel" else table.cards
        for _ in range(50):
            babbling.babble(1_000)
            await asyncio.sleep(0.01)
        await opened(table)
        table.place_chip(2)
        await table.until(lambda: table.lamp_pattern(2) == "quick_blink")

    with_a_table(tmp_path, play)


def test_a_sensor_that_chatters_takes_nothing_down_and_the_other_spots_go_on(
    tmp_path: Path,
) -> None:
    async def play(table: TableHardware) -> None:
        await opened(table)
        await table.chatter(1, times=150, hz=50)
        table.place_chip(2)
        await table.until(lambda: table.lamp_pattern(2) == "quick_blink")

    with_a_table(tmp_path, play)
