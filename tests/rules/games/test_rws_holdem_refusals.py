"""What `rws-holdem` refuses as bad input, and which rounds need no dealer or board.

Most of it is the contract's and not a paragraph's, so most tests carry no number.
"""

import pytest

from tests.rules.ask import Json, refused, settle
from tests.rules.games.rws_holdem import (
    ACES,
    ANTE,
    BOARD,
    FLOP,
    GAME,
    JACKPOT,
    KINGS,
    bets,
    box,
    cards,
    empty_box,
    folded,
    lost,
    played,
)

DOCUMENTS = ("rws-holdem",)

ABSENT = box(ACES, decision="absent")
WITHDRAWN = box(ACES, decision="withdrawn", flop=FLOP, jackpot=JACKPOT)
INVALID = box(ACES, decision="invalid", flop=FLOP, jackpot=JACKPOT)
OUT_OF_THE_ROUND = [
    pytest.param(folded(ACES, bonus=1000), id="folded"),
    pytest.param(ABSENT, id="absent"),
    pytest.param(box(ACES, decision="absent", flop=FLOP, turn=2500), id="absent after the turn"),
    pytest.param(WITHDRAWN, id="withdrawn"),
    pytest.param(INVALID, id="invalid"),
    pytest.param(empty_box(jackpot=JACKPOT), id="no ante"),
]


# Rounds without dealer or board


@pytest.mark.parametrize("laid", OUT_OF_THE_ROUND)
def test_dealer_and_board_are_not_needed_when_no_hand_is_left(laid: Json) -> None:
    assert settle(played(laid, board="", dealer=""))["dealer"] is None


def test_dealer_and_board_may_be_empty_lists_when_no_hand_is_left() -> None:
    round_played = played(folded(ACES), board="", dealer="") | {"dealer": [], "community": []}
    answer = settle(round_played)
    assert answer["dealer"] is None
    assert answer["seats"][0]["bets"] == {"ante": lost(ANTE)}


def test_category_is_absent_where_no_full_hand_is_known() -> None:
    answer = settle(played(folded(ACES), board="", dealer=""))
    assert "category" not in answer["seats"][0]


def test_3_11_2_board_alone_is_enough_for_a_folded_jackpot_bet() -> None:
    answer = settle(played(folded(ACES, jackpot=JACKPOT), dealer=""))
    assert answer["dealer"] is None
    assert answer["seats"][0]["bets"] == {"ante": lost(ANTE), "jackpot": lost(JACKPOT)}


def test_i33_dealer_without_a_board_has_no_full_hand() -> None:
    assert settle(played(folded(ACES), board="", dealer=KINGS))["dealer"] is None


@pytest.mark.parametrize("decision", ["fold", "absent"])
def test_board_is_needed_for_a_jackpot_bet_that_keeps_the_community_lines(decision: str) -> None:
    laid = box(ACES, decision=decision, jackpot=JACKPOT)
    assert "community" in str(refused("settle", played(laid, board="", dealer="")))


@pytest.mark.parametrize("revealed", [True, False])
def test_dealer_is_needed_for_a_hand_still_in_the_round(*, revealed: bool) -> None:
    boxes = (folded(ACES), box(KINGS, seat=2, revealed=revealed))
    assert "dealer" in str(refused("settle", played(*boxes, dealer="")))


def test_board_is_needed_for_a_hand_still_in_the_round() -> None:
    assert "community" in str(refused("settle", played(box(ACES), board="")))


def test_dealer_has_a_category_and_nothing_to_qualify_for() -> None:
    assert settle(played(box(ACES), dealer=KINGS))["dealer"] == {"category": "one_pair"}


def test_stake_of_zero_is_no_bet() -> None:
    results = bets(box(KINGS, turn=0, river=0), dealer=ACES)
    assert (results["ante"], results["flop"]) == (lost(ANTE), lost(FLOP))


# Decisions that contradict the layout


@pytest.mark.parametrize(
    "laid",
    [
        pytest.param(box(ACES, flop=0), id="flop without a flop bet"),
        pytest.param(box(ACES, flop=0, turn=2500), id="turn bet without a flop bet"),
        pytest.param(folded(ACES, flop=FLOP), id="fold with a flop bet"),
        pytest.param(folded(ACES, turn=2500), id="fold with a turn bet"),
        pytest.param(folded(ACES, river=2500), id="fold with a river bet"),
        pytest.param(
            box(ACES, decision="absent", flop=FLOP, turn=2500, river=2500),
            id="absent with a river bet",
        ),
        pytest.param(
            box(ACES, decision="absent", flop=FLOP, river=2500),
            id="absent with a river bet, turn checked",
        ),
        pytest.param(
            empty_box(flop=FLOP) | {"decision": "fold"}, id="fold with a flop bet, no ante"
        ),
        pytest.param(
            empty_box(bonus=1000) | {"decision": "flop"}, id="flop without a flop bet, no ante"
        ),
        pytest.param(box(ACES, decision="bet", flop=FLOP), id="a decision of the stud games"),
        pytest.param(box(ACES, decision="check"), id="no decision of any game"),
    ],
)
def test_i33_decision_that_contradicts_the_layout_is_refused(laid: Json) -> None:
    error = refused("settle", played(laid))
    assert error.field
    assert error.reason


def test_decision_of_a_box_with_an_ante_is_needed() -> None:
    laid = box(ACES)
    del laid["decision"]
    assert "decision" in str(refused("settle", played(laid)))


# Cards, stakes, limits and keys that cannot be


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        pytest.param({"community": cards("2c 7d 8h Js")}, "community", id="four community cards"),
        pytest.param({"community": [*cards(BOARD), "9d"]}, "community", id="six community cards"),
        pytest.param({"dealer": cards("Tc 3s 4d")}, "dealer", id="three cards for the dealer"),
        pytest.param({"dealer": ["Tc"]}, "dealer", id="one card for the dealer"),
        pytest.param({"dealer": cards("Tc 7d")}, "7d", id="a card twice"),
        pytest.param({"dealer": cards("Ah 3s")}, "Ah", id="a card of the player"),
        pytest.param({"dealer": cards("1c 3s")}, "1c", id="an impossible card"),
        pytest.param({"draws": {"magic_card": "7d"}}, "draws", id="draws"),
        pytest.param({"limits": {"bet_max": 1}}, "bet_max", id="an unknown limit"),
        pytest.param({"limits": {"ante_min": 2, "ante_max": 1}}, "ante_m", id="crossed limits"),
        pytest.param({"game": "texas"}, "game", id="an unknown game"),
        pytest.param({"shoe": 1}, "shoe", id="an unknown key"),
    ],
)
def test_round_that_cannot_be_is_refused_by_name(changed: Json, named: str) -> None:
    assert named in str(refused("settle", played(box(ACES)) | changed))


@pytest.mark.parametrize(
    ("laid", "named"),
    [
        pytest.param(box("Ah"), "cards", id="one hole card"),
        pytest.param(box("Ah Ad As"), "cards", id="three hole cards"),
        pytest.param({**box(ACES), "cards": []}, "cards", id="no hole cards"),
        pytest.param(box(ACES, ante=-1), "ante", id="a negative stake"),
        pytest.param(box(ACES, bet=5000), "bet", id="a bet of the stud games"),
        pytest.param(box(ACES, jackpot_dealer=100), "jackpot_dealer", id="a dealer wager"),
        pytest.param(box(ACES, seat=0), "seat", id="seat zero"),
        pytest.param(box(ACES) | {"hat": True}, "hat", id="an unknown key"),
    ],
)
def test_box_that_cannot_be_is_refused_by_name(laid: Json, named: str) -> None:
    assert named in str(refused("settle", played(laid)))


def test_seat_that_comes_twice_is_refused() -> None:
    assert "seat" in str(refused("settle", played(box(ACES), folded(KINGS))))


# Rulings that cannot be given


def test_dealer_card_exposed_cannot_happen_without_a_face_up_card() -> None:
    document = {"game": GAME, "irregularity": "dealer_card_exposed", "facts": {}}
    assert refused("ruling", document).field == "irregularity"


@pytest.mark.parametrize(
    ("irregularity", "facts", "missing"),
    [
        ("cards_exposed", {"count": 2}, "any_player_seen"),
        ("cards_exposed", {"any_player_seen": False}, "count"),
        ("misdeal", {"any_player_seen": False}, "movable"),
        ("community_count_wrong", {"reconstructable": False}, "before_next_round"),
        ("player_count_wrong", {"reconstructable": False, "before_next_round": True}, "seat"),
        ("no_burn", {"any_player_seen": False}, "reconstructable"),
        ("simultaneous_draw", {}, "order_known"),
        ("jackpot_fault", {}, "any_player_seen"),
        ("interruption", {}, "outcome_established"),
        ("extra_hand_examined", {"seats": [1, 2], "first_seat": 1}, "intentional"),
        ("over_max", {"seat": 1}, "bets_closed"),
    ],
)
def test_fact_that_is_missing_is_named(irregularity: str, facts: Json, missing: str) -> None:
    document = {"game": GAME, "irregularity": irregularity, "facts": facts}
    assert missing in str(refused("ruling", document))
