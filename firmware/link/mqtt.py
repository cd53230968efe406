"""The MQTT connection to the jackpot controller, on aiomqtt.

Sends what is owed, oldest first, until the table says that it is answered: a broker's
own acknowledgement proves nothing. What is owed is the table's, from the journal; this
only holds it while it travels. Reconnects for ever, with backoff and
jitter. `TCP_NODELAY` is set because the small messages would otherwise wait for each
other's acknowledgements in the kernel.
"""

import asyncio
import logging
import random
import socket
from contextlib import suppress
from typing import Annotated

import aiomqtt
import msgspec
from msgspec import Meta, Struct

from firmware.link.messages import (
    Acknowledgement,
    AnyAnswer,
    AwardMessage,
    ControllerStatus,
    MeterMessage,
    TableStatus,
    Topics,
)
from firmware.table.events import Acknowledged, AwardGranted, LinkChanged, MeterMoved
from firmware.table.outbox import AnyObligation
from firmware.table.shell import Shell
from firmware.tasks import until_one_ends

_NODELAY = ((socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),)
_log = logging.getLogger(__name__)


Seconds = Annotated[float, Meta(gt=0, le=3600)]


class LinkSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the jackpot controller is, and how long to be patient."""

    host: Annotated[str, Meta(min_length=1)]
    port: Annotated[int, Meta(ge=1, le=65_535)] = 1883
    root: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*\Z")] = "underfelt"
    stale_s: Seconds = 6.0
    overdue_s: Seconds = 5.0
    backoff_s: Seconds = 0.2
    backoff_max_s: Seconds = 5.0


class JackpotLink:
    """The table's end of the link."""

    def __init__(self, settings: LinkSettings, table: str, journal: str, shell: Shell) -> None:
        self._settings = settings
        self._table = table
        self._journal = journal
        self._shell = shell
        self._topics = Topics(settings.root)
        self._owed: dict[str, AnyObligation] = {}
        self._unsent: asyncio.Queue[str] = asyncio.Queue()
        self._heard_at: float | None = None
        self._healthy = False

    def send(self, obligation: AnyObligation) -> None:
        """Take something that is owed; it is sent until it is acknowledged."""
        self._owed[obligation.id] = obligation
        self._unsent.put_nowait(obligation.id)

    def stop_sending(self, obligation_id: str) -> None:
        """Drop something that the table owes no longer."""
        self._owed.pop(obligation_id, None)

    async def run(self) -> None:
        """Stay connected for ever."""
        wait_s = self._settings.backoff_s
        while True:
            try:
                async with self._client() as client:
                    wait_s = self._settings.backoff_s
                    await self._connected(client)
            except (aiomqtt.MqttError, OSError) as error:
                _log.warning("the jackpot link is down: %s", error)
            self._set_health(heard_at=None)
            await asyncio.sleep(wait_s * random.uniform(0.5, 1.5))  # noqa: S311  # jitter
            wait_s = min(wait_s * 2, self._settings.backoff_max_s)

    def _client(self) -> aiomqtt.Client:
        return aiomqtt.Client(
            self._settings.host,
            self._settings.port,
            identifier=f"underfelt-{self._table}",
            will=aiomqtt.Will(
                self._topics.status(self._table), self._status(online=False), qos=1, retain=True
            ),
            keepalive=5,
            socket_options=_NODELAY,
        )

    def _status(self, *, online: bool) -> bytes:
        return msgspec.json.encode(
            TableStatus(table=self._table, journal=self._journal, online=online)
        )

    async def _connected(self, client: aiomqtt.Client) -> None:
        """Do everything that is done while the broker is connected."""
        status = self._topics.status(self._table)
        await client.publish(status, self._status(online=True), qos=1, retain=True)
        for topic in (
            self._topics.answer(self._table),
            self._topics.controller,
            self._topics.meter,
        ):
            await client.subscribe(topic, qos=1)
        await until_one_ends([self._read(client), self._write(client), self._watch()])

    async def _read(self, client: aiomqtt.Client) -> None:
        async for message in client.messages:
            try:
                self._take(message.topic.value, bytes(message.payload))
            except msgspec.DecodeError as error:
                _log.warning("a message on %s is not understood: %s", message.topic, error)
        raise aiomqtt.MqttError("the broker has closed the connection")

    def _take(self, topic: str, payload: bytes) -> None:
        if topic == self._topics.meter:
            meter = msgspec.json.decode(payload, type=MeterMessage)
            self._shell.put(
                MeterMoved(
                    at_ms=self._shell.now_ms(),
                    meter_cents=meter.meter_cents,
                    sequence=meter.sequence,
                )
            )
        elif topic == self._topics.answer(self._table):
            self._answered(msgspec.json.decode(payload, type=AnyAnswer))
        elif topic == self._topics.controller:
            online = msgspec.json.decode(payload, type=ControllerStatus).online
            self._set_health(heard_at=asyncio.get_running_loop().time() if online else None)

    def _answered(self, answer: AnyAnswer) -> None:
        if isinstance(answer, Acknowledgement):
            self._shell.put(Acknowledged(at_ms=self._shell.now_ms(), id=answer.id))
        elif isinstance(answer, AwardMessage):
            self._shell.put(
                AwardGranted(
                    at_ms=self._shell.now_ms(), id=answer.id, amount_cents=answer.amount_cents
                )
            )

    async def _write(self, client: aiomqtt.Client) -> None:
        """Send everything that is owed, then what comes; what is overdue is sent again."""
        loop = asyncio.get_running_loop()
        while True:
            self._unsent = asyncio.Queue()
            for obligation in list(self._owed.values()):
                await self._publish(client, obligation)
            again_at = loop.time() + self._settings.overdue_s
            with suppress(TimeoutError):
                while True:
                    # The wait alone is timed: aiomqtt may lose a time-out in its own calls.
                    async with asyncio.timeout_at(again_at):
                        obligation_id = await self._unsent.get()
                    if obligation_id in self._owed:
                        await self._publish(client, self._owed[obligation_id])

    async def _publish(self, client: aiomqtt.Client, obligation: AnyObligation) -> None:
        payload = msgspec.json.encode(obligation)
        await client.publish(self._topics.owed(self._table), payload, qos=1)

    async def _watch(self) -> None:
        """Notice when the controller has been silent for too long."""
        while True:
            await asyncio.sleep(self._settings.stale_s / 6)
            self._set_health(heard_at=self._heard_at)

    def _set_health(self, *, heard_at: float | None) -> None:
        self._heard_at = heard_at
        now = asyncio.get_running_loop().time()
        healthy = heard_at is not None and now - heard_at < self._settings.stale_s
        if healthy != self._healthy:
            self._healthy = healthy
            self._shell.put(LinkChanged(at_ms=self._shell.now_ms(), healthy=healthy))
