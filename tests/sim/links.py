"""A link to test the jackpot controller on: its process, and a table's end of MQTT.

What a controller must do is in `test_jackpot_controller.py`.
"""

import asyncio
import signal
import socket
import subprocess
import sys
import time
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, AsyncExitStack
from pathlib import Path
from types import TracebackType

import aiomqtt
import msgspec
from msgspec.structs import replace

from firmware.protocol.messages import (
    Acknowledgement,
    AnyAnswer,
    AwardMessage,
    ControllerStatus,
    MeterMessage,
    PendingMessage,
    TableStatus,
    Topics,
)
from firmware.protocol.obligations import AnyObligation, Contribution, RoundReport, Win
from sim import lifeline
from sim.broker import Broker
from sim.jackpot_controller.accounts import Accounts
from sim.jackpot_controller.store import JackpotLinkSettings, LedgerTotals, Store

HANGS_AFTER_S = 60
LINK = JackpotLinkSettings("rws-casino-stud", 10_000_000, 2_500)
_SAID: dict[tuple[str, str], AnyObligation] = {}
"""What made a win believed, by the root of its link and its id."""


class Link(AbstractContextManager["Link"]):
    """A link to test: its topics, its database, and its controller's process."""

    def __init__(self, broker: Broker, folder: Path, game: str = "rws-casino-stud") -> None:
        self.broker = broker
        self.topics = Topics(folder.name)
        self.settings = replace(LINK, game=game, root=folder.name)
        self.database = folder / "jackpot.db"
        self.log = folder / "controller.log"
        self.controller: subprocess.Popen[bytes] | None = None
        self.hangs_after_s = HANGS_AFTER_S

    def start(self) -> None:
        """Start the controller; that it serves is for its status to say."""
        command = lifeline.module("sim.jackpot_controller", "run", *arguments(self.database))
        command += ["--broker", f"127.0.0.1:{self.broker.port}", "--root", self.topics.root]
        command += ["--game", self.settings.game]
        with self.log.open("ab") as log:
            self.controller = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=log)

    def end(self, number: signal.Signals) -> int:
        """End the controller by a signal, and give its exit status."""
        assert self.controller is not None
        self.controller.send_signal(number)
        return self.controller.wait(HANGS_AFTER_S)

    def totals(self) -> LedgerTotals:
        """Read the books, beside a controller that may be running."""
        with Store.open(self.database, self.settings) as store:
            return store.totals()

    def accounts(self) -> Accounts:
        """Read the accounts, beside a controller that may be running."""
        with Store.open(self.database, self.settings) as store:
            return store.accounts

    def command(self, *words: str) -> str:
        """Run a command of the controller on these books, and give what it prints."""
        command = [
            sys.executable,
            "-m",
            "sim.jackpot_controller",
            *words,
            "--database",
            str(self.database),
        ]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def play(self, scenario: Callable[..., Awaitable[None]], *names: str) -> None:
        """Start the controller and run a scenario with it."""
        self.start()
        self.join(scenario, *names)

    def join(self, scenario: Callable[..., Awaitable[None]], *names: str) -> None:
        """Run a scenario at tables (T1 where none is named) that see the controller online."""

        async def whole() -> None:
            async with asyncio.timeout(self.hangs_after_s), AsyncExitStack() as stack:
                tables = []
                for name in names or ("T1",):
                    connected = await stack.enter_async_context(client(self))
                    tables.append(Table(self.topics, connected, name))
                    await tables[-1].begin()
                await scenario(*tables)

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
    """A table's end of a link; what comes on one topic waits while another is read."""

    def __init__(self, topics: Topics, connected: aiomqtt.Client, name: str = "T1") -> None:
        self.topics = topics
        self.client = connected
        self.name = name
        self._waiting: dict[str, deque[aiomqtt.Message]] = defaultdict(deque)

    async def begin(self) -> None:
        """Listen for answers, and wait until the controller is there."""
        await self.client.subscribe(self.topics.answer(self.name), qos=1)
        await self.client.subscribe(self.topics.controller, qos=1)
        await self.until_status(online=True)

    async def next_on(self, topic: str) -> aiomqtt.Message:
        """Give the next message on a topic."""
        while not self._waiting[topic]:
            message = await anext(aiter(self.client.messages))
            self._waiting[message.topic.value].append(message)
        return self._waiting[topic].popleft()

    async def answer(self) -> AnyAnswer:
        """Give the next answer."""
        message = await self.next_on(self.topics.answer(self.name))
        answer: AnyAnswer = msgspec.json.decode(bytes(message.payload), type=AnyAnswer)
        return answer

    async def award(self) -> AwardMessage:
        """Give the next award, whatever else is answered before it."""
        while True:
            answer = await self.answer()
            if isinstance(answer, AwardMessage):
                return answer

    async def acknowledged(self) -> str:
        """Give the id of the next acknowledgement, whatever else is answered before it."""
        while True:
            answer = await self.answer()
            if isinstance(answer, Acknowledgement):
                return answer.id

    async def pending(self, *ids: str) -> PendingMessage:
        """Wait until exactly these claims are published as pending."""
        await self.client.subscribe(self.topics.pending, qos=1)
        while True:
            message = await self.next_on(self.topics.pending)
            pending = msgspec.json.decode(bytes(message.payload), type=PendingMessage)
            if {claim.id for claim in pending.claims} == set(ids):
                return pending

    async def stand(self, status: TableStatus) -> None:
        """Say where the table stands."""
        topic = self.topics.status(self.name)
        await self.client.publish(topic, msgspec.json.encode(status), qos=1, retain=True)

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
        """Say what is owed; before a win, what makes it believed."""
        for obligation in obligations:
            if isinstance(obligation, Win):
                await self._make_believed(obligation)
            await self.say(msgspec.json.encode(obligation))

    async def _make_believed(self, win: Win) -> None:
        """Open the round of a win, and bet so little that no displayed meter moves."""
        about = {"table": win.table, "round": win.round, "at_ms": int(time.time() * 1000)}
        prefix = win.id.rsplit(".", 2)[0]
        opened = RoundReport(id=f"{prefix}.9{win.round}.1", stage="opened", **about)  # type: ignore[arg-type]  # as above
        chip = Contribution(
            id=f"{prefix}.9{win.round}.{win.seat + 1}", seat=win.seat, bet="jackpot", stake_cents=1,
            **about,  # type: ignore[arg-type]
        )  # fmt: skip
        for each in (opened, chip):
            # The same again, should another table of this name have said it before.
            said = _SAID.setdefault((self.topics.root, each.id), each)
            await self.say(msgspec.json.encode(said))
            await self._until_acknowledged(said.id)

    async def _until_acknowledged(self, id_: str) -> None:
        """Wait for one acknowledgement; what else is answered is kept for others to read."""
        kept: list[aiomqtt.Message] = []
        topic = self.topics.answer(self.name)
        while True:
            message = await self.next_on(topic)
            answer = msgspec.json.decode(bytes(message.payload), type=AnyAnswer)
            if answer == Acknowledgement(id=id_):
                break
            kept.append(message)
        self._waiting[topic].extendleft(reversed(kept))

    async def say(self, payload: bytes) -> None:
        """Publish anything where obligations are expected."""
        await self.client.publish(self.topics.owed(self.name), payload, qos=1)
