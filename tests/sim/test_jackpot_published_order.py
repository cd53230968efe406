"""The order in which the controller publishes what tables judge by each other, on the wire.

A meter by itself may wait for the next one; what rests on a meter (contract 3.5, 5.4) never overtakes it.
"""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from firmware.protocol.messages import (
    Acknowledgement,
    AnyAnswer,
    AwardMessage,
    Message,
    MeterMessage,
    PendingMessage,
)
from sim.broker import Broker, EmbeddedBroker, Mosquitto, mosquitto_path
from tests.sim.jackpot_messages import ROYAL, contribution, status, verdict, win
from tests.sim.links import Link, Table

CLAIMS = 5


@pytest.fixture(scope="module", params=[EmbeddedBroker, Mosquitto])
def broker(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Broker]:
    """Run a broker."""
    kind: type[Broker] = request.param
    if kind is Mosquitto and mosquitto_path() is None:
        pytest.skip("NOT TESTED ON MOSQUITTO: it is not installed (apt-get install mosquitto)")
    with kind(tmp_path_factory.mktemp("broker")) as running:
        yield running


@pytest.fixture
def link(broker: Broker, tmp_path: Path) -> Iterator[Link]:
    """Make a link of its own, with a controller that is not started yet."""
    with Link(broker, tmp_path) as made:
        yield made


class Ear:
    """Keeps what a table hears of answers, meters and pending claims, in the order of the wire."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.heard: list[Message] = []

    async def until(self, wanted: Message | type[Message]) -> None:
        """Listen until a message, or any of a kind, has come."""
        while True:
            self.heard.append(await self._next())
            newest = self.heard[-1]
            if newest == wanted or (isinstance(wanted, type) and isinstance(newest, wanted)):
                return

    async def until_pending(self, *ids: str) -> None:
        """Listen until exactly these claims are pending."""
        while True:
            await self.until(PendingMessage)
            newest = self.heard[-1]
            assert isinstance(newest, PendingMessage)
            if [each.id for each in newest.claims] == list(ids):
                return

    async def _next(self) -> Message:
        topics = self.table.topics
        kinds = {
            topics.answer(self.table.name): AnyAnswer,
            topics.meter: MeterMessage,
            topics.pending: PendingMessage,
        }
        while True:
            received = await anext(aiter(self.table.client.messages))
            kind = kinds.get(received.topic.value)
            if kind is not None:
                said: Message = msgspec.json.decode(bytes(received.payload), type=kind)
                return said


async def listening(table: Table) -> Ear:
    """Let a table hear everything."""
    for topic in (table.topics.meter, table.topics.pending):
        await table.client.subscribe(topic, qos=1)
    return Ear(table)


def assert_nothing_overtakes_its_meter(heard: list[Message]) -> None:
    """Compare what pending claims and awards say of the meter with the one heard before them."""
    meter: MeterMessage | None = None
    sequences: dict[type[Message], int] = {}
    for each in heard:
        if isinstance(each, MeterMessage | PendingMessage):
            assert each.sequence >= sequences.get(type(each), 0)
            sequences[type(each)] = each.sequence
        if isinstance(each, MeterMessage):
            meter = each
        elif isinstance(each, PendingMessage) and each.locked_cents is not None:
            assert meter is not None
            assert each.locked_cents == meter.meter_cents
        elif isinstance(each, AwardMessage) and each.meter_cents is not None:
            assert meter is not None
            assert each.meter_cents == meter.meter_cents


def after(heard: list[Message], award: str) -> list[type[Message]]:
    """Return the kinds of what followed from a message, from an award on."""
    begin = next(n for n, m in enumerate(heard) if isinstance(m, AwardMessage) and m.id == award)
    return [type(each) for each in heard[begin : begin + 4]]


def test_3_5_and_5_4_pending_claims_follow_the_meter_that_they_hold_however_soon(
    link: Link,
) -> None:
    async def scenario(table: Table, listener: Table) -> None:
        ear = await listening(listener)
        for number in range(CLAIMS):
            royal = win(100 * number + 5, ROYAL, round_=number + 1)
            for chip in range(3):  # each moves the meter, which is not shown as often
                bet = contribution(100 * number + chip + 1)
                await table.send(replace(bet, seat=chip + 3, round=number + 1))
            await table.send(royal)
            await ear.until_pending(royal.id)
            await table.stand(status("T1", royal.id, round_=number + 1))
            await table.send(verdict(100 * number + 6, royal))
            await ear.until_pending()
            assert after(ear.heard, royal.id) == [
                AwardMessage,
                Acknowledgement,
                MeterMessage,
                PendingMessage,
            ]
        assert_nothing_overtakes_its_meter(ear.heard)

    link.play(scenario, "T1", "T1")


def test_3_5_what_the_house_commands_is_published_in_the_same_order(link: Link) -> None:
    royal = win(5, ROYAL)

    async def scenario(table: Table, listener: Table, other: Table) -> None:
        ear = await listening(listener)
        for online in (True, False):
            await other.stand(status("T2", online=online))
        await table.send(royal)
        await ear.until_pending(royal.id)
        await table.stand(status("T1", royal.id))
        await table.send(verdict(6, royal))
        await ear.until(Acknowledgement(id="T1.j.6.1"))
        await asyncio.to_thread(link.command, "overrule", "--table=T2", "--by=4711")
        await ear.until_pending()
        assert after(ear.heard, royal.id)[:3] == [AwardMessage, MeterMessage, PendingMessage]
        assert_nothing_overtakes_its_meter(ear.heard)

    link.play(scenario, "T1", "T1", "T2")
