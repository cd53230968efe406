"""Several people's hands at one table: whose turn it is, and what ends a sentence. No table runs."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from firmware.link.settings import LinkSettings
from firmware.table.settings import TableSettings
from sim.floor import saying
from sim.floor.dealer import Dealer
from sim.floor.floor_stage import FloorStage
from sim.floor.hands import Hands
from sim.scenario_language.reader import Sentence
from sim.table.hardware import TableHardware
from tests.sim.processes import HANG_S

NEVER_DONE = "open"


class Person:
    """Somebody who is connected to the table's hands."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self.writer = writer

    def begin(self, **document: object) -> None:
        """Say something, and wait for nothing."""
        self.writer.write(msgspec.json.encode(document) + b"\n")

    async def answer(self) -> dict[str, Any]:
        """Wait for the next answer."""
        found: dict[str, Any] = msgspec.json.decode(await self._reader.readline())
        return found

    async def ask(self, **document: object) -> dict[str, Any]:
        """Say something and wait for the answer."""
        self.begin(**document)
        return await self.answer()

    async def until_busy(self, sentence: str) -> None:
        """Wait until this sentence is being carried out."""
        while (await self.ask(do="state"))["busy"] != sentence:  # noqa: ASYNC110  # nobody sets an event
            await asyncio.sleep(0.01)


class Table:
    """The hands of a table that is switched off."""

    def __init__(self, dealer: Dealer) -> None:
        self.dealer = dealer

    @asynccontextmanager
    async def person(self) -> AsyncIterator[Person]:
        """Let somebody come to it."""
        path = self.dealer.hardware.folder / "hands.sock"
        reader, writer = await asyncio.open_unix_connection(path)
        try:
            yield Person(reader, writer)
        finally:
            writer.close()


@pytest.fixture(autouse=True)
def _sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    async def perform(_stage: FloorStage, sentence: Sentence) -> None:
        if sentence.text == NEVER_DONE:
            await asyncio.Event().wait()

    monkeypatch.setattr(saying, "perform", perform)
    monkeypatch.setattr(saying, "_TURN_S", 0.05)


def run(folder: Path, scenario: Callable[[Table], Awaitable[None]]) -> None:
    """Let hands come to a table that is switched off."""

    async def at_the_table() -> None:
        settings = TableSettings(
            name="T1",
            game="rws-multilink-stud",
            card_source="shoe",
            seats=5,
            ante_min_cents=2_500,
            ante_max_cents=100_000,
            jackpot_bet_cents=500,
        )
        hardware = TableHardware(settings, LinkSettings(host="127.0.0.1"), folder)
        dealer = Dealer(hardware, Random(1))
        floor: Any = SimpleNamespace(
            stopped_parts=set(),
            broker=None,
            jackpot=None,
            settings=SimpleNamespace(seed=1),
            messages=[],
            name_of=str,
        )
        hands = Hands(dealer, FloorStage(dealer, floor))
        await hands.start()
        try:
            async with asyncio.timeout(HANG_S):
                await scenario(Table(dealer))
        finally:
            hands.close()
            await hardware.close()

    asyncio.run(at_the_table())


def test_a_sentence_ends_when_whoever_has_said_it_hangs_up(tmp_path: Path) -> None:
    async def scenario(table: Table) -> None:
        async with table.person() as other:
            async with table.person() as gone:
                gone.begin(do="say", sentence=NEVER_DONE)
                await other.until_busy(NEVER_DONE)
            await other.until_busy("")
            assert (await other.ask(do="say", sentence="close"))["problem"] == ""

    run(tmp_path, scenario)


def test_whoever_is_held_up_is_told_by_which_sentence(tmp_path: Path) -> None:
    async def scenario(table: Table) -> None:
        async with table.person() as one, table.person() as other:
            one.begin(do="say", sentence=NEVER_DONE)
            await other.until_busy(NEVER_DONE)
            assert (await other.ask(do="say", sentence="close"))["problem"] == (
                "somebody is at T1: 'open' is not done yet; wait for it, or stop it there"
            )
            assert (await other.ask(do="say", sentence="look"))["problem"] == ""

    run(tmp_path, scenario)


def test_stop_ends_a_sentence_and_the_next_one_is_taken(tmp_path: Path) -> None:
    async def scenario(table: Table) -> None:
        async with table.person() as one:
            one.begin(do="say", sentence=NEVER_DONE)
            one.begin(do="stop")
            assert (await one.answer())["problem"].startswith("stopped")
            one.begin(do="stop")  # there is nothing to stop, and so no answer
            assert (await one.ask(do="say", sentence="close"))["problem"] == ""

    run(tmp_path, scenario)


def test_whoever_has_only_no_more_to_say_still_gets_the_answer(tmp_path: Path) -> None:
    async def scenario(table: Table) -> None:
        async with table.person() as one:
            one.begin(do="say", sentence="close")
            one.writer.write_eof()
            assert (await one.answer())["problem"] == ""

    run(tmp_path, scenario)


def test_a_test_that_hangs_up_does_not_leave_the_dealer_resting(tmp_path: Path) -> None:
    async def scenario(table: Table) -> None:
        async with table.person() as tester:
            await tester.ask(do="rest", on=True)
            assert table.dealer.rests
        await table.dealer.hardware.until(lambda: not table.dealer.rests)

    run(tmp_path, scenario)


def test_a_dealer_that_is_let_play_opens_a_table_that_somebody_has_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(table: Table) -> None:
        pressed: list[str] = []

        async def press(_hardware: TableHardware, key: str) -> None:
            pressed.append(key)

        monkeypatch.setattr(TableHardware, "press", press)
        monkeypatch.setattr(FloorStage, "is_on", True)
        floor: Any = SimpleNamespace(
            stopped_parts=set(), broker=None, jackpot=None, settings=SimpleNamespace(seed=1)
        )
        table.dealer.hardware.screen.code = "closed"
        table.dealer.rests = True
        await FloorStage(table.dealer, floor).let_dealer("play")
        assert pressed == ["OPENTABLE"]
        assert not table.dealer.rests

    run(tmp_path, scenario)
