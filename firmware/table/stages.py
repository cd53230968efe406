"""The deal as stages: cards to be dealt, decisions to be made, cards to be turned up.

A game describes its deal as steps (`rules/game.py`); over the occupied seats they become
the stages that a round goes through, one after another. Which stage a round has reached
is in its state; what happens in a stage is in `playing.py`.
"""

from functools import lru_cache
from typing import Literal

from msgspec import Struct

from firmware.rules.dealing import Target, steps_of, targets
from firmware.rules.game import Step
from firmware.table.settings import TableSettings
from firmware.table.state import Phase, RoundState


class Stage(Struct, frozen=True):
    """One stage; `targets` has one entry for each card of a deal."""

    kind: Literal["deal", "decide", "reveal"]
    step: Step
    targets: tuple[Target, ...] = ()

    @property
    def phase(self) -> Phase:
        """The phase of a table in this stage."""
        return _PHASES[self.kind]


_PHASES: dict[str, Phase] = {"deal": "dealing", "decide": "deciding", "reveal": "revealing"}


def stages(settings: TableSettings, play: RoundState) -> tuple[Stage, ...]:
    """List the stages of a round over its occupied seats."""
    return _stages(settings, tuple(play.seats))


@lru_cache(maxsize=16)
def _stages(settings: TableSettings, seats: tuple[int, ...]) -> tuple[Stage, ...]:
    return tuple(
        Stage(
            "deal" if step.kind == "burn" else step.kind,
            step,
            tuple(targets(step, [*seats])),
        )
        for step in steps_of(settings.rules, settings.card_source)
        if not step.by_deal
    )


def current(settings: TableSettings, play: RoundState) -> Stage | None:
    """Give the stage that a round is in; None when all of them are done."""
    all_stages = stages(settings, play)
    return all_stages[play.stage] if play.stage < len(all_stages) else None


def undecided(play: RoundState, bet: str) -> list[int]:
    """List the seats that still have to say whether they place a bet."""
    return [
        seat
        for seat, player in play.seats.items()
        if player.in_round and bet not in player.stakes and bet not in player.checked
    ]


def is_done(stage: Stage, play: RoundState) -> bool:
    """Tell whether a stage needs nothing more; cards are turned up by a key alone."""
    if stage.kind == "deal":
        return play.stage_cards == len(stage.targets)
    return stage.kind == "decide" and not undecided(play, stage.step.bet)


def nothing_depends_on_cards(settings: TableSettings, play: RoundState) -> bool:
    """Tell whether the rest of the deal changes nothing: nobody is in, and no jackpot bet.

    A board that was begun is finished all the same: three cards are no board.
    """
    jackpots, board = settings.rules.jackpot_bets, len(play.community)
    return board in {0, settings.rules.community_cards} and not any(
        player.in_round or any(player.stakes.get(bet) for bet in jackpots)
        for player in play.seats.values()
    )
