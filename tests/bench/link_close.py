"""Measures from "no more bets" until the jackpot controller's acknowledgement is there.

The firmware's own runtime, journal and link in this process, the jackpot controller in its own:
the closing is on the table's disk before the contribution leaves, and the contribution on the
controller's before it is acknowledged. The floor under it is what nobody can do without: a
message there and back between two processes through the same broker, and two bare fdatasyncs.
"""

import asyncio
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import aiomqtt
import msgspec

from firmware.link.mqtt import JackpotLink, LinkSettings
from firmware.link.tasks import until_one_ends
from firmware.protocol.obligations import Contribution
from firmware.shell.clock import now_ms
from firmware.shell.inbox import Inbox
from firmware.shell.runtime import Runtime
from firmware.table.effects import AnyEffect, PublishStatus, Send, StopSending
from firmware.table.events import (
    Acknowledged,
    BetsClosed,
    BetsOpened,
    CoinSensed,
    Event,
    LinkChanged,
)
from firmware.table.settings import TableSettings
from sim.broker import HOST, Broker
from sim.floor.floor import ROOT, Floor, FloorSettings
from tests.bench.link_echo import ECHOED, NODELAY, SAID
from tests.bench.watch import appended

ROUNDS = 60
_IDLE_S = 0.05
_PAYLOAD = msgspec.json.encode(
    Contribution(
        id="B1.0123456789abcdef.5.1",
        table="B1",
        round=1,
        seat=1,
        at_ms=now_ms(),
        bet="jackpot",
        stake_cents=500,
    )
)


class Closing(NamedTuple):
    """The seconds of one closing, and of its floor."""

    acknowledged: float
    round_trip: float
    two_syncs: float


class WatchedInbox(Inbox):
    """An inbox that tells when an event of a kind was put in."""

    def __init__(self) -> None:
        super().__init__()
        self.on_event: Callable[[Event], None] = lambda _event: None

    def put(self, event: Event, afterwards: Callable[[], None] | None = None) -> None:
        """Tell first: what the table does about it is no longer the link's time."""
        self.on_event(event)
        super().put(event, afterwards)

    def first(self, wanted: Callable[[Event], bool]) -> asyncio.Future[float]:
        """Promise the time at which the first such event is put in."""
        seen: asyncio.Future[float] = asyncio.get_running_loop().create_future()

        def look(event: Event) -> None:
            if not seen.done() and wanted(event):
                seen.set_result(perf_counter())

        self.on_event = look
        return seen


async def closings(folder: Path, broker: type[Broker]) -> list[Closing]:
    """Close the bets of one table after the other, with the floor measured before each."""
    settings = FloorSettings(tables=0, broker=broker)
    async with asyncio.timeout(300), Floor(folder, settings) as floor:
        port = floor.broker.port
        async with _echo(port) as there_and_back:
            found = []
            for number in range(ROUNDS + 1):
                await asyncio.sleep(_IDLE_S)
                round_trip = await there_and_back()
                two_syncs = appended(folder / "bare.log") + appended(folder / "bare.log")
                table = _made(folder / f"B{number}")
                found.append(Closing(await _closed(table, port), round_trip, two_syncs))
    return found[1:]


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


async def _closed(folder: Path, port: int) -> float:
    """Close the bets of a table of its own, with one coin."""
    settings = TableSettings(
        name=folder.name,
        game=FloorSettings().game,
        seats=5,
        ante_min_cents=2_500,
        ante_max_cents=100_000,
        jackpot_bet_cents=500,
    )
    runtime, inbox = Runtime(settings, folder), WatchedInbox()
    try:
        link = JackpotLink(
            LinkSettings(host=HOST, port=port, root=ROOT),
            settings.name,
            runtime.table.state.journal,
            inbox,
            end=runtime.heads,
            game=settings.game,
        )
        measured: list[float] = []
        works = (_close(inbox, measured), link.run(), runtime.run(inbox, _carrier(link)))
        await until_one_ends(works)
        return measured[0]
    finally:
        runtime.close()


def _carrier(link: JackpotLink) -> Callable[[AnyEffect], None]:
    def carry_out(effect: AnyEffect) -> None:
        match effect:
            case Send(obligation):
                link.send(obligation)
            case StopSending(obligation_id):
                link.stop_sending(obligation_id)
            case PublishStatus():
                link.publish_status(effect)

    return carry_out


async def _close(inbox: WatchedInbox, measured: list[float]) -> None:
    await inbox.first(lambda event: isinstance(event, LinkChanged) and event.healthy)
    await asyncio.sleep(_IDLE_S)
    inbox.put(BetsOpened(at_ms=now_ms(), frame=1))
    inbox.put(CoinSensed(at_ms=now_ms(), seat=1, present=True))
    await asyncio.sleep(_IDLE_S)
    acknowledged = inbox.first(lambda event: isinstance(event, Acknowledged))
    started = perf_counter()
    inbox.put(BetsClosed(at_ms=now_ms(), frame=2))
    measured.append(await acknowledged - started)


@asynccontextmanager
async def _echo(port: int) -> AsyncIterator[Callable[[], "asyncio.Future[float]"]]:
    """Run the peer that echoes; give what measures a message there and back."""
    peer = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.bench.link_echo", str(port), stdout=PIPE
    )
    try:
        if peer.stdout is not None:
            await peer.stdout.readline()
        async with aiomqtt.Client(HOST, port, socket_options=NODELAY) as client:
            await client.subscribe(ECHOED, qos=1)

            async def seconds() -> float:
                started = perf_counter()
                sending = asyncio.create_task(client.publish(SAID, _PAYLOAD, qos=1))
                await anext(aiter(client.messages))
                taken = perf_counter() - started
                await sending
                return taken

            yield lambda: asyncio.ensure_future(seconds())
    finally:
        peer.kill()
        await peer.wait()
