"""The heads of the tables' journals: what the books know of each, and which unit continues it.

A table proves the end of its journal with every status: the number of the last record and its
chain, signed. The same start of a unit (`boot`) only grows. Another start must continue the journal
that the books know: it is asked for the chain of the record that they know last, which neither an
older copy of the journal nor one that was played on elsewhere can have. Before it has answered
(`questions.py`), nothing follows from its status: that may be an old one, which somebody says again.

While the start that speaks for the unit is on the link, another one waits for its end. That may never
be told: a broker that loses its power together with a unit has no last will to send. And an end may be
told again that is long past: a farewell is of one connection of a start, and counts at once if it is of
the newest that the start has proved. In both cases the start is asked (`liveness.py`).

A unit that goes on by order of the house speaks for its table from then on, but the known head stays as
it is until the order is in the unit's journal: whatever else has the journal as it was before that lacks
the records still.
"""

import sqlite3
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from firmware.errors import BadInput
from firmware.journal.seals import is_signed
from firmware.protocol.messages import HeadAsked, SignedHead, TableStatus, signed_text
from sim.jackpot_controller.liveness import Liveness
from sim.jackpot_controller.questions import Questions
from sim.jackpot_controller.schema import transaction
from sim.jackpot_controller.unit_orders import Unit, UnitOrder, UnitOrders

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
        self._by_order: dict[Unit, Known] = {}
        """The starts that speak by an order that is not in their journal yet, and their heads."""
        self._connections: dict[Unit, str] = {}
        """The newest connection of each start that speaks, which it has proved."""
        self._liveness = Liveness()
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
        """Return the start that speaks for a unit; empty if none is known."""
        speaks = self._speaks((table, journal))
        return speaks.boot if speaks else ""

    def _speaks(self, unit: Unit) -> Known | None:
        return self._by_order.get(unit) or self._known.get(unit)

    def was_overtaken(self, status: TableStatus) -> bool:
        """Return whether a later record of the same journal was heard of before."""
        speaks, head = self._speaks((status.table, status.journal)), status.head
        return speaks is not None and head is not None and head.record < speaks.record

    def judge_farewell(self, status: TableStatus, at: datetime, *, is_online: bool) -> Judged:
        """Judge whether a status that says that a unit is gone is from the start that speaks.

        Its signature is another one than that of the statuses before it, from which anybody could
        make one. It ends its own connection: the start may have come back since, which it is asked.
        """
        unit = status.table, status.journal
        speaks, head = self._speaks(unit), status.head
        if speaks is None:
            return Judged(accepted=True)
        if speaks.boot != status.boot:
            return Judged()
        if head is None or head.key != speaks.key or not _is_signed(status, head):
            return Judged(not_believed="its farewell is not signed with the key of its journal")
        if self._connections.get(unit) == status.connection:
            del self._connections[unit]  # what is said of it from now on is said again
            return Judged(accepted=True)
        if not is_online:
            return Judged()
        self._liveness.doubt(unit, at)
        return Judged(ask=self._questions.ask(unit, speaks.boot, speaks.record))

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
        if not _is_signed(status, head):
            return Judged(refusal="the head of its journal is not signed with the key it names")
        answers = not retained and self._questions.is_answer(status)
        order = self._orders.of(unit)
        if order is not None and not order.is_for(status.boot, head):
            order = None
        judged = (
            self._continues(status, head, known, answers=answers)
            if order is None
            else self._ordered(status, order, answers=answers)
        )
        speaks = self._speaks(unit)
        if known_is_online and answers and speaks is not None and speaks.boot != status.boot:
            judged = self._beside(unit, speaks, judged, at)
        if judged.accepted:
            self._keep(status, head, order, at, answers=answers)
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
        through = max(
            known.record if known else 0,
            self._newest_obligation(table, journal),
            refused[1].went_on + 1,  # or nobody could tell that it has followed this order, too
        )
        self._by_order.pop(unit, None)  # the order before this one is no more
        return self._orders.give(unit, refused, through, by, at)

    def _ordered(self, status: TableStatus, order: UnitOrder, *, answers: bool) -> Judged:
        """Judge a unit that goes on by order, which it is told until it has written that down."""
        if answers or self._is_proved(status):
            return Judged(accepted=True, goes_on_after=order.through, by=order.by)
        unit = status.table, status.journal
        return Judged(ask=self._questions.ask(unit, status.boot, order.through))

    def _is_proved(self, status: TableStatus) -> bool:
        """Return whether the start that speaks has proved that it is there, on this connection."""
        unit = status.table, status.journal
        speaks = self._speaks(unit)
        if speaks is None or speaks.boot != status.boot or self._liveness.is_silent(unit):
            return False
        return self._connections.get(unit) == status.connection

    def _continues(
        self, status: TableStatus, head: SignedHead, known: Known | None, *, answers: bool
    ) -> Judged:
        """Judge whether a head continues what the books know."""
        unit = status.table, status.journal
        if known is None:
            return self._with_obligations(status, head, answers=answers)
        if head.key != known.key:
            return Judged(refusal="it signs with a key other than that of its journal so far")
        # Who speaks by an order is accepted by that alone.
        is_known = known.boot == status.boot and unit not in self._by_order
        if not answers and not (is_known and self._is_proved(status)):
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

    def _with_obligations(self, status: TableStatus, head: SignedHead, *, answers: bool) -> Judged:
        """Judge the first head of a journal by what the books have from it."""
        unit = status.table, status.journal
        if unit in self._by_order and not answers:
            return Judged(ask=self._questions.ask(unit, status.boot, 0))
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

    def _beside(self, unit: Unit, speaks: Known, judged: Judged, at: datetime) -> Judged:
        """Judge another start while the one that speaks seems to be there; it is asked first."""
        is_there = self._liveness.waits(unit, at)
        if is_there is False:
            return replace(judged, known_is_gone=True)
        if is_there and judged.accepted:
            return Judged(refusal=f"another unit with journal {unit[1]} is on the link")
        if judged.accepted or judged.refusal:
            asked = self._questions.ask(unit, speaks.boot, speaks.record)
            return replace(judged, accepted=False, ask=asked)
        return judged

    def asked_again(self, at: datetime) -> list[tuple[str, HeadAsked]]:
        """Ask starts once more that have not answered, by table."""
        said: list[tuple[str, HeadAsked]] = []
        for unit in self._liveness.to_ask_again(at):
            speaks = self._speaks(unit)
            if speaks is not None:
                said.append((unit[0], self._questions.ask(unit, speaks.boot, speaks.record)))
        return said

    def gone(self, at: datetime) -> list[Unit]:
        """Return the units that are gone: their start has not answered after its farewell."""
        return self._liveness.gone(at)

    def _keep(
        self,
        status: TableStatus,
        head: SignedHead,
        order: UnitOrder | None,
        at: datetime,
        *,
        answers: bool,
    ) -> None:
        """Keep what was accepted: that the start speaks, and its head."""
        unit = status.table, status.journal
        before = self._speaks(unit)
        begins = before is None or before.boot != status.boot
        if begins:
            self._forget_the_other(unit)
        if answers or begins:
            self._connections[unit] = status.connection
        if answers:
            self._liveness.answered(unit, at)
        newest = Known(status.boot, head.record, head.chain, head.key)
        if order is None:
            self._keep_known(status, head, newest, at)
        else:
            self._keep_ordered(status, head, newest, order, at)
        if begins:
            self.write()  # which start speaks for the table must survive the controller's own

    def _keep_known(
        self, status: TableStatus, head: SignedHead, newest: Known, at: datetime
    ) -> None:
        unit = status.table, status.journal
        known = self._known.get(unit)
        grows = known is None or known.boot != newest.boot or newest.record > known.record
        if not grows and unit not in self._by_order:
            return
        # The journal goes on without the start that an order was for.
        self._by_order.pop(unit, None)
        self._orders.lapse(unit)
        self._known[unit] = newest
        self._unwritten.append((*unit, head, newest.boot, at))

    def _keep_ordered(
        self, status: TableStatus, head: SignedHead, newest: Known, order: UnitOrder, at: datetime
    ) -> None:
        """Let a start speak by order; its head is the known one when the order is in its journal."""
        unit = status.table, status.journal
        self._refused.pop(unit, None)
        self._refused_own.discard(unit)
        if status.waits or head.went_on < order.through:
            self._by_order[unit] = newest
            return
        self.write()  # what was heard before the order
        self._by_order.pop(unit, None)
        self._known[unit] = newest
        self._unwritten.append((*unit, head, newest.boot, at))
        with transaction(self._database):
            self._orders.heard(unit, at)
            self._insert()

    def _forget_the_other(self, unit: Unit) -> None:
        """Forget what was asked and answered before another start speaks for a unit."""
        self._questions.forget(unit)
        self._liveness.forget(unit)

    def write(self) -> None:
        """Write the new heads into the books."""
        if not self._unwritten:
            return
        with transaction(self._database):
            self._insert()

    def _insert(self) -> None:
        for table, journal, head, boot, at in self._unwritten:
            row = (self._root, table, journal, head.record, head.chain, boot)
            self._database.execute(_ROW, (*row, head.key, head.signature, at.isoformat()))
        self._unwritten.clear()


def _is_signed(status: TableStatus, head: SignedHead) -> bool:
    """Return whether a head is signed for its status, or its farewell, with the key that it names."""
    start = status.table, status.journal, status.boot, status.connection
    text = signed_text(*start, head, online=status.online)
    return is_signed(head.key, head.signature, text)


def _missing(last: int, known: int) -> str:
    which = f"record {known} is" if known == last + 1 else f"records {last + 1} to {known} are"
    return f"its journal ends with record {last}, but the books know {known}: {which} missing"
