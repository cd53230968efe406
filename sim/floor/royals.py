"""Stacks the deck of a simulated round so that a seat is dealt a royal flush.

The cards come from the source in the order of the deal, as any others do: the table reads the hand,
and nobody claims it. In a game with a board, the seat's own cards and the first of the board make it.
"""

from collections.abc import Sequence
from random import Random

from firmware.rules.cards import CODES, SUITS
from firmware.rules.dealing import CardReader, card_order
from firmware.rules.game import Game

_RANKS = "AKQJT"


def deck_with_royal(
    game: Game, source: CardReader, seats: Sequence[int], seat: int, rng: Random
) -> list[str]:
    """Shuffle a deck that deals a royal flush to a seat."""
    suit = rng.choice(SUITS)
    royal = [rank + suit for rank in _RANKS]
    others = [card for card in CODES if card not in royal]
    rng.shuffle(others)
    # A shuffler may deal the board before the hands: each place has its own part of the five.
    wanted = {("seat", seat): royal[: game.own_cards], ("community", 0): royal[game.own_cards :]}
    deck = []
    for target in card_order(game, source, seats):
        place = wanted.get((target.to, target.seat))
        deck.append(place.pop(0) if place else others.pop())
    return deck + others
