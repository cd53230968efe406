"""Handlers of the play: cards, decisions, turning up, settlement, payment.

The round goes through the stages of its deal; `go_on` moves it to the next stage that
needs somebody, and past the last one settles it. What is refused changes nothing.
"""

from msgspec import UNSET
from msgspec.structs import replace

from firmware.errors import Refused
from firmware.rules.cards import CODES
from firmware.rules.contract import Claim, Limits, Round, Seat
from firmware.rules.dealing import Target
from firmware.rules.explain import claim_words
from firmware.rules.settle import settle
from firmware.table.events import (
    CardDrawn,
    CardsRevealed,
    HandDispensed,
    HandNotShown,
    PlayerDecided,
    RoundPaid,
)
from firmware.table.outbox import Win
from firmware.table.settings import TableSettings
from firmware.table.stages import current, is_done, nothing_depends_on_cards
from firmware.table.state import ClaimState, RoundState, SeatPlay
from firmware.table.turn import Turn


def go_on(turn: Turn, at_ms: int) -> None:
    """Move on to the next stage that needs somebody, or settle the round."""
    play = turn.state.round
    while (stage := current(turn.settings, play)) is not None:
        if not is_done(stage, play):
            if nothing_depends_on_cards(turn.settings, play):
                break
            turn.state.phase = stage.phase
            return
        play.stage += 1
        play.stage_cards = 0
    _settle(turn, at_ms)


def card_drawn(turn: Turn, event: CardDrawn) -> bool:
    """Give a card to whom the order of the deal says."""
    _check_source(turn, "shoe")
    return _dealt(turn, [event.card], event.at_ms)


def hand_dispensed(turn: Turn, event: HandDispensed) -> bool:
    """Give a whole hand to whom the order of the deal says."""
    _check_source(turn, "shuffler")
    return _dealt(turn, event.cards, event.at_ms)


def _check_source(turn: Turn, source: str) -> None:
    if turn.settings.card_source != source:
        raise Refused(f"this table deals from a {turn.settings.card_source}")


def _dealt(turn: Turn, cards: list[str] | tuple[str, ...], at_ms: int) -> bool:
    play, stage = turn.state.round, current(turn.settings, turn.state.round)
    _check_cards(turn, cards)
    targets = stage.targets[play.stage_cards :] if stage else ()
    places = {(target.to, target.seat) for target in targets[: len(cards)]}
    if len(places) != 1 or len(cards) > len(targets):
        raise Refused(f"a hand of {len(cards)} cards does not fit the deal")
    for card, target in zip(cards, targets, strict=False):
        _give(play, card, target, at_ms)
    play.drawn += cards
    play.stage_cards += len(cards)
    go_on(turn, at_ms)
    return True


def _check_cards(turn: Turn, cards: list[str] | tuple[str, ...]) -> None:
    """Refuse what cannot have been dealt, without naming a card that is face down."""
    source, drawn = turn.settings.card_source, turn.state.round.drawn
    if any(card not in CODES for card in cards):
        raise Refused(f"the {source} has read a card that is not of the deck")
    if len({*drawn, *cards}) != len(drawn) + len(cards):
        raise Refused(f"the {source} has read the same card twice in this round")


def _give(play: RoundState, card: str, target: Target, at_ms: int) -> None:
    if target.to == "seat":
        play.seats[target.seat].cards.append(card)
        play.seats[target.seat].dealt_at_ms = at_ms
    elif target.to == "dealer":
        play.dealer.append(card)
    elif target.to == "community":
        play.community.append(card)


def player_decided(turn: Turn, event: PlayerDecided) -> bool:
    """Note whether a player places the bet that is asked for."""
    stage = current(turn.settings, turn.state.round)
    bet = stage.step.bet if stage else ""
    player = turn.state.round.seats.get(event.seat)
    if player is None:
        raise Refused(f"seat {event.seat} is not in this round")
    decided = _decided(player, bet)
    if decided:
        raise Refused(f"seat {event.seat} has decided already: {decided}")
    allowed = _allowed(turn.settings, bet)
    if event.decision not in allowed:
        raise Refused(f"seat {event.seat}: the choice is {' or '.join(allowed)}")
    _decide(turn.settings, player, bet, event)
    go_on(turn, event.at_ms)
    return True


def _decided(player: SeatPlay, bet: str) -> str:
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


def _decide(settings: TableSettings, player: SeatPlay, bet: str, event: PlayerDecided) -> None:
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
    player = turn.state.round.seats.get(event.seat)
    if player is None:
        raise Refused(f"seat {event.seat} is not in this round")
    if not player.shown:
        return False
    player.shown = False
    return True


def cards_revealed(turn: Turn, event: CardsRevealed) -> bool:
    """Note that the cards of this stage are face up, and go on."""
    turn.state.round.stage += 1
    turn.state.round.stage_cards = 0
    go_on(turn, event.at_ms)
    return True


def _settle(turn: Turn, at_ms: int) -> None:
    """Settle the round, and claim on the jackpot what has been won."""
    state = turn.state
    settled = settle(round_document(turn.settings, state.round))
    state.round.results = list(settled.seats)
    for claim in settled.claims:
        _claim(turn, claim, at_ms)
    state.phase = "settling"


def _claim(turn: Turn, claim: Claim, at_ms: int) -> None:
    state, claim_id = turn.state, turn.next_id()
    bets = {owner: bet for bet, owner in turn.settings.rules.jackpot_bets.items()}
    bet = bets.get(claim.on, next(iter(turn.settings.rules.jackpot_bets)))
    state.round.claims[claim_id] = ClaimState(seat=claim.seat, bet=bet, words=claim_words(claim))
    turn.owe(
        Win(
            id=claim_id,
            table=turn.settings.name,
            round=state.round.number,
            seat=claim.seat,
            at_ms=at_ms,
            claim=claim,
            dealt_at_ms=state.round.seats[claim.seat].dealt_at_ms,
        )
    )


def round_document(settings: TableSettings, play: RoundState) -> Round:
    """Write a round as the document that the rules settle."""
    limits = Limits(ante_min=settings.ante_min_cents, ante_max=settings.ante_max_cents)
    if settings.rules.bonus and settings.bonus_max_cents is not None:
        limits = replace(limits, bonus_max=settings.bonus_max_cents)
    return Round(
        game=settings.game,
        limits=limits,
        dealer=tuple(play.dealer),
        community=tuple(play.community),
        seats=tuple(
            Seat(
                seat=number,
                cards=tuple(player.cards),
                bets=dict(player.stakes),
                decision=player.decision or "fold",
                revealed=player.shown,
            )
            for number, player in play.seats.items()
        ),
        draws=UNSET if play.draws is None else play.draws,
    )


def round_paid(turn: Turn, _event: RoundPaid) -> bool:
    """End the round, once every claim has its amount."""
    waiting = [c.seat for c in turn.state.round.claims.values() if c.amount_cents is None]
    if waiting:
        raise Refused(f"seat {waiting[0]} waits for its jackpot award")
    turn.state.phase = "idle"
    return True
