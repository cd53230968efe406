"""Real tables play with the second controller: what the contract says is enough for them.

The firmware as processes on simulated hardware and a real broker; the controller knows of the link
only what a vendor reads.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from firmware.link.settings import LinkSettings
from firmware.protocol.obligations import Contribution, Verdict, Win
from sim.broker import HOST, Broker, EmbeddedBroker, Mosquitto, mosquitto_path
from sim.floor.floor import Floor, FloorSettings
from tests.conformance.second_controller import GAME, RESET_CENTS, SecondController, ended
from tests.link.ends import HANGS_AFTER_S
from tests.sim.floors import SEATS, stacked
from tests.sim.reckoning import told_by_journal
from tests.sim.test_claims_end_to_end import (
    confirm,
    deal,
    reveal,
    until_meter,
    until_nothing_owed,
    until_paid,
    until_registered,
)

ROOT = "vendor"
ADDED_CENTS = 125
"""What a chip adds to the second controller's meter."""
ROYAL_ROUND = stacked((2, 3), {2: "Th Jh Qh Kh Ah", 3: "Tc Ts 7c 6d 3s"}, "As Kc 8c 4s 2c", GAME)
NO_WIN = stacked((2, 3), {2: "9h 7d 5s 3c 2d", 3: "Tc Ts 7c 6d 3s"}, "As Kc 8c 4s 2c", GAME)


@asynccontextmanager
async def played_by(folder: Path, broker: Broker, tables: int) -> AsyncIterator[Floor]:
    """Start tables beside the second controller, and wait until they show its meter."""
    second = SecondController(broker.port, ROOT, folder / "books.json")
    serving = asyncio.create_task(second.run())
    link = LinkSettings(host=HOST, port=broker.port, root=ROOT)
    settings = FloorSettings(tables=tables, seats=SEATS, game=GAME, link=link, controller=False)
    try:
        async with Floor(folder, settings) as floor, asyncio.timeout(2 * HANGS_AFTER_S):
            for table in floor.tables:
                await until_meter(table, RESET_CENTS)
            yield floor
        assert not serving.done(), serving
    except TimeoutError:
        pytest.fail(f"nothing goes on: {[table.screen for table in floor.tables]}")
    finally:
        await ended(serving)


def entered(folder: Path, kind: str) -> list[dict[str, Any]]:
    """List what the second controller has in its books of one kind."""
    books = SecondController(0, ROOT, folder / "books.json").books
    return [each for each in books["entered"].values() if each["message"] == kind]


def test_real_tables_are_accepted_contribute_and_are_paid_a_royal_by_a_vendor_s_controller(
    tmp_path: Path,
) -> None:
    async def scenario(broker: Broker) -> None:
        async with played_by(tmp_path, broker, tables=2) as floor:
            winner, other = floor.tables
            await deal(other, NO_WIN)
            await until_registered(other)
            await reveal(other)
            await until_paid(other)
            await deal(winner, ROYAL_ROUND)
            await until_registered(winner)
            await reveal(winner)
            await confirm(winner)
            # Paid by the award, once nobody doubts it: four chips have been put on the meter.
            await until_paid(winner, "$50,005.00")
            await floor.dealers[1].play(rounds=2)
            for table in floor.tables:
                await until_nothing_owed(table)

    kind = EmbeddedBroker if mosquitto_path() is None else Mosquitto
    (tmp_path / "broker").mkdir()
    with kind(tmp_path / "broker") as broker:
        asyncio.run(scenario(broker))
    assert RESET_CENTS + 4 * ADDED_CENTS == 5_000_500
    told = [told_by_journal(tmp_path / name) for name in ("T1", "T2")]
    assert [amount for each in told for amount in each.awards.values()] == [5_000_500]
    assert [each.complaints for each in told] == [(), ()]
    owed = {id_: each for table in told for id_, each in table.obligations.items()}
    for message, type_ in (("contribution", Contribution), ("win", Win), ("verdict", Verdict)):
        ids = {id_ for id_, each in owed.items() if isinstance(each, type_)}
        assert {each["id"] for each in entered(tmp_path, message)} == ids
        assert ids
    # The shift manager was not needed: no award was doubted (F504), no message rejected.
    assert [each["paid_cents"] for each in entered(tmp_path, "verdict")] == [None]
    assert {each["code"] for each in entered(tmp_path, "fault")} == set()
