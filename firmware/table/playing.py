"""The round goes on: through the stages of its deal, the players' decisions, the reveal.

`go_on` moves a round to the next stage that needs somebody, and past the last one to its
settlement (`settlement.py`). Cards come in through `dealing.py`. What is refused changes
nothing.
"""

from firmware.errors import Refused
from firmware.protocol.fault_catalogue import FaultCode
from firmware.rules.dealing import Target
from firmware.table.events import CardsRevealed, HandNotShown, HandsDealt, PlayerDecided
from firmware.table.settings import TableSettings
from firmware.table.settlement import settle_round
from firmware.table.stages import (
    Stage,
    current,
    hands_complete,
    is_done,
    nothing_depends_on_cards,
)
from firmware.table.state import RoundState, SeatState
from firmware.table.turn import Turn


def go_on(turn: Turn) -> None:
    """Move on to the next stage that needs somebody, or to the end of the round."""
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
    """Go past a stage; the jackpot controller hears when the hands are complete."""
    turn.round.stage += 1
    turn.round.stage_cards = 0
    if stage.kind == "deal" and "seats" in stage.step.to:
        turn.report_round("dealt")


def give(turn: Turn, card: str, target: Target) -> None:
    """Give a card to whom the order of the deal says."""
    play = turn.round
    if target.to == "seat":
        player = play.seats[target.seat]
        player.cards.append(card)
        player.dealt_at_ms = turn.at_ms
        if len(player.cards) == turn.settings.rules.own_cards:
            play.dealt_at_ms = play.dealt_at_ms or turn.at_ms
    elif target.to == "dealer":
        play.dealer.append(card)
    elif target.to == "community":
        play.community.append(card)
    play.stage_cards += 1


def _deal_surplus(turn: Turn, stage: Stage) -> None:
    """Use the cards that came too early where the deal needs them: that is their order."""
    play = turn.round
    while play.surplus and play.stage_cards < len(stage.targets):
        give(turn, play.surplus.pop(0), stage.targets[play.stage_cards])


def _reader_fails(turn: Turn) -> bool:
    """Tell whether the source of the cards has a fault."""
    return any(is_of_reader(turn.round, f.code, f.where) for f in turn.state.faults.values())


def is_of_reader(play: RoundState, code: FaultCode, where: str) -> bool:
    """Tell whether a fault keeps the table from reading the cards of the round."""
    return where == play.source and code.startswith("device_")


def stop_reading(turn: Turn) -> None:
    """Leave the rest to the dealer's keys; what was read of an unfinished hand is forgotten."""
    game, play = turn.settings.rules, turn.round
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


# What the players do


def player_decided(turn: Turn, event: PlayerDecided) -> bool:
    """Note whether a player places the bet that is asked for."""
    stage = current(turn.settings, turn.round)
    bet = stage.step.bet if stage else ""
    player = playing_seat(turn, event.seat)
    decided = _decided(player, bet)
    if decided:
        raise Refused(f"seat {event.seat} has decided already: {decided}")
    allowed = _allowed(turn.settings, bet)
    if event.decision not in allowed:
        raise Refused(f"seat {event.seat}: the choice is {' or '.join(allowed)}")
    _decide(turn.settings, player, bet, event)
    go_on(turn)
    return True


def claimant_decided(turn: Turn, event: PlayerDecided) -> bool:
    """Note that a player whose hand the table did not follow has folded or walked away."""
    player = playing_seat(turn, event.seat)
    if event.decision not in {"fold", "absent"}:
        raise Refused(f"seat {event.seat}: only a fold or an absence matters for a claim")
    if not player.in_round:
        raise Refused(f"seat {event.seat} has decided already: {player.decision}")
    player.decision = "fold" if event.decision == "fold" else "absent"
    return True


def playing_seat(turn: Turn, seat: int) -> SeatState:
    """Find a seat that takes part in the round."""
    player = turn.round.seats.get(seat)
    if player is None or not player.stakes.get("ante"):
        raise Refused(f"seat {seat} is not in this round")
    return player


def _decided(player: SeatState, bet: str) -> str:
    """Say what a player has answered to a bet, or that he is out of the round; else nothing."""
    if not player.in_round:
        return str(player.decision)
    if bet in player.stakes:
        return bet
    return "check" if bet in player.checked else ""


def _allowed(settings: TableSettings, bet: str) -> tuple[str, ...]:
    """List what a player may answer when a bet is asked for."""
    if bet == settings.rules.stay:
        return (bet, "fold", "absent")
    return (bet, "check", "absent")


def _decide(settings: TableSettings, player: SeatState, bet: str, event: PlayerDecided) -> None:
    match event.decision:
        case "check":
            player.checked.append(bet)
        case "fold" | "absent":
            player.decision = event.decision
        case _:
            wager = next(wager for wager in settings.rules.wagers if wager.name == bet)
            player.stakes[bet] = player.stakes["ante"] * wager.antes
            player.decision = settings.rules.stay


def hand_not_shown(turn: Turn, event: HandNotShown) -> bool:
    """Note that a player will not show his hand."""
    player = playing_seat(turn, event.seat)
    if not player.shown:
        return False
    player.shown = False
    return True


# What the dealer does


def cards_revealed(turn: Turn, event: CardsRevealed) -> bool:
    """Note that the cards of this stage are face up, and go on."""
    register_meter(turn.round, event.meter_cents, event.reset_cents)
    turn.round.stage += 1
    turn.round.stage_cards = 0
    go_on(turn)
    return True


def hands_dealt(turn: Turn, _event: HandsDealt) -> bool:
    """Note that the dealer has dealt from a source that reads no cards."""
    play, stage = turn.round, current(turn.settings, turn.round)
    if play.source != "manual" or stage is None:
        raise Refused(f"the {play.source} says when the hands are dealt")
    for player in play.seats.values():
        player.dealt_at_ms = player.dealt_at_ms or turn.at_ms
    play.dealt_at_ms = play.dealt_at_ms or turn.at_ms
    end_stage(turn, stage)
    go_on(turn)
    return True


def register_meter(play: RoundState, meter_cents: int | None, reset_cents: int) -> None:
    """Keep the newest meter with the round: what the jackpot pays if the link is lost."""
    if meter_cents is not None:
        play.meter_cents, play.reset_cents = meter_cents, reset_cents
