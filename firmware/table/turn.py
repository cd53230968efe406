"""One event being handled: what a handler works on, what becomes owed, what follows.

Handlers change the state as they go: `Table.step` undoes all of it if they fail. A handler
of a *fact* only notes it, and lists in `follow` what the table does about it.
"""

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from firmware.errors import Refused
from firmware.protocol.obligations import AnyObligation, Contribution, Reversal, RoundReport
from firmware.rules.game import Game
from firmware.table.settings import TableSettings
from firmware.table.state import RoundState, TableState


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

    def begin_round(self, round_state: RoundState) -> None:
        """Replace the last round with a new one."""
        self.round = self.state.round = round_state
        self.state.last_key = None

    def ask(self) -> None:
        """Refuse to ask for a second thing while one waits: a PIN must confirm what is shown."""
        if self.state.edition and self._is_asked():
            raise Refused("Something waits for a PIN already: confirm it, or press CANCEL first.")

    def drop_asked(self) -> bool:
        """Drop everything that waits for somebody's number and PIN; tell whether anything did.

        A fault to be cleared, a player to be barred, something to be put right, a no to a claim.
        """
        state, play, asked = self.state, self.round, self._is_asked()
        state.clearing, state.measure = "", None
        play.correction = play.to_put_right = play.denying = None
        return asked

    def _is_asked(self) -> bool:
        state, play = self.state, self.round
        asked = (state.clearing, state.measure, play.correction, play.to_put_right, play.denying)
        return any(asked)

    def next_id(self) -> str:
        """Make the id of the next obligation: table, journal, record, number within it."""
        record = f"{self.settings.name}.{self.state.journal}.{self.state.sequence + 1}."
        made = sum(each.id.startswith(record) for each in self.owed)
        return f"{record}{made + 1}"

    def owe(self, obligation: AnyObligation) -> None:
        """Note what the jackpot controller must be told."""
        self.owed.append(obligation)
        self.state.owed[obligation.id] = obligation

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
