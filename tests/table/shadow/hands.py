"""Ranks five cards as the documents do, and the best five of more; slow, plain, and nobody else's."""

from collections import Counter
from functools import lru_cache
from itertools import combinations

CATEGORIES = (
    "five_odd_cards",
    "one_pair",
    "two_pairs",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
)
_SHAPES = {
    (1, 1, 1, 1, 1): "five_odd_cards",
    (2, 1, 1, 1): "one_pair",
    (2, 2, 1): "two_pairs",
    (3, 1, 1): "three_of_a_kind",
    (3, 2): "full_house",
    (4, 1): "four_of_a_kind",
}
_RANKS = "23456789TJQKA"
ACE, KING = 12, 11

Ranked = tuple[int, tuple[int, ...]]
"""The category's place, then the ranks that decide between two of it, most important first."""


@lru_cache(maxsize=100_000)
def ranked(cards: tuple[str, ...]) -> Ranked:
    """Rank the best five of these cards."""
    return max(_five(five) for five in combinations(cards, 5))


def category(cards: tuple[str, ...]) -> str:
    """Name the best five of these cards."""
    return CATEGORIES[ranked(cards)[0]]


def at_least(cards: tuple[str, ...], least: str) -> bool:
    """Say whether a hand is of this category or better."""
    return ranked(cards)[0] >= CATEGORIES.index(least)


def qualifies(dealer: tuple[str, ...]) -> bool:
    """Say whether a dealer's five cards hold an ace and a king, or more."""
    ranks = {_RANKS.index(card[0]) for card in dealer}
    return at_least(dealer, "one_pair") or {ACE, KING} <= ranks


def _five(cards: tuple[str, ...]) -> Ranked:
    ranks = sorted((_RANKS.index(card[0]) for card in cards), reverse=True)
    counted = sorted(Counter(ranks).items(), key=lambda each: (each[1], each[0]), reverse=True)
    shape = _SHAPES[tuple(count for _, count in counted)]
    order = tuple(rank for rank, _ in counted)
    if shape == "five_odd_cards":
        suited = len({card[1] for card in cards}) == 1
        if order == (ACE, 3, 2, 1, 0):
            order = (3, 2, 1, 0, -1)
        in_sequence = order[0] - order[4] == 4
        if suited and in_sequence:
            shape = "royal_flush" if order[0] == ACE else "straight_flush"
        elif suited or in_sequence:
            shape = "flush" if suited else "straight"
    return CATEGORIES.index(shape), order
