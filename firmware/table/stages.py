"""The deal as stages: cards to be dealt, decisions to be made, cards to be turned up.

A game describes its deal as steps (`rules/game.py`); for the occupied seats they become the
stages of a round, one after another. The state says which stage a round has reached;
`go_on` moves it to the next one in which somebody has to act, and after the last one to its
settlement (`settlement.py`). What happens in a stage is in `dealing.py`.

A source that reads no cards leaves two stages: the dealer says when the hands are dealt and
when they lie face up; in between he runs the main game himself.
"""

from functools import lru_cache
from typing import Literal

from msgspec import Struct

from firmware.protocol.fault_catalogue import FaultCode
from firmware.rules.dealing import Target, steps_of, targets
from firmware.rules.game import Step
from firmware.rules.games import find_game
from firmware.table.settings import CardSource, TableSettings
from firmware.table.settlement import settle_round
from firmware.table.state import Phase, RoundState
from firmware.table.turn import Turn


class Stage(Struct, frozen=True):
    """One stage; `targets` has one entry for each card of a deal that is read."""

    kind: Literal["deal", "decide", "reveal"]
    step: Step
    targets: tuple[Target, ...] = ()

    @property
    def phase(self) -> Phase:
        """The table's phase in this stage."""
        return _PHASES[self.kind]


_PHASES: dict[str, Phase] = {"deal": "dealing", "decide": "deciding", "reveal": "revealing"}


def stages(settings: TableSettings, play: RoundState) -> tuple[Stage, ...]:
    """List the stages of a round for the seats that are dealt a hand."""
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
    """Return the stage that a round is in; None when all are done."""
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
    """Return whether a stage is complete; some end only with a key."""
    if stage.kind == "deal":
        return play.source != "manual" and play.stage_cards >= len(stage.targets)
    return stage.kind == "decide" and not undecided(play, stage.step.bet)


def first_card_out(settings: TableSettings, play: RoundState) -> bool:
    """Return whether the first card has left the source, read or not."""
    return bool(play.drawn or play.stage or play.source != settings.card_source)


def hands_complete(settings: TableSettings, play: RoundState) -> bool:
    """Return whether every player has his whole hand and the deal around it is over."""
    last = next(
        place
        for place, stage in enumerate(stages(settings, play))
        if stage.kind == "deal" and "seats" in stage.step.to
    )
    return play.stage > last


def cards_seen(settings: TableSettings, play: RoundState) -> bool:
    """Return whether any player counts as having seen his cards (I-27).

    From the last card of the deal where single cards are dealt, from the first hand
    where whole hands are.
    """
    if play.source == "shuffler":
        return any(player.cards for player in play.seats.values())
    return hands_complete(settings, play)


def outcome_established(settings: TableSettings, play: RoundState) -> bool:
    """Return whether something was decided in the open (I-24): a fold, or every hand is up."""
    lost = {"fold", "absent"} if settings.rules.absent == "folded" else {"fold"}
    settled = bool(play.results) or current(settings, play) is None
    return settled or any(p.decision in lost for p in play.seats.values())


def nothing_depends_on_cards(settings: TableSettings, play: RoundState) -> bool:
    """Return whether the rest of the deal changes nothing: nobody is in, and no jackpot bet.

    A board that was begun is still finished: three cards are not a board.
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


# Moving on


def go_on(turn: Turn) -> None:
    """Move on to the next stage in which somebody must act, or to the end of the round."""
    play = turn.round
    while (stage := current(turn.settings, play)) is not None:
        _deal_surplus(turn, stage)
        if not is_done(stage, play):
            if nothing_depends_on_cards(turn.settings, play):
                break
            if stage.kind == "deal" and _reader_fails(turn):
                stop_reading(turn)
                continue
            turn.state.phase = stage.phase
            return
        end_stage(turn, stage)
    if play.source == "manual":
        turn.state.phase = "claiming"
    else:
        settle_round(turn)


def end_stage(turn: Turn, stage: Stage) -> None:
    """Finish a stage; the jackpot controller hears when the hands are complete."""
    turn.round.stage += 1
    turn.round.stage_cards = 0
    if stage.kind == "deal" and "seats" in stage.step.to:
        turn.report_round("dealt")


def give(turn: Turn, card: str, target: Target) -> None:
    """Put a card where the order of the deal says."""
    play = turn.round
    if target.to == "seat":
        player = play.seats[target.seat]
        player.cards.append(card)
        player.dealt_at_ms = turn.at_ms
        if len(player.cards) == turn.game.own_cards:
            play.dealt_at_ms = play.dealt_at_ms or turn.at_ms
    elif target.to == "dealer":
        play.dealer.append(card)
    elif target.to == "community":
        play.community.append(card)
    play.stage_cards += 1


def _deal_surplus(turn: Turn, stage: Stage) -> None:
    """Use the cards that came too early, in order, where the deal needs them."""
    play = turn.round
    while play.surplus and play.stage_cards < len(stage.targets):
        give(turn, play.surplus.pop(0), stage.targets[play.stage_cards])


def _reader_fails(turn: Turn) -> bool:
    """Return whether the source of the cards has a fault."""
    return any(is_of_reader(turn.round, f.code, f.where) for f in turn.state.faults.values())


def is_of_reader(play: RoundState, code: FaultCode, where: str) -> bool:
    """Return whether a fault keeps the table from reading the cards of the round."""
    fails = code.startswith("device_") or code == "program_failed"
    return fails and where == play.source


def stop_reading(turn: Turn) -> None:
    """Leave the rest to the dealer's keys; forget the part of an unfinished hand that was read."""
    game, play = turn.game, turn.round
    complete = hands_complete(turn.settings, play)
    play.source, play.stage, play.stage_cards = "manual", int(complete), 0
    play.surplus = []
    hands = [(player.cards, game.own_cards) for player in play.seats.values()]
    for cards, whole in (
        *hands,
        (play.dealer, game.dealer_cards),
        (play.community, game.community_cards),
    ):
        if len(cards) != whole:
            cards.clear()
