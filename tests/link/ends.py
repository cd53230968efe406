"""Both ends of a link to test, in the test's own process.

A shell that keeps what the link puts in, and a jackpot controller that answers only what the
test tells it to.

    async with linked(settings(broker)) as table, controller_on(broker) as controller:
        table.link.send(contribution(1))
"""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

import aiomqtt
import msgspec
import pytest
from msgspec.structs import replace

from firmware.journal.seals import OwnKey
from firmware.link.mqtt import JackpotLink
from firmware.link.settings import BrokerAddress, LinkSettings
from firmware.protocol.messages import (
    Acknowledgement,
    ControllerStatus,
    HeadAsked,
    Message,
    Proof,
    SignedHead,
    TableStatus,
    Topics,
    UnitAccepted,
    proved_text,
    signed_text,
)
from firmware.protocol.obligations import AnyObligation, Contribution
from firmware.table.events import Acknowledged, BelievedMeter, Event, LinkChanged
from sim.broker import HOST, Broker, mosquitto_path

HANGS_AFTER_S = float(os.environ.get("HANGS_AFTER_S", "60"))
ROOT = "underfelt"
TOPICS = Topics(ROOT)
TABLE, JOURNAL = "T1", "0123456789abcdef"
BOOKS = "b1"
HEARTBEAT_S = 0.2
_E = TypeVar("_E", bound=Event)

both_protocols = pytest.mark.parametrize("protocol", ["3.1.1", "5"])


def needs_mosquitto_here() -> None:
    """Leave a test out, visibly, where the real broker is not installed."""
    if mosquitto_path() is None:
        pytest.skip("mosquitto not installed")


def settings(*brokers: Broker, **others: Any) -> LinkSettings:  # noqa: ANN401  # any setting
    """Make settings for brokers of this machine, less patient than a casino's."""
    patience = {"stale_s": 1.5, "overdue_s": 1.0, "backoff_s": 0.05, "backoff_max_s": 0.3}
    addresses = [BrokerAddress(host=HOST, port=each.port) for each in brokers]
    where = {"port": addresses[0].port} if addresses else {}
    values: dict[str, Any] = {"host": HOST, "root": ROOT} | where | patience | others
    return LinkSettings(fallback=tuple(addresses[1:]), **values)


def contribution(number: int) -> Contribution:
    """Make the contribution of the nth record of the table's journal."""
    return Contribution(
        id=f"{TABLE}.{JOURNAL}.{number}.1",
        table=TABLE,
        round=number,
        seat=1,
        at_ms=0,
        bet="jackpot",
        stake_cents=500,
    )


class JournalStandIn:
    """Stands where the end of the table's journal stands."""

    def __init__(self, table: str) -> None:
        self.records = 1
        self._table = table
        self._key = OwnKey(b"k" * 32)

    def signed(self, boot: str, connection: str, *, online: bool) -> SignedHead:
        """Sign the end."""
        chain, public = self.chain_at(self.records), self._key.public
        head = SignedHead(record=self.records, chain=chain, key=public, signature="")
        text = signed_text(self._table, JOURNAL, boot, connection, head, online=online)
        return replace(head, signature=self._key.sign(text))

    def proved(self, asked: HeadAsked) -> Proof:
        """Sign the answer to a question."""
        chain = self.chain_at(asked.record)
        proof = Proof(record=asked.record, chain=chain, nonce=asked.nonce)
        text = proved_text(self._table, JOURNAL, asked.boot, proof)
        return replace(proof, signature=self._key.sign(text))

    def chain_at(self, record: int) -> str:
        """Give the chain of a record."""
        return f"{record:064}"


class KeepingShell:
    """Stands where the firmware's inbox stands."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def now_ms(self) -> int:
        """Give a time."""
        return 1_000

    def put(self, event: Event, afterwards: Callable[[], None] | None = None) -> None:
        """Keep an event."""
        self.events.append(event)
        if afterwards is not None:
            afterwards()

    def from_thread(self, callback: Callable[[], None]) -> None:
        """Nothing of the link comes from a thread."""
        raise NotImplementedError

    def of(self, kind: type[_E]) -> list[_E]:
        """Give the events of one kind so far."""
        return [event for event in self.events if isinstance(event, kind)]


class LinkedTable:
    """A table's end: the link under test, which drops what is acknowledged as a table does."""

    def __init__(self, link: JackpotLink, shell: KeepingShell) -> None:
        self.link = link
        self.shell = shell

    async def until_healthy(self) -> None:
        """Wait until the link says that it is healthy."""
        await until(lambda: self._last() == (True, ""))

    async def until_problem(self, words: str) -> str:
        """Wait until the link says what is wrong, in these words among others."""
        await until(lambda: not self._last()[0] and words in self._last()[1], self._last)
        return self._last()[1]

    async def until_acknowledged(self, count: int) -> None:
        """Wait until so many obligations are acknowledged, and owe them no longer."""
        await until(lambda: len(self.shell.of(Acknowledged)) >= count)
        for event in self.shell.of(Acknowledged):
            self.link.stop_sending(event.id)

    def _last(self) -> tuple[bool, str]:
        changes = self.shell.of(LinkChanged)
        return (changes[-1].healthy, changes[-1].problem) if changes else (False, "")


@asynccontextmanager
async def linked(
    chosen: LinkSettings,
    table: str = TABLE,
    journal: str = JOURNAL,
    believed: BelievedMeter | None = None,
) -> AsyncIterator[LinkedTable]:
    """Run a link; that it ends by itself is an error."""
    shell = KeepingShell()
    link = JackpotLink(
        chosen,
        table,
        journal,
        shell,
        end=JournalStandIn(table),
        game="rws-casino-stud",
        believed=believed,
    )
    running = asyncio.create_task(link.run())
    try:
        yield LinkedTable(link, shell)
        assert not running.done()
    finally:
        await _end(running)


class FakeController:
    """The controller's end: keeps what it hears, says what it is told to."""

    def __init__(self, client: aiomqtt.Client) -> None:
        self.client = client
        self.heard: list[AnyObligation] = []
        self.statuses: list[TableStatus] = []
        self.acknowledges: Callable[[AnyObligation], bool] = lambda _: True
        """Which obligations are acknowledged as they come."""
        self.accepts = True
        """Whether a unit that waits to be accepted is."""
        self.books = BOOKS
        self.beating = True
        self.beats = 0

    async def say(self, topic: str, message: Message | bytes, *, retain: bool = False) -> None:
        """Publish a message, or whatever else."""
        payload = message if isinstance(message, bytes) else msgspec.json.encode(message)
        await self.client.publish(topic, payload, qos=1, retain=retain)

    async def answer(self, message: Message | bytes) -> None:
        """Answer the table."""
        await self.say(TOPICS.answer(TABLE), message)

    async def say_status(self, *, online: bool, books: str = BOOKS) -> None:
        """Say that the controller is there, or not."""
        self.books = books
        await self.say(TOPICS.controller, ControllerStatus(online=online, books=books), retain=True)

    def ids(self) -> list[str]:
        """Give the ids of what was heard, in order, each time."""
        return [obligation.id for obligation in self.heard]

    async def _beat(self) -> None:
        while True:
            if self.beating:
                await self.say_status(online=True)
                self.beats += 1
            await asyncio.sleep(HEARTBEAT_S)

    async def _accept(self, status: TableStatus) -> None:
        if self.accepts and status.waits:
            answer = UnitAccepted(journal=status.journal, boot=status.boot, books=self.books)
            await self.say(TOPICS.answer(status.table), answer)

    async def _listen(self) -> None:
        async for message in self.client.messages:
            payload = bytes(message.payload)
            if message.topic.matches(TOPICS.status("+")):
                self.statuses.append(msgspec.json.decode(payload, type=TableStatus))
                await self._accept(self.statuses[-1])
            elif message.topic.matches(TOPICS.owed("+")):
                obligation: AnyObligation = msgspec.json.decode(payload, type=AnyObligation)
                self.heard.append(obligation)
                if self.acknowledges(obligation):
                    answer = Acknowledgement(id=obligation.id)
                    await self.say(TOPICS.answer(obligation.table), answer)


@asynccontextmanager
async def controller_on(broker: Broker, **options: Any) -> AsyncIterator[FakeController]:  # noqa: ANN401  # aiomqtt's
    """Run a controller; at the end it is cut off, so that its last will is said."""
    offline = msgspec.json.encode(ControllerStatus(online=False))
    will = aiomqtt.Will(TOPICS.controller, offline, qos=1, retain=True)
    # A broker may be stopped for a while, or be slow: only a test that hangs is given up.
    client = aiomqtt.Client(HOST, broker.port, will=will, timeout=HANGS_AFTER_S, **options)
    async with client:
        controller = FakeController(client)
        await client.subscribe([(TOPICS.status("+"), 1), (TOPICS.owed("+"), 1)])
        works = [asyncio.create_task(work) for work in (controller._beat(), controller._listen())]  # noqa: SLF001  # its own parts
        try:
            yield controller
        finally:
            with suppress(aiomqtt.MqttError):
                await _end(*works)
            with suppress(aiomqtt.MqttError):
                await client.publish(TOPICS.controller, offline, qos=1, retain=True, timeout=3)


async def _end(*works: asyncio.Task[None]) -> None:
    """End tasks, and pass on what went wrong in the first that failed.

    None is left behind: it would fail when its client is gone, with nobody to look at it. On
    Python 3.11 `wait_for`, which aiomqtt uses, can lose a cancellation, so there may be several.
    """
    left = set(works)
    while left:
        for work in left:
            work.cancel()
        _, left = await asyncio.wait(left, timeout=0.1)
    failures = [work.exception() for work in works if not work.cancelled()]
    for failure in filter(None, failures):
        raise failure


async def until(
    wanted: Callable[[], bool], seen: Callable[[], object] = lambda: "nothing of it"
) -> None:
    """Wait for a condition, for as long as it may take at the worst."""
    try:
        async with asyncio.timeout(HANGS_AFTER_S):
            while not wanted():  # noqa: ASYNC110  # any condition, of anything
                await asyncio.sleep(0.01)
    except TimeoutError:
        raise AssertionError(f"it did not happen; last seen: {seen()}") from None


def run(scenario: Callable[[], Coroutine[Any, Any, None]] | Awaitable[None]) -> None:
    """Run a scenario to its end."""

    async def whole() -> None:
        async with asyncio.timeout(3 * HANGS_AFTER_S):
            await (scenario() if callable(scenario) else scenario)

    asyncio.run(whole())
