"""What the jackpot bet of `rws-holdem` collects (§3.11.2, §4.2, §4.3).

One bet, one line of the pay table: these tests say which. How the jackpot pays
several winners is in `test_rws_holdem_awards.py`.
"""

import pytest

from tests.rules.ask import Json, settle
from tests.rules.games.rws_holdem import (
    ACES,
    JACKPOT,
    KINGS,
    bets,
    box,
    claims,
    empty_box,
    folded,
    jackpot_won,
    lost,
    played,
    settled,
)

DOCUMENTS = ("rws-holdem",)

BOARD_ROYAL = "Ah Kh Qh Jh Th"
BOARD_STRAIGHT_FLUSH = "9h 8h 7h 6h 5h"
BOARD_QUADS = "9h 9c 9d 9s Kc"

# The king-high straight flush of the board becomes a royal flush with the ace of
# hearts: on the turn or on the river, as the nine comes last or first.
ROYAL_ON_TURN_OVER_BOARD = "Kh Qh Jh Th 9h"
ROYAL_ON_RIVER_OVER_BOARD = "9h Kh Qh Jh Th"


def line(on: str, tier: str, *, seat: int = 1, **pays: int) -> Json:
    """Describe a claim on a minor line, by its fixed amount or its share."""
    return {"seat": seat, "on": on, "tier": tier, "level": "minor", **pays}


def major(tier: str, percent: int) -> Json:
    """Describe a claim on a major line."""
    return {"seat": 1, "on": "player", "tier": tier, "level": "major", "percent": percent}


RIVER_ROYAL = line("player", "royal_flush_river", percent=5)
STRAIGHT_FLUSH = line("player", "straight_flush", amount=150000)
QUADS = line("player", "four_of_a_kind", amount=30000)
COMMUNITY_ROYAL = line("community", "royal_flush", amount=1000000)
COMMUNITY_STRAIGHT_FLUSH = line("community", "straight_flush", amount=150000)
COMMUNITY_QUADS = line("community", "four_of_a_kind", amount=30000)

COMMUNITY_LINES = [
    (BOARD_ROYAL, COMMUNITY_ROYAL),
    (BOARD_STRAIGHT_FLUSH, COMMUNITY_STRAIGHT_FLUSH),
    (BOARD_QUADS, COMMUNITY_QUADS),
]


# The player's own lines


def test_4_2_royal_flush_on_the_flop_takes_the_whole_jackpot() -> None:
    assert claims(box("Ah Th", jackpot=JACKPOT), board="Kh Qh Jh 2c 4d") == [
        major("royal_flush_flop", 100)
    ]


@pytest.mark.parametrize(
    ("hole", "board"),
    [
        pytest.param("Ah 2c", "Kh Qh Jh Th 5d", id="one hole card"),
        pytest.param("Ah Th", "2c Kh Qh Jh 5d", id="two hole cards"),
    ],
)
def test_4_2_royal_flush_on_the_turn_takes_a_quarter(hole: str, board: str) -> None:
    assert claims(box(hole, jackpot=JACKPOT), board=board) == [major("royal_flush_turn", 25)]


@pytest.mark.parametrize(
    ("hole", "board"),
    [
        pytest.param("Ah 2c", "Kh Qh Jh 5d Th", id="one hole card"),
        pytest.param("Ah Th", "2c Kh Qh 5d Jh", id="two hole cards"),
        pytest.param("Ah 2c", "5d Kh Qh Jh Th", id="one hole card, blank on the flop"),
    ],
)
def test_4_2_royal_flush_on_the_river_takes_a_twentieth(hole: str, board: str) -> None:
    assert claims(box(hole, jackpot=JACKPOT), board=board) == [RIVER_ROYAL]


@pytest.mark.parametrize(
    ("hole", "board"),
    [
        pytest.param("9h 8h", "7h 6h 5h Ac Kd", id="two hole cards"),
        pytest.param("9h Ac", "8h 7h 6h 5h Kd", id="one hole card"),
        pytest.param("Ah 2h", "3h 4h 5h Kc 9d", id="the wheel"),
        pytest.param("Kh 9h", "Qh Jh Th Ac 2d", id="king high"),
    ],
)
def test_4_2_straight_flush_pays_1500(hole: str, board: str) -> None:
    assert claims(box(hole, jackpot=JACKPOT), board=board) == [STRAIGHT_FLUSH]


@pytest.mark.parametrize(
    ("hole", "board"),
    [
        pytest.param("9h 9d", "9c 9s 2c 5d Kh", id="two hole cards"),
        pytest.param("9h 2d", "9c 9s 9d 5d Kh", id="one hole card"),
    ],
)
def test_4_2_four_of_a_kind_pays_300(hole: str, board: str) -> None:
    assert claims(box(hole, jackpot=JACKPOT), board=board) == [QUADS]


@pytest.mark.parametrize(
    ("hole", "board"),
    [
        pytest.param("9s 9d", "Kh 9h 4h Kc 2s", id="full house"),
        pytest.param("Ah 3h", "Kh 9h 4h 8c 7s", id="flush"),
        pytest.param("Ah 3d", "Kh Qd Jh Th 4c", id="straight"),
        pytest.param("3d 3h", "Kc Kh Ks 9d 9c", id="full house on the board"),
    ],
)
def test_4_2_lesser_hands_lose_the_jackpot_bet(hole: str, board: str) -> None:
    answer = settle(played(box(hole, jackpot=JACKPOT), board=board, dealer="6c 6d"))
    assert answer["seats"][0]["bets"]["jackpot"] == lost(JACKPOT)
    assert answer["claims"] == []


def test_4_2_no_jackpot_bet_no_claim() -> None:
    answer = settle(played(box("Ah Th"), board="Kh Qh Jh 2c 4d"))
    assert answer["claims"] == []
    assert "jackpot" not in answer["seats"][0]["bets"]


def test_4_2_line_does_not_ask_who_won_the_hand() -> None:
    seat = settled(box("9h 9d", jackpot=JACKPOT), board="9c 9s Tc Td 2h", dealer="Th Ts")
    assert seat["bets"]["flop"]["outcome"] == "lose"
    assert seat["bets"]["jackpot"] == jackpot_won(30000)
    assert "4.2" in seat["rules"]


@pytest.mark.parametrize(
    ("hole", "board", "winnings"),
    [
        pytest.param("Ah Th", "Kh Qh Jh 2c 4d", 0, id="royal on the flop"),
        pytest.param("Ah 2c", "Kh Qh Jh Th 5d", 0, id="royal on the turn"),
        pytest.param("Ah 2c", "Kh Qh Jh 5d Th", 0, id="royal on the river"),
        pytest.param("9h 8h", "7h 6h 5h Ac Kd", 150000, id="straight flush"),
        pytest.param("9h 9d", "9c 9s 2c 5d Kh", 30000, id="four of a kind"),
        pytest.param("2c 2d", BOARD_ROYAL, 1000000, id="community royal"),
    ],
)
def test_4_2_winnings_hold_what_is_known_without_the_meter(
    hole: str, board: str, winnings: int
) -> None:
    assert bets(box(hole, jackpot=JACKPOT), board=board)["jackpot"] == jackpot_won(winnings)


# The community lines, and one line only


@pytest.mark.parametrize(("board", "claim"), COMMUNITY_LINES)
def test_4_2_community_lines_pay_fixed_amounts(board: str, claim: Json) -> None:
    assert claims(box("2c 3d", jackpot=JACKPOT), board=board) == [claim]


def test_i6_royal_flush_of_five_community_cards_is_no_river_royal() -> None:
    assert claims(box("As Ks", jackpot=JACKPOT), board=BOARD_ROYAL) == [COMMUNITY_ROYAL]


def test_i5_higher_straight_flush_than_the_board_is_claimed_once_on_the_board() -> None:
    hand = box("Th 2c", jackpot=JACKPOT)
    assert claims(hand, board=BOARD_STRAIGHT_FLUSH) == [COMMUNITY_STRAIGHT_FLUSH]


def test_i5_four_of_a_kind_on_the_board_is_claimed_once_on_the_board() -> None:
    assert claims(box("Ac Ad", jackpot=JACKPOT), board=BOARD_QUADS) == [COMMUNITY_QUADS]


@pytest.mark.parametrize(
    ("board", "claim"),
    [
        (ROYAL_ON_TURN_OVER_BOARD, major("royal_flush_turn", 25)),
        (ROYAL_ON_RIVER_OVER_BOARD, RIVER_ROYAL),
    ],
)
def test_i5_royal_flush_ranks_before_a_straight_flush_on_the_board(board: str, claim: Json) -> None:
    assert claims(box("Ah 2c", jackpot=JACKPOT), board=board) == [claim]


# Who keeps only the community lines


@pytest.mark.parametrize(("board", "claim"), COMMUNITY_LINES)
def test_3_11_2_a_folded_player_keeps_the_community_lines(board: str, claim: Json) -> None:
    answer = settle(played(folded("2c 3d", jackpot=JACKPOT), board=board, dealer=""))
    assert answer["claims"] == [claim]
    assert answer["seats"][0]["bets"]["jackpot"] == jackpot_won(claim["amount"])


OWN_LINES = [
    pytest.param("Ah Th", "Kh Qh Jh 2c 4d", id="royal on the flop"),
    pytest.param("Ah 2c", "Kh Qh Jh Th 5d", id="royal on the turn"),
    pytest.param("Ah 2c", "Kh Qh Jh 5d Th", id="royal on the river"),
    pytest.param("9h 8h", "7h 6h 5h Ac Kd", id="straight flush"),
    pytest.param("9h 9d", "9c 9s 2c 5d Kh", id="four of a kind"),
]


@pytest.mark.parametrize(("hole", "board"), OWN_LINES)
def test_3_11_2_a_folded_player_loses_his_own_lines(hole: str, board: str) -> None:
    answer = settle(played(folded(hole, jackpot=JACKPOT), board=board))
    assert answer["claims"] == []
    assert answer["seats"][0]["bets"]["jackpot"] == lost(JACKPOT)


@pytest.mark.parametrize(("hole", "board"), OWN_LINES)
def test_4_3_hidden_hand_has_no_line_of_its_own(hole: str, board: str) -> None:
    answer = settle(played(box(hole, revealed=False, jackpot=JACKPOT), board=board))
    assert answer["claims"] == []
    assert answer["seats"][0]["bets"]["jackpot"] == lost(JACKPOT)


@pytest.mark.parametrize(("board", "claim"), COMMUNITY_LINES)
def test_4_3_hidden_hand_keeps_the_community_lines(board: str, claim: Json) -> None:
    assert claims(box("2c 3d", revealed=False, jackpot=JACKPOT), board=board) == [claim]


@pytest.mark.parametrize(("hole", "board"), OWN_LINES)
def test_5_5_absent_player_loses_his_own_lines(hole: str, board: str) -> None:
    assert claims(box(hole, decision="absent", flop=5000, jackpot=JACKPOT), board=board) == []


@pytest.mark.parametrize(("board", "claim"), COMMUNITY_LINES)
def test_5_5_absent_player_keeps_the_community_lines(board: str, claim: Json) -> None:
    laid = box("2c 3d", decision="absent", flop=5000, jackpot=JACKPOT)
    assert claims(laid, board=board, dealer="") == [claim]


@pytest.mark.parametrize(
    "laid",
    [
        pytest.param(folded("Ah 2c", jackpot=JACKPOT), id="folded"),
        pytest.param(box("Ah 2c", revealed=False, jackpot=JACKPOT), id="hidden"),
        pytest.param(box("Ah 2c", decision="absent", jackpot=JACKPOT), id="absent"),
    ],
)
def test_i5_royal_flush_that_does_not_count_leaves_the_line_of_the_board(laid: Json) -> None:
    assert claims(laid, board=ROYAL_ON_RIVER_OVER_BOARD) == [COMMUNITY_STRAIGHT_FLUSH]


@pytest.mark.parametrize(
    "laid",
    [
        pytest.param(empty_box(jackpot=JACKPOT), id="no ante"),
        pytest.param(box("2c 3d", decision="withdrawn", jackpot=JACKPOT), id="withdrawn"),
        pytest.param(box("2c 3d", decision="invalid", jackpot=JACKPOT), id="invalid"),
    ],
)
def test_i15_bet_that_is_returned_has_not_even_a_community_line(laid: Json) -> None:
    assert claims(laid, board=BOARD_ROYAL) == []


def test_4_2_each_jackpot_bet_at_the_table_has_its_own_line_by_seat() -> None:
    boxes = [
        box("Ah 2d", seat=4, jackpot=JACKPOT),
        folded("Kd Ks", seat=1, jackpot=JACKPOT),
        box(ACES.replace("Ah", "Ac"), seat=3, jackpot=0),
        box("Qc Qd", seat=2, revealed=False, jackpot=JACKPOT),
    ]
    assert claims(*boxes, board=ROYAL_ON_RIVER_OVER_BOARD) == [
        COMMUNITY_STRAIGHT_FLUSH,
        COMMUNITY_STRAIGHT_FLUSH | {"seat": 2},
        RIVER_ROYAL | {"seat": 4},
    ]


def test_4_2_two_hands_of_one_board_may_hold_different_lines() -> None:
    boxes = [box("9h 9d", seat=1, jackpot=JACKPOT), box("7s 6s", seat=2, jackpot=JACKPOT)]
    assert claims(*boxes, board="9c 9s 8s Ts 2h", dealer=KINGS) == [
        QUADS,
        STRAIGHT_FLUSH | {"seat": 2},
    ]
