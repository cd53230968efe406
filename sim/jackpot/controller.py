"""The jackpot controller on MQTT: what is owed comes in, answers and the meter go out.

An obligation is committed by `store.py` before anything is said about it. A win is
answered with its award first and its acknowledgement second: messages keep their order,
so a table that has the acknowledgement has the award, and one that lost either asks
again. Nothing is decided here; a document that is not understood is logged and dropped.
"""

import argparse
import asyncio
import logging
import random
import signal
import socket
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

import aiomqtt
import msgspec

from firmware.errors import BadInput
from firmware.link.messages import (
    Acknowledgement,
    AwardMessage,
    ControllerStatus,
    MeterMessage,
    Topics,
)
from firmware.rules.documents import decode
from firmware.table.outbox import AnyObligation
from sim.jackpot.store import LinkSettings, Store

HEARTBEAT_S = 2.0
_BACKOFF_S, _BACKOFF_MAX_S = 0.2, 5.0
# Small messages would otherwise wait for each other's acknowledgements in the kernel.
_NODELAY = ((socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),)
_decoder: msgspec.json.Decoder[AnyObligation] = msgspec.json.Decoder(AnyObligation)
_log = logging.getLogger(__name__)


class Controller:
    """One link's controller: its books, and its connection to the broker."""

    def __init__(self, store: Store, host: str, port: int, topics: Topics) -> None:
        self._store = store
        self._host = host
        self._port = port
        self._topics = topics

    async def run(self, stop: asyncio.Event) -> None:
        """Serve until told to stop, through every loss of the broker."""
        wait_s = _BACKOFF_S
        while not stop.is_set():
            try:
                async with self._client() as client:
                    wait_s = _BACKOFF_S
                    await self._connected(client, stop)
            except* (aiomqtt.MqttError, OSError) as errors:
                _log.warning("the broker is away: %s", errors.exceptions[0])
            await _sleep(wait_s * random.uniform(0.5, 1.5), stop)
            wait_s = min(wait_s * 2, _BACKOFF_MAX_S)

    def answers(self, topic: str, payload: bytes) -> Iterator[tuple[str, msgspec.Struct]]:
        """Commit what a table owes, and give what is to be said about it, with its topics."""
        obligation = decode(_decoder, payload)
        table = obligation.table
        if topic != self._topics.owed(table):
            raise BadInput("table", f"is {table!r}, which does not speak on this topic")
        applied = self._store.apply(obligation, datetime.now(UTC))
        answer = self._topics.answer(table)
        if applied.award_cents is not None:
            yield answer, AwardMessage(id=applied.id, amount_cents=applied.award_cents)
        yield answer, Acknowledgement(id=applied.id)
        if applied.meter_moved:
            yield self._topics.meter, self._meter()

    def _client(self) -> aiomqtt.Client:
        client = aiomqtt.Client(
            self._host,
            self._port,
            # One name a link: a second controller would take the first one's place, visibly.
            identifier=f"{self._topics.root}-controller",
            will=aiomqtt.Will(self._topics.controller, _status(online=False), qos=1, retain=True),
            timeout=5,
            keepalive=5,
            socket_options=_NODELAY,
        )
        # A table with seven bets has twice as many answers under way, which is no concern.
        client.pending_calls_threshold = 1_000
        return client

    async def _connected(self, client: aiomqtt.Client, stop: asyncio.Event) -> None:
        """Do everything that is done while the broker is there."""
        granted = await client.subscribe(self._topics.owed("+"), qos=1)
        if list(granted) != [1]:
            raise aiomqtt.MqttError(f"the broker refuses {self._topics.owed('+')}")
        await client.publish(self._topics.meter, _encoded(self._meter()), qos=1, retain=True)
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._beat(client, stop))
                serving = tasks.create_task(self._serve(client, tasks))
                await stop.wait()
                # Answers that are under way still arrive: the group waits for them.
                serving.cancel()
        finally:
            # A clean goodbye sends no last will; where the broker is away, it has sent it.
            with suppress(aiomqtt.MqttError):
                await self._say_status(client, online=False)

    async def _beat(self, client: aiomqtt.Client, stop: asyncio.Event) -> None:
        """Say again and again that the controller is there.

        Each of them is retained: the last will of a connection that died slowly may come
        after the new connection's first word, and must not stand. The event ends this, and
        not a cancellation, which Python 3.11 can lose in aiomqtt's `wait_for`.
        """
        while not stop.is_set():
            await self._say_status(client, online=True)
            await _sleep(HEARTBEAT_S, stop)

    async def _serve(self, client: aiomqtt.Client, tasks: asyncio.TaskGroup) -> None:
        """Answer the tables; the broker's receipts are awaited aside, in order of sending."""
        async for message in client.messages:
            topic = message.topic.value
            if not message.topic.matches(self._topics.owed("+")):
                # amqtt gives a new client what is retained for the subscriptions of others.
                continue
            try:
                for answer_topic, document in self.answers(topic, bytes(message.payload)):
                    retain = answer_topic == self._topics.meter
                    tasks.create_task(
                        client.publish(answer_topic, _encoded(document), qos=1, retain=retain)
                    )
            except BadInput as error:
                _log.warning("a message on %s is dropped: %s", topic, error)

    async def _say_status(self, client: aiomqtt.Client, *, online: bool) -> None:
        await client.publish(self._topics.controller, _status(online=online), qos=1, retain=True)

    def _meter(self) -> MeterMessage:
        return MeterMessage(
            meter_cents=self._store.meter_cents, sequence=self._store.meter_sequence
        )


async def _sleep(seconds: float, stop: asyncio.Event) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await stop.wait()


def _encoded(document: msgspec.Struct) -> bytes:
    return msgspec.json.encode(document)


def _status(*, online: bool) -> bytes:
    return _encoded(ControllerStatus(online=online))


def main(argv: Sequence[str]) -> int:
    """Run a controller until it is told to stop."""
    parser = _parser()
    options = parser.parse_args(argv)
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", level=logging.INFO)
    settings = LinkSettings(
        game=options.game,
        reset_cents=options.reset_cents,
        rate_basis_points=options.rate_basis_points,
    )
    try:
        store = Store.open(options.database, settings)
    except BadInput as error:
        parser.error(str(error))
    except sqlite3.Error as error:
        parser.error(f"{options.database}: {error}")
    host, port = options.broker
    status = 0
    try:
        with store:
            asyncio.run(_until_stopped(Controller(store, host, port, Topics(options.root))))
    except* sqlite3.Error as errors:
        # Nothing was said about what is not in the books: the tables will say it again.
        _log.critical("%s cannot be written: %s", options.database, errors.exceptions[0])
        status = 1
    return status


async def _until_stopped(controller: Controller) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await controller.run(stop)


class _Parser(argparse.ArgumentParser):
    """Complains in one sentence."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m sim.jackpot", description="Run a jackpot controller.")
    parser.add_argument("--database", type=Path, required=True, help="where the books are kept")
    parser.add_argument("--game", required=True, help="the game of all tables on the link")
    parser.add_argument("--reset-cents", type=int, required=True, help="what the meter starts from")
    parser.add_argument(
        "--rate-basis-points", type=int, required=True, help="the part of a stake that is added"
    )
    parser.add_argument("--broker", type=_host_and_port, required=True, metavar="HOST:PORT")
    parser.add_argument("--root", type=_topic_level, default="underfelt", help="the topics' root")
    return parser


def _host_and_port(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 2**16:
        raise argparse.ArgumentTypeError(f"{text!r} is not HOST:PORT")
    return host.strip("[]"), int(port)


def _topic_level(text: str) -> str:
    if not text or text.startswith("$") or set(text) & set("+#\0"):
        raise argparse.ArgumentTypeError(f"{text!r} cannot begin a topic")
    return text
