"""What the bonus bet of `rws-holdem` comes to (§3.9, §4.1, §4.1.1).

It rides on the hole cards and not on who wins; folded and hidden hands, which lose
it, are in `test_rws_holdem_settlement.py`.
"""

import pytest

from tests.rules.games.rws_holdem import (
    ACES,
    ANTE,
    FLOP,
    RAGS,
    bets,
    box,
    folded,
    lost,
    pushed,
    settled,
    won,
)

DOCUMENTS = ("rws-holdem",)

OTHER_ACES = "As Ac"
BONUS_MAX = {"bonus_max": 5000}


@pytest.mark.parametrize(
    ("hole", "winnings"),
    [
        ("Ah Ad", 30000),
        ("Ah Kh", 25000),
        ("Ah Qh", 20000),
        ("Ah Jh", 20000),
        ("Ah Kd", 15000),
        ("Kh Kd", 10000),
        ("Qh Qd", 10000),
        ("Jh Jd", 10000),
        ("Ah Qd", 5000),
        ("Ah Jd", 5000),
        ("Th Td", 3000),
        ("9h 9d", 3000),
        ("8c 8d", 3000),
        ("7h 7s", 3000),
        ("6h 6d", 3000),
        ("5h 5d", 3000),
        ("4h 4d", 3000),
        ("3h 3d", 3000),
        ("2h 2d", 3000),
    ],
)
def test_4_1_bonus_pays_by_the_hole_cards(hole: str, winnings: int) -> None:
    seat = settled(box(hole, bonus=1000))
    assert seat["bets"]["bonus"] == won(1000, winnings)
    assert "4.1" in seat["rules"]


@pytest.mark.parametrize(
    ("hole", "winnings"), [("Kh Ah", 25000), ("Jh Ah", 20000), ("Kd Ah", 15000), ("Qd Ah", 5000)]
)
def test_4_1_bonus_does_not_ask_which_card_came_first(hole: str, winnings: int) -> None:
    assert bets(box(hole, bonus=1000))["bonus"] == won(1000, winnings)


@pytest.mark.parametrize("hole", ["Ah Th", "Ah Td", "Ah 2h", "Kh Qh", "Kh Jd", "Qh Jh", "7h 2d"])
def test_4_1_bonus_loses_with_other_hole_cards(hole: str) -> None:
    assert bets(box(hole, bonus=1000))["bonus"] == lost(1000)


def test_4_1_bonus_pays_a_thousandfold_for_aces_against_aces() -> None:
    assert bets(box(ACES, bonus=1000), dealer=OTHER_ACES) == {
        "ante": pushed(ANTE),
        "flop": pushed(FLOP),
        "bonus": won(1000, 1000000),
    }


@pytest.mark.parametrize("dealer", ["As Kc", "Kc Ks"])
def test_4_1_bonus_pays_thirtyfold_for_aces_against_less(dealer: str) -> None:
    assert bets(box(ACES, bonus=1000), dealer=dealer)["bonus"] == won(1000, 30000)


def test_4_1_bonus_wins_though_the_hand_loses() -> None:
    assert bets(box(ACES, bonus=1000), dealer="Jh Jd") == {
        "ante": lost(ANTE),
        "flop": lost(FLOP),
        "bonus": won(1000, 30000),
    }


def test_4_1_bonus_loses_though_the_hand_wins() -> None:
    assert bets(box("Kh Qd", bonus=1000)) == {
        "ante": pushed(ANTE),
        "flop": won(FLOP, 5000),
        "bonus": lost(1000),
    }


@pytest.mark.parametrize("dealer", ["As Ac", "As Ks", "Kc Ks"])
def test_3_9_dealers_hole_cards_alone_pay_no_bonus(dealer: str) -> None:
    assert bets(box("9h 3d", bonus=1000), dealer=dealer)["bonus"] == lost(1000)


def test_3_9_bonus_does_not_look_at_the_board() -> None:
    assert bets(box("Ah 9d", bonus=1000), board="Ad Kh Kd Qh 2c")["bonus"] == lost(1000)


@pytest.mark.parametrize(
    ("stake", "dealer", "winnings"),
    [
        pytest.param(9999, OTHER_ACES, 9999000, id="below"),
        pytest.param(10000, OTHER_ACES, 10000000, id="exactly"),
        pytest.param(10001, OTHER_ACES, 10000000, id="above"),
        pytest.param(20000, OTHER_ACES, 10000000, id="far above"),
        pytest.param(400000, RAGS, 10000000, id="at other odds too"),
    ],
)
def test_4_1_1_bonus_wins_no_more_than_the_maximum_payout(
    stake: int, dealer: str, winnings: int
) -> None:
    assert bets(box(ACES, bonus=stake), dealer=dealer)["bonus"] == won(stake, winnings)


def test_4_1_1_maximum_payout_is_named_where_it_decides() -> None:
    assert "4.1.1" in settled(box(ACES, bonus=20000), dealer=OTHER_ACES)["rules"]


def test_4_1_1_maximum_payout_is_for_the_bonus_alone() -> None:
    results = bets(box("Th 9h", ante=20000000, flop=40000000))
    assert results == {
        "ante": won(20000000, 20000000),
        "flop": won(40000000, 40000000),
    }


def test_5_1_1_bonus_over_its_maximum_is_paid_at_the_maximum() -> None:
    assert bets(box(ACES, bonus=8000), limits=BONUS_MAX)["bonus"] == won(8000, 150000)


def test_5_1_1_bonus_over_its_maximum_is_collected_at_the_maximum() -> None:
    results = bets(box("Kh Qd", bonus=8000), limits=BONUS_MAX)
    assert results["bonus"] == lost(8000, excess=3000)


def test_5_1_1_folded_bonus_over_its_maximum_is_collected_at_the_maximum() -> None:
    results = bets(folded(ACES, bonus=8000), limits=BONUS_MAX)
    assert results == {"ante": lost(ANTE), "bonus": lost(8000, excess=3000)}


def test_5_1_1_bonus_is_not_measured_by_the_maximum_of_the_ante() -> None:
    results = bets(box(ACES, bonus=8000), limits={"ante_max": 2500})
    assert results["bonus"] == won(8000, 240000)


def test_5_1_1_ante_is_not_measured_by_the_maximum_of_the_bonus() -> None:
    results = bets(box("Kh Kd", ante=8000, flop=16000), dealer=ACES, limits=BONUS_MAX)
    assert results == {"ante": lost(8000), "flop": lost(16000)}
