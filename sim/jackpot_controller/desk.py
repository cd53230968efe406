"""The jackpot controller's desk for one link: a message in, its answers out.

Nothing here knows MQTT: `controller.py` carries the messages. An obligation is committed
before it is answered. A win that is paid at once is answered with its award first and its
acknowledgement second: messages keep their order, so a table that has the acknowledgement
has the award, and one that lost either asks again. A withdrawal is acknowledged before the
awards that change with it.

What is not understood is dropped; what is understood but can never be entered is answered
with a rejection. Both are logged and counted, and move no money; a claim whose verdict is
rejected holds nothing up. What rests on something that is not in the books may only have come
before it: it is not answered, so that its table repeats it, and rejected if that has not come
within `PATIENCE`, or was rejected itself.
"""

import logging
import re
from collections.abc import Iterator
from datetime import datetime, timedelta

import msgspec
from msgspec import Struct

from firmware.errors import BadInput
from firmware.protocol.messages import (
    Acknowledgement,
    AwardMessage,
    ControllerStatus,
    Message,
    MeterMessage,
    PendingMessage,
    Rejection,
    TableStatus,
    Topics,
    UnitAccepted,
    UnitRefused,
)
from firmware.protocol.obligations import AnyObligation, Verdict
from firmware.rules.documents import decode
from firmware.rules.words import money
from sim.jackpot_controller.checks import MAX_ID_CHARACTERS, TooEarly, check_unit, journal_of
from sim.jackpot_controller.heads import Judged
from sim.jackpot_controller.notices import Notices
from sim.jackpot_controller.store import Applied, Store
from sim.jackpot_controller.units import Units

MAX_PAYLOAD_BYTES = 64 * 1024
"""Ten times the length of the longest honest message."""
PATIENCE = timedelta(seconds=20)
"""How long something may have come too early: a table repeats what is not answered every 5 s."""
_MOST_REMEMBERED = 1000
_owed_decoder: msgspec.json.Decoder[AnyObligation] = msgspec.json.Decoder(AnyObligation)
_status_decoder = msgspec.json.Decoder(TableStatus)
_log = logging.getLogger(__name__)


class Outgoing(Struct, frozen=True):
    """A document, and where it goes."""

    topic: str
    document: msgspec.Struct
    retain: bool = False


class LinkDesk:
    """One link: its books, its units and its complaints."""

    def __init__(self, store: Store, *, auto_takeover: bool = False) -> None:
        self.store = store
        self.topics = Topics(store.settings.root)
        self.units = Units(store.database, store.ledger, auto_takeover=auto_takeover)
        self.notices = Notices(store.database, store.settings.root)
        self._early: dict[str, datetime] = {}
        """What came too early, and when it first did."""
        self._told: dict[str, datetime] = {}
        """What was noticed of late that contradicts a claim."""
        self._rejected: dict[str, datetime] = {}
        """What was rejected of late."""
        self._table_of = re.compile(
            rf"{re.escape(self.topics.root)}/table/([A-Za-z0-9_-]{{1,32}})/(owed|status)"
        )

    def take(
        self, topic: str, payload: bytes, at: datetime, *, retained: bool = False
    ) -> list[Outgoing]:
        """Take a message from a table, and return the answers."""
        found = self._table_of.fullmatch(topic)
        if found is None:
            self._notice("?", "dropped", "the topic has no valid table name", at)
            return []
        table, kind = found.groups()
        if len(payload) > MAX_PAYLOAD_BYTES:
            self._notice(table, "dropped", f"it has {len(payload)} bytes", at)
            return []
        try:
            if kind == "owed":
                return self._owed(table, payload, at)
            return self._status(table, payload, at, retained=retained)
        except BadInput as error:
            self._notice(table, "dropped", str(error), at)
            return []

    def announcement(self) -> list[Outgoing]:
        """Return everything that is retained, for a broker that may have lost it."""
        return [self.status(online=True), self._meter(), self._pending()]

    def status(self, *, online: bool) -> Outgoing:
        """Return the status: whether the controller is online."""
        document = ControllerStatus(
            online=online, books=self.store.ledger.books, game=self.store.settings.game
        )
        return Outgoing(self.topics.controller, document, retain=True)

    def asked_again(self, at: datetime) -> list[Outgoing]:
        """Return what is asked now and then, without a message that leads to it."""
        return [
            Outgoing(self.topics.answer(table), asked)
            for table, asked in self.units.asked_again(at)
        ]

    def said(self, applied: Applied) -> list[Outgoing]:
        """Return what to publish about a change."""
        return [*self._awards(applied), *self._moved(applied)]

    def _awards(self, applied: Applied) -> Iterator[Outgoing]:
        for award in applied.awards:
            document = AwardMessage(
                id=award.id,
                amount_cents=award.amount_cents,
                meter_cents=award.meter_cents,
                winners=award.winners,
            )
            yield Outgoing(self.topics.answer(award.table), document)

    def _moved(self, applied: Applied) -> Iterator[Outgoing]:
        if applied.meter_moved:
            yield self._meter()
        if applied.pending_moved:
            yield self._pending()

    def write(self) -> None:
        """Save what `show` shows and the books do not depend on."""
        self.units.write()
        self.notices.write()

    def _owed(self, table: str, payload: bytes, at: datetime) -> list[Outgoing]:
        obligation = decode(_owed_decoder, payload)
        answer = self.topics.answer(table)
        if obligation.table != table:
            raise BadInput("table", f"is {obligation.table!r}, which does not speak on this topic")
        if len(obligation.id) > MAX_ID_CHARACTERS:
            raise BadInput("id", "is too long to be an id")
        try:
            journal = journal_of(obligation.id, table)
            known = self.store.knows(obligation)
            if not known:
                refusal = self.units.admit(table, journal, at)
                if refusal is not None:
                    self._notice(table, "unit refused", f"{journal}: {refusal}", at)
                    boot = self.units.start_of(table, journal)
                    closed = self.units.is_closed(table, journal)
                    refused = UnitRefused(journal=journal, reason=refusal, boot=boot, closed=closed)
                    return [Outgoing(answer, refused)]
            applied = self.store.apply(obligation, at, self.units.statuses)
        except BadInput as error:
            return self._not_entered(obligation, error, at)
        self._early.pop(obligation.id, None)
        self._compare_paid(obligation, applied, at)
        if not known:
            self._tell(table, self.store.claims.contradicted(obligation, journal), at)
        acknowledgement = Outgoing(answer, Acknowledgement(id=obligation.id))
        awards = [*self._awards(applied)]
        if isinstance(obligation, Verdict) and not obligation.confirmed:
            # What it makes others be paid, their table believes once it knows of the withdrawal.
            return [acknowledgement, *awards, *self._moved(applied)]
        return [*awards, acknowledgement, *self._moved(applied)]

    def _tell(self, table: str, doubts: dict[str, str], at: datetime) -> None:
        """Notice, for the house, what contradicts a claim; the same is told once."""
        for claim, doubt in doubts.items():
            text = f"{claim!r}: {doubt}"
            if text not in self._told:
                _remember(self._told, text, at)
                self._notice(table, "not believed", text, at)

    def _compare_paid(self, obligation: AnyObligation, applied: Applied, at: datetime) -> None:
        """Notice, for the house, that a table has paid something else than the award."""
        if not isinstance(obligation, Verdict) or obligation.paid_cents is None:
            return
        for award in applied.awards:
            if award.id == obligation.win and award.amount_cents != obligation.paid_cents:
                paid, awarded = money(obligation.paid_cents), money(award.amount_cents)
                text = f"{award.id!r}: it has paid {paid}, awarded is {awarded}"
                self.notices.add(obligation.table, "paid otherwise", text, at)
                _log.error("%s: %s", self.topics.root, text)

    def _not_entered(
        self, obligation: AnyObligation, error: BadInput, at: datetime
    ) -> list[Outgoing]:
        """Reject what cannot be entered; what only came too early is not answered."""
        early = isinstance(error, TooEarly) and self._may_still_fit(obligation.id, error, at)
        kind = "too early" if early else "rejected"
        self._notice(obligation.table, kind, f"{obligation.id!r}: {error}", at)
        if early:
            if isinstance(obligation, Verdict) and not obligation.confirmed:
                self.store.call_off(obligation)
            return []
        _remember(self._rejected, obligation.id, at)
        document = Rejection(id=obligation.id, reason=str(error))
        rejection = Outgoing(self.topics.answer(obligation.table), document)
        if not isinstance(obligation, Verdict):
            return [rejection]
        statuses = self.units.statuses
        return [rejection, *self.said(self.store.reject(obligation, str(error), statuses, at))]

    def _may_still_fit(self, id_: str, error: TooEarly, at: datetime) -> bool:
        """Return whether what something rests on may still come."""
        if error.rests_on in self._rejected:
            return False
        _remember(self._early, id_, self._early.get(id_, at))
        return at - self._early[id_] < PATIENCE

    def _status(
        self, table: str, payload: bytes, at: datetime, *, retained: bool
    ) -> list[Outgoing]:
        if not payload:
            return []  # somebody removed the retained status
        status = decode(_status_decoder, payload)
        if status.table != table:
            raise BadInput("table", f"is {status.table!r}, which does not speak on this topic")
        check_unit(status.journal)
        answer = self.topics.answer(table)
        judged = self.units.heard(status, at, retained=retained)
        unit = self._about_unit(status, judged, at)
        if not judged.accepted:
            return [Outgoing(answer, each) for each in unit]
        out = [Outgoing(answer, each) for each in unit]
        out += self.said(self.store.review(self.units.statuses, at))
        # A status that names no game says nothing about the table's progress, and one that
        # the broker retained may be older than what has been entered since.
        counts = status.online and status.game and not status.owed and not retained
        if counts and not judged.goes_on_after:
            self._tell(table, self.store.claims.contradicted_late(status), at)
            mismatch, news = self.units.reconcile(status, at)
            if mismatch is not None:
                out.append(Outgoing(answer, mismatch))
            if news:
                self._log_count(status, agrees=mismatch is None)
        return out

    def _about_unit(self, status: TableStatus, judged: Judged, at: datetime) -> list[Message]:
        """Say whether a unit speaks for its table, if it asks or may not."""
        journal, boot = status.journal, status.boot
        said: list[Message] = [judged.ask] if judged.ask else []
        if judged.not_believed:
            self._notice(status.table, "not believed", f"{journal}: {judged.not_believed}", at)
        if judged.refusal:
            self._notice(status.table, "unit refused", f"{journal}: {judged.refusal}", at)
            closed = self.units.is_closed(status.table, journal)
            reason = judged.refusal
            said.append(UnitRefused(journal=journal, reason=reason, boot=boot, closed=closed))
        elif judged.accepted and status.waits and status.online:
            books, through = self.store.ledger.books, judged.goes_on_after
            goes_on = (
                self.units.goes_on(status.table, journal, through, judged.by) if through else None
            )
            said.append(UnitAccepted(journal=journal, boot=boot, books=books, goes_on=goes_on))
        return said

    def accept(self, table: str, journal: str, staff: str, at: datetime) -> list[Outgoing]:
        """Let a refused unit go on, and tell it at once: it may say nothing for half a minute."""
        order = self.units.accept(table, journal, staff, at)
        accepted = UnitAccepted(
            journal=journal,
            boot=order.boot,
            books=self.store.ledger.books,
            goes_on=self.units.goes_on(table, journal, order.through, order.by),
        )
        return [Outgoing(self.topics.answer(table), accepted)]

    def _log_count(self, status: TableStatus, *, agrees: bool) -> None:
        what = "agrees with the books again" if agrees else "does not agree with the books"
        level = logging.INFO if agrees else logging.ERROR
        _log.log(level, "the count of table %s, unit %s, %s", status.table, status.journal, what)

    def _notice(self, table: str, kind: str, text: str, at: datetime) -> None:
        self.notices.add(table, kind, text, at)
        _log.warning("%s: a message of table %s is %s: %s", self.topics.root, table, kind, text)

    def _meter(self) -> Outgoing:
        ledger = self.store.ledger
        document = MeterMessage(
            meter_cents=self.store.meter_cents,
            sequence=ledger.sequences[0],
            reset_cents=self.store.settings.reset_cents,
            books=ledger.books,
        )
        return Outgoing(self.topics.meter, document, retain=True)

    def _pending(self) -> Outgoing:
        ledger = self.store.ledger
        document = PendingMessage(
            claims=self.store.claims.pending(),
            sequence=ledger.sequences[1],
            books=ledger.books,
            locked_cents=self.store.claims.locked_cents(),
            reset_cents=self.store.settings.reset_cents,
        )
        return Outgoing(self.topics.pending, document, retain=True)


def _remember(times: dict[str, datetime], id_: str, at: datetime) -> None:
    """Remember when something happened to an id; the oldest is forgotten if that is too much."""
    times[id_] = at
    if len(times) > _MOST_REMEMBERED:
        del times[next(iter(times))]
