"""A shuffled deck that deals the hands that are named, and no jackpot that nobody named.

A hand that nobody named must not decide a story. So a deck in which such a hand makes a line of the
game's jackpot is shuffled again: the player's, the dealer's or the board's, with as many cards of
the board as the line counts. The same seed gives the same deck.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from msgspec import Struct

from firmware.rules.cards import CODES
from firmware.rules.game import Game
from firmware.rules.hands import BEST_TO_LEAST, CATEGORY_OF, strength

Place = tuple[str, int]
"""Where a card goes, and to which seat: `("seat", 3)`, `("dealer", 0)`, `("community", 0)`."""
_HAND = 5
"""Fewer cards are no hand yet."""
_ATTEMPTS = 1_000
"""One of the first few will do, unless what is named pays whatever comes: four of a kind does."""


class Deal(Struct, frozen=True, kw_only=True):
    """What is to be dealt: the places in their order, the cards named for them, what came before."""

    game: Game
    order: Sequence[Place]
    named: Mapping[Place, Sequence[str]]
    came: Sequence[str] = ()
    """The first cards of this deal, which have left the source already."""

    @property
    def meant(self) -> frozenset[str]:
        """The cards that somebody named."""
        return frozenset(card for cards in self.named.values() for card in cards)


def stacked_deck(deal: Deal, seed: str) -> list[str]:
    """Stack a deck for a deal; what is not dealt comes after it."""
    deck: list[str] = []
    for attempt in range(_ATTEMPTS):
        deck = _stacked(deal, Random(f"{seed} {attempt}"))
        if not _pays_unnamed(deal, deck):
            break
    return deck


def _stacked(deal: Deal, rng: Random) -> list[str]:
    others = [card for card in CODES if card not in deal.meant and card not in deal.came]
    rng.shuffle(others)
    left = {place: list(cards) for place, cards in deal.named.items()}
    to_come = deal.order[len(deal.came) :]
    deck = [left[place].pop(0) if left.get(place) else others.pop() for place in to_come]
    # The rest of the deck: a box that was forgotten is dealt to as well.
    return [*deal.came, *deck, *others]


def _pays_unnamed(deal: Deal, deck: Sequence[str]) -> bool:
    """Return whether a hand with a card that nobody named makes a line of the jackpot."""
    dealt: dict[Place, list[str]] = {}
    for place, card in zip(deal.order, deck, strict=False):
        dealt.setdefault(place, []).append(card)
    meant = deal.meant.union(deal.came)
    lowest = max(BEST_TO_LEAST.index(line.category) for line in deal.game.lines)
    for hand in _hands(deal.game, dealt):
        as_named = _place_of([card for card in hand if card in meant])
        if _place_of(hand) <= min(lowest, as_named - 1):
            return True
    return False


def _hands(game: Game, dealt: Mapping[Place, Sequence[str]]) -> Iterator[Sequence[str]]:
    """List what can make a line: each hand, with every part of the board that a line counts."""
    board = dealt.get(("community", 0), ())
    parts = {line.board for line in game.lines} | {game.community_cards}
    for (to, _), cards in dealt.items():
        if to in {"seat", "dealer"}:
            yield from ([*cards, *board[:part]] for part in parts)
    yield board


def _place_of(hand: Sequence[str]) -> int:
    if len(hand) < _HAND:
        return len(BEST_TO_LEAST)
    return BEST_TO_LEAST.index(CATEGORY_OF[strength([CODES[card] for card in hand])])
