"""What the link makes of the messages it hears: events for the table, or nothing.

Anything not understood, not meant for this table, old, repeated or too long is counted,
logged and ignored. A meter or a list of pending claims counts only if it is from the live
controller's books: a broker may hand out what somebody left there long ago.
"""

import logging

import msgspec

from firmware.link.client import LARGEST_BYTES
from firmware.link.health import Health
from firmware.link.outbox import Outbox
from firmware.link.printable import printable
from firmware.link.stats import LinkStats
from firmware.protocol.fault_catalogue import FaultCode
from firmware.protocol.messages import (
    Acknowledgement,
    AnyAnswer,
    AwardMessage,
    ControllerStatus,
    MeterMessage,
    Mismatch,
    PendingClaim,
    PendingMessage,
    Rejection,
    Topics,
    UnitRefused,
)
from firmware.table.events import (
    Acknowledged,
    AwardGranted,
    Event,
    FaultNoticed,
    MeterMoved,
    PendingChanged,
)
from firmware.table.intake import Intake

FAULT_AGAIN_S = 10.0
"""A fault that the controller keeps repeating is passed on no more often than this."""

_Published = MeterMessage | PendingMessage
_log = logging.getLogger(__name__)


class Ignored(Exception):  # noqa: N818  # not an error: it says why a message is ignored
    """Why a message is of no use."""


class Hearing:
    """Reads what comes on the topics of one table."""

    def __init__(  # noqa: PLR0913  # it connects all of them
        self,
        topics: Topics,
        intake: Intake,
        *,
        table: str,
        journal: str,
        game: str,
        outbox: Outbox,
        health: Health,
        stats: LinkStats,
    ) -> None:
        self._topics = topics
        self._table = table
        self._journal = journal
        self._game = game
        self._intake = intake
        self._outbox = outbox
        self._health = health
        self._stats = stats
        self._books: str | None = None
        """The books of the live controller; None while there is none."""
        self._newest: dict[tuple[type[_Published], str], int] = {}
        self._held: dict[type[_Published], _Published] = {}
        self._faults: dict[tuple[FaultCode, str, str], float] = {}

    @property
    def controller_online(self) -> bool:
        """Whether the controller has said that it is online, and is not reported gone."""
        return self._books is not None

    def begin_again(self) -> None:
        """Forget the controller: the connection to its broker is a new one."""
        self._books = None
        self._held.clear()

    def take(self, topic: str, payload: bytes, now_s: float) -> None:
        """Turn a message into an event, or count it as ignored."""
        try:
            if len(payload) > LARGEST_BYTES:
                raise Ignored(f"it is {len(payload)} bytes long")  # noqa: TRY301
            self._understand(topic, payload, now_s)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            self._ignore(topic, f"it is not understood: {error}")
        except Ignored as reason:
            self._ignore(topic, str(reason))

    def _understand(self, topic: str, payload: bytes, now_s: float) -> None:
        if topic == self._topics.answer(self._table):
            self._answered(msgspec.json.decode(payload, type=AnyAnswer), now_s)
        elif topic == self._topics.controller:
            self._controller(msgspec.json.decode(payload, type=ControllerStatus), now_s)
        elif topic == self._topics.meter:
            self._published(msgspec.json.decode(payload, type=MeterMessage))
        elif topic == self._topics.pending:
            self._published(msgspec.json.decode(payload, type=PendingMessage))
        else:
            raise Ignored("this table did not subscribe to the topic")

    # The controller

    def _controller(self, status: ControllerStatus, now_s: float) -> None:
        came = status.online and not self.controller_online
        self._books = status.books if status.online else None
        if came:
            # Anything it did not hear while it was away, it hears now.
            self._outbox.begin_again()
        stranger = status.game not in {"", self._game}
        self._health.heard(now_s, online=status.online, plays=status.game if stranger else "")
        for message in list(self._held.values()):
            if message.books == self._books:
                del self._held[type(message)]
                self._published(message)

    def _published(self, message: _Published) -> None:
        if message.books != self._books:
            # The controller may be just about to say that these are its books.
            self._held[type(message)] = message
            if self._books is None:
                return
            raise Ignored("it is from books other than the controller's")
        newest = self._newest.get((type(message), message.books))
        if newest is not None and message.sequence < newest:
            raise Ignored(f"it is old: number {message.sequence} after {newest}")
        self._newest[type(message), message.books] = message.sequence
        self._intake.put(self._event_of(message))

    def _event_of(self, message: _Published) -> Event:
        at_ms = self._intake.now_ms()
        if isinstance(message, MeterMessage):
            return MeterMoved(
                at_ms=at_ms,
                meter_cents=message.meter_cents,
                sequence=message.sequence,
                reset_cents=message.reset_cents,
            )
        return PendingChanged(
            at_ms=at_ms,
            ids=tuple(claim.id for claim in message.claims),
            words=tuple(_words(claim) for claim in message.claims),
        )

    # Answers

    def _answered(self, answer: AnyAnswer, now_s: float) -> None:
        at_ms = self._intake.now_ms()
        if isinstance(answer, Acknowledgement):
            if not self._outbox.answered(answer.id, "acknowledged"):
                raise Ignored("it acknowledges something not owed or already acknowledged")
            self._stats.acknowledged += 1
            self._intake.put(Acknowledged(at_ms=at_ms, id=answer.id))
        elif isinstance(answer, AwardMessage):
            # Owed or not: the table judges what a claim of this journal is paid.
            if not answer.id.startswith(f"{self._table}.{self._journal}."):
                raise Ignored("it awards a claim that is not from this table's journal")
            self._intake.put(
                AwardGranted(at_ms=at_ms, id=answer.id, amount_cents=answer.amount_cents)
            )
        elif isinstance(answer, Rejection):
            if not self._outbox.answered(answer.id, "rejected"):
                raise Ignored("it rejects something not owed or already rejected")
            self._fault("message_rejected", answer.id, answer.reason, now_s)
        else:
            self._judged(answer, now_s)

    def _judged(self, answer: Mismatch | UnitRefused, now_s: float) -> None:
        """Take what the controller says is wrong with the whole journal."""
        if answer.journal != self._journal:
            raise Ignored("it is about a journal other than this table's")
        if isinstance(answer, UnitRefused):
            self._fault("unit_refused", "", answer.reason, now_s)
            return
        dollars = f"${answer.contributed_cents / 100:,.2f}"
        detail = f"it has {answer.contributions} contributions totalling {dollars}"
        self._fault("count_mismatch", "", detail, now_s)

    def _fault(self, code: FaultCode, where: str, detail: str, now_s: float) -> None:
        detail = printable(detail)
        last_s = self._faults.get((code, where, detail))
        if last_s is not None and now_s - last_s < FAULT_AGAIN_S:
            raise Ignored("the same was said a moment ago")
        self._faults = {
            fault: at_s for fault, at_s in self._faults.items() if now_s - at_s < FAULT_AGAIN_S
        }
        self._faults[code, where, detail] = now_s
        self._intake.put(
            FaultNoticed(at_ms=self._intake.now_ms(), code=code, where=where, detail=detail)
        )

    def _ignore(self, topic: str, why: str) -> None:
        self._stats.ignored += 1
        self._stats.last_ignored = f"a message on {printable(topic)} is ignored: {printable(why)}"
        _log.warning("%s", self._stats.last_ignored)


def _words(claim: PendingClaim) -> str:
    return printable(f"table {claim.table}, seat {claim.seat}: {claim.tier}")
