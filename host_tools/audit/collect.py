"""Collects what an auditor needs from a journal: rounds, contributions, wins, faults, staff.

Every record is checked and followed on the way (`story.steps`), so a damaged journal gives an error,
not a report; one whose chain was made anew is found by `verify --against` alone. What became of each
claim is in `wins.py`; `as_csv.py` and `as_html.py` write the result.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TypedDict, TypeVar

from firmware.protocol.obligations import (
    Contribution,
    FaultReport,
    Reversal,
    RoundReport,
    Verdict,
    Win,
)
from firmware.table.events import (
    Acknowledged,
    BetsClosed,
    DealerSignedOff,
    DealerSignedOn,
    Event,
    FaultClearAsked,
    IrregularityReported,
    OptionChosen,
    ReportWithdrawn,
    RoundPaid,
    RulingConfirmed,
    ServiceBegun,
    ServiceDone,
    ServiceEnded,
    StaffIdentified,
    StaffRefused,
    TableClosed,
    TableOpened,
)
from host_tools.audit.rows import (
    Amounts,
    Audit,
    ContributionRow,
    FaultRow,
    PayoutRow,
    RoundRow,
    StaffRow,
)
from host_tools.audit.wins import Wins
from host_tools.journal.story import JournalStep, steps

Row = TypeVar("Row")
_BY_STAFF = (
    StaffIdentified
    | StaffRefused
    | ServiceBegun
    | ServiceDone
    | ServiceEnded
    | TableClosed
    | TableOpened
    | FaultClearAsked
    | DealerSignedOn
    | DealerSignedOff
    | IrregularityReported
    | OptionChosen
    | RulingConfirmed
    | ReportWithdrawn
)


def collect(
    folder: Path,
    since_ms: int,
    until_ms: int,
    progress: Callable[[int], None] = lambda _: None,
    *,
    from_round: int = 0,
) -> Audit:
    """Read a journal, whole or from a round on, and keep what falls into a period."""
    audit = Audit(since_ms=since_ms, until_ms=until_ms)
    collector = _Collector(audit)
    for step in steps(folder, from_round):
        collector.take(step)
        progress(step.record.sequence)
    return audit


class _From(TypedDict):
    casino: str
    table: str


class _Collector:
    """Reads a journal step by step; a row is kept if its subject began in the period."""

    def __init__(self, audit: Audit) -> None:
        self._audit = audit
        self._round: RoundRow | None = None
        self._contributions: dict[str, ContributionRow] = {}
        self._wins = Wins()
        self._from: _From = {"casino": "", "table": ""}
        """The casino and the table of the record, for its rows."""
        self._faults: dict[tuple[str, str], FaultRow] = {}

    def take(self, step: JournalStep) -> None:
        """Take one record."""
        audit, event, state = self._audit, step.record.event, step.table.state
        at_ms, sequence = event.at_ms, step.record.sequence
        settings = step.table.settings
        self._from = {"casino": settings.casino, "table": settings.name}
        audit.casino, audit.currency = settings.casino or audit.casino, settings.currency
        audit.table, audit.game = settings.name, settings.game
        audit.journal, audit.first_record = state.journal, audit.first_record or sequence
        audit.last_record, audit.last_chain = sequence, step.record.chain
        if step.opens_round:
            on_duty = state.on_duty
            dealer = f"{on_duty.name} (number {on_duty.staff})" if on_duty else ""
            number, currency = state.round.number, settings.currency
            self._round = RoundRow(number, at_ms, dealer=dealer, currency=currency, **self._from)
            self._keep(audit.rounds, self._round, at_ms)
        self._event(step, event)
        for owed in step.owed:
            self._owed(step, owed)
        self._wins.follow(step)
        for gone in step.dropped:
            if isinstance(gone, (Contribution, Reversal)):
                self._dropped(gone, at_ms, settings.currency)
        if isinstance(event, _BY_STAFF) or step.became:
            words = "; ".join([step.words, *step.became])
            self._keep(audit.staff, StaffRow(at_ms, sequence, words, **self._from), at_ms)
        if audit.since_ms <= at_ms <= audit.until_ms:
            # A clock that was set back leaves records out of order.
            audit.first_ms = min(at_ms, at_ms if audit.first_ms is None else audit.first_ms)
            audit.last_ms = max(at_ms, at_ms if audit.last_ms is None else audit.last_ms)
            audit.counted += step.counted
            _add(audit.counted_by, settings.currency, step.counted_cents)

    def _owed(self, step: JournalStep, owed_id: str) -> None:
        owed, audit = step.table.state.owed[owed_id], self._audit
        match owed:
            case Contribution():
                self._contribution(owed, step.table.settings.currency)
            case Reversal():
                self._reversal(owed, step.table.settings.currency)
            case Win() if not self._wins.knows(owed.id):
                self._keep(audit.wins, self._wins.claimed(step, owed), owed.at_ms)
            case Verdict():
                self._wins.decided(owed, step.record.event)
            case FaultReport():
                self._fault(owed)
            case RoundReport(stage="void") if self._round is not None:
                self._round.outcome, self._round.ended_ms = "void", owed.at_ms

    def _contribution(self, owed: Contribution, currency: str) -> None:
        row = ContributionRow(
            owed.id,
            owed.round,
            owed.seat,
            owed.bet,
            owed.stake_cents,
            owed.at_ms,
            currency=currency,
            **self._from,
        )
        self._contributions[owed.id] = row
        self._keep(self._audit.contributions, row, owed.at_ms)
        if self._round is not None and self._round.number == owed.round:
            self._round.contributions += 1
            self._round.contributed_cents += owed.stake_cents

    def _reversal(self, owed: Reversal, currency: str) -> None:
        audit = self._audit
        if owed.contribution in self._contributions:
            self._contributions[owed.contribution].reversed_by = owed.id
        if audit.since_ms <= owed.at_ms <= audit.until_ms:
            audit.taken_back += 1
            _add(audit.taken_back_by, currency, owed.stake_cents)
        if self._round is not None and self._round.number == owed.round:
            self._round.contributions -= 1
            self._round.contributed_cents -= owed.stake_cents

    def _dropped(self, owed: Contribution | Reversal, at_ms: int, currency: str) -> None:
        """Take what the shift manager has dropped because the controller had rejected it."""
        sign = 1 if isinstance(owed, Contribution) else -1
        if owed.id in self._contributions:
            self._contributions[owed.id].dropped_ms = at_ms
        if self._audit.since_ms <= at_ms <= self._audit.until_ms:
            self._audit.dropped += sign
            _add(self._audit.dropped_by, currency, sign * owed.stake_cents)

    def _fault(self, report: FaultReport) -> None:
        key = (report.code, report.where)
        if not report.cleared:
            self._faults[key] = row = FaultRow(
                report.code, report.where, report.text, report.at_ms, **self._from
            )
            self._keep(self._audit.faults, row, report.at_ms)
        elif key in self._faults:
            self._faults[key].ended_ms, self._faults[key].ended_by = report.at_ms, report.by

    def _event(self, step: JournalStep, event: Event) -> None:
        match event:
            case BetsClosed() if self._round is not None:
                seats = step.table.state.round.seats.values()
                self._round.closed_ms, self._round.meter_cents = event.at_ms, event.meter_cents
                self._round.seats = len(seats)
                self._round.staked_cents = sum(sum(seat.stakes.values()) for seat in seats)
            case RoundPaid() if self._round is not None and step.table.state.phase == "idle":
                self._round.ended_ms = event.at_ms
                self._payouts(step, self._round, event.at_ms)
                if self._round.outcome == "under way":
                    self._round.outcome = "paid"
            case Acknowledged() if event.id in self._contributions:
                self._contributions[event.id].acknowledged_ms = event.at_ms

    def _payouts(self, step: JournalStep, of: RoundRow, at_ms: int) -> None:
        """Take what became of each bet of the main game."""
        play, jackpots = step.table.state.round, step.table.settings.rules.jackpot_bets
        of.staked_cents = sum(bet.stake for each in play.results for bet in each.bets.values())
        for result in play.results:
            seat = play.seats.get(result.seat)
            for name, bet in result.bets.items():
                if name in jackpots:
                    continue
                of.paid_cents += bet.winnings
                row = PayoutRow(
                    round=of.number,
                    seat=result.seat,
                    settled_ms=at_ms,
                    decision=(seat.decision if seat is not None else None) or "",
                    bet=name,
                    stake_cents=bet.stake,
                    outcome=bet.outcome,
                    paid_cents=bet.winnings,
                    returned_cents=bet.returned,
                    rules=" ".join(result.rules),
                    currency=of.currency,
                    **self._from,
                )
                self._keep(self._audit.payouts, row, of.opened_ms)

    def _keep(self, rows: list[Row], row: Row, at_ms: int) -> None:
        if self._audit.since_ms <= at_ms <= self._audit.until_ms:
            rows.append(row)


def _add(amounts: Amounts, currency: str, cents: int) -> None:
    amounts[currency] = amounts.get(currency, 0) + cents
