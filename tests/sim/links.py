"""A link to test the jackpot controller on: its process, and a table's end of MQTT.

What a controller must do is in `test_jackpot_controller.py`.
"""

import asyncio
import signal
import socket
import subprocess
import sys
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType

import aiomqtt
import msgspec

from firmware.link.messages import AnyAnswer, ControllerStatus, MeterMessage, Topics
from firmware.rules.contract import Claim
from firmware.table.outbox import AnyObligation, Contribution, Win
from sim.broker import Broker
from sim.jackpot.store import LinkSettings, Store, Totals

HANGS_AFTER_S = 60
LINK = LinkSettings("rws-casino-stud", 10_000_000, 2_500)
ROYAL = Claim(1, "player", "royal_flush", "major", percent=100)


def contribution(number: int) -> Contribution:
    """Make the nth contribution of table T1."""
    return Contribution(
        id=f"T1.j.{number}.1", table="T1", round=1, seat=1, at_ms=0, bet="jackpot", stake_cents=500
    )


def win(number: int, claim: Claim) -> Win:
    """Make the nth message of table T1 a win."""
    return Win(
        id=f"T1.j.{number}.1", table="T1", round=1, seat=1, at_ms=0, claim=claim, dealt_at_ms=1
    )


class Link(AbstractContextManager["Link"]):
    """A link to test: its topics, its database, and its controller's process."""

    def __init__(self, broker: Broker, folder: Path) -> None:
        self.broker = broker
        self.topics = Topics(folder.name)
        self.database = folder / "jackpot.db"
        self.log = folder / "controller.log"
        self.controller: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the controller; that it serves is for its status to say."""
        command = [sys.executable, "-m", "sim.jackpot", *arguments(self.database)]
        command += ["--broker", f"127.0.0.1:{self.broker.port}", "--root", self.topics.root]
        with self.log.open("ab") as log:
            self.controller = subprocess.Popen(command, stderr=log)

    def end(self, number: signal.Signals) -> int:
        """End the controller by a signal, and give its exit status."""
        assert self.controller is not None
        self.controller.send_signal(number)
        return self.controller.wait(HANGS_AFTER_S)

    def totals(self) -> Totals:
        """Read the books, beside a controller that may be running."""
        with Store.open(self.database, LINK) as store:
            return store.totals()

    def play(self, scenario: Callable[["Table"], Awaitable[None]]) -> None:
        """Start the controller and run a scenario with it."""
        self.start()
        self.join(scenario)

    def join(self, scenario: Callable[["Table"], Awaitable[None]]) -> None:
        """Run a scenario at a table that has seen the controller online."""

        async def whole() -> None:
            async with asyncio.timeout(HANGS_AFTER_S), client(self) as connected:
                table = Table(self.topics, connected)
                await connected.subscribe(self.topics.answer("T1"), qos=1)
                await connected.subscribe(self.topics.controller, qos=1)
                await table.until_status(online=True)
                await scenario(table)

        asyncio.run(whole())

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.controller is not None and self.controller.poll() is None:
            self.controller.kill()
            self.controller.wait()


def arguments(database: Path) -> list[str]:
    """Write the link as the controller's arguments."""
    return [
        f"--database={database}",
        f"--game={LINK.game}",
        f"--reset-cents={LINK.reset_cents}",
        f"--rate-basis-points={LINK.rate_basis_points}",
    ]


def client(link: Link) -> aiomqtt.Client:
    """Make a client of the link's broker."""
    nodelay = (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return aiomqtt.Client("127.0.0.1", link.broker.port, socket_options=[nodelay])


class Table:
    """Table T1's end of a link; what comes on one topic waits while another is read."""

    def __init__(self, topics: Topics, connected: aiomqtt.Client) -> None:
        self.topics = topics
        self.client = connected
        self._waiting: dict[str, deque[aiomqtt.Message]] = defaultdict(deque)

    async def next_on(self, topic: str) -> aiomqtt.Message:
        """Give the next message on a topic."""
        while not self._waiting[topic]:
            message = await anext(aiter(self.client.messages))
            self._waiting[message.topic.value].append(message)
        return self._waiting[topic].popleft()

    async def answer(self) -> AnyAnswer:
        """Give the next answer."""
        message = await self.next_on(self.topics.answer("T1"))
        answer: AnyAnswer = msgspec.json.decode(bytes(message.payload), type=AnyAnswer)
        return answer

    async def until_status(self, *, online: bool) -> None:
        """Wait until the controller is, or is said to be, there or not."""
        while await self._status() != online:
            pass

    async def _status(self) -> bool:
        message = await self.next_on(self.topics.controller)
        return msgspec.json.decode(bytes(message.payload), type=ControllerStatus).online

    async def meter(self, sequence: int) -> int:
        """Give the cents of a meter message: the one that is retained, or one to come."""
        await self.client.subscribe(self.topics.meter, qos=1)
        while True:
            message = await self.next_on(self.topics.meter)
            meter = msgspec.json.decode(bytes(message.payload), type=MeterMessage)
            if meter.sequence >= sequence:
                assert meter.sequence == sequence
                await self.client.unsubscribe(self.topics.meter)
                return meter.meter_cents

    async def send(self, *obligations: AnyObligation) -> None:
        """Say what is owed."""
        for obligation in obligations:
            await self.say(msgspec.json.encode(obligation))

    async def say(self, payload: bytes, table: str = "T1") -> None:
        """Publish anything where obligations are expected."""
        await self.client.publish(self.topics.owed(table), payload, qos=1)
