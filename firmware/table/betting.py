"""Handlers of the bets: chips on spots, keyed amounts, opening and closing, the draws.

A handler first checks, then changes the state; it raises `Refused` with a reason for the
dealer, and then nothing has changed. It gives False where the event changes nothing.
"""

from msgspec import UNSET

from firmware.errors import Refused
from firmware.rules.contract import MAX_CENTS, Draws
from firmware.rules.words import plain
from firmware.table.events import BetKeyed, BetsClosed, BetsOpened, CoinSensed, LotsDrawn
from firmware.table.outbox import Contribution
from firmware.table.playing import go_on
from firmware.table.state import RoundState, SeatPlay, Spot
from firmware.table.turn import Turn


def coin_sensed(turn: Turn, event: CoinSensed) -> bool:
    """Note a chip on a spot, or its absence; an empty spot may bet again."""
    _check_seat(turn, event.seat)
    if event.bet not in turn.settings.rules.jackpot_bets:
        raise Refused("there is no such spot in this game")
    spot = turn.state.spots.get(event.seat, {}).get(event.bet, Spot())
    if spot.chip == event.present:
        return False
    turn.state.spots.setdefault(event.seat, {})[event.bet] = spot
    spot.chip = event.present
    if not event.present:
        spot.ready = True
    return True


def bets_opened(turn: Turn, _event: BetsOpened) -> bool:
    """Begin a round."""
    turn.state.round = RoundState(number=turn.state.round.number + 1)
    turn.state.phase = "betting"
    return True


def bet_keyed(turn: Turn, event: BetKeyed) -> bool:
    """Put a seat into the round with what the dealer has keyed; zero takes the bet away."""
    _check_seat(turn, event.seat)
    game = turn.settings.rules
    before_the_deal = {"ante", *game.jackpot_bets, *([game.bonus.name] if game.bonus else [])}
    if event.bet not in before_the_deal:
        raise Refused("there is no such bet before the deal")
    if event.bet == "ante" and not event.stake_cents:
        raise Refused(f"seat {event.seat}: key an ante above zero")
    if event.stake_cents > MAX_CENTS:
        raise Refused(f"seat {event.seat}: no such {plain(event.bet)} can be placed")
    play = turn.state.round.seats.setdefault(event.seat, SeatPlay(stakes={}))
    play.stakes[event.bet] = event.stake_cents
    return True


def bets_closed(turn: Turn, event: BetsClosed) -> bool:
    """Close the bets; every chip on a spot that was ready is a contribution from now on."""
    state, playing = turn.state, turn.state.round.seats
    chips = state.chips()
    if not chips and not any(any(play.stakes.values()) for play in playing.values()):
        raise Refused("nobody has bet yet")
    state.round.meter_cents = event.meter_cents
    for seat, bet in chips:
        play = playing.setdefault(seat, SeatPlay(stakes={}))
        play.stakes.setdefault(bet, turn.settings.jackpot_bet_cents)
        state.spots[seat][bet].ready = False
    for seat in [seat for seat, play in playing.items() if not any(play.stakes.values())]:
        del playing[seat]
    state.round.seats = dict(sorted(playing.items()))
    for seat, play in state.round.seats.items():
        play.stakes.setdefault("ante", _assumed_ante(turn, seat))
        state.last_ante_cents[seat] = play.stakes["ante"]
        _contribute(turn, event, seat, play)
    state.phase = "drawing"
    if not turn.settings.rules.draws:
        go_on(turn, event.at_ms)
    return True


def lots_drawn(turn: Turn, event: LotsDrawn) -> bool:
    """Note the draws of the round, once, before the first card (I-16)."""
    turn.state.round.draws = Draws(
        magic_card=event.magic_card,
        lucky_seat=UNSET if event.lucky_seat is None else event.lucky_seat,
        lucky_dealer=event.lucky_dealer,
    )
    go_on(turn, event.at_ms)
    return True


def _contribute(turn: Turn, event: BetsClosed, seat: int, play: SeatPlay) -> None:
    for bet in turn.settings.rules.jackpot_bets:
        stake_cents = play.stakes.get(bet)
        if not stake_cents:
            continue
        play.contributions[bet] = turn.next_id()
        turn.owe(
            Contribution(
                id=play.contributions[bet],
                table=turn.settings.name,
                round=turn.state.round.number,
                seat=seat,
                at_ms=event.at_ms,
                stake_cents=stake_cents,
                bet=bet,
            )
        )


def _assumed_ante(turn: Turn, seat: int) -> int:
    return turn.state.last_ante_cents.get(seat, turn.settings.ante_min_cents)


def _check_seat(turn: Turn, seat: int) -> None:
    if seat > turn.settings.seats:
        raise Refused(f"there is no seat {seat} at this table")
