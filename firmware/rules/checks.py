"""Checks a round against its game before it is settled.

Whatever contradicts the layout, the deck or itself is a `BadInput` that names the
field. The shape of the document (types, unknown keys) was checked when it was
decoded; what each bet gets is in `settle.py`.
"""

from collections.abc import Sequence

from msgspec import UNSET

from firmware.errors import BadInput
from firmware.rules.cards import CODES
from firmware.rules.contract import Limits, Round, Seat
from firmware.rules.game import TAKEN_OUT, Game

_IN_EVERY_GAME = frozenset({"fold", "absent", *TAKEN_OUT})


def check_round(game: Game, asked: Round) -> None:
    """Check limits, draws and every seat; the cards are checked by `check_cards`."""
    _check_limits(game, asked.limits)
    _check_draws(game, asked)
    numbers = set()
    for index, seat in enumerate(asked.seats):
        if seat.seat in numbers:
            raise BadInput(f"seats[{index}].seat", f"seat {seat.seat} stands twice")
        numbers.add(seat.seat)
        _check_seat(game, seat, index)


def check_cards(game: Game, asked: Round, *, dealer: bool, community: bool) -> None:
    """Check the dealer's and community cards, where something depends on them, and the deck."""
    _check_number("dealer", asked.dealer, game.dealer_cards, needed=dealer)
    _check_number("community", asked.community, game.community_cards, needed=community)
    everything = [*asked.dealer, *asked.community]
    for seat in asked.seats:
        everything += seat.cards
    if len(set(everything)) != len(everything):
        raise _duplicate(asked)


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
        raise BadInput("draws.magic_card", f"{magic_card!r} is not a card")


def _check_seat(game: Game, seat: Seat, index: int) -> None:
    if not seat.bets.keys() <= game.bet_names:
        name = next(name for name in seat.bets if name not in game.bet_names)
        raise BadInput(
            f"seats[{index}].bets.{name}",
            f"{game.id} has no such bet; its bets are {', '.join(game.bets)}",
        )
    has_ante = bool(seat.bets.get("ante"))
    if seat.decision is not UNSET:
        _check_decision(game, seat, f"seats[{index}].decision")
    elif has_ante:
        raise BadInput(f"seats[{index}].decision", "is missing; a seat with an ante needs one")
    if seat.decision not in TAKEN_OUT:
        _check_number(f"seats[{index}].cards", seat.cards, game.own_cards, needed=has_ante)


def _check_decision(game: Game, seat: Seat, field: str) -> None:
    """Refuse a decision that contradicts what lies on the layout."""
    decision, stay = seat.decision, game.stay
    if decision == stay:
        if not seat.bets.get(stay):
            raise BadInput(field, f"{stay} contradicts the layout, which has no {stay} bet")
        return
    if decision not in _IN_EVERY_GAME:
        raise BadInput(field, f"{decision!r} is no decision of {game.id}; it is {stay} or fold")
    placed = [wager.name for wager in game.wagers[1:] if seat.bets.get(wager.name)]
    if decision == "fold" and placed:
        raise BadInput(field, f"fold contradicts the layout, which has a {placed[0]} bet")
    if decision == "absent" and placed:
        last = game.wagers[-1].name
        if last in placed:
            raise BadInput(field, f"absent contradicts the {last} bet: no decision was left")
        if stay not in placed:
            raise BadInput(field, f"absent contradicts a {placed[0]} bet without a {stay} bet")


def _check_number(field: str, cards: Sequence[str], number: int, *, needed: bool) -> None:
    count = len(cards)
    if count == number or (count == 0 and not needed):
        return
    if count == 0:
        raise BadInput(field, f"is missing; {number} cards are needed")
    raise BadInput(field, f"has {count} cards; this game has {number or 'none'} here")


def _duplicate(asked: Round) -> BadInput:
    """Say which card lies in two places."""
    places = [("dealer", asked.dealer), ("community", asked.community)]
    places += [(f"seats[{index}].cards", seat.cards) for index, seat in enumerate(asked.seats)]
    seen: dict[str, str] = {}
    for field, names in places:
        for position, name in enumerate(names):
            here = f"{field}[{position}]"
            if name in seen:
                return BadInput(here, f"{name} lies at {seen[name]} already")
            seen[name] = here
    raise AssertionError("no card lies in two places")
