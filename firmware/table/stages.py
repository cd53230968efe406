"""The deal as stages: cards to be dealt, decisions to be made, cards to be turned up.

A game describes its deal as steps (`rules/game.py`); over the occupied seats they become
the stages that a round goes through, one after another. Which stage a round has reached
is in its state; what happens in a stage is in `dealing.py` and `playing.py`.

A source that reads no cards leaves two stages: the dealer says when the hands are dealt
and when they lie face up; the main game in between is the dealer's own.
"""

from functools import lru_cache
from typing import Literal

from msgspec import Struct

from firmware.rules.dealing import Target, steps_of, targets
from firmware.rules.game import Step
from firmware.rules.games import find_game
from firmware.table.settings import CardSource, TableSettings
from firmware.table.state import Phase, RoundState


class Stage(Struct, frozen=True):
    """One stage; `targets` has one entry for each card of a deal that is read."""

    kind: Literal["deal", "decide", "reveal"]
    step: Step
    targets: tuple[Target, ...] = ()

    @property
    def phase(self) -> Phase:
        """The phase of a table in this stage."""
        return _PHASES[self.kind]


_PHASES: dict[str, Phase] = {"deal": "dealing", "decide": "deciding", "reveal": "revealing"}


def stages(settings: TableSettings, play: RoundState) -> tuple[Stage, ...]:
    """List the stages of a round over the seats that are dealt a hand."""
    return _stages(settings.game, play.source, tuple(play.dealt))


@lru_cache(maxsize=256)
def _stages(game: str, source: CardSource, seats: tuple[int, ...]) -> tuple[Stage, ...]:
    if source == "manual":
        return _manual_stages(game)
    return tuple(
        Stage(
            "deal" if step.kind == "burn" else step.kind,
            step,
            tuple(targets(step, seats)),
        )
        for step in steps_of(find_game(game), source)
        if not step.by_deal
    )


def _manual_stages(game: str) -> tuple[Stage, ...]:
    steps = find_game(game).shoe
    deal = next(step for step in steps if "seats" in step.to)
    return (Stage("deal", deal), Stage("reveal", steps[-1]))


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
    """Tell whether a stage needs nothing more; some are ended by a key alone."""
    if stage.kind == "deal":
        return play.source != "manual" and play.stage_cards >= len(stage.targets)
    return stage.kind == "decide" and not undecided(play, stage.step.bet)


def hands_complete(settings: TableSettings, play: RoundState) -> bool:
    """Tell whether every player has his whole hand and the deal around it is over."""
    last = next(
        place
        for place, stage in enumerate(stages(settings, play))
        if stage.kind == "deal" and "seats" in stage.step.to
    )
    return play.stage > last


def cards_seen(settings: TableSettings, play: RoundState) -> bool:
    """Tell whether any player counts as having seen his cards (I-27).

    From the last card of the deal where single cards are dealt, from the first hand
    where whole hands are.
    """
    if play.source == "shuffler":
        return any(player.cards for player in play.seats.values())
    return hands_complete(settings, play)


def outcome_established(settings: TableSettings, play: RoundState) -> bool:
    """Tell whether something has been decided in the open (I-24): a fold, or every hand is up."""
    lost = {"fold", "absent"} if settings.rules.absent == "folded" else {"fold"}
    settled = bool(play.results) or current(settings, play) is None
    return settled or any(p.decision in lost for p in play.seats.values())


def nothing_depends_on_cards(settings: TableSettings, play: RoundState) -> bool:
    """Tell whether the rest of the deal changes nothing: nobody is in, and no jackpot bet.

    A board that was begun is finished all the same: three cards are no board.
    """
    jackpots, board = settings.rules.jackpot_bets, len(play.community)
    return board in {0, settings.rules.community_cards} and not any(
        player.in_round
        or (
            player.decision in {"fold", "absent"}
            and any(player.stakes.get(bet) for bet in jackpots)
        )
        for player in play.seats.values()
    )
