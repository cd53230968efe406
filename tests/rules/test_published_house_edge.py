"""Proves the published edge of the stud game for a player who bets on every hand.

All 4 × 10¹² deals of a player's and a dealer's hand are counted, by inclusion and
exclusion over the cards that two hands could have in common; what a hand of each
strength wins comes from `settle`. The edge under optimal play is not proved here:
it depends on the dealer's face-up card.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

from firmware.rules.cards import CODES, RANKS, SUITS
from firmware.rules.hands import LOWEST_ACE_KING, strength
from tests.rules.ask import settle
from tests.rules.rounds import STUD_GAMES

DECK = tuple(CODES)
DEALS = comb(52, 5) * comb(47, 5)
QUALIFIED = 1_463_700
"""The hands with which a dealer plays."""
ROYAL_FLUSH = 7_462
"""The highest of the strengths."""


class Shared(NamedTuple):
    """Cards that two hands could have in common, and how many differ from them only in suits."""

    cards: tuple[str, ...]
    alike: int


class Census(NamedTuple):
    """Deals against a dealer who qualifies: won, by the player's strength, and stood off."""

    won: Counter[int]
    stood_off: int
    example: dict[int, list[str]]


def codes(cards: Sequence[str]) -> tuple[int, ...]:
    return tuple(CODES[card] for card in cards)


def up_to_four_cards() -> Iterator[Shared]:
    """Yield what two different hands could have in common."""
    for size in range(5):
        alike: Counter[tuple[int, ...]] = Counter()
        example: dict[tuple[int, ...], tuple[str, ...]] = {}
        for cards in combinations(DECK, size):
            ranks = dict.fromkeys(SUITS, 0)
            for card in cards:
                ranks[card[1]] |= 1 << RANKS.index(card[0])
            shape = tuple(sorted(ranks.values()))
            alike[shape] += 1
            example[shape] = cards
        for shape, count in alike.items():
            yield Shared(example[shape], count)


def add_pairs(hands: Counter[int], weight: int, won: Counter[int]) -> int:
    """Add the pairs of a player's and a weaker dealer's hand to `won`; give the stand-offs."""
    stood_off = weaker = 0
    for place in sorted(hands):
        if place >= LOWEST_ACE_KING:
            won[place] += weight * hands[place] * weaker
            stood_off += hands[place] ** 2
            weaker += hands[place]
    return weight * stood_off


def count_deals() -> Census:
    """Count all deals of two hands without a card in common."""
    won: Counter[int] = Counter()
    stood_off = -QUALIFIED  # the last term: hands that share all five cards
    for cards, alike in up_to_four_cards():
        kept = codes(cards)
        rest = codes([card for card in DECK if card not in cards])
        hands = Counter(map(strength, map(kept.__add__, combinations(rest, 5 - len(kept)))))
        stood_off += add_pairs(hands, alike if len(cards) % 2 == 0 else -alike, won)
    name_of = {code: name for name, code in CODES.items()}
    example = {strength(hand): hand for hand in combinations(name_of, 5)}
    named = {place: [name_of[code] for code in hand] for place, hand in example.items()}
    return Census(won, stood_off, named)


def weak_dealer(hand: Sequence[str]) -> list[str]:
    """Deal a dealer who only just plays, or where a rank is gone a low pair, from what is left."""
    for ranks in "AK432", "66789":
        dealer: list[str] = []
        for place, rank in enumerate(ranks):
            suits = SUITS[place % 4 :] + SUITS[: place % 4]
            free = [rank + suit for suit in suits if rank + suit not in (*hand, *dealer)]
            dealer += free[:1]
        if len(dealer) == 5:
            return dealer
    raise AssertionError(hand)


def net(game: str, hand: Sequence[str], dealer: Sequence[str]) -> int:
    """Settle an ante of 1 and a BET of 2, and give what the player is up."""
    seat = {"seat": 1, "cards": hand, "decision": "bet", "bets": {"ante": 1, "bet": 2}}
    (result,) = settle({"game": game, "dealer": dealer, "seats": [seat]})["seats"]
    return sum(bet["winnings"] + bet["returned"] - bet["stake"] for bet in result["bets"].values())


def test_betting_on_every_hand_costs_16_61_percent_where_a_royal_pays_100() -> None:
    census = count_deals()
    no_hand = DEALS - QUALIFIED * comb(47, 5)
    lost = DEALS - no_hand - census.won.total() - census.stood_off
    high, low = ("As", "Kd", "9c", "5h", "2s"), ("Qs", "Jd", "8c", "4h", "3s")
    for game in STUD_GAMES:
        total = no_hand * net(game, high, low) + lost * net(game, low, high)
        for place, deals in census.won.items():
            if deals:
                hand = census.example[place]
                total += deals * net(game, hand, weak_dealer(hand))
        # The published figure is for 100 to 1 on a BET of two antes; these games pay 250 to 1.
        total -= census.won[ROYAL_FLUSH] * 2 * (250 - 100)
        assert f"{-total / DEALS:.2%}" == "16.61%"
