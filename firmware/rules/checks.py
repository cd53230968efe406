"""Checks a round against its game before it is settled.

Anything that contradicts the layout, the deck or itself is a `BadInput` that names the
field. The shape of the document (types, unknown keys) was checked when it was decoded; what
each bet gets is in `settle.py`.
"""

from collections.abc import Sequence

from msgspec import UNSET

from firmware.errors import BadInput, named
from firmware.rules.cards import CODES, RANKS, SUITS
from firmware.rules.contract import Limits, Round, Seat
from firmware.rules.game import LEAVING, TAKEN_OUT, Game


def check_round(game: Game, asked: Round) -> None:
    """Check limits, draws and every seat; the cards are checked by `check_cards`."""
    _check_limits(game, asked.limits)
    _check_draws(game, asked)
    numbers = set()
    for index, seat in enumerate(asked.seats):
        if seat.seat in numbers:
            raise BadInput(f"seats[{index}].seat", f"seat {seat.seat} is listed twice")
        numbers.add(seat.seat)
        check_seat_number(game, seat.seat, f"seats[{index}].seat")
        _check_seat(game, seat, index)


def check_seat_number(game: Game, seat: int, field: str) -> None:
    """Refuse a seat that no layout of the game has."""
    most = game.positions[1]
    if seat > most:
        raise BadInput(field, f"{game.id} has no seat {seat}; its seats are 1 to {most}")


def check_cards(game: Game, asked: Round, *, dealer: bool, community: bool) -> None:
    """Check the dealer's and community cards, if anything depends on them, and the deck."""
    _check_number("dealer", asked.dealer, game.dealer_cards, needed=dealer)
    _check_number("community", asked.community, game.community_cards, needed=community)
    everything = [*asked.dealer, *asked.community]
    for seat in asked.seats:
        everything += seat.cards
    different = set(everything)
    if len(different) != len(everything) or not different <= CODES.keys():
        raise _bad_card(asked)


def _check_limits(game: Game, limits: Limits) -> None:
    if limits.bonus_max is not UNSET and game.bonus is None:
        raise BadInput("limits.bonus_max", f"{game.id} has no bonus bet")
    low, high = limits.ante_min, limits.ante_max
    if low is not UNSET and high is not UNSET and low > high:
        raise BadInput("limits.ante_min", f"{low} is above ante_max, {high}")


def _check_draws(game: Game, asked: Round) -> None:
    if asked.draws is UNSET:
        return
    if not game.draws:
        raise BadInput("draws", f"{game.id} has no draws")
    magic_card = asked.draws.magic_card
    if magic_card is not UNSET and magic_card not in CODES:
        raise BadInput("draws.magic_card", _no_card(magic_card))
    if asked.draws.lucky_seat is not UNSET:
        check_seat_number(game, asked.draws.lucky_seat, "draws.lucky_seat")


def _check_seat(game: Game, seat: Seat, index: int) -> None:
    if not seat.bets.keys() <= game.bet_names:
        name = next(name for name in seat.bets if name not in game.bet_names)
        known = ", ".join(game.bets)
        raise BadInput(
            f"seats[{index}].bets.{named(name)}", f"{game.id} has no such bet; its bets are {known}"
        )
    has_ante = bool(seat.bets.get("ante"))
    why = _contradiction(game, seat, has_ante=has_ante)
    if why:
        raise BadInput(f"seats[{index}].decision", why)
    if len(seat.cards) != game.own_cards and seat.decision not in TAKEN_OUT:
        _check_number(f"seats[{index}].cards", seat.cards, game.own_cards, needed=has_ante)


def _contradiction(game: Game, seat: Seat, *, has_ante: bool) -> str | None:
    """Return why a decision is missing or contradicts the layout, if it does."""
    decision, stay = seat.decision, game.stay
    if decision == stay:
        return (
            None
            if seat.bets.get(stay)
            else f"{stay} contradicts a layout with no stake in bets.{stay}"
        )
    if decision is UNSET:
        return "is missing; a seat with an ante needs one" if has_ante else None
    if decision not in LEAVING:
        known = ", ".join((stay, *sorted(LEAVING)))
        return f"{decision!r} is not a decision of {game.id}; its decisions are {known}"
    placed = [wager.name for wager in game.wagers[1:] if seat.bets.get(wager.name)]
    if decision == "fold" and placed:
        return f"fold contradicts the stake in bets.{placed[0]}"
    if decision == "absent" and placed:
        return _contradicted_absence(game, placed)
    return None


def _contradicted_absence(game: Game, placed: Sequence[str]) -> str | None:
    """Return why a player who placed these bets had no decision left, if so."""
    last = game.wagers[-1].name
    if last in placed:
        return f"absent contradicts the stake in bets.{last}: no decision was left"
    if game.stay not in placed:
        return f"absent contradicts the stake in bets.{placed[0]} without one in bets.{game.stay}"
    return None


def _check_number(field: str, cards: Sequence[str], number: int, *, needed: bool) -> None:
    count = len(cards)
    if count == number or (count == 0 and not needed):
        return
    if count == 0:
        raise BadInput(field, f"is missing; {number} cards are needed")
    has = "1 card" if count == 1 else f"{count} cards"
    raise BadInput(field, f"has {has}; this game has {number or 'none'} here")


def _bad_card(asked: Round) -> BadInput:
    """Name the card that is not a card, or is in two places."""
    places = [("dealer", asked.dealer), ("community", asked.community)]
    places += [(f"seats[{index}].cards", seat.cards) for index, seat in enumerate(asked.seats)]
    seen: dict[str, str] = {}
    for field, names in places:
        for position, name in enumerate(names):
            here = f"{field}[{position}]"
            if name not in CODES:
                return BadInput(here, _no_card(name))
            if name in seen:
                return BadInput(here, f"{name} is already at {seen[name]}")
            seen[name] = here
    raise AssertionError("every card is one of the deck, and in one place")


def _no_card(name: str) -> str:
    told = f"{name!r} is not a card; a card is a rank of {RANKS} and a suit of {SUITS}"
    meant = name[:-1].upper().replace("10", "T") + name[-1:].lower()
    return f"{told}; did you mean {meant}?" if meant in CODES else told
