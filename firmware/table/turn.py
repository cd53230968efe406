"""One event being handled: what a handler works on, what becomes owed, what follows.

Handlers change the state as they go: `Table.step` undoes all of it if they fail. A handler
of a *fact* only notes it, and lists in `follow` what the table does about it.
"""

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from firmware.errors import Refused
from firmware.protocol.fault_catalogue import FAULTS, FaultCode
from firmware.protocol.obligations import (
    AnyObligation,
    Contribution,
    FaultReport,
    Reversal,
    RoundReport,
)
from firmware.rules.game import Game
from firmware.rules.words import IRREGULARITIES
from firmware.table.settings import TableSettings
from firmware.table.state import FaultState, RoundState, TableState

Asked = Literal["clearing", "measure", "correction", "to_put_right", "denying", "deciding_award"]
"""What may wait for a PIN, by its name in the state of the table or of the round."""
_OF_TABLE: tuple[Asked, ...] = ("clearing", "measure")
_OF_ROUND: tuple[Asked, ...] = ("correction", "to_put_right", "denying", "deciding_award")


class Turn(Struct):
    """The table an event happens to, when, and what comes of it."""

    settings: TableSettings
    game: Game
    state: TableState
    round: RoundState
    """The round under way; the same object as `state.round`."""
    at_ms: int
    owed: list[AnyObligation]
    follow: "list[Callable[[Turn], None]]"
    """What follows from a fact; if it fails, the fact itself stays noted."""
    refusal: str = ""
    """What the panel says of an event that is written down and still refused: a wrong PIN."""
    sent_back_now: list[int] = []
    """The seats whose jackpot bet is to go back by this very event."""

    def begin_round(self, round_state: RoundState) -> None:
        """Replace the last round with a new one; what was dropped since that one is still told."""
        round_state.dropped = self.round.dropped
        self.round = self.state.round = round_state
        self.state.last_key = None

    def ask(self) -> None:
        """Refuse to ask for a second thing while one waits: a PIN must confirm what is shown."""
        if self.state.edition and self._is_asked():
            raise Refused("Something waits for a PIN already: confirm it, or press CANCEL first.")

    def drop_asked(self) -> bool:
        """Drop everything that waits for somebody's number and PIN; tell whether anything did.

        A fault to be cleared, a player to be barred, something to be put right, a no to a claim,
        what is paid on one.
        """
        asked = self._is_asked()
        self.drop(*_OF_TABLE, *_OF_ROUND)
        return asked

    def drop(self, *asked: Asked) -> None:
        """Drop what waits for a PIN without one."""
        state, play = self.state, self.round
        before = asked_words(state)
        for each in asked:
            if each == "clearing":
                state.clearing = ""
            elif each == "measure":
                state.measure = None
            else:
                setattr(play, each, None)
        if asked_words(state) != before:
            self.tell_dropped(before)

    def tell_dropped(self, words: str) -> None:
        """Keep what was dropped for the next PIN: whoever was called for it may come all the same."""
        if self.state.edition > 1:
            self.round.dropped = words

    def _is_asked(self) -> bool:
        state, play = self.state, self.round
        of_claims = (play.denying, play.deciding_award)
        return any((state.clearing, state.measure, play.correction, play.to_put_right, *of_claims))

    def next_id(self) -> str:
        """Make the id of the next obligation: table, journal, record, number within it."""
        record = f"{self.settings.name}.{self.state.journal}.{self.state.sequence + 1 + self.state.skipped}."
        made = sum(each.id.startswith(record) for each in self.owed)
        return f"{record}{made + 1}"

    def owe(self, obligation: AnyObligation) -> None:
        """Note what the jackpot controller must be told."""
        self.owed.append(obligation)
        self.state.owed[obligation.id] = obligation

    def begin_fault(self, code: FaultCode, where: str, detail: str) -> None:
        """Note a fault, and tell the jackpot controller of it."""
        fault = FaultState(code, where, detail, self.at_ms)
        self.state.faults[fault_key(code, where)] = fault
        self._report_fault(fault)

    def end_fault(self, key: str, *, by: str) -> None:
        """Remove a fault, and tell the jackpot controller who or what cleared it."""
        self._report_fault(self.state.faults.pop(key), cleared_by=by)
        if self.state.clearing == key:
            self.drop("clearing")

    def _report_fault(self, fault: FaultState, *, cleared_by: str = "") -> None:
        self.owe(
            FaultReport(
                id=self.next_id(),
                table=self.settings.name,
                at_ms=self.at_ms,
                code=fault.code,
                where=fault.where,
                text=FAULTS[fault.code].sentence(fault.where, fault.detail),
                cleared=bool(cleared_by),
                by=cleared_by,
            )
        )

    def report_round(self, stage: Literal["opened", "dealt", "settled", "void"]) -> None:
        """Tell the jackpot controller how far the round has got."""
        self.owe(
            RoundReport(
                id=self.next_id(),
                table=self.settings.name,
                round=self.round.number,
                at_ms=self.at_ms,
                stage=stage,
            )
        )

    def contribute(self, seat: int, bet: str) -> None:
        """Contribute a seat's jackpot bet."""
        play = self.round.seats[seat]
        stake_cents = play.stakes[bet]
        contribution = Contribution(
            id=self.next_id(),
            table=self.settings.name,
            round=self.round.number,
            seat=seat,
            at_ms=self.at_ms,
            stake_cents=stake_cents,
            bet=bet,
        )
        self.owe(contribution)
        self.state.totals.contributions += 1
        self.state.totals.contributed_cents += stake_cents
        play.contributions[bet] = contribution.id

    def send_back(self, seat: int) -> None:
        """Let a jackpot bet without an ante go back now, where the game has that (RWS §5.4)."""
        stakes, sent_back = self.round.seats[seat].stakes, self.round.sent_back
        now = self.game.jackpot_bet_back == "at_once" and self.state.doing != "settling"
        if now and seat not in sent_back and any(stakes.get(b) for b in self.game.jackpot_bets):
            sent_back.append(seat)
            self.sent_back_now.append(seat)

    def begin_settlement(self) -> None:
        """Settle the round; what was to go back at once, and now ends it, goes back with the rest."""
        play = self.round
        play.sent_back = [seat for seat in play.sent_back if seat not in self.sent_back_now]
        self.state.phase = "settling"

    def take_back(self, seat: int, only: str = "") -> None:
        """Reverse what a seat has contributed in this round: its jackpot bets are returned.

        With the name of a bet, that one alone.
        """
        play = self.round.seats[seat]
        for bet in [only] if only else list(play.contributions):
            contribution = play.contributions.pop(bet, None)
            if contribution is None:
                continue
            stake_cents = play.stakes[bet]
            self.owe(
                Reversal(
                    id=self.next_id(),
                    table=self.settings.name,
                    round=self.round.number,
                    seat=seat,
                    at_ms=self.at_ms,
                    contribution=contribution,
                    stake_cents=stake_cents,
                )
            )
            self.state.totals.contributions -= 1
            self.state.totals.contributed_cents -= stake_cents


def asked_words(state: TableState) -> str:
    """Say what was asked for and waits for a PIN, or else what is to be ruled; nothing if nothing is."""
    if state.measure is not None:
        return f"{state.measure.measure.upper()} seat {state.measure.seat}."
    if state.clearing:
        return "CLEAR of a fault."
    return _asked_of_round(state.round) or _ruling_words(state)


def _asked_of_round(play: RoundState) -> str:
    if play.correction is not None:
        return " ".join([play.correction.how.upper(), *play.correction.places]) + "."
    if play.to_put_right is not None:
        return play.to_put_right.words
    if play.denying is not None:
        return f"Seat {play.denying.seat}: no JACKPOT."
    return f"PAYOUT {play.deciding_award.pay}." if play.deciding_award is not None else ""


def _ruling_words(state: TableState) -> str:
    if state.phase != "ruling":
        return ""
    name = f"{IRREGULARITIES[state.incident.irregularity]}."
    return f"To withdraw this: {name}" if state.incident.withdrawing else name


def fault_key(code: FaultCode, where: str) -> str:
    """Return the key of a fault in the table's state."""
    return f"{code} {where}".rstrip()
