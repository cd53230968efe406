"""Megalink Singapore Stud Poker: which hand is higher (paragraphs 3.3, 3.11, 3.12).

Each hand of the order is the lowest of its kind against the highest of the next
kind down. What the hands are paid is in test_mbs_megalink_settlement.py.
"""

import pytest

from tests.rules.games import mbs_stud
from tests.rules.games.mbs_stud import MEGALINK

DOCUMENTS = ("mbs-megalink-stud",)


def category(hand: str) -> object:
    return mbs_stud.category(MEGALINK, hand)


def outranks(higher: str, lower: str) -> bool:
    return mbs_stud.outranks(MEGALINK, higher, lower)


def ties(one: str, other: str) -> bool:
    return mbs_stud.ties(MEGALINK, one, other)


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("Ac Ad 7h 5s 2c", "Kc Kd 7s 5c 2d"),
        ("Kc Kd 7h 5s 2c", "Qc Qd 7s 5c 2d"),
        ("Qc Qd 7h 5s 2c", "Jc Jd 7s 5c 2d"),
        ("Jc Jd 7h 5s 2c", "Tc Td 7s 5c 2d"),
        ("Tc Td 7h 5s 2c", "9c 9d 7s 5c 2d"),
        ("9c 9d 7h 5s 2c", "8c 8d 7s 5c 2d"),
        ("8c 8d Kh 5s 2c", "7c 7d Ks 5c 2d"),
        ("7c 7d Kh 5s 2c", "6c 6d Ks 5c 2d"),
        ("6c 6d Kh Js 2c", "5c 5d Ks Jc 2d"),
        ("5c 5d Kh Js 2c", "4c 4d Ks Jc 2d"),
        ("4c 4d Kh Js 2c", "3c 3d Ks Jc 2d"),
        ("3c 3d Kh Js 9c", "2c 2d Ks Jc 9d"),
    ],
)
def test_3_3_1_1_cards_rank_from_the_ace_down_to_the_two(higher: str, lower: str) -> None:
    assert outranks(higher, lower)


def test_3_3_1_2_the_ace_is_one_below_a_two() -> None:
    assert category("Ac 2d 3h 4s 5c") == "straight"
    assert category("Ac 2c 3c 4c 5c") == "straight_flush"


@pytest.mark.parametrize("hand", ["Kc Ad 2h 3s 4c", "Qc Kd Ah 2s 3c", "Jc Qd Kh As 2c"])
def test_3_3_1_2_straight_does_not_go_round_the_ace(hand: str) -> None:
    assert category(hand) == "five_odd_cards"


def test_3_3_1_3_suits_have_no_value() -> None:
    assert ties("As Ks Qs Js 9s", "Ac Kc Qc Jc 9c")


def test_3_11_1_royal_flush_is_the_highest_hand() -> None:
    assert category("Ad Kd Qd Jd Td") == "royal_flush"
    assert outranks("Ad Kd Qd Jd Td", "Ks Qs Js Ts 9s")


def test_3_11_2_straight_flush_beats_four_of_a_kind() -> None:
    assert category("Jc Tc 9c 8c 7c") == "straight_flush"
    assert outranks("5c 4c 3c 2c Ac", "Kh Kd Kc Ks As")


def test_3_11_3_four_of_a_kind_beats_a_full_house() -> None:
    assert category("Ac Ah Ad As Jh") == "four_of_a_kind"
    assert outranks("2c 2d 2h 2s 3c", "Ac Ad Ah Ks Kc")


def test_3_11_4_full_house_beats_a_flush() -> None:
    assert category("Kc Kh Kd As Ah") == "full_house"
    assert outranks("2c 2d 2h 3s 3c", "As Ks Qs Js 9s")


def test_3_11_5_flush_beats_a_straight() -> None:
    assert category("Jh 8h 6h 5h 2h") == "flush"
    assert outranks("7h 5h 4h 3h 2h", "Ac Kd Qs Jc Td")


def test_3_11_6_straight_beats_three_of_a_kind() -> None:
    assert category("9c 8d 7c 6h 5s") == "straight"
    assert outranks("5c 4d 3h 2s Ac", "As Ad Ah Kc Qd")


def test_3_11_6_the_ace_of_a_straight_is_high_or_low() -> None:
    assert category("Ac Kd Qs Jc Td") == "straight"
    assert category("5c 4d 3h 2s Ac") == "straight"


def test_3_11_7_three_of_a_kind_beats_two_pairs() -> None:
    assert category("Ts Th Tc 6h 3d") == "three_of_a_kind"
    assert outranks("2c 2d 2h 4s 3c", "As Ah Kd Kc Qs")


def test_3_11_8_two_pairs_beat_one_pair() -> None:
    assert category("Qs Qh 6c 6h 3d") == "two_pairs"
    assert outranks("3c 3d 2h 2s 4c", "As Ah Kd Qc Js")


def test_3_11_9_one_pair_beats_five_odd_cards() -> None:
    assert category("Ac Ah 8d 6h 5s") == "one_pair"
    assert outranks("2c 2d 5h 4s 3c", "As Kh Qd Jc 9s")


def test_3_11_10_five_odd_cards_are_the_lowest_hand() -> None:
    assert category("Qc Th 6d 5s 2h") == "five_odd_cards"
    assert mbs_stud.showdown(MEGALINK, "Ac Kh Qc Jc 9c", "2c 2d 5h 4s 3c") == "lose"


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("Ks Qs Js Ts 9s", "Qd Jd Td 9d 8d"),
        ("Ac Ad Ah As 2c", "Kc Kd Kh Ks Qc"),
        ("Ac 9c 5c 4c 2c", "Kd Qd Jd Td 8d"),
        ("Ac Jc 8c 5c 2c", "Ad Td 9d 7d 6d"),
        ("Ac Jc 8c 5c 3c", "Ad Jd 8d 5d 2d"),
        ("Ac Kd Qs Jc Td", "Kc Qd Js Tc 9d"),
        ("3c 3d 3h 5s 4c", "2c 2d 2h As Kc"),
        ("Ac Kd Jh 4s 2c", "Ad Kh Ts 9c 8d"),
        ("Ac Kd Jh 5s 2c", "Ad Kh Js 4c 3d"),
        ("Ac Kd Jh 5s 3c", "Ad Kh Js 5c 2d"),
    ],
)
def test_3_12_hands_of_one_kind_go_by_their_cards(higher: str, lower: str) -> None:
    assert outranks(higher, lower)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("As Ks Qs Js Ts", "Ad Kd Qd Jd Td"),
        ("Kc Jc 8c 5c 2c", "Kd Jd 8d 5d 2d"),
        ("Ac Kd Jh 5s 3c", "Ad Kh Js 5c 3d"),
    ],
)
def test_3_12_1_the_same_cards_stand_off(one: str, other: str) -> None:
    assert ties(one, other)


def test_3_12_2_the_higher_of_the_two_pairs_decides_first() -> None:
    assert outranks("Kc Kd 2h 2s 3c", "Qc Qd Jh Js Ac")


def test_3_12_2_the_second_pair_decides_next() -> None:
    assert outranks("Kc Kd 3h 3s 4c", "Kh Ks 2c 2d Ac")


def test_3_12_2_the_unpaired_card_decides_last() -> None:
    assert outranks("Kc Kd 3h 3s 5c", "Kh Ks 3c 3d 4c")


def test_3_12_2_equal_pairs_and_fifth_card_stand_off() -> None:
    assert ties("Kc Kd 3h 3s 5c", "Kh Ks 3c 3d 5d")


def test_3_12_3_the_higher_pair_decides_first() -> None:
    assert outranks("3c 3d 6h 5s 4c", "2c 2d Ah Ks Qc")


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("8c 8d Qh 3s 2c", "8h 8s Jc Td 9h"),
        ("8c 8d Qh Ts 2c", "8h 8s Qc 9d 7h"),
        ("8c 8d Qh Ts 3c", "8h 8s Qc Td 2h"),
    ],
)
def test_3_12_3_the_unpaired_cards_decide_from_the_highest(higher: str, lower: str) -> None:
    assert outranks(higher, lower)


def test_3_12_3_an_equal_pair_and_three_equal_cards_stand_off() -> None:
    assert ties("8c 8d Qh Ts 3c", "8h 8s Qc Td 3d")


def test_3_12_4_the_straight_to_the_five_is_the_lowest_straight() -> None:
    assert outranks("6c 5d 4h 3s 2c", "5c 4d 3h 2s Ac")


def test_3_12_4_the_straight_flush_to_the_five_is_the_lowest_straight_flush() -> None:
    assert outranks("6c 5c 4c 3c 2c", "5d 4d 3d 2d Ad")


def test_3_12_5_the_three_of_a_full_house_decide() -> None:
    assert outranks("4c 4d 4h 2s 2c", "3d 3h 3s Ac Ad")


def test_3_12_6_equal_straights_stand_off() -> None:
    assert ties("Qc Jd Th 9s 8c", "Qd Jh Ts 9c 8d")


def test_3_12_6_equal_straight_flushes_stand_off() -> None:
    assert ties("Qc Jc Tc 9c 8c", "Qd Jd Td 9d 8d")


def test_3_12_6_straights_to_the_five_stand_off() -> None:
    assert ties("5c 4d 3h 2s Ac", "5d 4h 3s 2c Ad")
