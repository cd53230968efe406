"""Measures from the key CLOSE until the panel no longer waits for the jackpot controller.

A coin on one spot, the next one every round, so one contribution: written to the journal, sent, committed by the
controller, acknowledged, and the acknowledgement written to the journal. Beside it a
bare client that sends the same document to the same controller and waits for the same
acknowledgement. Whoever listens to the floor hears both.
"""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from time import perf_counter
from typing import NamedTuple

import aiomqtt
import msgspec

from firmware.devices.sensing import DEBOUNCE_MS
from firmware.protocol.messages import Acknowledgement, AnyAnswer, Topics
from firmware.protocol.obligations import Contribution
from firmware.rules.cards import CODES
from firmware.shell.clock import now_ms
from sim.broker import HOST, Broker
from sim.floor.dealer import planned
from sim.floor.floor import ROOT
from sim.table.hardware import TableHardware
from tests.bench.watch import Watch, appended, one_table

ROUNDS = 40
_SEATS = 5
_NODELAY = ((socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),)


class Confirmed(NamedTuple):
    """The seconds that one round took, by what was measured."""

    bare: float
    asked: float
    """Until the panel says that the jackpot is not yet confirmed."""
    confirmed: float
    append: float


async def confirmations(folder: Path, broker: type[Broker]) -> list[Confirmed]:
    """Play rounds, with a bare contribution before each."""
    async with (
        one_table(folder, _SEATS, broker) as floor,
        _bare_client(floor.broker.port) as bare,
    ):
        (table,) = floor.tables
        shoe = planned(table.settings, ((1, "jackpot"),), {}, _deck()).deck
        found = []
        for number in range(ROUNDS + 1):
            seat = number % _SEATS + 1
            in_append = appended(table.folder / "bare.log")
            # As idle as everyone is while a coin is debounced.
            await asyncio.sleep(DEBOUNCE_MS / 1000)
            in_bare = await bare.seconds(number)
            found.append(Confirmed(in_bare, *await _closed(table, seat), in_append))
            await _played_out(table, seat, shoe)
        return found[1:]


def _deck() -> list[str]:
    deck = list(CODES)
    Random(1).shuffle(deck)
    return deck


async def _closed(table: TableHardware, seat: int) -> tuple[float, float]:
    """Place a coin, close the bets, and give the seconds until the panel shows each step."""
    await table.press("OPEN")
    table.place_chip(seat)
    await table.until(lambda: table.screen.lines[-1].endswith(f" {seat}."))
    watch = Watch(table)
    asked = watch.first(lambda: table.screen.code == "dealing")
    confirmed = watch.first(lambda: table.screen.code == "dealing" and not _waiting(table))
    started = perf_counter()
    await table.press("CLOSE")
    return await asked - started, await confirmed - started


def _waiting(table: TableHardware) -> bool:
    return any("not yet confirmed" in line for line in table.screen.lines)


async def _played_out(table: TableHardware, seat: int, shoe: tuple[str, ...]) -> None:
    """Do what is left of the round; the hand wins nothing."""
    table.lift_chip(seat)
    for card in shoe:
        await table.draw(card)
    for key in (f"FOLD {seat}", "REVEAL", "PAID"):
        await table.press(key)
    await table.until(lambda: table.screen.code == "idle")


class BareClient:
    """What a program would do that only wanted its contribution acknowledged."""

    def __init__(self, client: aiomqtt.Client, topics: Topics) -> None:
        self._client = client
        self._topics = topics

    async def seconds(self, number: int) -> float:
        """Send a contribution, and give the seconds until it is acknowledged."""
        contribution = Contribution(
            id=f"BARE.0123456789abcdef.{number}.1",
            table="BARE",
            round=number,
            seat=1,
            at_ms=now_ms(),
            bet="jackpot",
            stake_cents=500,
        )
        started = perf_counter()
        async with asyncio.TaskGroup() as tasks:
            payload = msgspec.json.encode(contribution)
            tasks.create_task(self._client.publish(self._topics.owed("BARE"), payload, qos=1))
            while await self._next_id() != contribution.id:
                pass
            return perf_counter() - started

    async def _next_id(self) -> str:
        """Give the id of the next acknowledgement."""
        async for message in self._client.messages:
            if message.topic.value == self._topics.answer("BARE"):
                answer = msgspec.json.decode(bytes(message.payload), type=AnyAnswer)
                if isinstance(answer, Acknowledgement):
                    return answer.id
        raise ConnectionError("the broker has closed the connection")


@asynccontextmanager
async def _bare_client(port: int) -> AsyncIterator[BareClient]:
    topics = Topics(ROOT)
    async with aiomqtt.Client(HOST, port, socket_options=_NODELAY) as client:
        await client.subscribe(topics.answer("BARE"), qos=1)
        yield BareClient(client, topics)
