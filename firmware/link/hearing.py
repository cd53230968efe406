"""What the link makes of the messages it hears: events for the table, or nothing.

Anything not understood, not meant for this table, old, repeated or too long is counted,
logged and ignored. Nothing that is published or answered counts before the controller has
accepted this unit, or after it has refused it. A meter or a list of pending claims counts only if
it is from the live controller's books: a broker may hand out what somebody left there long ago.
"""

import logging
import re
from collections.abc import Callable

import msgspec

from firmware.link.client import LARGEST_BYTES
from firmware.link.health import Health
from firmware.link.meters import BooksWatch, Published
from firmware.link.outbox import Answered, Outbox
from firmware.link.printable import amount, printable
from firmware.link.published import Ignored, Publications
from firmware.link.stats import LinkStats
from firmware.protocol.fault_catalogue import REFUSALS, FaultCode
from firmware.protocol.messages import (
    MOST_CENTS_PER_S,
    Acknowledgement,
    AnyAnswer,
    AwardMessage,
    ControllerStatus,
    GoesOn,
    HeadAsked,
    MeterMessage,
    Mismatch,
    PendingMessage,
    Rejection,
    Topics,
    UnitAccepted,
    UnitRefused,
)
from firmware.table.events import (
    Acknowledged,
    AwardGranted,
    BelievedMeter,
    FaultNoticed,
    WentOn,
)
from firmware.table.intake import Intake

FAULT_AGAIN_S = 10.0
"""A fault that the controller keeps repeating is passed on no more often than this."""

_ENDS = re.compile(r"[0-9]{1,18}\.[0-9]{1,9}")
"""What an id has after its journal (contract 3.1)."""
AboutUnit = UnitRefused | UnitAccepted | HeadAsked
"""What the controller says before it has accepted a unit."""
AskStatus = Callable[[HeadAsked | None], None]
"""Has the status said again, with the answer to a question if there is one."""
_log = logging.getLogger(__name__)


class Hearing:
    """Reads what comes on the topics of one table."""

    def __init__(  # noqa: PLR0913  # it connects all of them
        self,
        topics: Topics,
        intake: Intake,
        *,
        table: str,
        journal: str,
        boot: str,
        ask: AskStatus,
        game: str,
        outbox: Outbox,
        health: Health,
        stats: LinkStats,
        rise_cents_per_s: int = MOST_CENTS_PER_S,
        currency: str = "$",
    ) -> None:
        self._topics = topics
        self._table = table
        self._journal = journal
        self._boot = boot
        self._ask = ask
        self._game = game
        self._currency = currency
        self._intake = intake
        self._outbox = outbox
        self._health = health
        self._stats = stats
        self._books: str | None = None
        """The books of the live controller; None while there is none."""
        self._accepted_by: str | None = None
        """The books whose controller has accepted this unit on this connection."""
        self.refused = False
        """Whether it has refused it since."""
        self._may_go_on = False
        """Whether this start was refused and not accepted since, on whichever connection."""
        self._went_on: int | None = None
        """The record after which it has gone on by order."""
        self._books_watch = BooksWatch()
        self._publications = Publications(
            intake,
            self._notice,
            mine=f"{table}.{journal}.",
            rise_cents_per_s=rise_cents_per_s,
            currency=currency,
        )
        self._faults: dict[tuple[FaultCode, str, str], float] = {}

    @property
    def controller_online(self) -> bool:
        """Whether the controller has said that it is online, and is not reported gone."""
        return self._books is not None

    @property
    def several(self) -> bool:
        """Whether controllers with different books speak in turn."""
        return self._health.several

    @property
    def accepted(self) -> bool:
        """Whether the live controller has accepted this unit: only then does it send."""
        live = self._books is not None and self._accepted_by == self._books
        return live and not self.several

    def begin_again(self) -> None:
        """Forget the controller: the connection to its broker is a new one."""
        self._books = self._accepted_by = None
        self.refused = self._health.several = False
        self._books_watch = BooksWatch()
        self._publications.begin_again()

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
            self._published(msgspec.json.decode(payload, type=MeterMessage), now_s)
        elif topic == self._topics.pending:
            self._published(msgspec.json.decode(payload, type=PendingMessage), now_s)
        else:
            raise Ignored("this table did not subscribe to the topic")

    def _published(self, message: Published, now_s: float) -> None:
        self._publications.take(message, self._books, now_s, accepted=self.accepted)

    # The controller

    def _controller(self, status: ControllerStatus, now_s: float) -> None:
        came = status.online and not self.controller_online
        other = status.online and status.books != self._books
        self._books = status.books if status.online else None
        if status.online:
            self._books_watch.heard(status.books, now_s)
            self._judge_books(now_s)
        self._health.accepted = self.accepted
        if other and not self.accepted:
            self._ask(None)
        if came:
            # Anything it did not hear while it was away, it hears now.
            self._outbox.begin_again()
            self._publications.begin_again()
        stranger = status.game not in {"", self._game}
        self._health.heard(now_s, online=status.online, plays=status.game if stranger else "")
        self._release(now_s)
        if self.accepted and not came:
            self._publications.controller_heard(now_s)

    def _release(self, now_s: float) -> None:
        """Take what was held until its controller was known, and had accepted this unit."""
        if self._books is not None and self.accepted:
            self._publications.release(self._books, now_s)

    def _judge_books(self, now_s: float) -> None:
        """Believe nobody while controllers with different books speak in turn."""
        several = self._books_watch.several(now_s)
        if several == self.several:
            return
        self._health.several = several
        if several:
            words = "controllers with different books speak in turn, and none is believed"
            self._notice("sequence_fell", "books", words)
        self._health.accepted = self.accepted
        self._health.look(now_s)
        self._release(now_s)

    def look(self, now_s: float) -> None:
        """Judge what only the passing of time reveals."""
        try:
            self._judge_books(now_s)
            if self.accepted:
                self._publications.look(now_s)
        except Ignored as reason:
            self._ignore(self._topics.controller, str(reason))

    def know_meter(self, believed: BelievedMeter, at_s: float) -> None:
        """Judge by the meter that the table believed before its restart."""
        self._publications.know_meter(believed, at_s)

    def recall_meter(self, registered: BelievedMeter) -> None:
        """Let the meter come back to where it was registered before a restart."""
        self._publications.recall_meter(registered)

    def believe_meter(self, text: str, now_s: float) -> None:
        """Follow the meter that this fault names: the shift manager has cleared it."""
        self._publications.believe_meter(text, now_s)

    def _is_mine(self, claim_id: str) -> bool:
        unit = f"{self._table}.{self._journal}."
        return claim_id.startswith(unit) and bool(_ENDS.fullmatch(claim_id, len(unit)))

    # Answers

    def _answered(self, answer: AnyAnswer, now_s: float) -> None:
        at_ms = self._intake.now_ms()
        if not isinstance(answer, AboutUnit):
            self._check_counts(answer)
        if isinstance(answer, Acknowledgement):
            if not self._is_news(answer.id, "acknowledged"):
                return
            self._stats.acknowledged += 1
            self._intake.put(Acknowledged(at_ms=at_ms, id=answer.id))
        elif isinstance(answer, AwardMessage):
            # Owed or not: the table judges what a claim of this journal is paid.
            if not self._is_mine(answer.id):
                raise Ignored("it awards a claim that is not from this table's journal")
            self._intake.put(
                AwardGranted(
                    at_ms=at_ms,
                    id=answer.id,
                    amount_cents=answer.amount_cents,
                    meter_cents=answer.meter_cents,
                    winners=answer.winners,
                    unheard_cents=self._publications.unheard_cents,
                )
            )
        elif isinstance(answer, Rejection):
            if self._is_news(answer.id, "rejected"):
                self._fault("message_rejected", answer.id, answer.reason, now_s)
        else:
            self._judged(answer, now_s)

    def _is_news(self, obligation_id: str, answer: Answered) -> bool:
        """Note an answer, and return whether it is the first; one to nothing owed is ignored."""
        repeated = self._outbox.says_nothing_new(obligation_id, answer)
        if not repeated and not self._outbox.answered(obligation_id, answer):
            raise Ignored("it answers something not owed")
        return not repeated

    def _check_counts(self, answer: Acknowledgement | AwardMessage | Rejection | Mismatch) -> None:
        """Believe only a controller that has accepted this unit, and about what was sent to it.

        Whatever it has said too early it says again: what is owed is sent until it is answered.
        """
        if not self.accepted:
            raise Ignored("the controller has not accepted this unit, or is not believed")
        if not isinstance(answer, Mismatch) and self._outbox.is_unsent(answer.id):
            raise Ignored("it answers something that was not sent to it yet")

    def _judged(self, answer: Mismatch | AboutUnit, now_s: float) -> None:
        """Take what the controller says about the whole journal."""
        if answer.journal != self._journal:
            raise Ignored("it is about a journal other than this table's")
        if isinstance(answer, AboutUnit):
            self._about_unit(answer, now_s)
            return
        total = amount(answer.contributed_cents, self._currency)
        detail = f"it has {answer.contributions} contributions totalling {total}"
        self._fault("count_mismatch", "", detail, now_s)

    def _about_unit(self, answer: AboutUnit, now_s: float) -> None:
        """Take whether this unit speaks for the table; what was said of an earlier start is old."""
        if answer.boot != self._boot:
            if isinstance(answer, HeadAsked):
                # The controller looks for the start before this one, whenever there is a new one.
                _log.debug("the controller asks an earlier start of this unit to answer")
                return
            raise Ignored("it is about another unit with this journal, or an earlier start")
        if isinstance(answer, HeadAsked):
            self._ask(answer)
            return
        if isinstance(answer, UnitAccepted) and answer.goes_on is not None:
            if not self._may_follow(answer.goes_on, answer.books, now_s):
                return  # not an acceptance either
            self._go_on(answer.goes_on)
        self._accepted_by = answer.books if isinstance(answer, UnitAccepted) else None
        self.refused = self._may_go_on = isinstance(answer, UnitRefused)
        self._health.accepted = self.accepted
        self._health.look(now_s)
        self._release(now_s)
        if isinstance(answer, UnitRefused):
            code: FaultCode = "unit_closed" if answer.closed else "unit_refused"
            self._fault(code, "", answer.reason, now_s)
        else:
            # The next refusal is news to the table, even if it has the same words.
            told = self._faults.items()
            self._faults = {fault: at_s for fault, at_s in told if fault[0] not in REFUSALS}

    def _may_follow(self, order: GoesOn, books: str, now_s: float) -> bool:
        """Judge an order to go on: it is the live controller's, for a unit that was refused."""
        if books != self._books:
            raise Ignored("it is an order from books other than the controller's")
        if order.through and (self._may_go_on or order.through == self._went_on):
            self._went_on = order.through
            return True
        why = "and lacks nothing" if self._may_go_on else "and was not refused"
        detail = f"this unit is to go on after record {order.through}, {why}"
        self._fault("sequence_fell", "order", detail, now_s)
        return False

    def _go_on(self, order: GoesOn) -> None:
        """Tell the table from where it goes on, and what it lacks."""
        at_ms = self._intake.now_ms()
        self._intake.put(
            WentOn(
                at_ms=at_ms,
                through=order.through,
                round=order.round,
                contributions=order.contributions,
                contributed_cents=order.contributed_cents,
                by=printable(order.by),
            )
        )
        detail = f"it goes on after record {order.through} by order of {printable(order.by)}"
        fault = FaultNoticed(at_ms=at_ms, code="journal_damaged", where="the books", detail=detail)
        self._intake.put(fault)

    def _fault(self, code: FaultCode, where: str, detail: str, now_s: float) -> None:
        detail = printable(detail)
        last_s = self._faults.get((code, where, detail))
        if last_s is not None and now_s - last_s < FAULT_AGAIN_S:
            raise Ignored("the same was said a moment ago")
        self._faults = {
            fault: at_s for fault, at_s in self._faults.items() if now_s - at_s < FAULT_AGAIN_S
        }
        self._faults[code, where, detail] = now_s
        self._notice(code, where, detail)

    def _notice(self, code: FaultCode, where: str, detail: str) -> None:
        self._intake.put(
            FaultNoticed(at_ms=self._intake.now_ms(), code=code, where=where, detail=detail)
        )

    def _ignore(self, topic: str, why: str) -> None:
        self._stats.ignored += 1
        self._stats.last_ignored = f"a message on {printable(topic)} is ignored: {printable(why)}"
        _log.warning("%s", self._stats.last_ignored)
