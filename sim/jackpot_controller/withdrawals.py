"""Claims that are withdrawn (I-37): struck out, or their award taken back, and who and why.

A table withdraws a claim until its round is paid, confirmed or awarded or not; the house may do
so by command. What was paid at the table stands: a withdrawal of it is refused, and the refusal
is in the books for the house. Whether a withdrawal came before PAID is told by the journal
records in the ids, since messages may overtake each other. Every method expects a transaction
around it; the other things that happen to a claim are in `claims.py`.
"""

import sqlite3
from datetime import datetime

from msgspec import Struct

from firmware.errors import BadInput
from firmware.protocol.obligations import RoundReport, Verdict, sequence_of
from sim.jackpot_controller.accounts import PARTS_PER_CENT
from sim.jackpot_controller.claim_rows import ClaimRow, ClaimRows
from sim.jackpot_controller.ledger import Ledger, unit_of


class Order(Struct, frozen=True):
    """An order to withdraw a claim: under which id, by whom, why, and when."""

    id: str
    """The id of the verdict; the house's own order has a name instead."""
    staff: str
    reason: str
    at: datetime
    sequence: int | None = None
    """The journal record that it came with; None if it is the house's."""


class _TakenBack(Struct, frozen=True):
    amount_cents: int = 0
    reset_cents: int = 0
    house_parts: int = 0
    """What the house bears because of it, beyond what it had borne of the award."""


class Withdrawals:
    """What was withdrawn of a link's claims."""

    def __init__(self, database: sqlite3.Connection, ledger: Ledger, rows: ClaimRows) -> None:
        self._database = database
        self._ledger = ledger
        self._rows = rows
        self._root = ledger.settings.root

    def note_round(self, report: RoundReport, journal: str) -> None:
        """Note that a round was paid: from then on its awards stand."""
        if report.stage == "settled":
            self._database.execute(
                "INSERT INTO paid_round VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (self._root, unit_of(report.table, journal), report.round, report.id),
            )

    def withdraw(self, row: ClaimRow, order: Order) -> None:
        """Withdraw a claim; one that is withdrawn already stays so."""
        if row.state == "withdrawn":
            return
        if row.state in {"paid", "booked"} or (row.state == "awarded" and self._stands(row, order)):
            raise BadInput("win", f"{row.id!r} is paid at the table already: it stands (I-37)")
        taken_back = self._take_back(row) if row.state == "awarded" else _TakenBack()
        self._rows.change(row.id, state="withdrawn", verdict=order.id, aside=0)
        self._record(row, order, taken_back)

    def refuse(self, row: ClaimRow, order: Order, why: str) -> None:
        """Record for the house what was not accepted."""
        self._record(row, order, _TakenBack(), refused=why)

    def _stands(self, row: ClaimRow, order: Order) -> bool:
        paid = self._database.execute(
            "SELECT report FROM paid_round WHERE root = ? AND unit = ? AND round = ?",
            (self._root, row.unit, row.round),
        ).fetchone()
        if paid is None:
            return False
        return order.sequence is None or order.sequence > sequence_of(paid[0])

    def _take_back(self, row: ClaimRow) -> _TakenBack:
        """Undo an award, of which nothing was paid; its row stays, with nothing in it."""
        amount_cents, from_meter_cents, reset_cents, house_parts = self._database.execute(
            "SELECT amount_cents, from_meter_cents, reset_cents, house_parts FROM payment"
            " WHERE root = ? AND id = ?",
            (self._root, row.id),
        ).fetchone()
        before = self._ledger.accounts()
        after = before.take_back(
            from_meter_cents * PARTS_PER_CENT,
            house_parts,
            reset_cents * PARTS_PER_CENT,
            self._ledger.settings.limit_parts,
        )
        self._ledger.save(after, displayed=from_meter_cents > 0)
        borne_parts = after.house_parts - (before.house_parts - house_parts)
        self._database.execute(
            "UPDATE payment SET amount_cents = 0, from_meter_cents = 0, reset_cents = 0,"
            " house_parts = ? WHERE root = ? AND id = ?",
            (borne_parts, self._root, row.id),
        )
        return _TakenBack(amount_cents, reset_cents, borne_parts)

    def _record(
        self, row: ClaimRow, order: Order, taken_back: _TakenBack, *, refused: str = ""
    ) -> None:
        self._database.execute(
            "INSERT INTO withdrawal VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT DO NOTHING",
            (
                *(self._root, row.id, order.id, order.at.isoformat(), order.staff, order.reason),
                *(row.state, taken_back.amount_cents, taken_back.reset_cents),
                *(taken_back.house_parts, refused),
            ),
        )


def house_order(claim: str) -> str:
    """Name the order of the house to withdraw a claim."""
    return f"house {claim}"


def ordered_by(verdict: Verdict, at: datetime) -> Order:
    """Return the order that a verdict of a table is."""
    return Order(verdict.id, verdict.staff, verdict.reason, at, sequence_of(verdict.id))
