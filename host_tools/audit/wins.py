"""What became of each jackpot claim at the table: paid, withdrawn, dropped, or still waiting.

The table's own round says it, not the last message: an award that comes after a claim was
withdrawn, or paid from the registered meter, changes nothing that was paid (I-28, I-37). It is
told beside.
"""

from typing import NamedTuple

from firmware.protocol.obligations import Verdict, Win, sequence_of
from firmware.rules.cards import CODES, pretty
from firmware.rules.contract import Claim
from firmware.rules.game import Game
from firmware.rules.words import claim_words, hand_words, paragraphs
from firmware.table.events import AwardGranted, Decision, StaffIdentified
from firmware.table.payable import shown_payable_cents
from firmware.table.state import AT_REST, ClaimState, RoundState, TableState, WithdrawnClaim
from firmware.table.verdicts import REJECTED
from host_tools.audit.rows import (
    AWARDED,
    BY_TABLE,
    DROPPED,
    PAID,
    PAID_BY_TABLE,
    PENDING,
    WITHDRAWN,
    WinRow,
)
from host_tools.audit.sharing import named, share_words, sharers
from host_tools.journal.story import JournalStep

_RANKED = range(5, 8)
"""How many cards a hand has that can be named."""
_CLOCKS = {"free": "not synchronised"}


class Wins:
    """The claims of a journal, by the id of the win."""

    def __init__(self) -> None:
        self._rows: dict[str, WinRow] = {}
        self._names: dict[str, str] = {}
        self._awards: dict[str, AwardGranted] = {}
        """The last award on each claim that came before it was paid."""
        self._told: dict[str, list[tuple[int, int]]] = {}
        """Every amount that the panel has said to pay on each claim, and since when: there may be a
        slip of it."""

    def knows(self, win: str) -> bool:
        """Return whether a claim was taken before: one that is owed again is the same (I-37)."""
        return win in self._rows

    def claimed(self, step: JournalStep, win: Win) -> WinRow:
        """Take a new claim."""
        self._rows[win.id] = row = _win(step, win)
        return row

    def decided(self, verdict: Verdict, event: Decision) -> None:
        """Note who confirmed a claim, withdrew it, or answers for its payment."""
        if isinstance(event, StaffIdentified):
            self._names[event.staff] = event.name
        row = self._rows.get(verdict.win)
        if row is not None and verdict.staff:
            name = self._names.get(verdict.staff, "")
            row.authority = f"{name} (number {verdict.staff})" if name else verdict.staff
        elif row is not None and not verdict.confirmed:
            row.authority = "the dealer"

    def follow(self, step: JournalStep) -> None:
        """Look at the claims of the round after a record."""
        event, state = step.record.event, step.table.state
        if isinstance(event, AwardGranted) and event.id in self._rows:
            self._awarded(self._rows[event.id], event)
        for claim_id, claim in state.round.claims.items():
            row = self._rows.get(claim_id)
            if row is not None and not row.is_paid:
                _stands(row, state, claim)
                if state.phase in AT_REST:
                    row.paid_ms = event.at_ms
                    row.outcome = PAID_BY_TABLE if claim.registered else PAID
                self._told_to_pay(row, event.at_ms)
                self._told_of_award(step, row, claim)
        self._set_aside(state.round, event)

    def _awarded(self, row: WinRow, event: AwardGranted) -> None:
        row.award_cents, row.awarded_ms = event.amount_cents, event.at_ms
        if not row.is_paid:
            # What comes later changes nothing about what was paid, and from which meter.
            self._awards[row.id] = event

    def _told_to_pay(self, row: WinRow, at_ms: int) -> None:
        """Keep every amount that the panel has said to pay before, in the order in which it did."""
        told = self._told.setdefault(row.id, [])
        stands = None if row.outcome == PENDING else row.amount_cents
        if stands is not None and [cents for cents, _ in told[-1:]] != [stands]:
            told.append((stands, at_ms))
        _set_earlier(row, told if stands is None else told[:-1])
        row.payable_ms = None if stands is None else told[-1][1]

    def _told_of_award(self, step: JournalStep, row: WinRow, claim: ClaimState) -> None:
        """Tell the meter and the sharing as the award has them that the table pays."""
        settings, play = step.table.settings, step.table.state.round
        granted = self._awards.get(row.id)
        believed = granted is not None and granted.amount_cents == claim.amount_cents
        row.meter_cents, row.shared, row.shared_with = None, "", ""
        if granted is None or not believed or claim.registered:
            return
        row.meter_cents = granted.meter_cents
        if granted.winners > 1:
            with_whom = sharers(settings.rules, play, row.id, self._awards)
            row.shared = share_words(settings, play, claim, granted)
            row.shared_with = named(play, with_whom)

    def _set_aside(self, play: RoundState, event: Decision) -> None:
        for claim_id, withdrawn in play.withdrawn.items():
            row = self._rows.get(claim_id)
            if row is not None and row.outcome not in {WITHDRAWN, DROPPED}:
                _withdrawn(row, withdrawn, event)
                _set_earlier(row, self._told.get(claim_id, []))
                row.payable_ms = None


def _set_earlier(row: WinRow, told: list[tuple[int, int]]) -> None:
    row.earlier_cents = tuple(cents for cents, _ in told)
    row.earlier_ms = tuple(since_ms for _, since_ms in told)


def _stands(row: WinRow, state: TableState, claim: ClaimState) -> None:
    """Tell what a claim is paid, and whether the panel says so now."""
    row.amount_cents = claim.amount_cents
    if not claim.awarded:
        # It is to be awarded anew: what was awarded before stands no more.
        row.award_cents = row.awarded_ms = None
    row.outcome = PENDING
    if state.phase == "settling" and shown_payable_cents(state.round, claim) is not None:
        row.outcome = BY_TABLE if claim.registered else AWARDED


def _withdrawn(row: WinRow, withdrawn: WithdrawnClaim, event: Decision) -> None:
    row.amount_cents, row.reason = None, withdrawn.reason
    row.meter_cents, row.shared, row.shared_with = None, "", ""
    row.outcome = WITHDRAWN
    if withdrawn.reason == REJECTED:
        row.outcome = DROPPED
        if isinstance(event, StaffIdentified):
            row.authority = f"{event.name} (number {event.staff})"


def _win(step: JournalStep, win: Win) -> WinRow:
    play, settings = step.table.state.round, step.table.settings
    seat = play.seats.get(win.seat)
    return win_row(
        win,
        settings.rules,
        House(settings.casino, settings.currency),
        Cards(
            tuple(seat.cards) if seat is not None else (), tuple(play.dealer), tuple(play.community)
        ),
        chain=step.record.chain,
    )


class House(NamedTuple):
    """Whose table it is, and what stands before its amounts."""

    casino: str
    currency: str


class Cards(NamedTuple):
    """The cards that a win is told with."""

    hand: tuple[str, ...]
    dealer: tuple[str, ...]
    board: tuple[str, ...]


def win_row(win: Win, game: Game, house: House, cards: Cards, chain: str = "") -> WinRow:
    """Tell a win that was claimed; what became of it is not known yet."""
    return WinRow(
        casino=house.casino,
        table=win.table,
        currency=house.currency,
        id=win.id,
        game=game.id,
        title=game.title,
        round=win.round,
        seat=win.seat,
        claim=claim_words(win.claim, house.currency),
        level=win.claim.level,
        paragraph=_paragraph(game, win.claim),
        hand=pretty(cards.hand),
        hand_name=_hand_name([*cards.hand, *cards.board]),
        dealer=pretty(cards.dealer),
        board=pretty(cards.board),
        dealt_ms=win.dealt_at_ms,
        claimed_ms=win.at_ms,
        clock=_CLOCKS.get(win.clock, win.clock),
        record=sequence_of(win.id),
        chain=chain,
        authority="none needed" if win.final else "",
    )


def _paragraph(game: Game, claim: Claim) -> str:
    """Name the paragraph of the line that a claim is paid by."""
    lines = [line for line in game.tiers.get(claim.tier, ()) if line.on == claim.on]
    return paragraphs(tuple(dict.fromkeys([line.rule for line in lines])))


def _hand_name(cards: list[str]) -> str:
    known = len(cards) in _RANKED and len(set(cards)) == len(cards) and CODES.keys() >= set(cards)
    return hand_words(cards) if known else ""
