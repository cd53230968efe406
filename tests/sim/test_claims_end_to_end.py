"""Majors of several tables, from the felt to the books: real tables, controller and Mosquitto.

Who is paid first, what the others wait for, who shares, and what becomes of claims that
were paid while the tables were cut off. The decision alone is in `test_jackpot_order.py`.
"""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from firmware.journal.reader import records
from firmware.protocol.messages import MeterMessage
from firmware.protocol.obligations import Verdict
from firmware.table.events import FaultNoticed
from sim.broker import Mosquitto, mosquitto_path
from sim.connection import connected, named
from sim.floor.dealer import PlannedRound
from sim.floor.floor import Floor, FloorSettings
from sim.jackpot_controller.accounts import PARTS_PER_CENT
from sim.table.hardware import Screen, TableHardware
from sim.table.table_file import PIT_SUPERVISOR
from tests.sim.floors import GAME, RESET_CENTS, SEATS, stacked
from tests.sim.reckoning import (
    assert_exact,
    assert_exactly_once,
    entered_in_books,
    told_by_journal,
    until_settled,
)

pytestmark = pytest.mark.skipif(mosquitto_path() is None, reason="mosquitto is not installed")

COMMAND = str(Path(sys.executable).with_name("underfelt-sim"))
MEGALINK = "mbs-megalink-stud"
HANG_S = 120
ADDED_CENTS = 250
"""What a chip adds to the meter."""

ROYAL, OTHER_ROYAL = "Th Jh Qh Kh Ah", "Td Jd Qd Kd Ad"
PAIR = "Tc Ts 7c 6d 3s"
DEALER = "As Kc 8c 4s 2c"
ROYAL_ROUND = stacked((2, 3), {2: ROYAL, 3: PAIR}, DEALER)
MEGALINK_ROYAL = stacked((2, 3), {2: ROYAL, 3: PAIR}, DEALER, MEGALINK)
MEGALINK_ROYALS = stacked((2, 3), {2: ROYAL, 3: OTHER_ROYAL}, DEALER, MEGALINK)
NO_WIN = stacked((2, 3), {2: "9h 7d 5s 3c 2d", 3: PAIR}, DEALER)


@asynccontextmanager
async def floor_of(tables: int, folder: Path, game: str = GAME) -> AsyncIterator[Floor]:
    """Start a floor on Mosquitto, and wait until every table has its meter."""
    settings = FloorSettings(tables=tables, seats=SEATS, game=game, broker=Mosquitto)
    async with Floor(folder, settings) as floor:
        try:
            async with asyncio.timeout(HANG_S):
                for table in floor.tables:
                    await until_meter(table, RESET_CENTS)
                yield floor
        except TimeoutError:
            pytest.fail(f"nothing goes on: {[table.screen for table in floor.tables]}")


async def until_meter(table: TableHardware, cents: int) -> None:
    """Wait until a table shows a meter, and does so by a healthy link."""
    await table.until(
        lambda: table.screen.meter_cents == cents and "no jackpot bets" not in table.screen.sign
    )


async def until_registered(table: TableHardware) -> None:
    """Wait until the lamps say that the jackpot has both bets."""
    await table.until(lambda: all(table.lamp_pattern(seat) == "steady" for seat in (2, 3)))


async def until_cut_off(table: TableHardware) -> None:
    """Wait until a table has noticed that its link is down."""
    await table.until(lambda: "no jackpot bets" in table.screen.sign)


async def until_nothing_owed(table: TableHardware) -> None:
    """Wait until the controller knows everything about money that a table has said."""
    await table.until(lambda: not told_by_journal(table.folder).owed)


async def deal(table: TableHardware, plan: PlannedRound) -> None:
    """Take the bets of a round and deal it: every player has seen his cards."""
    await table.until(lambda: table.screen.code == "idle")
    await table.press("OPEN")
    for seat, bet in plan.chips:
        table.place_chip(seat, bet)
    await table.until(lambda: "2, 3" in _chips(table))
    await table.press("CLOSE")
    await table.until(lambda: table.screen.code == "dealing")
    for seat, bet in plan.chips:
        table.lift_chip(seat, bet)
    for card in plan.deck:
        await table.draw(card)
    await table.until(lambda: table.screen.code == "deciding")


def _chips(table: TableHardware) -> str:
    return " ".join(line for line in table.screen.lines if line.startswith("Jackpot chips"))


async def reveal(table: TableHardware) -> None:
    """Let everybody stay, and turn the hands up: the table claims what was won."""
    for seat in (2, 3):
        await table.press(f"BET {seat}")
    await table.until(lambda: table.screen.code == "revealing")
    await table.press("REVEAL")
    await table.until(lambda: table.screen.code == "settling")


async def confirm(table: TableHardware) -> None:
    """Let the pit supervisor confirm what was won."""
    await table.until(lambda: any("Pit supervisor: check" in line for line in table.screen.lines))
    await table.authority(PIT_SUPERVISOR)
    await table.until(
        lambda: not any("Pit supervisor: check" in line for line in table.screen.lines)
    )


async def until_paid(table: TableHardware, *amounts: str) -> None:
    """Wait until exactly these amounts are to be paid by the jackpot, pay, and end the round."""
    await table.until(lambda: sorted(_amounts(table)) == sorted(amounts))
    await table.press("PAID")
    await table.until(lambda: table.screen.code == "idle")


def _amounts(table: TableHardware) -> list[str]:
    lines = [line for line in table.screen.lines if "JACKPOT" in line and ": pay " in line]
    return [line.rsplit(": pay ", 1)[1].split()[0] for line in lines]


async def until_shown(floor: Floor, *texts: str) -> str:
    """Wait until `underfelt-sim jackpot show` says all this, and give the page."""
    while True:
        page = await jackpot(floor, "show")
        if all(text in page for text in texts):
            return page
        await asyncio.sleep(0.1)


async def jackpot(floor: Floor, *words: str) -> str:
    """Give a command of the jackpot controller as the house does."""
    command = [COMMAND, "jackpot", *words, "--database", str(floor.folder / "jackpot.sqlite")]
    run = await asyncio.to_thread(
        subprocess.run, command, check=True, capture_output=True, text=True
    )
    return str(run.stdout)


async def all_is_settled(floor: Floor) -> None:
    """Wait until nothing is owed or pending, then hold journals and books against each other."""
    for table in floor.tables:
        await until_nothing_owed(table)
    await until_settled(floor.folder, floor.settings.game)
    told = {table.settings.name: told_by_journal(table.folder) for table in floor.tables}
    books = entered_in_books(floor.folder, floor.settings.game)
    assert_exactly_once(told, books)
    assert_exact(books)


def test_rws_pays_by_the_deal_although_the_later_hand_claims_first(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with floor_of(2, tmp_path) as floor:
            first, second = floor.tables
            await deal(first, ROYAL_ROUND)
            await deal(second, ROYAL_ROUND)
            await reveal(second)
            await confirm(second)
            # The claim that came first is certain, and is held by the hand dealt before it.
            page = await until_shown(floor, "table T1, which plays a hand that was dealt before it")
            assert "its verdict" not in page
            assert "hits       0" in page
            await reveal(first)
            await confirm(first)
            await until_paid(first, "$100,010.00")
            await until_paid(second, "$100,000.00")
            await all_is_settled(floor)

    asyncio.run(scenario())
    books = entered_in_books(tmp_path, GAME)
    assert books.accounts.meter_cents == RESET_CENTS
    assert books.accounts.house_parts == 0


def test_5_12_a_table_that_restarts_in_a_round_does_not_believe_any_first_meter(
    tmp_path: Path,
) -> None:
    forged_cents = 10**12

    async def scenario() -> None:
        async with floor_of(1, tmp_path) as floor:
            (table,) = floor.tables
            await deal(table, ROYAL_ROUND)
            await until_meter(table, RESET_CENTS + 2 * ADDED_CENTS)
            await table.kill()
            meters = [text for topic, text in floor.messages if topic == "controller/meter"]
            true_meter = msgspec.json.decode(meters[-1], type=MeterMessage)
            forged = replace(true_meter, meter_cents=forged_cents, sequence=10**6)
            await say_retained(floor, "controller/meter", forged)
            table.screen = Screen()
            await table.start()
            await until_doubted(table)
            assert table.screen.meter_cents is None

    asyncio.run(scenario())


async def until_doubted(table: TableHardware) -> None:
    """Wait until a table has found that a meter cannot be, or shows one."""
    while True:  # a fault behind a ruling changes no screen
        if table.screen.meter_cents is not None or _doubts(table):
            return
        await asyncio.sleep(0.1)


def _doubts(table: TableHardware) -> list[FaultNoticed]:
    events = [record.event for record in records(table.folder)]
    faults = [event for event in events if isinstance(event, FaultNoticed)]
    return [fault for fault in faults if fault.code == "meter_doubted"]


async def say_retained(floor: Floor, topic: str, message: MeterMessage) -> None:
    """Publish as somebody who has the controller's rights."""
    link = named(floor.link, "controller")
    async with connected(link, link.brokers[0], "somebody") as client:
        payload = msgspec.json.encode(message)
        await client.publish(f"{link.root}/{topic}", payload, qos=1, retain=True)


def test_a_table_dead_in_mid_round_holds_the_others_until_it_is_overruled(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with floor_of(3, tmp_path) as floor:
            dead, winner, other = floor.tables
            await deal(dead, NO_WIN)
            await deal(winner, ROYAL_ROUND)
            await until_meter(winner, RESET_CENTS + 4 * ADDED_CENTS)
            await dead.kill()
            await reveal(winner)
            await confirm(winner)
            await until_shown(floor, "waits for table T1, which is offline")
            await deal(other, NO_WIN)
            # The locked value stays; what is contributed meanwhile lands in the reserve.
            await until_shown(floor, "value      $100,010.00, locked", "reserve    $5.00")
            await reveal(other)
            await until_paid(other)
            page = await until_shown(floor, "waits for table T1, which is offline")
            assert "hits       0" in page
            assert page.count("waits for") == 1
            await jackpot(floor, "overrule", "--table", "T1", "--by", "Shift Manager")
            await until_paid(winner, "$100,010.00")
            await until_meter(winner, RESET_CENTS + 2 * ADDED_CENTS)
            await dead.start()
            await all_is_settled(floor)

    asyncio.run(scenario())
    books = entered_in_books(tmp_path, GAME)
    assert books.accounts.meter_cents == RESET_CENTS + 2 * ADDED_CENTS


def test_megalink_pays_by_entry_and_two_royals_of_one_round_share(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with floor_of(2, tmp_path, MEGALINK) as floor:
            first, second = floor.tables
            await deal(first, MEGALINK_ROYAL)
            await deal(second, MEGALINK_ROYALS)
            await reveal(second)
            await confirm(second)
            # The meter and one more reset value, shared by two; one reset value remains.
            await until_paid(second, "$100,005.00", "$100,005.00")
            await reveal(first)
            await confirm(first)
            await until_paid(first, "$100,000.00")
            await all_is_settled(floor)

    asyncio.run(scenario())
    books = entered_in_books(tmp_path, MEGALINK)
    assert books.accounts.meter_cents == RESET_CENTS
    assert books.accounts.house_parts == 0


def test_two_tables_cut_off_that_both_hit_pay_the_registered_meter(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with floor_of(2, tmp_path) as floor:
            for table in floor.tables:
                await deal(table, ROYAL_ROUND)
            for table in floor.tables:
                await until_meter(table, RESET_CENTS + 4 * ADDED_CENTS)
                await until_registered(table)
            floor.broker.kill()
            for table in floor.tables:
                await until_cut_off(table)
                await reveal(table)
                await confirm(table)
                await until_paid(table, "$100,010.00")
            assert entered_in_books(tmp_path, GAME).totals.awards == 0
            await asyncio.to_thread(floor.broker.start)
            await until_shown(floor, "hits       2")
            await all_is_settled(floor)

    asyncio.run(scenario())
    books = entered_in_books(tmp_path, GAME)
    registered_cents = RESET_CENTS + 4 * ADDED_CENTS
    verdicts = [each for each in books.obligations.values() if isinstance(each, Verdict)]
    assert [verdict.paid_cents for verdict in verdicts] == [registered_cents] * 2
    # The second one found a meter that had only its reset value: the house bears the rest.
    assert books.accounts.house_parts == 4 * ADDED_CENTS * PARTS_PER_CENT
    assert books.accounts.meter_cents == RESET_CENTS
