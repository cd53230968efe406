"""The table's end of the jackpot link: stays connected, sends what is owed, reports its health.

Sends oldest first until the table says that it is answered: a broker's own receipt proves
nothing. What is owed belongs to the table's journal; it is held here only in transit. Brokers
are tried in turn: one that fails, or has had no controller for long, is left for the next in
the list, and after the last comes the first. The link does not go back to the preferred
broker while another one serves: each change is a moment without a jackpot.
"""

import asyncio
import logging
import random
import secrets
from collections.abc import Iterable
from contextlib import suppress
from itertools import cycle
from ssl import SSLContext
from typing import Protocol

import aiomqtt
import msgspec
from msgspec.structs import asdict, replace

from firmware.errors import BadInput
from firmware.link.backoff import Backoff
from firmware.link.client import LinkClient
from firmware.link.health import Health
from firmware.link.hearing import Hearing
from firmware.link.known import BACK_S
from firmware.link.outbox import Outbox
from firmware.link.problems import ControllerSilent, NotAllowed, problem_of
from firmware.link.publishing import Publishing
from firmware.link.settings import BrokerAddress, LinkSettings
from firmware.link.stats import LinkStats
from firmware.link.tasks import to_its_end, until_one_ends
from firmware.link.tls import client_context, client_id
from firmware.protocol.link_problems import LinkProblem
from firmware.protocol.messages import HeadAsked, Proof, SignedHead, TableStatus, Topics
from firmware.protocol.obligations import AnyObligation, FaultReport
from firmware.protocol.version import VERSION
from firmware.table.effects import PublishStatus
from firmware.table.events import BelievedMeter, LinkChanged
from firmware.table.intake import Intake

__all__ = ["JackpotLink", "LinkSettings"]

_LOOK_S = 0.25
_STATUS_AGAIN_S = 30.0
"""A late last will, which says that the table is gone, would otherwise remain."""
_FAREWELL_S = 2.0
"""How long the broker may take to confirm that the table is gone."""
_REFUSED = 0x80
_log = logging.getLogger(__name__)


class JournalEnd(Protocol):
    """What the link says of the journal's end: the shell has it (`shell/heads.py`)."""

    def signed(self, boot: str, connection: str, *, online: bool) -> SignedHead:
        """Return the last record and its chain, signed for a status or farewell of a connection."""

    def proved(self, asked: HeadAsked) -> Proof:
        """Return the chain of an earlier record, signed; empty if the journal does not have it."""


class JackpotLink:
    """The table's end of the link."""

    def __init__(  # noqa: PLR0913  # it connects all of them
        self,
        settings: LinkSettings,
        table: str,
        journal: str,
        intake: Intake,
        *,
        end: JournalEnd,
        game: str = "",
        currency: str = "$",
        believed: BelievedMeter | None = None,
        registered: BelievedMeter | None = None,
        silent_s: float = 0.0,
    ) -> None:
        """Judge the meter by those that were believed and registered before a restart, so long ago."""
        self.stats = LinkStats()
        self._settings = settings
        self._intake = intake
        self._topics = Topics(settings.root)
        self._end = end
        boot = secrets.token_hex(8)
        self._status = TableStatus(
            table=table,
            journal=journal,
            online=True,
            game=game,
            version=VERSION,
            boot=boot,
        )
        self._outbox = Outbox(settings.window, settings.overdue_s)
        self._health = Health(settings, self._outbox, self._report, _now_s())
        self._hearing = Hearing(
            self._topics,
            intake,
            table=table,
            journal=journal,
            boot=boot,
            ask=self._prove,
            game=game,
            outbox=self._outbox,
            health=self._health,
            stats=self.stats,
            rise_cents_per_s=settings.most_meter_rise_cents_per_s,
            currency=currency,
        )
        if believed is not None:
            self._hearing.know_meter(believed, _now_s() - silent_s)
        if registered is not None and silent_s < BACK_S:
            self._hearing.recall_meter(registered)
        self._logged: set[str] = set()
        self._work = asyncio.Event()
        self._status_changed = asyncio.Event()

    def send(self, obligation: AnyObligation) -> None:
        """Take something that is owed; it is sent until the table no longer owes it."""
        self._outbox.add(obligation)
        self._work.set()
        if isinstance(obligation, FaultReport) and obligation.cleared:
            self._cleared(obligation)

    def _cleared(self, report: FaultReport) -> None:
        """Believe what somebody has compared with the books."""
        if (report.code, report.where) == ("meter_doubted", "meter"):
            self._hearing.believe_meter(report.text, _now_s())

    def stop_sending(self, obligation_id: str) -> None:
        """Drop something that the table no longer owes."""
        self._outbox.drop(obligation_id)
        self._work.set()

    def publish_status(self, status: PublishStatus) -> None:
        """Report on the link how far the table's round has got."""
        self._status = replace(self._status, **asdict(status))
        self._status_changed.set()

    def _prove(self, asked: HeadAsked | None) -> None:
        """Say the status again, with the chain of the record that the controller asks for."""
        if asked is not None:
            self._status = replace(self._status, proof=self._end.proved(asked))
        self._status_changed.set()

    async def run(self) -> None:
        """Stay connected for ever."""
        await until_one_ends([self._stay_connected(), self._watch()])

    async def _stay_connected(self) -> None:
        settings = self._settings
        backoff = Backoff(settings.backoff_s, settings.backoff_max_s, _jitter)
        for broker in cycle(settings.brokers):
            served_s = await self._serve(broker)
            await asyncio.sleep(backoff.next_s(served_s))

    async def _serve(self, broker: BrokerAddress) -> float:
        """Connect to a broker and stay; note its problem, and return how long it served."""
        client: LinkClient | None = None
        connected_s: float | None = None
        try:
            client = await self._client(broker)
            async with client:
                connected_s = _now_s()
                try:
                    await self._connected(client, broker)
                finally:
                    await self._say_goodbye(client)
        except (aiomqtt.MqttError, OSError, UnicodeError, BadInput) as error:
            said = client.heard.said if client else ""
            problem = problem_of(error, broker, said, connected=connected_s is not None)
            self._lost(broker, problem)
        return 0.0 if connected_s is None else _now_s() - connected_s

    async def _tls(self) -> SSLContext | None:
        """Read the certificates, afresh each time: they may change while the table is running."""
        if self._settings.ca is None:
            return None
        context, identity = await asyncio.to_thread(
            client_context, self._settings, self._status.table
        )
        if identity is not None:
            self.stats.certificate_expires = identity.expires.isoformat()
        return context

    async def _client(self, broker: BrokerAddress) -> LinkClient:
        table, tls = self._status.table, await self._tls()
        # These tell units apart: a second one, even with a copy of this journal, must not cut
        # off the first. The controller decides which of them speaks for the table.
        unit = f"{self._status.journal}-{self._status.boot}"
        identifier = await asyncio.to_thread(client_id, table, unit, self._settings.key)
        # The last will is for this connection: said again, it does not end a later one.
        self._status = replace(self._status, connection=secrets.token_hex(8))
        will = aiomqtt.Will(
            self._topics.status(table), self._encoded_status(online=False), qos=1, retain=True
        )
        return LinkClient(self._settings, broker, identifier, will, tls)

    async def _connected(self, client: LinkClient, broker: BrokerAddress) -> None:
        """Do everything that is done while a broker is connected."""
        self._outbox.begin_again()
        self._hearing.begin_again()
        self.stats.broker = str(broker)
        self.stats.connected_since_ms = self._intake.now_ms()
        self.stats.connections += 1
        self._health.connected(_now_s())
        topics = self._topics
        await _subscribe(
            client,
            # The controller first: what it publishes counts only once its books are known.
            topics.controller,
            topics.answer(self._status.table),
            topics.meter,
            topics.pending,
        )
        # Said only now: the controller answers whether it accepts this unit.
        await self._say_status(client)
        self._logged.clear()
        _log.info("the broker at %s is connected", broker)
        publishing = Publishing(client, topics.owed(self._status.table))
        try:
            await until_one_ends(
                [
                    self._read(client),
                    self._write(publishing),
                    self._keep_status(client),
                    self._leave_if_silent(),
                    publishing.until_failed(),
                ]
            )
        finally:
            publishing.close()

    async def _read(self, client: LinkClient) -> None:
        async for message in client.messages:
            self._hearing.take(message.topic.value, _bytes(message.payload), _now_s())
            self._work.set()
        raise aiomqtt.MqttError("the broker has closed the connection")

    async def _write(self, publishing: Publishing) -> None:
        """Send what is owed, then what comes; what is overdue is sent again.

        Nothing is sent to a controller that is not online, for the broker would drop it, nor
        before it has accepted this unit: what an old copy of a journal owes may have been paid.
        """
        look_s = _now_s()
        while True:
            self._work.clear()
            accepted = self._hearing.accepted
            if accepted:
                self._publish(publishing, self._outbox.to_send(_now_s()))
            if _now_s() >= look_s:
                look_s = _now_s() + _LOOK_S
                overdue = self._outbox.to_repeat(_now_s()) if accepted else ()
                self._publish(publishing, overdue)
            with suppress(TimeoutError):
                async with asyncio.timeout_at(look_s):
                    await self._work.wait()

    def _publish(self, publishing: Publishing, obligations: Iterable[AnyObligation]) -> None:
        for obligation in obligations:
            publishing.start(msgspec.json.encode(obligation))
            self.stats.sent += 1

    async def _keep_status(self, client: LinkClient) -> None:
        """Publish the table's status whenever it changes, and now and then anyway."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._status_again_s()):
                    await self._status_changed.wait()
            await self._say_status(client)

    def _status_again_s(self) -> float:
        waits = not (self._hearing.accepted or self._hearing.refused)
        return min(self._settings.overdue_s, _STATUS_AGAIN_S) if waits else _STATUS_AGAIN_S

    async def _say_status(self, client: LinkClient) -> None:
        self._status_changed.clear()
        topic = self._topics.status(self._status.table)
        await client.publish(topic, self._encoded_status(online=True), qos=1, retain=True)
        if client.not_allowed:
            raise NotAllowed(f"publish on {topic}: its name there must be {self._status.table}")

    async def _say_goodbye(self, client: LinkClient) -> None:
        """Say that the table is gone, and wait for the receipt: a clean end sends no last will.

        It is said by a task of its own, because this one may be being cancelled.
        """
        topic = self._topics.status(self._status.table)
        farewell = client.publish(
            topic, self._encoded_status(online=False), qos=1, retain=True, timeout=_FAREWELL_S
        )
        with suppress(aiomqtt.MqttError):
            await to_its_end(farewell)

    def _encoded_status(self, *, online: bool) -> bytes:
        status = self._status
        return msgspec.json.encode(
            replace(
                status,
                online=online,
                at_ms=self._intake.now_ms(),
                head=self._end.signed(status.boot, status.connection, online=online),
                waits=online and not self._hearing.accepted,
            )
        )

    async def _leave_if_silent(self) -> None:
        """Leave a broker on which no controller is heard, if there is another to try."""
        while True:
            await asyncio.sleep(self._settings.stale_s / 4)
            silent = self._health.silent_s(_now_s()) > 2 * self._settings.stale_s
            if silent and len(self._settings.brokers) > 1:
                raise ControllerSilent

    async def _watch(self) -> None:
        """Notice what only the passing of time reveals."""
        while True:
            await asyncio.sleep(_LOOK_S)
            self._health.look(_now_s())
            self._hearing.look(_now_s())

    def _lost(self, broker: BrokerAddress, problem: LinkProblem) -> None:
        self.stats.broker = self.stats.connected_since_ms = None
        # The same problem is logged once, until a broker has served again.
        if problem.words not in self._logged:
            self._logged.add(problem.words)
            _log.warning("the jackpot link: %s", problem.words)
        self.stats.last_problem = problem.words
        self._health.lost(broker, problem, _now_s())

    def _report(self, problem: LinkProblem | None) -> None:
        at_ms = self._intake.now_ms()
        if problem is None:
            self._intake.put(LinkChanged(at_ms=at_ms, healthy=True))
            return
        self.stats.last_problem = problem.words
        self._intake.put(
            LinkChanged(at_ms=at_ms, healthy=False, problem=problem.words, code=problem.code)
        )


async def _subscribe(client: LinkClient, *topics: str) -> None:
    codes = await client.subscribe([(topic, 1) for topic in topics])
    granted = [code if isinstance(code, int) else code.value for code in codes]
    for topic, code in zip(topics, granted, strict=True):
        if code >= _REFUSED:
            raise NotAllowed(f"read {topic}")


def _bytes(payload: object) -> bytes:
    return bytes(payload) if isinstance(payload, bytes | bytearray) else b""


def _jitter() -> float:
    return random.uniform(0.5, 1.5)  # noqa: S311  # so that tables do not connect in step


def _now_s() -> float:
    return asyncio.get_running_loop().time()
