"""The jackpot controller on MQTT: one connection per link, through every loss of the broker.

What a message means is decided in `desk.py`; this file carries messages. Each link has
its own connection because each has its own last will. Of several brokers the next one is tried
when one fails, as tables do (`firmware/link/mqtt.py`); they find each other, because a table leaves a
broker on which it hears no controller.
"""

import asyncio
import logging
import random
from contextlib import AbstractAsyncContextManager, suppress
from datetime import UTC, datetime
from itertools import cycle

import aiomqtt
import msgspec

from firmware.errors import BadInput
from firmware.link.backoff import Backoff
from firmware.link.client import LinkClient
from firmware.link.problems import problem_of
from firmware.link.settings import BrokerAddress, LinkSettings
from firmware.protocol.messages import AwardMessage, PendingMessage
from sim.connection import connected
from sim.jackpot_controller.commands import run_commands
from sim.jackpot_controller.desk import LinkDesk, Outgoing

HEARTBEAT_S = 2.0
METER_S = 0.25
_COMMANDS_S = 0.5
"""How often to look for commands of the house."""
_log = logging.getLogger(__name__)


class Controller:
    """One link's place on the broker."""

    def __init__(self, desk: LinkDesk, link: LinkSettings) -> None:
        self._desk = desk
        self._link = link
        self._topics = desk.topics
        self._meter: Outgoing | None = None
        """The newest meter, as long as it is not published."""
        self._meter_moved = asyncio.Event()

    async def run(self, stop: asyncio.Event) -> None:
        """Serve until told to stop, through every loss of the broker."""
        link = self._link
        backoff = Backoff(link.backoff_s, link.backoff_max_s, lambda: random.uniform(0.5, 1.5))
        for broker in cycle(link.brokers):
            served_s = await self._serve_at(broker, stop)
            # Commands are carried out without a broker too; what they change is published later.
            self._carry_out()
            await _sleep(backoff.next_s(served_s), stop)
            if stop.is_set():
                return

    async def _serve_at(self, broker: BrokerAddress, stop: asyncio.Event) -> float:
        """Serve at one broker until it is lost, and return for how many seconds."""
        now_s = asyncio.get_running_loop().time
        since_s: float | None = None
        try:
            async with self._client(broker) as client:
                since_s = now_s()
                _log.info("the broker at %s is connected", broker)
                await self._connected(client, stop)
        except* (aiomqtt.MqttError, OSError, BadInput) as errors:
            first = errors.exceptions[0]
            if isinstance(first, Exception):
                problem = problem_of(first, broker, connected=since_s is not None)
                _log.warning("%s", problem.words)
        return 0.0 if since_s is None else now_s() - since_s

    def _client(self, broker: BrokerAddress) -> AbstractAsyncContextManager[LinkClient]:
        offline = self._desk.status(online=False)
        will = aiomqtt.Will(
            offline.topic, msgspec.json.encode(offline.document), qos=1, retain=True
        )
        # One client id per link: a second controller would visibly displace the first.
        return connected(self._link, broker, "controller", will)

    async def _connected(self, client: aiomqtt.Client, stop: asyncio.Event) -> None:
        """Do everything that needs the broker."""
        for topic in (self._topics.owed("+"), self._topics.status("+")):
            if list(await client.subscribe(topic, qos=1)) != [1]:
                raise aiomqtt.MqttError(f"the broker refuses {topic}")
        self._meter = None  # the announcement has the newest
        for each in self._desk.announcement():
            await _publish(client, each)
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._beat(client, tasks, stop))
                tasks.create_task(self._look_for_commands(client, tasks, stop))
                tasks.create_task(self._show_meter(client, tasks, stop))
                serving = tasks.create_task(self._serve(client, tasks))
                await stop.wait()
                self._meter_moved.set()
                # Answers in flight still arrive: the group waits for them.
                serving.cancel()
        finally:
            # A clean disconnect sends no last will; if the broker is away, it has sent it already.
            with suppress(aiomqtt.MqttError):
                await _publish(client, self._desk.status(online=False))
            self._desk.write()

    async def _beat(
        self, client: aiomqtt.Client, tasks: asyncio.TaskGroup, stop: asyncio.Event
    ) -> None:
        """Publish the controller's heartbeat, and ask again what was not answered.

        Each one is retained: the last will of a connection that died slowly may arrive after the
        new connection's first message, and must not remain. The event ends this, not a
        cancellation, which Python 3.11 can lose in aiomqtt's `wait_for`.
        """
        while not stop.is_set():
            await _publish(client, self._desk.status(online=True))
            self._say(self._desk.asked_again(datetime.now(UTC)), client, tasks)
            await _sleep(HEARTBEAT_S, stop)

    async def _look_for_commands(
        self, client: aiomqtt.Client, tasks: asyncio.TaskGroup, stop: asyncio.Event
    ) -> None:
        """Carry out the house's commands, and save what is only for `show`."""
        while not stop.is_set():
            self._say(self._carry_out(), client, tasks)
            await _sleep(_COMMANDS_S, stop)

    def _carry_out(self) -> list[Outgoing]:
        said = run_commands(self._desk, datetime.now(UTC))
        self._desk.write()
        return said

    async def _serve(self, client: aiomqtt.Client, tasks: asyncio.TaskGroup) -> None:
        """Answer the tables; the broker's receipts are awaited separately, in order of sending."""
        mine = (self._topics.owed("+"), self._topics.status("+"))
        async for message in client.messages:
            if not any(message.topic.matches(topic) for topic in mine):
                # amqtt sends a new client what is retained for other clients' subscriptions.
                continue
            said = self._desk.take(
                message.topic.value,
                bytes(message.payload),
                datetime.now(UTC),
                retained=bool(message.retain),
            )
            self._say(said, client, tasks)

    def _say(self, said: list[Outgoing], client: aiomqtt.Client, tasks: asyncio.TaskGroup) -> None:
        """Publish what follows from one message or command, in that order and before what is next.

        A meter by itself may wait. What a table judges by the meters that it has heard may not
        overtake one: the meter goes first then, however soon it comes after another.
        """
        for each in said:
            if each.topic == self._topics.meter:
                self._meter = each
                self._meter_moved.set()
                continue
            if _rests_on_meter(each):
                self._publish_meter(client, tasks)
            tasks.create_task(_publish(client, each))

    async def _show_meter(
        self, client: aiomqtt.Client, tasks: asyncio.TaskGroup, stop: asyncio.Event
    ) -> None:
        """Publish the meter when it has moved, but not faster than a sign can be read.

        Every table gets every meter: on a floor of hundreds each contribution would be
        hundreds of messages, and the answers would wait behind them.
        """
        while not stop.is_set():
            await self._meter_moved.wait()
            self._meter_moved.clear()
            self._publish_meter(client, tasks)
            await _sleep(METER_S, stop)

    def _publish_meter(self, client: aiomqtt.Client, tasks: asyncio.TaskGroup) -> None:
        """Publish the newest meter if it is not published; tasks begin in the order they are made."""
        if self._meter is not None:
            tasks.create_task(_publish(client, self._meter))
            self._meter = None


def _rests_on_meter(said: Outgoing) -> bool:
    """Return whether a table judges a document by the meters that it has heard (3.5, 5.12)."""
    document = said.document
    if isinstance(document, AwardMessage):
        return document.meter_cents is not None
    return isinstance(document, PendingMessage)


async def _publish(client: aiomqtt.Client, each: Outgoing) -> None:
    await client.publish(each.topic, msgspec.json.encode(each.document), qos=1, retain=each.retain)


async def _sleep(seconds: float, stop: asyncio.Event) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await stop.wait()
