"""Proves what a hand is worth: every hand of five, every table entry, every wheel.

The referee is phevaluator, which shares nothing with `hands.py`: it numbers the
7,462 strengths from 1, the best, where ours rise to 7,462. What a game pays for
a hand, and when a dealer needs one, is proved in `games/`.
"""

import os
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement, cycle, groupby, product
from operator import add
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from phevaluator import evaluate_cards

from firmware.rules import hand_tables
from firmware.rules.cards import CODES, RANKS, SUITS, codes
from firmware.rules.hands import (
    BEST_TO_LEAST,
    CATEGORY_OF,
    LOWEST_ACE_KING,
    five_strength,
    strength,
)
from tests.rules.ask import refused

SOAK = bool(os.environ.get("SOAK"))
SAMPLE = 2_000_000 if SOAK else 100_000
STRENGTHS = 7462
DECK = tuple(CODES)
TWO_SUITS = [[card for card in DECK if card[1] in pair] for pair in combinations(SUITS, 2)]
"""Half decks, in which flushes are common."""
WHEEL = "A2345"


class Census(NamedTuple):
    """Every five-card hand of the deck, by strength."""

    hands: Counter[int]
    example: dict[int, Sequence[int]]


@pytest.fixture(scope="module")
def census() -> Census:
    hands: Counter[int] = Counter()
    example: dict[int, Sequence[int]] = {}
    for hand in combinations(CODES.values(), 5):
        found = strength(hand)
        hands[found] += 1
        example[found] = hand
    return Census(hands, example)


def of(names: str) -> int:
    """Give the strength of cards written in one line."""
    return strength(codes(names.split()))


def referee(names: Iterable[str]) -> int:
    """Give the strength that phevaluator finds, counted upwards as ours are."""
    return STRENGTHS + 1 - int(evaluate_cards(*names))


def agreed(hands: Iterable[Sequence[str]]) -> int:
    """Hold each hand against the referee, and give how many there were."""
    count = 0
    for count, hand in enumerate(hands, start=1):  # noqa: B007
        assert strength([CODES[name] for name in hand]) == referee(hand), hand
    return count


def sampled(size: int, count: int, seed: int) -> Iterator[list[str]]:
    rng = random.Random(seed)
    return (rng.sample(DECK, size) for _ in range(count))


def test_all_hands_of_five_fall_into_the_published_categories(census: Census) -> None:
    found: Counter[str] = Counter()
    for hand_strength, count in census.hands.items():
        found[CATEGORY_OF[hand_strength]] += count
    assert found == {
        "royal_flush": 4,
        "straight_flush": 36,
        "four_of_a_kind": 624,
        "full_house": 3_744,
        "flush": 5_108,
        "straight": 10_200,
        "three_of_a_kind": 54_912,
        "two_pairs": 123_552,
        "one_pair": 1_098_240,
        "five_odd_cards": 1_302_540,
    }


def test_every_strength_from_1_to_7462_occurs_and_no_other(census: Census) -> None:
    assert sorted(census.hands) == list(range(1, 7463))


def test_five_strength_is_strength_for_every_hand_of_five() -> None:
    hands = combinations(CODES.values(), 5)
    assert all(five_strength(hand) == strength(hand) for hand in hands)


def test_categories_follow_each_other_from_best_to_least() -> None:
    downwards = (CATEGORY_OF[place] for place in range(STRENGTHS, 0, -1))
    assert tuple(name for name, _ in groupby(downwards)) == BEST_TO_LEAST


def test_a_dealer_holds_ace_king_or_better_1463700_times(census: Census) -> None:
    qualified = sum(count for place, count in census.hands.items() if place >= LOWEST_ACE_KING)
    assert qualified == 1_463_700


def test_each_of_the_7462_strengths_stands_where_the_referee_puts_it(census: Census) -> None:
    name_of = {code: name for name, code in CODES.items()}
    upwards = [
        referee([name_of[code] for code in census.example[place]])
        for place in sorted(census.example)
    ]
    assert upwards == list(range(1, 7463))


@pytest.mark.soak
def test_every_hand_of_five_agrees_with_the_referee() -> None:
    assert agreed(combinations(DECK, 5)) == 2_598_960


@pytest.mark.parametrize(("size", "count"), [(5, 6_175), (6, 18_395), (7, 49_205)])
def test_every_combination_of_ranks_without_a_flush_agrees_with_the_referee(
    size: int, count: int
) -> None:
    # Suits that go round keep equal ranks apart, and give no suit more than two cards.
    dealable = (
        ranks
        for ranks in combinations_with_replacement(RANKS, size)
        if max(Counter(ranks).values()) <= 4
    )
    hands = (list(map(add, ranks, cycle(SUITS))) for ranks in dealable)
    assert agreed(hands) == count


@pytest.mark.parametrize("suit", SUITS)
def test_every_flush_of_five_to_seven_suited_cards_agrees_with_the_referee(suit: str) -> None:
    suited = [rank + suit for rank in RANKS]
    for size, count in (5, 1_287), (6, 1_716), (7, 1_716):
        assert agreed(combinations(suited, size)) == count


@pytest.mark.parametrize("size", [6, 7])
def test_random_hands_agree_with_the_referee(size: int) -> None:
    assert agreed(sampled(size, SAMPLE, seed=size)) == SAMPLE


@pytest.mark.parametrize(("size", "count"), [(6, 20_000), (7, 5_000)])
def test_a_hand_is_worth_its_best_five_cards(size: int, count: int) -> None:
    for names in sampled(size, count, seed=10 + size):
        cards = codes(names)
        assert strength(cards) == max(map(strength, combinations(cards, 5))), names


def suit_patterns(size: int) -> list[tuple[str, ...]]:
    """List every way to give cards suits, where renaming the suits makes no new way."""
    return [
        suits
        for suits in product(SUITS, repeat=size)
        if "".join(dict.fromkeys(suits)) == SUITS[: len(set(suits))]
    ]


def test_every_seven_cards_with_a_wheel_agree_with_the_referee() -> None:
    patterns = suit_patterns(7)
    assert len(patterns) == 715  # partitions of seven cards into at most four suits
    hands = (
        list(map(add, (*WHEEL, *others), suits))
        for others in combinations_with_replacement(RANKS, 2)
        for suits in patterns
    )
    assert agreed(hand for hand in hands if len(set(hand)) == 7) == 50_564


def test_a_wheel_is_the_least_straight_and_no_ace_high_hand() -> None:
    assert CATEGORY_OF[of("As 2d 3c 4h 5s")] == "straight"
    assert of("As 2d 3c 4h 5s") < of("2d 3c 4h 5s 6s")
    assert of("As 2d 3c 4h 5s") > of("Ad Ac Ah Ks Qs")
    assert of("As 2d 3c 4h 5s Kd Kc") == of("Ad 2s 3s 4c 5c 9h 9s")
    assert CATEGORY_OF[of("As 2s 3s 4s 5s")] == "straight_flush"
    assert of("As 2s 3s 4s 5s") < of("2s 3s 4s 5s 6s")
    assert of("As 2s 3s 4s 5s") > of("Ad Ac Ah As Ks")


def test_a_straight_does_not_go_round_the_ace() -> None:
    assert CATEGORY_OF[of("Qs Kd Ac 2h 3s")] == "five_odd_cards"
    assert CATEGORY_OF[of("Ks As 2s 3s 4s")] == "flush"


@given(
    deck=st.sampled_from([DECK, *TWO_SUITS]),
    suits=st.permutations(SUITS),
    data=st.data(),
)
def test_suits_and_the_order_of_cards_make_no_difference(
    deck: Sequence[str], suits: list[str], data: st.DataObject
) -> None:
    names = data.draw(st.lists(st.sampled_from(deck), min_size=5, max_size=7, unique=True))
    renamed = dict(zip(SUITS, suits, strict=True))
    others = [name[0] + renamed[name[1]] for name in data.draw(st.permutations(names))]
    assert strength(codes(others)) == strength(codes(names))


def test_the_committed_tables_are_what_the_module_builds() -> None:
    assert hand_tables.FILE.read_bytes() == hand_tables.packed()


def test_a_deck_is_52_cards_whose_codes_differ() -> None:
    assert set(DECK) == {rank + suit for rank in "A23456789TJQK" for suit in "cdhs"}
    assert len(set(CODES.values())) == 52


def test_codes_stand_in_the_order_of_their_names() -> None:
    assert codes(["As", "2c"]) == (CODES["As"], CODES["2c"])


@pytest.mark.parametrize(
    "bad", ["", "A", "s", "sA", "as", "AS", "1s", "10s", "Ass", "Xs", "Ax", "A♠", " As", "As\n"]
)
def test_what_is_not_a_card_is_refused_with_its_place(bad: str) -> None:
    seat = {"seat": 3, "cards": ["As", bad, "2c", "3c", "4c"], "bets": {"ante": 1}}
    document = {"game": "rws-multilink-stud", "seats": [{**seat, "decision": "fold"}]}
    refusal = refused("settle", document)
    assert refusal.field == "seats[0].cards[1]"
    assert repr(bad) in refusal.reason
