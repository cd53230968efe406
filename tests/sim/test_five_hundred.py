"""A large floor: five hundred tables on one Mosquitto, at two rounds a minute each.

Every table has `Table`, journal and link; twenty are full processes of the firmware with
their hardware, the others light ones (`light_tables.py`). Nothing is killed: what is
shown is that nothing is lost, and printed how long acknowledgements took. `make test` has
a smaller floor that plays faster.
"""

import asyncio
import os
import signal
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import pytest
from msgspec import Struct
from msgspec.structs import replace

from firmware.link.settings import LinkSettings
from sim.broker import HOST, Mosquitto, mosquitto_path
from sim.floor.dealer import Dealer
from sim.floor.floor import ROOT
from sim.jackpot_controller.process import JackpotProcess
from sim.table.hardware import TableHardware
from tests.sim.floors import GAME, SETTINGS, link_settings
from tests.sim.light_tables import LightTables, Play
from tests.sim.reckoning import (
    assert_exact,
    assert_exactly_once,
    entered_in_books,
    told_by_journal,
    until_settled,
)

SEED = int(os.environ.get("SEED", "20"))


class Size(Struct, frozen=True, kw_only=True):
    """How large a floor is, and how fast it plays."""

    full_tables: int
    processes: int
    light_tables: int
    """In each process."""
    rounds: int
    round_s: float
    hang_s: float


SIZE = (
    Size(full_tables=20, processes=4, light_tables=120, rounds=4, round_s=30.0, hang_s=1800.0)
    if os.environ.get("SOAK")
    else Size(full_tables=2, processes=1, light_tables=28, rounds=2, round_s=3.0, hang_s=120.0)
)


@pytest.mark.skipif(mosquitto_path() is None, reason="mosquitto is not installed")
def test_on_a_large_floor_nothing_is_lost(tmp_path: Path) -> None:
    print(f"SEED={SEED}")
    journals = asyncio.run(_played(tmp_path))
    told = {folder.name: told_by_journal(folder) for folder in journals}
    books = entered_in_books(tmp_path, GAME)
    print(f"{books.totals.contributions} contributions, {books.totals.awards} hits")
    assert len(told) == SIZE.full_tables + SIZE.processes * SIZE.light_tables
    assert all(table.rounds == SIZE.rounds for table in told.values())
    assert_exactly_once(told, books)
    assert_exact(books)
    assert not {name: table.complaints for name, table in told.items() if table.complaints}


async def _played(folder: Path) -> list[Path]:
    """Play all rounds on the floor, and give where the journals are."""
    async with AsyncExitStack() as stack:
        broker = stack.enter_context(Mosquitto(folder))
        jackpot = JackpotProcess(replace(link_settings(), root=ROOT), folder, broker)
        stack.push_async_callback(jackpot.stop)
        await jackpot.start()
        link = LinkSettings(host=HOST, port=broker.port, root=ROOT)
        light = [_light(number, link, folder) for number in range(1, SIZE.processes + 1)]
        for tables in light:
            stack.callback(tables.end, signal.SIGTERM)
            tables.start()
        full = []
        for number in range(1, SIZE.full_tables + 1):
            name = f"T{number}"
            full.append(TableHardware(replace(SETTINGS, name=name), link, folder / name))
            stack.push_async_callback(full[-1].close)
            await full[-1].start()
        async with asyncio.timeout(SIZE.hang_s):
            dealing = [asyncio.create_task(_deal(table)) for table in full]
            done = await asyncio.gather(*(tables.until_done() for tables in light))
            await asyncio.gather(*dealing)
            for table in full:
                while told_by_journal(table.folder).owed:  # noqa: ASYNC110  # a file tells nobody
                    await asyncio.sleep(0.2)
            await until_settled(folder, GAME)
    waits = sorted(wait_s for each in done for wait_s in each.acknowledged_s)
    print(
        f"{len(waits)} contributions of light tables were acknowledged, in ms:",
        ", ".join(f"{name} {1000 * _quantile(waits, q):.1f}" for name, q in QUANTILES.items()),
    )
    journals = [table.folder for table in full]
    return journals + [journal for tables in light for journal in tables.journals]


QUANTILES = {"median": 0.5, "p99": 0.99, "longest": 1.0}


def _quantile(ordered: list[float], quantile: float) -> float:
    return ordered[min(len(ordered) - 1, int(quantile * len(ordered)))]


def _light(number: int, link: LinkSettings, folder: Path) -> LightTables:
    names = [f"P{number}-{table}" for table in range(1, SIZE.light_tables + 1)]
    play = Play(
        tables=tuple(replace(SETTINGS, name=name, seats=7) for name in names),
        link=link,
        rounds=SIZE.rounds,
        seed=SEED,
        # As the cards fall: a floor of this size has a major every few hours.
        lucky=0.0,
        round_s=SIZE.round_s,
    )
    return LightTables(play, folder / f"P{number}")


async def _deal(table: TableHardware) -> None:
    """Play the rounds of a full table, none faster than it should be."""
    rng = Random(f"{SEED} {table.folder.name}")
    dealer = Dealer(table, rng)
    await asyncio.sleep(rng.uniform(0, SIZE.round_s))
    for number in range(1, SIZE.rounds + 1):
        await asyncio.gather(dealer.play(number), asyncio.sleep(SIZE.round_s))
