"""The heads of the tables' journals: what the books know of each, and which unit continues it.

A table proves the end of its journal with every status: the number of the last record and its
chain, signed. The same start of a unit (`boot`) only grows. Another start must continue the journal
that the books know: it is asked for the chain of the record that they know last, which neither an
older copy of the journal nor one that was played on elsewhere can have. Before it has answered
(`questions.py`), nothing follows from its status: that may be an old one, which somebody says again.

While the known start is on the link, another one waits for its end. That may never be told: a broker
that loses its power together with a unit has no last will to send. So the known start is asked for its
head too, and once more soon after. If it answers, the other one is refused; if it does not, it is gone,
until it does answer.
"""

import sqlite3
from datetime import datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from firmware.errors import BadInput
from firmware.journal.seals import is_signed
from firmware.protocol.messages import HeadAsked, SignedHead, TableStatus, signed_text
from sim.jackpot_controller.questions import Questions
from sim.jackpot_controller.schema import transaction
from sim.jackpot_controller.unit_orders import Unit, UnitOrder, UnitOrders

PATIENCE = timedelta(seconds=10)
"""How long another start waits: a broker finds out within 8 s that a unit has lost its power."""
UNDER_WAY = timedelta(seconds=2)
"""How long a question and its answer may be under way."""
_FORGOTTEN = 6 * PATIENCE
"""A start that waits and has not asked for so long has given up, and another one begins anew: one that
was refused asks every 30 s."""
_ROW = "INSERT INTO head VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)"


class Judged(Struct, frozen=True):
    """What becomes of a status, by its head."""

    accepted: bool = False
    goes_on_after: int = 0
    """The last record that the books know, where the house has let a journal go on without it."""
    by: str = ""
    """Who has ordered that."""
    refusal: str = ""
    ask: HeadAsked | None = None
    """What this start, or the one that the books know, has to prove first."""
    not_believed: str = ""
    """Why a farewell changes nothing."""
    known_is_gone: bool = False
    """Whether the start that the books know has not answered."""


class Wait(Struct):
    """A start waits for the end of the known one, which was asked when that began."""

    begun: datetime
    last: datetime
    """When it asked last."""
    again: datetime | None = None
    """When the known one was asked again."""


class Known(Struct, frozen=True):
    """The newest head of a journal, and the start of the unit that has proved it."""

    boot: str
    record: int
    chain: str
    key: str


class Heads:
    """The heads of all journals of a link."""

    def __init__(self, database: sqlite3.Connection, root: str) -> None:
        self._database = database
        self._root = root
        self._known: dict[Unit, Known] = {}
        self._unwritten: list[tuple[str, str, SignedHead, str, datetime]] = []
        self._waiting: dict[Unit, Wait] = {}
        self._heard: dict[Unit, datetime] = {}
        """When the known start of each unit last answered a question."""
        self._silent: set[Unit] = set()
        """The units whose known start has not answered: what it seems to say is not believed."""
        self._farewells: dict[Unit, set[str]] = {}
        """The signatures of the farewells of the known start that were believed."""
        self._questions = Questions()
        self._refused: dict[Unit, tuple[str, SignedHead]] = {}
        """The start of each unit that was refused last, and its head."""
        self._refused_own: set[Unit] = set()
        """The units of which that start has the journal's own key."""
        self._orders = UnitOrders(database, root)
        rows = database.execute(
            "SELECT table_name, journal, boot, record, chain, key FROM head"
            " WHERE root = ? ORDER BY number",
            (root,),
        )
        for table, journal, *known in rows:
            self._known[table, journal] = Known(*known)

    def start_of(self, table: str, journal: str) -> str:
        """Return the start of a unit whose head is known; empty if none is."""
        known = self._known.get((table, journal))
        return known.boot if known else ""

    def was_overtaken(self, status: TableStatus) -> bool:
        """Return whether a later record of the same journal was heard of before."""
        known, head = self._known.get((status.table, status.journal)), status.head
        return known is not None and head is not None and head.record < known.record

    def judge_farewell(self, status: TableStatus) -> Judged:
        """Judge whether a status that says that a unit is gone is from the start the books know.

        Its signature is another one than that of the statuses before it, from which anybody could
        make one, and counts once: the same start may come back.
        """
        unit = status.table, status.journal
        known, head = self._known.get(unit), status.head
        if known is None:
            return Judged(accepted=True)
        if known.boot != status.boot:
            return Judged()
        if head is None or head.key != known.key:
            return Judged(not_believed="its farewell is not signed with the key of its journal")
        text = signed_text(*unit, status.boot, head.record, head.chain, online=False)
        if not is_signed(head.key, head.signature, text):
            return Judged(not_believed="its farewell is not signed with the key of its journal")
        said = self._farewells.setdefault(unit, set())
        if head.signature in said:
            return Judged(not_believed="its farewell was heard before")
        said.add(head.signature)
        return Judged(accepted=True)

    def judge(
        self, status: TableStatus, at: datetime, *, known_is_online: bool, retained: bool = False
    ) -> Judged:
        """Judge a status by its head, and keep that if it is accepted."""
        unit = status.table, status.journal
        known, head = self._known.get(unit), status.head
        if head is None:
            if known is None:
                return Judged(accepted=True)
            return Judged(refusal="it proves no head of its journal, as it did before")
        text = signed_text(*unit, status.boot, head.record, head.chain)
        if not is_signed(head.key, head.signature, text):
            return Judged(refusal="the head of its journal is not signed with the key it names")
        answers = not retained and self._questions.is_answer(status)
        order = self._orders.of(unit)
        if order is not None and order.is_for(status.boot, head):
            return self._ordered(status, head, order, at, answers=answers)
        judged = self._continues(status, head, known, answers=answers)
        if known is not None and known_is_online and answers and known.boot != status.boot:
            judged = self._beside(unit, known, judged, at)
        if judged.accepted:
            self._keep(status, head, at, answers=answers)
        elif judged.refusal:
            self._note_refused(status, head, known)
        return judged

    def _note_refused(self, status: TableStatus, head: SignedHead, known: Known | None) -> None:
        """Note which start the house may accept: one with the journal's own key before any other."""
        unit = status.table, status.journal
        own = known is not None and head.key == known.key
        if own or unit not in self._refused_own:
            self._refused[unit] = status.boot, head
        if own:
            self._refused_own.add(unit)

    def accept(self, table: str, journal: str, by: str, at: datetime) -> UnitOrder:
        """Let the unit that was refused last go on; the house has ordered it."""
        unit = table, journal
        given, refused = self._orders.of(unit), self._refused.get(unit)
        if given is not None and (refused is None or given.is_for(*refused)):
            return given  # said once more
        if refused is None:
            raise BadInput("journal", f"no unit {journal} of table {table} was refused of late")
        known = self._known.get(unit)
        through = max(known.record if known else 0, self._newest_obligation(table, journal))
        return self._orders.give(unit, refused, through, by, at)

    def _ordered(
        self,
        status: TableStatus,
        head: SignedHead,
        order: UnitOrder,
        at: datetime,
        *,
        answers: bool,
    ) -> Judged:
        """Accept a unit by order, and say so until it has heard it, and written that down."""
        unit = status.table, status.journal
        known = self._known.get(unit)
        if not answers and (known is None or known.boot != status.boot):
            return Judged(ask=self._questions.ask(unit, status.boot, order.through))
        self._refused.pop(unit, None)
        self._refused_own.discard(unit)
        self.write()  # what was heard before the order
        self._orders.accepted(order, head.record)
        self._keep(status, head, at)
        if not status.waits and head.record > order.head.record:
            self._orders.heard(unit, at)
        return Judged(accepted=True, goes_on_after=order.through, by=order.by)

    def _continues(
        self, status: TableStatus, head: SignedHead, known: Known | None, *, answers: bool
    ) -> Judged:
        """Judge whether a head continues what the books know."""
        if known is None:
            return self._with_obligations(status, head)
        if head.key != known.key:
            return Judged(refusal="it signs with a key other than that of its journal so far")
        unit, is_known = (status.table, status.journal), known.boot == status.boot
        if not answers and (not is_known or unit in self._silent):
            return Judged(ask=self._questions.ask(unit, status.boot, known.record))
        if head.record == known.record and head.chain != known.chain:
            return Judged(
                refusal=f"its record {head.record} is not the one that the books know: another "
                "unit with a copy of this journal was played on"
            )
        if is_known:
            return Judged(accepted=True)  # a smaller number was only overtaken on its way
        return self._proved(status, head, known)

    def _proved(self, status: TableStatus, head: SignedHead, known: Known) -> Judged:
        """Judge another start, which has answered."""
        unit, proof = (status.table, status.journal), status.proof
        if head.record < known.record:
            return Judged(refusal=_missing(head.record, known.record))
        if proof is None or proof.record != known.record:  # it has grown since that was asked
            return Judged(ask=self._questions.ask(unit, status.boot, known.record))
        if proof.chain != known.chain:
            return Judged(
                refusal=f"its record {known.record} is not the one that the books know: it is an "
                "older copy that was played on, or its records were changed"
            )
        return Judged(accepted=True)

    def _with_obligations(self, status: TableStatus, head: SignedHead) -> Judged:
        """Judge the first head of a journal by what the books have from it."""
        newest = self._newest_obligation(status.table, status.journal)
        if head.record < newest:
            return Judged(refusal=_missing(head.record, newest))
        return Judged(accepted=True)

    def _newest_obligation(self, table: str, journal: str) -> int:
        ids = f"{table}.{journal}."
        rows = self._database.execute(
            "SELECT id FROM obligation WHERE root = ? AND id >= ? AND id < ?",
            (self._root, ids, f"{ids[:-1]}/"),
        )
        return max((int(id_.split(".")[2]) for (id_,) in rows), default=0)

    def _beside(self, unit: Unit, known: Known, judged: Judged, at: datetime) -> Judged:
        """Judge another start while the known one seems to be on the link; it is asked first."""
        wait = self._waiting.get(unit)
        if wait is None or at - wait.last > _FORGOTTEN:
            wait = self._waiting[unit] = Wait(at, at)
        wait.last = at
        # A busy broker drops messages: there must have been a later question, with time to answer.
        asked_twice = wait.again is not None and at - wait.again >= UNDER_WAY
        if asked_twice and at - wait.begun >= PATIENCE:
            del self._waiting[unit]
            if not self._has_answered(unit, wait):
                self._silent.add(unit)
                return replace(judged, known_is_gone=True)
            if judged.accepted:
                return Judged(refusal=f"another unit with journal {unit[1]} is on the link")
        elif wait.again is None and at - wait.begun >= UNDER_WAY:
            wait.again = at
        if judged.accepted or judged.refusal:
            asked = self._questions.ask(unit, known.boot, known.record)
            return replace(judged, accepted=False, ask=asked)
        return judged

    def _has_answered(self, unit: Unit, wait: Wait) -> bool:
        """Return whether the known start has answered since another one waits for its end."""
        heard = self._heard.get(unit)
        return heard is not None and heard >= wait.begun

    def asked_again(self, at: datetime) -> list[tuple[str, HeadAsked]]:
        """Ask known starts once more that have not answered, by table.

        The start that waits may ask only every 30 s, and must be accepted when it next does.
        """
        said: list[tuple[str, HeadAsked]] = []
        for unit, wait in self._waiting.items():
            known = self._known[unit]
            due = wait.again is None and at - wait.begun >= UNDER_WAY
            if due and not self._has_answered(unit, wait):
                wait.again = at
                said.append((unit[0], self._questions.ask(unit, known.boot, known.record)))
        return said

    def _keep(
        self, status: TableStatus, head: SignedHead, at: datetime, *, answers: bool = False
    ) -> None:
        unit = status.table, status.journal
        if answers:
            self._heard[unit] = at
            self._silent.discard(unit)
        known = self._known.get(unit)
        begins = known is None or known.boot != status.boot
        if known is not None and not begins and head.record <= known.record:
            return
        self._known[unit] = Known(status.boot, head.record, head.chain, head.key)
        self._unwritten.append((*unit, head, status.boot, at))
        if begins:
            self._forget_the_other(unit)
            self.write()  # which start speaks for the table must survive the controller's own

    def _forget_the_other(self, unit: Unit) -> None:
        """Forget what was asked and answered before another start became the known one."""
        self._questions.forget(unit)
        self._silent.discard(unit)
        for of_unit in (self._waiting, self._heard, self._farewells):
            of_unit.pop(unit, None)

    def write(self) -> None:
        """Write the new heads into the books."""
        if not self._unwritten:
            return
        with transaction(self._database):
            for table, journal, head, boot, at in self._unwritten:
                row = (self._root, table, journal, head.record, head.chain, boot)
                self._database.execute(_ROW, (*row, head.key, head.signature, at.isoformat()))
        self._unwritten.clear()


def _missing(last: int, known: int) -> str:
    which = f"record {known} is" if known == last + 1 else f"records {last + 1} to {known} are"
    return f"its journal ends with record {last}, but the books know {known}: {which} missing"
