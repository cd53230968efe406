"""Cards: their names on the wire and the integers the evaluator adds up.

A card's name is rank then suit (`As`, `Td`, `9c`, `2h`). Inside the rules core a
card is its *code*, an integer built so that the sum of the codes of a hand says
everything that ranking the hand needs:

    bits 0–31   5 ** rank: in base 5 the sum has one digit per rank, and that
                digit counts the cards of the rank (never more than four)
    bits 32–55  six bits per suit, 7 for each card of the suit: the top bit of the
                six is set from five cards (35) up to seven (49), and not by
                four (28). That bit is the flush.

What a hand is worth is in `hands.py`; nothing here shuffles or deals.
"""

from collections.abc import Iterable, Sequence

RANKS = "23456789TJQKA"
SUITS = "cdhs"

SUIT_SHIFT = 32
SUIT_BITS = 6
RANK_MASK = (1 << SUIT_SHIFT) - 1
FLUSH_BITS = sum(1 << (SUIT_SHIFT + SUIT_BITS * suit + SUIT_BITS - 1) for suit in range(4))

CODES: dict[str, int] = {
    rank + suit: 5**r + (7 << (SUIT_SHIFT + SUIT_BITS * s))
    for s, suit in enumerate(SUITS)
    for r, rank in enumerate(RANKS)
}
"""Every card by its name; iterating gives the whole deck of 52."""

_code = CODES.__getitem__
_PIPS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def codes(names: Iterable[str]) -> tuple[int, ...]:
    """Turn the names of cards into codes; the names have been checked."""
    return tuple(map(_code, names))


def pretty(names: Sequence[str]) -> str:
    """Write cards as people do: `A♠ 10♦`."""
    return " ".join(f"{'10' if name[0] == 'T' else name[0]}{_PIPS[name[1]]}" for name in names)
