"""Claims that are withdrawn (I-37): struck out, or their award taken back, and who and why.

A table withdraws a claim until its round is paid, confirmed or awarded or not; the house may do
so by command. What was paid at the table stands: a withdrawal of it is refused, and the refusal
is in the books for the house. Whether a withdrawal came before PAID is told by the journal
records in the ids, since messages may overtake each other. An award of a round that is not paid
is no payment: if one is taken back, the others of its round are reckoned anew without it, and with
one more if that is claimed later. What is withdrawn together arrives one by one: it is called off
with the first, and awarded no more. Every method expects a transaction around it; the other things
that happen to a claim are in `claims.py`.
"""

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from firmware.errors import BadInput
from firmware.protocol.obligations import RoundReport, Verdict, Win, sequence_of
from sim.jackpot_controller.accounts import PARTS_PER_CENT
from sim.jackpot_controller.claim_rows import ClaimRow, ClaimRows
from sim.jackpot_controller.ledger import Ledger, unit_of

_EVERY_WIN = ""
"""Calls off every win of a round."""


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


class _Payment(Struct, frozen=True):
    amount_cents: int
    from_meter_cents: int
    reset_cents: int
    house_parts: int


class Withdrawals:
    """What was withdrawn of a link's claims."""

    def __init__(self, database: sqlite3.Connection, ledger: Ledger, rows: ClaimRows) -> None:
        self._database = database
        self._ledger = ledger
        self._rows = rows
        self._root = ledger.settings.root

    def note_round(self, report: RoundReport, journal: str) -> None:
        """Note that a round was paid: from then on its awards stand; or void: it gets no more."""
        unit = unit_of(report.table, journal)
        if report.stage == "settled":
            self._database.execute(
                "INSERT INTO paid_round VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (self._root, unit, report.round, report.id),
            )
        elif report.stage == "void":
            self._database.execute(
                "INSERT INTO void_round VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (self._root, unit, report.round, report.id),
            )
            self._call_off(unit, report.round, _EVERY_WIN)

    def call_off(self, verdict: Verdict, journal: str) -> None:
        """Note all that is withdrawn with a claim, in the books or not: it is awarded no more."""
        for win in (verdict.win, *verdict.also_withdraws):
            self._call_off(unit_of(verdict.table, journal), verdict.round, win)

    def _call_off(self, unit: str, round_: int, win: str) -> None:
        self._database.execute(
            "INSERT INTO called_off VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (self._root, unit, round_, win),
        )

    def is_called_off(self, row: ClaimRow) -> bool:
        """Return whether a claim is withdrawn, or its withdrawal is on the way."""
        (count,) = self._database.execute(
            "SELECT count(*) FROM called_off"
            " WHERE root = ? AND unit = ? AND round = ? AND win IN (?, ?)",
            (self._root, row.unit, row.round, row.id, _EVERY_WIN),
        ).fetchone()
        return bool(count)

    def withdraw(self, row: ClaimRow, order: Order) -> None:
        """Withdraw a claim; one that is withdrawn already stays so."""
        if row.state == "withdrawn":
            return
        if row.state in {"paid", "booked"} or (row.state == "awarded" and self._stands(row, order)):
            raise BadInput("win", f"{row.id!r} is paid at the table already: it stands (I-37)")
        anew = self._to_award_anew(row, order)
        held_cents = self._held_cents([row, *anew])
        taken_back = self._take_back([row, *anew]) if row.state == "awarded" else [_TakenBack()]
        self._rows.change(row.id, state="withdrawn", verdict=order.id, aside=0)
        self._record(row, order, taken_back[0])
        order = replace(order, reason=f"reckoned anew without {row.id}")
        self._award_anew(anew, order, taken_back[1:], held_cents)

    def make_room(self, win: Win, unit: str, at: datetime) -> None:
        """Take back the awards of the other majors of a round that gets one more, if it is not paid.

        They share, or one is paid before the other: what they get depends on all of them. A minor
        that is a share is paid at once, from the meter as it stands (I-43).
        """
        order = Order(win.id, "", f"reckoned anew with {win.id}", at, sequence_of(win.id))
        if win.claim.level != "major" or win.claim.percent is None:
            return
        others = [row for row in self._awarded_shares(unit, win.round) if row.major]
        anew = [row for row in others if not self._stands(row, order)]
        if anew:
            held_cents = self._held_cents(anew)
            self._award_anew(anew, order, self._take_back(anew), held_cents)

    def _award_anew(
        self,
        rows: Sequence[ClaimRow],
        order: Order,
        taken_back: Sequence[_TakenBack],
        held_cents: int | None,
    ) -> None:
        """Let claims wait for their award again, of the meter that was locked for them (I-31)."""
        for row, back in zip(rows, taken_back, strict=True):
            self._confirm_anew(row)
            self._record(row, order, back)
        if held_cents is not None and any(row.major for row in rows):
            self._ledger.save(self._ledger.accounts().held_at(held_cents), displayed=True)

    def _held_cents(self, rows: Sequence[ClaimRow]) -> int | None:
        """Return the meter from which the first of these awards was paid.

        None if other claims hold the meter by now: what those hold does not change.
        """
        if self._ledger.accounts().locked:
            return None
        marks = ", ".join("?" for _ in rows)
        found = self._database.execute(
            "SELECT meter_before_cents FROM payment"  # noqa: S608  # only question marks
            f" WHERE root = ? AND id IN ({marks}) ORDER BY number LIMIT 1",
            (self._root, *(row.id for row in rows)),
        ).fetchone()
        return None if found is None else int(found[0])

    def _awarded_shares(self, unit: str, round_: int) -> list[ClaimRow]:
        """List what was awarded from the meter in a round."""
        rows = self._rows.of_round(unit, round_)
        return [row for row in rows if row.state == "awarded" and row.percent is not None]

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

    def _to_award_anew(self, row: ClaimRow, order: Order) -> list[ClaimRow]:
        """List the awards of the same round that rest on the one taken back: none is paid yet.

        What the house withdraws is of a table that is gone, and what that has paid stands.
        """
        if row.state != "awarded" or row.percent is None or order.sequence is None:
            return []
        return [o for o in self._awarded_shares(row.unit, row.round) if o.id != row.id]

    def revive(self, row: ClaimRow) -> None:
        """Make room for the payment of a claim whose award was taken back."""
        self._database.execute(
            "DELETE FROM payment WHERE root = ? AND id = ?", (self._root, row.id)
        )

    def _confirm_anew(self, row: ClaimRow) -> None:
        """Let a claim wait for its award again."""
        self.revive(row)
        self._rows.change(row.id, state="confirmed")
        if row.major:
            self._ledger.save(self._ledger.accounts().lock())

    def _take_back(self, rows: Sequence[ClaimRow]) -> list[_TakenBack]:
        """Undo awards together, of which nothing was paid; their rows stay, with nothing in them."""
        payments = [_Payment(*self._payment(row.id)) for row in rows]
        from_meter_cents = sum(payment.from_meter_cents for payment in payments)
        house_parts = sum(payment.house_parts for payment in payments)
        resets = sum(payment.reset_cents > 0 for payment in payments)
        before = self._ledger.accounts()
        after = before.take_back(
            from_meter_cents * PARTS_PER_CENT,
            house_parts,
            sum(payment.reset_cents for payment in payments) * PARTS_PER_CENT,
            self._ledger.settings.limit_parts,
            resets,
        )
        self._ledger.save(after, displayed=from_meter_cents > 0)
        # What the house bears of them together is booked with the first.
        borne_parts = after.house_parts - (before.house_parts - house_parts)
        taken_back = []
        for row, payment in zip(rows, payments, strict=True):
            self._database.execute(
                "UPDATE payment SET amount_cents = 0, from_meter_cents = 0, reset_cents = 0,"
                " house_parts = ? WHERE root = ? AND id = ?",
                (borne_parts, self._root, row.id),
            )
            taken_back.append(_TakenBack(payment.amount_cents, payment.reset_cents, borne_parts))
            borne_parts = 0
        return taken_back

    def _payment(self, id_: str) -> tuple[int, int, int, int]:
        row: tuple[int, int, int, int] = self._database.execute(
            "SELECT amount_cents, from_meter_cents, reset_cents, house_parts FROM payment"
            " WHERE root = ? AND id = ?",
            (self._root, id_),
        ).fetchone()
        return row

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
