"""Exactly once: tables play while everything is killed and every connection is cut.

Broker, jackpot controller and tables are ended by `kill -9` and started again, and the
wires between tables and broker are cut, all at random. Some tables are full processes of
the firmware with their hardware, the others light ones (`light_tables.py`) of which many
share a process. `SEED` replays the games and the order of the mishaps; how they meet is
up to the machine.
"""

import asyncio
import os
import signal
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random

import pytest
from msgspec import Struct
from msgspec.structs import replace

from firmware.link.settings import LinkSettings
from sim.broker import HOST, Mosquitto, mosquitto_path
from sim.floor.dealer import Dealer
from sim.floor.floor import ROOT
from sim.jackpot_controller.accounts import PARTS_PER_CENT
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
from tests.sim.wires import Wire

SOAK = bool(os.environ.get("SOAK"))
SEED = int(os.environ.get("SEED", "20"))
STAKE_CENTS = 501
"""An odd one: half of it is not a whole cent."""


class Size(Struct, frozen=True, kw_only=True):
    """How large a floor is, and how long it plays."""

    full_tables: int
    full_rounds: int
    processes: int
    light_tables: int
    """In each process."""
    light_rounds: int
    lucky: float
    """In how many of these rounds somebody wins."""
    calm_s: float
    """How long nothing is killed or cut, at most."""
    mishaps: int
    """After how many mishaps it is calm; a major waits until all tables are on the link."""
    at_least: int
    """How many contributions that must be."""


SIZE = (
    Size(
        full_tables=20,
        full_rounds=12,
        processes=4,
        light_tables=10,
        light_rounds=50,
        lucky=0.03,
        calm_s=8.0,
        mishaps=1_000,
        at_least=10_000,
    )
    if SOAK
    else Size(
        full_tables=3,
        full_rounds=3,
        processes=1,
        light_tables=3,
        light_rounds=3,
        lucky=0.5,
        calm_s=2.0,
        mishaps=10,
        at_least=40,
    )
)
HANG_S = 1_200 if SOAK else 240


class RoughFloor:
    """A floor of tables on a wire, each of whose parts can be killed and started again."""

    def __init__(self, folder: Path, broker: Mosquitto, wire: Wire, rng: Random) -> None:
        self.broker = broker
        self.wire = wire
        self.jackpot = JackpotProcess(replace(link_settings(), root=ROOT), folder, broker)
        link = LinkSettings(
            host=HOST, port=wire.port, root=ROOT, overdue_s=2.0, stale_s=4.0, backoff_max_s=1.0
        )
        settings = replace(SETTINGS, jackpot_bet_cents=STAKE_CENTS)
        self.full = [
            TableHardware(replace(settings, name=f"T{number}"), link, folder / f"T{number}")
            for number in range(1, SIZE.full_tables + 1)
        ]
        self.light = []
        for process in range(1, SIZE.processes + 1):
            names = [f"P{process}-{number}" for number in range(1, SIZE.light_tables + 1)]
            tables = tuple(replace(settings, name=name, seats=7) for name in names)
            play = Play(
                tables=tables, link=link, rounds=SIZE.light_rounds, seed=SEED, lucky=SIZE.lucky
            )
            self.light.append(LightTables(play, folder / f"P{process}"))
        self.mishaps: Counter[str] = Counter()
        self.is_over = False
        self._rng = rng
        self._mishaps: dict[str, Callable[[], Awaitable[None]]] = {
            "broker killed": self._kill_broker,
            "controller killed": self._kill_controller,
            "table killed": self._kill_full,
            "light tables killed": self._kill_light,
            "wires cut": self._cut,
        }

    @property
    def kinds(self) -> int:
        """How many kinds of mishap there are."""
        return len(self._mishaps)

    async def suffer(self) -> None:
        """Let something happen now and then until it is over: each kind in turn, in any order."""
        left: list[str] = []
        while not self.is_over and self.mishaps.total() < SIZE.mishaps:
            left = left or self._rng.sample(list(self._mishaps), self.kinds)
            await asyncio.sleep(self._rng.uniform(0.2, SIZE.calm_s))
            name = left.pop()
            await self._mishaps[name]()
            self.mishaps[name] += 1

    async def _kill_broker(self) -> None:
        self.broker.kill()
        await asyncio.sleep(self._rng.uniform(0.0, 1.0))
        await asyncio.to_thread(self.broker.start)

    async def _kill_controller(self) -> None:
        await self.jackpot.kill()
        await asyncio.sleep(self._rng.uniform(0.0, 1.0))
        await self.jackpot.start()

    async def _kill_full(self) -> None:
        table = self._rng.choice(self.full)
        await table.kill()
        table.screen.code, table.screen.lines = "", ()
        await table.start()

    async def _kill_light(self) -> None:
        tables = self._rng.choice(self.light)
        await asyncio.to_thread(tables.end, signal.SIGKILL)
        tables.start()

    async def _cut(self) -> None:
        for _ in range(self._rng.randint(1, 5)):
            self.wire.cut(self._rng, part=self._rng.choice((0.1, 0.5, 1.0)))
            await asyncio.sleep(self._rng.uniform(0.0, 0.5))


@asynccontextmanager
async def rough_floor(folder: Path, rng: Random) -> AsyncIterator[RoughFloor]:
    """Start everything, and end it in the end."""
    async with AsyncExitStack() as stack:
        broker = stack.enter_context(Mosquitto(folder))
        wire = await stack.enter_async_context(Wire(broker.port))
        floor = RoughFloor(folder, broker, wire, rng)
        stack.push_async_callback(floor.jackpot.stop)
        await floor.jackpot.start()
        for tables in floor.light:
            # In a thread: what the tables say in the end still goes over the wire.
            stack.push_async_callback(asyncio.to_thread, tables.end, signal.SIGTERM)
            tables.start()
        for table in floor.full:
            stack.push_async_callback(table.close)
            await table.start()
        yield floor


@pytest.mark.skipif(mosquitto_path() is None, reason="mosquitto is not installed")
def test_every_contribution_counts_once_whatever_is_killed_and_cut(tmp_path: Path) -> None:
    print(f"SEED={SEED}")
    journals = asyncio.run(_played_roughly(tmp_path))
    told = {folder.name: told_by_journal(folder) for folder in journals}
    books = entered_in_books(tmp_path, GAME)
    totals, house_parts = books.totals, books.accounts.house_parts
    print(f"{totals.contributions} contributions, {totals.reversals} reversed")
    print(f"{totals.awards} hits, {house_parts / PARTS_PER_CENT:.4f} cents borne by the house")
    assert_exactly_once(told, books)
    assert_exact(books)
    assert totals.contributions >= SIZE.at_least
    assert not {name: table.complaints for name, table in told.items() if table.complaints}


async def _played_roughly(folder: Path) -> list[Path]:
    """Play everything there is to play, and give where the journals are."""
    async with rough_floor(folder, Random(SEED)) as floor, asyncio.timeout(HANG_S):
        suffering = asyncio.create_task(floor.suffer())
        dealers = [Dealer(table, Random(f"{SEED} {table.folder.name}")) for table in floor.full]
        await asyncio.gather(
            *(_deal(dealer, floor) for dealer in dealers),
            *(tables.until_done() for tables in floor.light),
        )
        floor.is_over = True
        await suffering
        journals = [table.folder for table in floor.full]
        journals += [journal for tables in floor.light for journal in tables.journals]
        for journal in journals:
            while told_by_journal(journal).owed:  # noqa: ASYNC110  # a file has nobody to tell
                await asyncio.sleep(0.2)
        await until_settled(folder, GAME)
        print(", ".join(f"{name} {count} times" for name, count in floor.mishaps.items()))
        return journals


async def _deal(dealer: Dealer, floor: RoughFloor) -> None:
    """Play the rounds of a table; and further ones, until everything has happened once."""
    while dealer.rounds_played < SIZE.full_rounds or len(floor.mishaps) < floor.kinds:
        await dealer.play(dealer.rounds_played + 1)
