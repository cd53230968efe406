"""Bets of `rws-holdem` over or under their limits when bets have closed (§5.1 to §5.3).

The limit and the cap of the bonus bet are in `test_rws_holdem_bonus.py`; what is said
while bets are still open is in `test_rws_holdem_irregularities.py`.
"""

import pytest

from tests.rules.ask import Json
from tests.rules.games.rws_holdem import (
    ACES,
    ANTE,
    KINGS,
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

STRAIGHT = "Th 9h"
TABLE_MAX = {"ante_max": 100000}


def test_5_1_1_winner_over_the_maximum_is_paid_at_the_maximum() -> None:
    seat = settled(
        box(STRAIGHT, ante=150000, flop=300000, turn=150000, river=150000), limits=TABLE_MAX
    )
    assert seat["bets"] == {
        "ante": won(150000, 100000),
        "flop": won(300000, 200000),
        "turn": won(150000, 100000),
        "river": won(150000, 100000),
    }
    assert "5.1.1" in seat["rules"]


def test_5_1_1_loser_over_the_maximum_is_collected_at_the_maximum() -> None:
    laid = box(KINGS, ante=150000, flop=300000, turn=150000, river=150000)
    assert bets(laid, dealer=ACES, limits=TABLE_MAX) == {
        "ante": lost(150000, excess=50000),
        "flop": lost(300000, excess=100000),
        "turn": lost(150000, excess=50000),
        "river": lost(150000, excess=50000),
    }


def test_5_1_1_folded_ante_over_the_maximum_is_collected_at_the_maximum() -> None:
    results = bets(folded(KINGS, ante=150000), limits=TABLE_MAX)
    assert results == {"ante": lost(150000, excess=50000)}


def test_5_1_1_ante_at_the_maximum_is_within_it() -> None:
    results = bets(box(KINGS, ante=100000, flop=200000), dealer=ACES, limits=TABLE_MAX)
    assert results == {"ante": lost(100000), "flop": lost(200000)}


def test_i11_flop_within_twice_the_maximum_has_no_excess() -> None:
    results = bets(box(KINGS, ante=150000, flop=200000), dealer=ACES, limits=TABLE_MAX)
    assert results == {"ante": lost(150000, excess=50000), "flop": lost(200000)}


@pytest.mark.parametrize("before", [False, True])
def test_5_2_1_bet_under_the_minimum_is_settled_as_placed(*, before: bool) -> None:
    laid = box(STRAIGHT, ante=1000, flop=2000, turn=1000) | {"under_min_before": before}
    assert bets(laid, limits={"ante_min": 2500}) == {
        "ante": won(1000, 1000),
        "flop": won(2000, 2000),
        "turn": won(1000, 1000),
    }


def test_5_3_1_excess_of_flop_turn_and_river_is_not_paid() -> None:
    seat = settled(box(STRAIGHT, flop=6000, turn=2600, river=4000))
    assert seat["bets"] == {
        "ante": won(ANTE, 2500),
        "flop": won(6000, 5000),
        "turn": won(2600, 2500),
        "river": won(4000, 2500),
    }
    assert "5.3.1" in seat["rules"]


def test_5_3_1_excess_of_flop_turn_and_river_is_not_collected() -> None:
    assert bets(box(KINGS, flop=6000, turn=2600, river=4000), dealer=ACES) == {
        "ante": lost(ANTE),
        "flop": lost(6000, excess=1000),
        "turn": lost(2600, excess=100),
        "river": lost(4000, excess=1500),
    }


def test_5_3_1_whole_bet_comes_back_in_a_stand_off() -> None:
    results = bets(box("Kh Qd", flop=6000), dealer="Kd Qh")
    assert results == {"ante": pushed(ANTE), "flop": pushed(6000)}


@pytest.mark.parametrize(
    ("dealer", "results"),
    [
        (RAGS, {"flop": won(3000, 3000), "turn": won(1000, 1000), "river": won(1, 1)}),
        (ACES, {"flop": lost(3000), "turn": lost(1000), "river": lost(1)}),
    ],
)
def test_5_3_2_flop_turn_and_river_below_their_amount_are_settled_as_placed(
    dealer: str, results: Json
) -> None:
    settled_bets = bets(box(KINGS, flop=3000, turn=1000, river=1), dealer=dealer)
    del settled_bets["ante"]
    assert settled_bets == results
