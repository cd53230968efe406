"""The claims of one link on disk: entered, decided, paid, each once.

A claim's state is one of
    open        entered; a major, or a minor that is not final, waits for its verdict
    confirmed   may be awarded when its turn comes
    paid        the table has paid it already; it is booked when its turn comes (I-28)
    awarded     paid from the meter; the table may still withdraw it until PAID (I-37)
    booked, withdrawn    the end
A minor has its turn at once: one that is a percentage is paid from the meter as it is displayed,
even if majors hold it (I-43). `order.py` decides whose turn it is among the majors,
`withdrawals.py` takes claims back; every method expects a transaction around it.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from msgspec import Struct

from firmware.errors import BadInput
from firmware.protocol.messages import PendingClaim, TableStatus
from firmware.protocol.obligations import AnyObligation, OfSeat, Verdict, Win
from firmware.rules.award import award
from firmware.rules.contract import Award, Claims, EnteredClaim, Meter, Settings
from firmware.rules.games import find_game
from sim.jackpot_controller.accounts import PARTS_PER_CENT
from sim.jackpot_controller.checks import TooEarly, check_odds, entered, line_of
from sim.jackpot_controller.claim_rows import ClaimRow, ClaimRows
from sim.jackpot_controller.doubts import Doubts
from sim.jackpot_controller.ledger import Ledger, unit_of
from sim.jackpot_controller.order import PaymentDecision, TableStatuses, UnpaidClaim, decide
from sim.jackpot_controller.schema import JackpotLinkSettings
from sim.jackpot_controller.withdrawals import (
    Order,
    Withdrawals,
    house_order,
    ordered_by,
)

_WHOLE = 100


class Granted(Struct, frozen=True):
    """An award, and the table that is told of it."""

    id: str
    table: str
    amount_cents: int
    meter_cents: int | None = None
    """The meter that it is a share of, before it was paid; None if it is a fixed amount."""
    winners: int = 1
    """How many claims were paid with it, in equal shares."""


class ClaimBook:
    """The claims of a link, and what they are paid."""

    def __init__(self, database: sqlite3.Connection, ledger: Ledger) -> None:
        self._database = database
        self._ledger = ledger
        self.rows = ClaimRows(database, ledger.settings.root)
        self.withdrawals = Withdrawals(database, ledger, self.rows)
        self._game = find_game(ledger.settings.game)
        self.doubts = Doubts(database, ledger, self._game)

    @property
    def settings(self) -> JackpotLinkSettings:
        """The settings of the link."""
        return self._ledger.settings

    # ── entering and deciding ────────────────────────────────────────────────

    def enter(self, win: Win, journal: str, at: datetime) -> None:
        """Enter a claim; a major locks the meter (I-31), a minor may be paid at once."""
        line = line_of(self._game, win)
        unit = unit_of(win.table, journal)
        check_odds(line, win, self._ledger.stake_cents(unit, win.round, win.seat, line.bet))
        # A clock that is set back must not put a claim before those that came first.
        at = max(at, self.rows.last_entry() or at)
        entered(win, at)
        self.check_new(win, unit)
        self.withdrawals.make_room(win, unit, at)
        self.rows.insert(win, unit, at)
        if win.claim.level == "major":
            self._ledger.save(self._ledger.accounts().lock())

    def decide(self, verdict: Verdict, journal: str, at: datetime) -> None:
        """Enter the verdict on a claim: confirmed once, then paid or withdrawn (I-28, I-37)."""
        row = self._row_of(verdict)
        if row.unit != unit_of(verdict.table, journal):
            raise BadInput("win", f"{verdict.win!r} is another unit's")
        if not verdict.confirmed:
            self.withdrawals.withdraw(row, ordered_by(verdict, at))
            self.withdrawals.call_off(verdict, journal)
            return
        # What a table had paid before it heard of the house's order stands (I-28, I-37).
        revived = verdict.paid_cents is not None and row.verdict == house_order(row.id)
        over = row.state in {"paid", "booked", "withdrawn"} and not revived
        if over or (row.verdict is not None and verdict.paid_cents is None):
            raise BadInput("win", f"{verdict.win!r} is {row.state} already")
        self.confirm(row, verdict)

    def confirm(self, row: ClaimRow, verdict: Verdict) -> None:
        """Confirm a claim, or note that its table has paid it."""
        doubt = ""
        if verdict.paid_cents not in {None, self._awarded_cents(row)}:
            doubt = self.doubts.note_payment(row, verdict.paid_cents or 0)
        if row.state == "awarded":
            if doubt:
                # It is booked as awarded until the house believes what was paid.
                self.rows.change(row.id, verdict=verdict.id, paid_cents=verdict.paid_cents)
            else:
                self._after_the_award(row, verdict.id, verdict.paid_cents)
            return
        if row.state == "withdrawn":
            self.withdrawals.revive(row)
        state = "confirmed" if verdict.paid_cents is None else "paid"
        self.rows.change(
            row.id, state=state, verdict=verdict.id, paid_cents=verdict.paid_cents, aside=0
        )
        if row.major:
            # It may have been set aside; now it holds the meter again.
            self._ledger.save(self._ledger.accounts().lock())

    def _row_of(self, verdict: Verdict) -> ClaimRow:
        row = self.rows.find(verdict.win)
        if row is None:
            raise TooEarly("win", f"{verdict.win!r} is not in the books", verdict.win)
        if (row.table_name, row.round, row.seat) != (verdict.table, verdict.round, verdict.seat):
            raise BadInput("win", f"{verdict.win!r} is of another table, round or seat")
        return row

    def reject(self, verdict: Verdict, why: str, at: datetime) -> None:
        """Keep a rejected verdict from holding up the link, and a withdrawal for the house.

        A claim that was waiting for this verdict is set aside: it holds nothing up until it has
        another one, or the house withdraws it.
        """
        row = self.rows.find(verdict.win)
        if row is None or row.table_name != verdict.table:
            return
        if row.state == "open":
            self.rows.change(row.id, aside=1)
        if not verdict.confirmed:
            self.withdrawals.refuse(row, ordered_by(verdict, at), why)

    def withdraw(self, id_: str, staff: str, reason: str, at: datetime) -> None:
        """Withdraw a claim in the name of the house; its table is told when it asks again.

        What a table has been told that it may pay, only that table can withdraw, unless it is gone.
        """
        row = self.rows.find(id_)
        if row is None:
            raise BadInput("claim", f"{id_!r} is not in the books")
        if row.state == "withdrawn":
            raise BadInput("claim", f"{id_!r} is withdrawn already")
        if row.state == "awarded" and self._is_served(row):
            raise BadInput("claim", f"{id_!r} is awarded: void it at table {row.table_name}")
        self.withdrawals.withdraw(row, Order(house_order(id_), staff, reason, at))

    def believe(self, id_: str, staff: str, reason: str, at: datetime) -> None:
        """Believe a claim that something contradicts, in the name of the house."""
        row = self.rows.find(id_)
        if row is None:
            raise BadInput("claim", f"{id_!r} is not in the books")
        self.doubts.check_doubted(row)
        self.doubts.believe(row.id, staff, reason, at)
        if row.state == "awarded" and row.paid_cents is not None:
            self._after_the_award(row, row.verdict or "", row.paid_cents)

    def contradicted(self, obligation: AnyObligation, journal: str) -> dict[str, str]:
        """Say which claims are contradicted by what has come, and why, whatever still comes."""
        if not isinstance(obligation, OfSeat):
            return {}
        unit = unit_of(obligation.table, journal)
        rows = [r for r in self.rows.of_round(unit, obligation.round) if r.seat == obligation.seat]
        told = {row.id: self.doubts.raised_by(obligation, row) for row in rows}
        return {id_: doubt for id_, doubt in told.items() if doubt}

    def contradicted_late(self, status: TableStatus) -> dict[str, str]:
        """Say which claims of its last rounds are contradicted when a table owes nothing more."""
        unit = unit_of(status.table, status.journal)
        last = (status.round - 1, status.round)
        rows = [row for round_ in last for row in self.rows.of_round(unit, round_)]
        told = {row.id: self.doubts.about(row) for row in rows if row.state != "withdrawn"}
        return {id_: doubt for id_, doubt in told.items() if doubt}

    def _is_served(self, row: ClaimRow) -> bool:
        """Return whether the unit that claimed still speaks for its table."""
        found = self._database.execute(
            "SELECT count(*) FROM unit WHERE root = ? AND table_name || '.' || journal = ?"
            " AND closed_at IS NULL",
            (self.settings.root, row.unit),
        ).fetchone()
        return bool(found[0])

    def check_wanted(self, win: Win) -> None:
        """Refuse a claim that the house has withdrawn, so that its table need not wait."""
        row = self.rows.find(win.id)
        if row is not None and row.verdict == house_order(win.id):
            raise BadInput("id", f"{win.id!r} is withdrawn by the house")

    def _after_the_award(self, row: ClaimRow, verdict: str, paid_cents: int | None) -> None:
        """Book a verdict that comes after the meter has paid: the house bears any difference."""
        accounts = self._ledger.accounts()
        state = "awarded"
        if paid_cents is not None:
            state = "booked"
            more_cents = paid_cents - self._amount_cents(row.id)
            self._ledger.save(accounts.bear(more_cents * PARTS_PER_CENT))
            self._database.execute(
                "UPDATE payment SET amount_cents = amount_cents + ?1,"
                " from_meter_cents = from_meter_cents + ?1, house_parts = house_parts + ?1 * ?2"
                " WHERE root = ?3 AND id = ?4",
                (more_cents, PARTS_PER_CENT, self.settings.root, row.id),
            )
        self.rows.change(row.id, state=state, verdict=verdict, paid_cents=paid_cents)

    def _awarded_cents(self, row: ClaimRow) -> int | None:
        """Return what a claim is awarded, if it is."""
        return self._amount_cents(row.id) if row.state == "awarded" else None

    def overrule(self, table: str, staff: str, at: datetime) -> int:
        """Stop waiting for a table, for all claims pending now; return how many are pending."""
        waiting = self.rows.waiting()
        for row in waiting:
            self._database.execute(
                "INSERT INTO overrule VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (self.settings.root, row.id, table, staff, at.isoformat()),
            )
            if row.table_name == table and row.state == "open":
                self.rows.change(row.id, aside=1)
        return len(waiting)

    # ── whose turn it is ─────────────────────────────────────────────────────

    def decision(self, statuses: TableStatuses) -> PaymentDecision:
        """Decide on the pending claims."""
        rows = self.rows.waiting()
        return decide(self._game, self._as_waiting(rows), statuses, self._paid_beside(rows))

    def pending(self) -> tuple[PendingClaim, ...]:
        """List the pending claims, for every table."""
        return tuple(
            PendingClaim(
                id=row.id,
                table=row.table_name,
                seat=row.seat,
                tier=row.tier,
                dealt_at_ms=row.dealt_at_ms,
                percent=row.percent,
            )
            for row in self.rows.waiting()
        )

    def check_room(self) -> None:
        """Refuse what leaves the books no room for the claims that may still be paid."""
        left = self.rows.undecided()
        house_cents = sum((row.paid_cents or 0) + (row.amount_cents or 0) for row in left)
        resets = sum(row.percent == _WHOLE for row in left)
        self._ledger.accounts().check(
            house_cents * PARTS_PER_CENT, resets * self.settings.reset_parts
        )

    def locked_cents(self) -> int | None:
        """Return the meter that the pending claims hold; None if it is not locked."""
        accounts = self._ledger.accounts()
        return accounts.meter_cents if accounts.locked else None

    def _as_waiting(self, rows: Iterable[ClaimRow]) -> list[UnpaidClaim]:
        overruled = self._database.execute(
            "SELECT claim, table_name FROM overrule WHERE root = ?", (self.settings.root,)
        ).fetchall()
        return [
            UnpaidClaim(
                claim=row.entered,
                dealt_at_ms=row.dealt_at_ms,
                decided=self._is_decided(row),
                doubt=self.doubts.about(row),
                overruled=frozenset(table for claim, table in overruled if claim == row.id),
            )
            for row in rows
        ]

    def _is_decided(self, row: ClaimRow) -> bool:
        """Return whether a claim may be paid in its turn; what its table has paid is a fact."""
        called_off = self.withdrawals.is_called_off(row) and not self.doubts.is_believed(row)
        confirmed = row.state == "confirmed" and not called_off
        return (confirmed or row.state == "paid") and not self.doubts.about(row)

    def _paid_beside(self, rows: Iterable[ClaimRow]) -> list[EnteredClaim]:
        """List what was paid in the rounds of these claims: I-18 depends on its entry."""
        return [
            row.entered
            for unit, round_ in sorted({(row.unit, row.round) for row in rows})
            for row in self.rows.of_round(unit, round_)
            if row.state in {"awarded", "booked"}
        ]

    # ── paying ───────────────────────────────────────────────────────────────

    def pay(self, statuses: TableStatuses, at: datetime) -> list[Granted]:
        """Pay every claim whose turn has come; when none is left, unlock the meter."""
        granted: list[Granted] = []
        for row in filter(self._is_decided, self.rows.at_once()):
            granted += self._pay_all([row], at)
        if not self._ledger.accounts().locked:
            return granted
        by_id = {row.id: row for row in self.rows.waiting()}
        payable = [by_id[each] for each in self.decision(statuses).payable]
        granted += self._pay_all(payable, at)
        if not self.rows.waiting():
            accounts = self._ledger.accounts().unlock(self.settings.limit_parts)
            self._ledger.save(accounts)
        return granted

    def _pay_all(self, rows: Sequence[ClaimRow], at: datetime) -> list[Granted]:
        """Pay claims in this order; those that share are paid in one go."""
        granted: list[Granted] = []
        together = self._awards(rows, self._paid_beside(rows))
        left = list(rows)
        while left:
            shared = left[0].tier in self._game.payment.sharing
            unit = [row for row in left if shared and _shares(row, left[0])] or left[:1]
            left = [row for row in left if row not in unit]
            rule = together[unit[0].id].rule
            granted += self._pay_unit(unit, rule, at)
        return granted

    def _pay_unit(self, unit: Sequence[ClaimRow], rule: str, at: datetime) -> list[Granted]:
        """Pay the claims of one unit from the meter as it stands; a table may already have paid."""
        awards = self._awards(unit)
        amounts = [
            awards[row.id].amount if row.paid_cents is None else row.paid_cents for row in unit
        ]
        before, percent = self._ledger.accounts(), unit[0].percent
        if percent is None:
            # The meter is not touched; the house bears what exceeds the pay table.
            from_meter = [amounts[0] - (unit[0].amount_cents or 0)]
            after = before.bear(from_meter[0] * PARTS_PER_CENT)
        else:
            from_meter = amounts
            after = before.pay(sum(amounts), percent, len(unit), self.settings.reset_parts)
        self._ledger.save(after, displayed=percent is not None)
        house_parts = after.house_parts - before.house_parts
        for row, amount_cents, from_meter_cents in zip(unit, amounts, from_meter, strict=True):
            awarded = row.paid_cents is None
            self._database.execute(
                "INSERT INTO payment VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *(self.settings.root, row.id, at.isoformat()),
                    *(amount_cents if awarded else None, amount_cents, from_meter_cents),
                    self.settings.reset_cents if percent == _WHOLE else 0,
                    # What the unit as a whole was short of is booked with its first claim.
                    house_parts if row is unit[0] else 0,
                    *(before.meter_cents, after.meter_cents, rule),
                ),
            )
            self.rows.change(row.id, state="awarded" if awarded else "booked")
        return [
            Granted(
                row.id,
                row.table_name,
                amount_cents,
                None if percent is None else before.meter_cents,
                len(unit),
            )
            for row, amount_cents in zip(unit, amounts, strict=True)
            if row.paid_cents is None
        ]

    def _awards(
        self, rows: Iterable[ClaimRow], beside: Iterable[EnteredClaim] = ()
    ) -> Mapping[str, Award]:
        """Return what the rules pay these claims from the meter as it stands."""
        meter_cents = self._ledger.accounts().meter_cents
        asked = Claims(
            game=self.settings.game,
            meter=Meter(value=meter_cents, reset=self.settings.reset_cents),
            claims=(*(row.entered for row in rows), *beside),
            settings=Settings(straight_flush_share=self.settings.straight_flush_share),
        )
        return {paid.id: paid for paid in award(asked).awards}

    def granted(self, id_: str) -> list[Granted]:
        """Return the award of a win, for a table that asks again or has paid without it."""
        row = self.rows.find(id_)
        if row is None or row.state not in {"awarded", "booked"}:
            return []
        if self.withdrawals.is_called_off(row):
            return []
        amount_cents, meter_cents, paid_at = self._database.execute(
            "SELECT awarded_cents, meter_before_cents, paid_at FROM payment"
            " WHERE root = ? AND id = ?",
            (self.settings.root, row.id),
        ).fetchone()
        if amount_cents is None:
            return []
        if row.percent is None:
            return [Granted(row.id, row.table_name, amount_cents)]
        winners = self._paid_together(row, meter_cents, paid_at)
        return [Granted(row.id, row.table_name, amount_cents, meter_cents, winners)]

    def _paid_together(self, row: ClaimRow, meter_cents: int, paid_at: str) -> int:
        """Count the claims that were paid with one, in equal shares."""
        if row.tier not in self._game.payment.sharing:
            return 1
        (count,) = self._database.execute(
            "SELECT count(*) FROM payment JOIN claim USING (root, id) WHERE root = ? AND unit = ?"
            " AND round = ? AND tier = ? AND meter_before_cents = ? AND paid_at = ?",
            (self.settings.root, row.unit, row.round, row.tier, meter_cents, paid_at),
        ).fetchone()
        return int(count)

    def _amount_cents(self, id_: str) -> int:
        (amount_cents,) = self._database.execute(
            "SELECT amount_cents FROM payment WHERE root = ? AND id = ?", (self.settings.root, id_)
        ).fetchone()
        return int(amount_cents)

    def check_new(self, win: Win, unit: str) -> None:
        """Refuse what the same seat has claimed in the same round under another id."""
        for row in self.rows.of_round(unit, win.round):
            same = (row.seat, row.owner, row.tier) == (win.seat, win.claim.on, win.claim.tier)
            if same and row.state != "withdrawn":
                # Its withdrawal may be on the way.
                raise TooEarly("claim", f"seat {win.seat} has already claimed it as {row.id}")


def _shares(row: ClaimRow, first: ClaimRow) -> bool:
    """Return whether two claims of a shared tier are from one table and round."""
    if first.percent is None:
        return row is first
    return (row.table_name, row.round, row.tier) == (first.table_name, first.round, first.tier)
