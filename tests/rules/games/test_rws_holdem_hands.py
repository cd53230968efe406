"""Which five-card hand beats which in `rws-holdem` (§1.10, §3.1).

Each case is a whole round: the flop bet shows who won. What a win pays is in
`test_rws_holdem_settlement.py`.
"""

import pytest

from tests.rules.ask import settle
from tests.rules.games.rws_holdem import BOARD, bets, box, played, settled

DOCUMENTS = ("rws-holdem",)

QUAD_NINES = "9h 9c 9d 9s 2c"
QUAD_FIVES = "5h 5c 5d 5s 2c"


def outcome(hole: str, dealer: str, board: str) -> str:
    """Say what the flop bet of a player comes to."""
    return str(bets(box(hole), board=board, dealer=dealer)["flop"]["outcome"])


def beats(higher: str, lower: str, board: str) -> bool:
    """Play the two hands against each other, once in each chair."""
    return outcome(higher, lower, board) == "win" and outcome(lower, higher, board) == "lose"


@pytest.mark.parametrize(
    ("higher", "lower", "board"),
    [
        ("A", "K", QUAD_FIVES),
        ("K", "Q", QUAD_FIVES),
        ("Q", "J", QUAD_FIVES),
        ("J", "T", QUAD_FIVES),
        ("T", "9", QUAD_FIVES),
        ("9", "8", QUAD_FIVES),
        ("8", "7", QUAD_FIVES),
        ("7", "6", QUAD_FIVES),
        ("6", "5", QUAD_NINES),
        ("5", "4", QUAD_NINES),
        ("4", "3", QUAD_NINES),
        ("3", "2", QUAD_NINES),
    ],
)
def test_3_1_1_cards_rank_from_the_ace_down_to_the_two(higher: str, lower: str, board: str) -> None:
    assert beats(f"{higher}d 2d", f"{lower}h 2s", board)


def test_3_1_1_all_suits_rank_the_same() -> None:
    assert outcome("Tc 9c", "Td 9d", BOARD) == "push"


def test_3_1_1_the_wheel_is_a_straight() -> None:
    assert settled(box("Ah 9c"), board="5h 4c 3d 2s Kh", dealer="Qd Qc")["category"] == "straight"


def test_3_1_1_the_wheel_is_the_lowest_straight() -> None:
    assert beats("6h 9d", "Ah 9c", "5h 4c 3d 2s Kh")


def test_3_1_1_the_wheel_of_one_suit_is_the_lowest_straight_flush() -> None:
    assert beats("6h 9d", "Ah 9c", "5h 4h 3h 2h Kc")


def test_3_1_1_the_wheel_of_one_suit_is_no_royal_flush() -> None:
    seat = settled(box("Ah 9c"), board="5h 4h 3h 2h Kc")
    assert seat["category"] == "straight_flush"


def test_3_1_1_an_ace_may_count_high_in_a_straight() -> None:
    assert beats("As Th", "Tc 9s", "Kh Qc Jd 4s 2c")


@pytest.mark.parametrize("hole", ["Ad 8h", "Ad Th"])
def test_3_1_1_a_straight_does_not_go_round_the_ace(hole: str) -> None:
    assert (
        settled(box(hole), board="Qh Kc 2d 3s 7c", dealer="6d 9h")["category"] == "five_odd_cards"
    )


@pytest.mark.parametrize(
    ("higher", "lower", "board", "categories"),
    [
        ("Ah 3c", "9h 3d", "Kh Qh Jh Th 2c", ("royal_flush", "straight_flush")),
        ("6h 5h", "9s 2c", "9h 8h 7h 9c 9d", ("straight_flush", "four_of_a_kind")),
        ("9s 2c", "4d 2d", "9c 9d 9h 4s 4c", ("four_of_a_kind", "full_house")),
        ("9s 9d", "Ah 3h", "Kh 9h 4h Kc 2s", ("full_house", "flush")),
        ("Ah 3h", "Jc Td", "Kh 9h 4h 8c 7s", ("flush", "straight")),
        ("Jc Td", "2h Ks", "9h 8c 7s 2d 2c", ("straight", "three_of_a_kind")),
        ("9s Jc", "7d Ah", "9h 9c 7s 4d 2c", ("three_of_a_kind", "two_pairs")),
        ("9s 7d", "Ah As", "9h 7s 4d 2c Jc", ("two_pairs", "one_pair")),
        ("2d 3h", "Ah Ks", "9h 7s 4d 2c Jc", ("one_pair", "five_odd_cards")),
    ],
)
def test_3_1_2_each_hand_beats_the_next_on_the_list(
    higher: str, lower: str, board: str, categories: tuple[str, str]
) -> None:
    answer = settle(played(box(higher), board=board, dealer=lower))
    assert (answer["seats"][0]["category"], answer["dealer"]) == (
        categories[0],
        {"category": categories[1]},
    )
    assert beats(higher, lower, board)


def test_3_1_3_a_the_higher_straight_wins() -> None:
    assert beats("Kd Qd", "8h 7h", "Jh Tc 9s 3d 2c")


def test_3_1_3_b_equal_pairs_are_decided_by_the_next_card() -> None:
    assert beats("5c Kd", "5d Qs", "5h Td 2c 7s 8h")


def test_3_1_3_c_ace_king_is_decided_by_the_third_card() -> None:
    assert beats("Jd 7c", "Td 7s", "Ah Kc 5d 4s 2h")


@pytest.mark.parametrize(
    ("higher", "lower", "board"),
    [
        pytest.param("Th 9h", "5h 4h", "8h 7h 6h 2c 2d", id="straight flush: highest card"),
        pytest.param("9d 9s", "4c 4h", "9h 9c 4d 4s 2c", id="four of a kind: the four"),
        pytest.param("Ad 3d", "Kd Qd", QUAD_NINES.replace("2c", "3c"), id="four: fifth card"),
        pytest.param("9s 3d", "4c Ad", "9h 9c 4d 4s 2c", id="full house: the three"),
        pytest.param("Kd Kc", "Qd Qc", "9h 9c 9d 4s 2c", id="full house: the two"),
        pytest.param("Qh 3h", "Jh Th", "Kh 9h 4h 8c 2s", id="flush: second card"),
        pytest.param("5h 2c", "3h 2d", "Kh 9h 8h 4h Qs", id="flush: fourth card"),
        pytest.param("8c 8d", "7c 7h", BOARD, id="three of a kind: the three"),
        pytest.param("9s Ad", "9d Kd", "9h 9c 7s 4d 2c", id="three of a kind: fourth card"),
        pytest.param("Jh 2d", "9c 7c", "9h 7s 4d 2c Jc", id="two pairs: higher pair"),
        pytest.param("7c 3d", "4c Ad", "Jc Jh 7s 4d 2c", id="two pairs: lower pair"),
        pytest.param("Ad 3c", "Kd 3d", "Jc Jh 7s 7d 2c", id="two pairs: fifth card"),
        pytest.param("Kh Kd", "Qh Qd", BOARD, id="one pair: the pair"),
        pytest.param("5d 3c", "4c 3d", "Ah Kc 9d 7s 2h", id="odd cards: fifth card"),
    ],
)
def test_3_1_3_hands_of_one_kind_are_decided_by_their_cards(
    higher: str, lower: str, board: str
) -> None:
    assert beats(higher, lower, board)


@pytest.mark.parametrize(
    ("hole", "dealer", "board"),
    [
        pytest.param("2c 2d", "Ks Kd", "9h 8c 7s 6d 5c", id="the board is the best hand of both"),
        pytest.param("5d 3c", "4c 2d", "Ah Kc Qd 9s 7h", id="a sixth card counts for nothing"),
        pytest.param("3c 3d", "Ks 2d", "Jc Jh 7s 7d Ac", id="a third pair counts for nothing"),
        pytest.param("Ac 2c", "Ad Kd", "As 8h 8c 8d Ah", id="three and two, the rest for nothing"),
    ],
)
def test_1_10_only_the_best_five_of_seven_cards_count(hole: str, dealer: str, board: str) -> None:
    assert outcome(hole, dealer, board) == "push"


@pytest.mark.parametrize(
    ("hole", "board", "category"),
    [
        ("2c 2d", "9h 8c 7s 6d 5c", "straight"),
        ("9d 2d", "9h 8c 7s 6h 5c", "straight"),
        ("9d 8d", "9h 8h 7s 2d Kc", "two_pairs"),
        ("9d 9s", "8h 8c 9c 2d Kc", "full_house"),
        ("9d 9s", "8h 8c 8d 9c Kc", "full_house"),
        ("7h 3h", "9h 8h 7c 6h 2h", "flush"),
        ("Qs 3d", "Ah Kh Qh Jh Th", "royal_flush"),
    ],
)
def test_1_10_any_five_of_board_and_hole_cards_make_the_hand(
    hole: str, board: str, category: str
) -> None:
    assert settled(box(hole), board=board, dealer="4c 4d")["category"] == category


def test_1_10_the_order_in_which_cards_lie_is_of_no_account() -> None:
    assert outcome("9c Tc", "9d Td", "4s Js 8h 7d 2c") == "push"
