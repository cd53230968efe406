"""What a hand is worth: five, six or seven cards in, a strength out.

The codes of `cards.py` are added up; one bit of the sum says whether five cards
share a suit, the rest is a key into a table. Strengths are ordered as the rule
documents order hands (rws-holdem §3.1.2, mbs-megalink-stud §3.11–3.12): higher
beats lower, equal is a stand-off. A royal flush is a category of its own.

The tables are made in `hand_tables.py`. Who wins what is in `settle.py`.
"""

from collections.abc import Sequence
from typing import Literal, cast, get_args

from firmware.rules.cards import CODES, FLUSH_BITS, RANK_MASK, SUIT_BITS
from firmware.rules.hand_tables import CATEGORIES, load

Category = Literal[
    "royal_flush",
    "straight_flush",
    "four_of_a_kind",
    "full_house",
    "flush",
    "straight",
    "three_of_a_kind",
    "two_pairs",
    "one_pair",
    "five_odd_cards",
]
BEST_TO_LEAST: tuple[Category, ...] = get_args(Category)

_OF_RANKS, _OF_SUITED, _category_numbers = load()
_KEY_MASK = RANK_MASK | FLUSH_BITS
_of_ranks = _OF_RANKS.get
CATEGORY_OF = cast("tuple[Category, ...]", tuple([CATEGORIES[n] for n in _category_numbers]))
"""The category by strength; a strength of 0 means no hand."""


def strength(cards: Sequence[int]) -> int:
    """Rank the best five of five to seven card codes, from 1 to 7462."""
    total = sum(cards)
    # A flush bit is left in the key, so that a hand with a flush is in no table of ranks.
    return _of_ranks(total & _KEY_MASK) or _flush_strength(cards, total)


def five_strength(cards: Sequence[int]) -> int:
    """Rank exactly five card codes: `strength` for the common case, without its loop."""
    a, b, c, d, e = cards
    total = a + b + c + d + e
    return _of_ranks(total & _KEY_MASK) or _OF_SUITED[total & RANK_MASK]


def _flush_strength(cards: Sequence[int], total: int) -> int:
    """Rank a hand with five or more of a suit.

    With five suited cards of different ranks, two more cards can make neither four
    of a kind nor a full house, so the suited cards alone decide.
    """
    # The flush bit is the top bit of its suit's field; a card of the suit has the lowest set.
    of_the_suit = (total & FLUSH_BITS) >> (SUIT_BITS - 1)
    return _OF_SUITED[sum([card & RANK_MASK for card in cards if card & of_the_suit])]


LOWEST_ACE_KING = strength([CODES[name] for name in ("As", "Kd", "4c", "3h", "2s")])
"""The lowest hand with an ace and a king: what a stud dealer needs to qualify."""
