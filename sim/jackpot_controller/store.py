"""The books of one link: one transaction per obligation, each id once.

What a table says it owes is entered once, together with everything that follows from it:
the accounts, the claims whose turn it brings, the sequences that are published. The
same id again changes nothing and gets the same answer; the same id with other contents is
refused. When `apply` returns, the disk has it. The money is in `ledger.py`, the claims are
in `claims.py`, the units of the tables in `units.py`; messages are in `desk.py`.
"""

import sqlite3
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec
from msgspec import Struct

from firmware.errors import BadInput
from firmware.protocol.messages import PendingClaim
from firmware.protocol.obligations import (
    AnyObligation,
    Contribution,
    FaultReport,
    Reversal,
    RoundReport,
    Verdict,
    Win,
)
from firmware.rules.games import find_game
from sim.jackpot_controller.accounts import PARTS_PER_CENT, Accounts
from sim.jackpot_controller.checks import check_obligation, journal_of
from sim.jackpot_controller.claims import ClaimBook, Granted
from sim.jackpot_controller.house_payments import HousePayment, enter_payment
from sim.jackpot_controller.ledger import Ledger, LedgerTotals
from sim.jackpot_controller.order import TableStatuses
from sim.jackpot_controller.schema import JackpotLinkSettings, open_database, transaction
from sim.jackpot_controller.withdrawals import Order

__all__ = ["PARTS_PER_CENT", "Applied", "JackpotLinkSettings", "LedgerTotals", "Store"]

_decoder: msgspec.json.Decoder[AnyObligation] = msgspec.json.Decoder(AnyObligation)


class Applied(Struct, frozen=True, kw_only=True):
    """What has changed and must be published: awards, the meter, what is pending."""

    awards: tuple[Granted, ...] = ()
    meter_moved: bool = False
    pending_moved: bool = False


class Store:
    """The open books of a link; one connection, one writer."""

    def __init__(self, database: sqlite3.Connection, settings: JackpotLinkSettings) -> None:
        """Use a database that is open; start the link's books in it if need be."""
        settings.check()
        self.database = database
        self.settings = settings
        self.ledger = Ledger(database, settings)
        self.claims = ClaimBook(database, self.ledger)
        self._game = find_game(settings.game)
        with transaction(database):
            self.ledger.begin_or_compare()

    @classmethod
    def open(cls, path: Path, settings: JackpotLinkSettings) -> Self:
        """Open the books of a link, or start them; books with other settings are refused."""
        settings.check()
        database = open_database(path)
        try:
            return cls(database, settings)
        except BaseException:
            database.close()
            raise

    def apply(
        self, obligation: AnyObligation, entered_at: datetime, statuses: TableStatuses | None = None
    ) -> Applied:
        """Enter an obligation with everything that follows from it, unless it is entered already."""
        journal = journal_of(obligation.id, obligation.table)

        def entering() -> list[Granted]:
            if not self.knows(obligation):
                return self._enter(obligation, journal, entered_at, statuses or {})
            if isinstance(obligation, Win):
                self.claims.check_wanted(obligation)
            return self._granted_before(obligation)

        return self._once(entering)

    def review(self, statuses: TableStatuses, at: datetime) -> Applied:
        """Pay what has its turn after a table's new status; usually nothing is pending."""
        if not self.accounts.locked:
            return Applied()
        return self._once(lambda: self.claims.pay(statuses, at))

    def overrule(self, table: str, staff: str, statuses: TableStatuses, at: datetime) -> Applied:
        """Stop waiting for a table: the house has ordered it."""

        def overruling() -> list[Granted]:
            self.claims.overrule(table, staff, at)
            return self.claims.pay(statuses, at)

        return self._once(overruling)

    def reject(self, verdict: Verdict, why: str, statuses: TableStatuses, at: datetime) -> Applied:
        """Let a verdict that is rejected hold nothing up, and record it for the house."""

        def rejecting() -> list[Granted]:
            self.claims.reject(verdict, why, at)
            return self.claims.pay(statuses, at)

        return self._once(rejecting)

    def call_off(self, verdict: Verdict) -> None:
        """Award nothing on what a verdict withdraws that came before the win it is about."""
        with transaction(self.database):
            journal = journal_of(verdict.id, verdict.table)
            self.claims.withdrawals.call_off(verdict, journal)

    def withdraw(
        self, claim: str, staff: str, reason: str, statuses: TableStatuses, at: datetime
    ) -> Applied:
        """Withdraw a claim: the house has ordered it."""

        def withdrawing() -> list[Granted]:
            self.claims.withdraw(claim, staff, reason, at)
            return self.claims.pay(statuses, at)

        return self._once(withdrawing)

    def believe(
        self, claim: str, staff: str, reason: str, statuses: TableStatuses, at: datetime
    ) -> Applied:
        """Believe a claim that something contradicts: the house has ordered it."""

        def believing() -> list[Granted]:
            self.claims.believe(claim, staff, reason, at)
            return self.claims.pay(statuses, at)

        return self._once(believing)

    def enter_payment(
        self,
        claim: str,
        payment: HousePayment,
        order: Order,
        statuses: TableStatuses,
    ) -> Applied:
        """Enter what was paid at a table and is not in the books: the house has ordered it."""

        def entering() -> list[Granted]:
            enter_payment(self.database, self.claims, claim, payment, order)
            return self.claims.pay(statuses, order.at)

        return self._once(entering)

    def knows(self, obligation: AnyObligation) -> bool:
        """Return whether an id is entered; with other contents it is refused."""
        row = self.database.execute(
            "SELECT document FROM obligation WHERE root = ? AND id = ?",
            (self.settings.root, obligation.id),
        ).fetchone()
        # Acknowledging something else under this id would lose it.
        if row is not None and _decoder.decode(row[0]) != obligation:
            raise BadInput("id", f"{obligation.id!r} is something else in the books")
        return row is not None

    @property
    def accounts(self) -> Accounts:
        """The accounts to the last part of a cent."""
        return self.ledger.accounts()

    @property
    def meter_cents(self) -> int:
        """The meter as displayed: whole cents."""
        return self.accounts.meter_cents

    def totals(self) -> LedgerTotals:
        """Add up the books."""
        return self.ledger.totals()

    def close(self) -> None:
        """Close the database; everything applied is on the disk already."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _enter(
        self, obligation: AnyObligation, journal: str, at: datetime, statuses: TableStatuses
    ) -> list[Granted]:
        check_obligation(obligation, self._game)
        self.database.execute(
            "INSERT INTO obligation VALUES (?, ?, ?, ?)",
            (self.settings.root, obligation.id, at.isoformat(), msgspec.json.encode(obligation)),
        )
        if isinstance(obligation, Contribution):
            self.ledger.contribute(obligation, journal)
        elif isinstance(obligation, Reversal):
            self.ledger.reverse(obligation)
        elif isinstance(obligation, Win):
            self.claims.enter(obligation, journal, at)
        elif isinstance(obligation, Verdict):
            self.claims.decide(obligation, journal, at)
        elif isinstance(obligation, RoundReport):
            self.claims.withdrawals.note_round(obligation, journal)
            self.claims.doubts.note_round(obligation, journal, at)
        if isinstance(obligation, FaultReport):
            return []
        granted = self.claims.pay(statuses, at)
        # A verdict may come after the award was sent and lost.
        known = {each.id for each in granted}
        return granted + [e for e in self._granted_before(obligation) if e.id not in known]

    def _granted_before(self, obligation: AnyObligation) -> list[Granted]:
        """Return the award that an obligation asks for again."""
        if isinstance(obligation, Win):
            return self.claims.granted(obligation.id)
        if isinstance(obligation, Verdict):
            return self.claims.granted(obligation.win)
        return []

    def _held(self) -> tuple[tuple[PendingClaim, ...], int | None]:
        """Return what is pending, and the meter that it holds."""
        return self.claims.pending(), self.claims.locked_cents()

    def _once(self, work: Callable[[], list[Granted]]) -> Applied:
        """Do something in one transaction, and return what it changed."""
        with transaction(self.database):
            before, held_before = self.ledger.sequences, self._held()
            awards = work()
            self.claims.check_room()
            if self._held() != held_before:
                self.ledger.pending_changed()
            after = self.ledger.sequences
        return Applied(
            awards=tuple(awards),
            meter_moved=after[0] != before[0],
            pending_moved=after[1] != before[1],
        )
