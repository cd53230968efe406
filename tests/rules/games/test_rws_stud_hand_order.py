"""The order of hands in the RWS stud games (§3.1.1 to §3.1.3, §1.14), seen through settlement.

Each hand is proved by who wins at the table. What a win pays is in
`test_rws_stud_settlement.py`.
"""

import pytest

from tests.rules.ask import settle
from tests.rules.games.rws_stud import (
    CASINO,
    MULTILINK,
    betting,
    both_games,
    settled,
    table,
)

DOCUMENTS = (MULTILINK, CASINO)

# The lowest hand of each rank against the highest hand of the rank below.
LADDER = [
    ("royal_flush", "Ad Kd Qd Jd Td", "Kc Qc Jc Tc 9c"),
    ("straight_flush", "5d 4d 3d 2d Ad", "Kc Kh Kd Ks Qh"),
    ("four_of_a_kind", "2c 2h 2d 2s 3d", "Ac Ah Ad Ks Kh"),
    ("full_house", "2c 2h 2d 3s 3h", "Ah Kh Qh Jh 9h"),
    ("flush", "7h 5h 4h 3h 2h", "Ac Kd Qs Jd Tc"),
    ("straight", "5c 4d 3c 2h As", "Ah Ad Ac Ks Qh"),
    ("three_of_a_kind", "2c 2h 2d 3s 4h", "Ac Ah Kd Ks Qh"),
    ("two_pairs", "2c 2h 3d 3s 4h", "Ac Ah Kd Qs Jh"),
    ("one_pair", "2c 2h 3d 4s 5h", "Ac Kh Qd Js 9h"),
]

# Two hands of one rank, the better one first.
SAME_RANK = [
    ("Kc Qc Jc Tc 9c", "Qd Jd Td 9d 8d"),
    ("6c 5c 4c 3c 2c", "5d 4d 3d 2d Ad"),
    ("3c 3d 3h 3s 4c", "2c 2d 2h 2s Ac"),
    ("4c 4d 4h 2s 2c", "3c 3d 3h As Ac"),
    ("Ac Jc 9c 5c 3c", "Ad Jd 9d 5d 2d"),
    ("6c 5d 4c 3d 2c", "5c 4d 3c 2d As"),
    ("Ac Kd Qc Jd Tc", "Kc Qd Jc Td 9c"),
    ("Qc Qd Qh 3s 2c", "Jc Jd Jh As Kc"),
    ("Kc Kd 3h 3s 2c", "Qc Qd Jh Js Ac"),
    ("Kc Kd 4h 4s 2c", "Kh Ks 3h 3s Ac"),
    ("Kc Kd 4h 4s 3c", "Kh Ks 4c 4d 2c"),
    ("Kc Kd 9h 5s 3c", "Kh Ks 9c 5d 2c"),
    ("Ac Kd Qh 5s 3c", "Ah Ks Qd 5d 2c"),
]


def outcome(game: str, player: str, dealer: str) -> str:
    result: str = settled(game, dealer, betting(player))["bets"]["ante"]["outcome"]
    return result


def category(game: str, cards: str) -> str:
    named: str = settled(game, "Ac 9s 8d 6s 2s", betting(cards))["category"]
    return named


def pair_of(rank: str, suits: str, kickers: str) -> str:
    return " ".join([rank + suits[0], rank + suits[1], *(kicker + suits[1] for kicker in kickers)])


@both_games
def test_3_1_1_all_suits_rank_alike(game: str) -> None:
    assert outcome(game, "Ac Kd 9c 5h 2c", "As Kh 9d 5s 2s") == "push"
    assert outcome(game, "Ac Kc 9c 5c 2c", "As Ks 9s 5s 2s") == "push"


@both_games
@pytest.mark.parametrize(
    ("higher", "lower", "kickers"),
    [
        ("A", "K", "Q74"),
        ("K", "Q", "A74"),
        ("Q", "J", "A74"),
        ("J", "T", "A74"),
        ("T", "9", "A74"),
        ("9", "8", "A74"),
        ("8", "7", "AQ4"),
        ("7", "6", "AQ4"),
        ("6", "5", "AQ9"),
        ("5", "4", "AQ9"),
        ("4", "3", "AQ9"),
        ("3", "2", "AQ9"),
    ],
)
def test_3_1_1_ranks_descend_from_ace_to_two(
    game: str, higher: str, lower: str, kickers: str
) -> None:
    better, worse = pair_of(higher, "cd", kickers), pair_of(lower, "hs", kickers)
    assert outcome(game, better, worse) == "win"
    assert outcome(game, worse, better) == "lose"


@both_games
def test_3_1_1_ace_counts_as_one_in_a_five_high_straight(game: str) -> None:
    assert category(game, "5c 4d 3c 2h Ah") == "straight"
    assert outcome(game, "5c 4d 3c 2h Ah", "6s 5d 4s 3h 2d") == "lose"


@both_games
def test_3_1_1_ace_low_straight_flush_is_no_royal_flush(game: str) -> None:
    assert category(game, "5d 4d 3d 2d Ad") == "straight_flush"


@both_games
@pytest.mark.parametrize("cards", ["Qc Kd Ah 2h 3d", "Kc Ad 2c 3h 4d", "Jc Qd Kc Ah 2h"])
def test_3_1_1_no_straight_runs_around_the_ace(game: str, cards: str) -> None:
    assert category(game, cards) == "five_odd_cards"


@both_games
@pytest.mark.parametrize(
    ("name", "cards"),
    [
        ("royal_flush", "Ad Kd Qd Jd Td"),
        ("straight_flush", "Qc Jc Tc 9c 8c"),
        ("four_of_a_kind", "Kc Kh Kd Ks Jh"),
        ("full_house", "Kc Kh Kd Js Jh"),
        ("flush", "Kh Jh 9h 5h 2h"),
        ("straight", "5c 4d 3c 2h Ah"),
        ("straight", "Ah Kc Qd Js Th"),
        ("three_of_a_kind", "Qs Qh Qd 8h 3d"),
        ("two_pairs", "7s 7h 4c 4h Jd"),
        ("one_pair", "Tc Th Kd 6h 3s"),
        ("five_odd_cards", "Qc Th 6d 4s 2h"),
    ],
)
def test_3_1_2_each_example_has_its_name(game: str, name: str, cards: str) -> None:
    assert category(game, cards) == name


@both_games
@pytest.mark.parametrize(("name", "better", "worse"), LADDER)
def test_3_1_2_lowest_of_a_rank_beats_highest_of_the_next(
    game: str, name: str, better: str, worse: str
) -> None:
    seat = settled(game, worse, betting(better))
    assert (seat["category"], seat["bets"]["ante"]["outcome"]) == (name, "win")
    assert outcome(game, worse, better) == "lose"


@both_games
def test_3_1_3_a_king_high_straight_beats_jack_high(game: str) -> None:
    assert outcome(game, "Kc Qd Jc Td 9c", "Jd Ts 9d 8s 7d") == "win"
    assert outcome(game, "Jd Ts 9d 8s 7d", "Kc Qd Jc Td 9c") == "lose"


@both_games
def test_3_1_3_b_equal_pairs_are_decided_by_the_next_card(game: str) -> None:
    assert outcome(game, "5c 5d Kc Td 2c", "5h 5s Qh Js Th") == "win"
    assert outcome(game, "5h 5s Qh Js Th", "5c 5d Kc Td 2c") == "lose"


@both_games
def test_3_1_3_c_ace_king_is_decided_by_the_third_card(game: str) -> None:
    assert outcome(game, "Ac Kd Jc 5d 2c", "Ah Ks Th 6s 4h") == "win"
    assert outcome(game, "Ah Ks Th 6s 4h", "Ac Kd Jc 5d 2c") == "lose"


@both_games
@pytest.mark.parametrize(("better", "worse"), SAME_RANK)
def test_3_1_3_hands_of_one_rank_are_decided_by_their_cards(
    game: str, better: str, worse: str
) -> None:
    assert outcome(game, better, worse) == "win"


@both_games
def test_3_1_3_order_of_the_cards_in_a_hand_is_of_no_account(game: str) -> None:
    assert outcome(game, "2c 5h Ac 9c Kd", "Kh 2s 9d As 5s") == "push"


@both_games
@pytest.mark.parametrize(
    ("dealer", "qualifies"),
    [
        ("As Kd 4c 3h 2s", True),
        ("2s 3h Kd 4c As", True),
        ("2s 2d 3c 4h 5s", True),
        ("5s 4d 3c 2h As", True),
        ("7s 5s 4s 3s 2s", True),
        ("As Qd Jc Th 9s", False),
        ("Ks Qd Jc Th 8s", False),
        ("7s 5d 4c 3h 2s", False),
    ],
)
def test_1_14_dealer_qualifies_with_ace_and_king_or_better(
    game: str, dealer: str, *, qualifies: bool
) -> None:
    answer = settle(table(game, dealer, betting("Tc Td 8c 6h 6d")))
    assert answer["dealer"]["qualifies"] is qualifies
