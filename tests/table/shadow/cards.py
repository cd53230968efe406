"""Stacks decks: hands that win something come often, so that a search of seconds meets them all."""

from collections.abc import Callable
from random import Random

from tests.table.shadow.letter import Letter

DECK = tuple(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")
_RANKS = "23456789TJQKA"


class Stack:
    """The cards of one round: what each place will get, and the rest for whatever else is drawn."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._left = list(DECK)
        rng.shuffle(self._left)

    def any(self) -> str:
        """Take any card."""
        return self._left.pop()

    def many(self, count: int) -> list[str]:
        """Take any cards."""
        return [self.any() for _ in range(count)]

    def these(self, cards: list[str]) -> list[str] | None:
        """Take these cards if all of them are left."""
        if len(set(cards)) < len(cards) or not set(cards) <= set(self._left):
            return None
        for card in cards:
            self._left.remove(card)
        return cards

    def stud(self, like: list[str] | None = None) -> list[str]:
        """Take a hand of five: any, or one that wins something, or one that ties with another."""
        rng = self._rng
        kind = rng.choice(["any", "any", "any", "ace-king", "royal", *_STUD])
        found = None
        if like and rng.random() < 0.25:
            found = self._twin(like)
        elif kind == "ace-king":
            found = self.these(["A" + rng.choice("cdhs"), "K" + rng.choice("cdhs"), *_odd(rng)])
        elif kind in _STUD:
            found = self.these(_STUD[kind](rng))
        hand = found or self.many(5)
        rng.shuffle(hand)
        return hand

    def _twin(self, like: list[str]) -> list[str] | None:
        """Take a hand of the same ranks as another, if there is one."""
        twin: list[str] = []
        for card in like:
            left = [each for each in self._left if each[0] == card[0] and each not in twin]
            twin += left[:1]
        return self.these(twin) if len(twin) == len(like) else None

    def holdem(self, hands: int) -> tuple[list[list[str]], list[str], list[str]]:
        """Take hole cards for so many hands, the board in its order, and the dealer's two."""
        rng = self._rng
        lucky, board, dealer = rng.choice(_HOLDEM)(rng)
        self.these([card for card in (*lucky, *board, *dealer) if card])
        board = [card or self.any() for card in board]
        board += self.many(5 - len(board))
        at = rng.randrange(hands) if hands else -1
        holes = [
            [*lucky, *self.many(2 - len(lucky))] if seat == at else self.many(2)
            for seat in range(hands)
        ]
        return holes, board, dealer or self.many(2)


Cards = list[str]
"""A card that is not named may be any."""
ANY = ""


def _suited(rng: Random, ranks: str) -> list[str]:
    suit = rng.choice("cdhs")
    return [rank + suit for rank in ranks]


def _straight_flush(rng: Random) -> list[str]:
    first = rng.randrange(-1, 8)
    ranks = [("A" if n < 0 else _RANKS[n]) for n in range(first, first + 5)]
    return _suited(rng, "".join(ranks))


def _same(rng: Random, *counts: int) -> list[str]:
    ranks = rng.sample(_RANKS, len(counts))
    suits = [rng.sample("cdhs", count) for count in counts]
    return [rank + suit for rank, each in zip(ranks, suits, strict=True) for suit in each]


def _odd(rng: Random) -> list[str]:
    return [rank + rng.choice("cdhs") for rank in rng.sample("23456789T", 3)]


def _straight(rng: Random) -> list[str]:
    return [card[0] + rng.choice("cdhs") for card in _straight_flush(rng)]


def _royal(rng: Random) -> list[str]:
    royal = _suited(rng, "AKQJT")
    rng.shuffle(royal)
    return royal


def _late_royal(rng: Random) -> tuple[Cards, Cards, Cards]:
    """Make a royal flush of one or two hole cards and cards anywhere on the board."""
    royal, own = _royal(rng), rng.choice([1, 2])
    board = [*royal[own:], *[ANY] * own]
    rng.shuffle(board)
    return royal[:own], board, []


def _shared(cards: Cards, rng: Random, own: int) -> tuple[Cards, Cards, Cards]:
    rng.shuffle(cards)
    board = [*cards[own:], *[ANY] * (5 - len(cards) + own)]
    rng.shuffle(board)
    return cards[:own], board, []


_HOLDEM: tuple[Callable[[Random], tuple[Cards, Cards, Cards]], ...] = (
    lambda _: ([], [], []),
    lambda _: ([], [], []),
    lambda rng: (["As", "Ad"], [], rng.choice([["Ac", "Ah"], []])),
    lambda rng: (_royal(rng)[:1], [], []),
    lambda rng: ((royal := _royal(rng))[:2], royal[2:], []),
    _late_royal,
    _late_royal,
    lambda rng: _shared(_royal(rng), rng, 0),
    lambda rng: _shared(_straight_flush(rng), rng, 0),
    lambda rng: _shared(_straight_flush(rng), rng, 2),
    lambda rng: _shared(_same(rng, 4, 1), rng, 0),
    lambda rng: _shared(_same(rng, 4), rng, 2),
)
"""Hole cards of one seat, the board, and the dealer's cards, of which each may be left open."""
_STUD: dict[str, Callable[[Random], list[str]]] = {
    "royal": lambda rng: _suited(rng, "AKQJT"),
    "straight flush": _straight_flush,
    "four": lambda rng: _same(rng, 4, 1),
    "full house": lambda rng: _same(rng, 3, 2),
    "flush": lambda rng: _suited(rng, "".join(rng.sample(_RANKS, 5))),
    "straight": _straight,
    "three": lambda rng: _same(rng, 3, 1, 1),
    "two pairs": lambda rng: _same(rng, 2, 2, 1),
}


def stacked(
    letter: Letter, seats: list[int], rng: Random
) -> tuple[dict[int | str, list[str]], Stack]:
    """Give the cards of every place of a round in the order they come there, and what is left."""
    stack = Stack(rng)
    places: dict[int | str, list[str]] = {}
    if letter.holdem:
        holes, places["board"], places["dealer"] = stack.holdem(len(seats))
        places |= dict(zip(seats, holes, strict=True))
        return places, stack
    for seat in seats:
        places[seat] = stack.stud()
    like = places[rng.choice(seats)] if seats else None
    places["dealer"] = stack.stud(like)
    return places, stack
