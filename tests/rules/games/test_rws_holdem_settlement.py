"""What the ante, flop, turn and river bets of `rws-holdem` come to (§3, §4.3, §5.4 to §5.6).

The order of hands, limits, the bonus bet, the jackpot bet and what is refused as bad
input have modules of their own.
"""

import pytest

from tests.rules.ask import settle
from tests.rules.games.rws_holdem import (
    ACES,
    ANTE,
    BOARD,
    FLOP,
    JACKPOT,
    KINGS,
    RAGS,
    bets,
    box,
    empty_box,
    folded,
    given_back,
    lost,
    played,
    pushed,
    settled,
    won,
)

DOCUMENTS = ("rws-holdem",)

STRAIGHT = "Th 9h"
TRIP_JACKS = "Jh Jd"


# Folding, staying, checking


def test_3_11_2_a_fold_loses_the_ante() -> None:
    seat = settled(folded(ACES))
    assert seat["bets"] == {"ante": lost(ANTE)}
    assert "3.11.2" in seat["rules"]


def test_3_11_2_a_fold_loses_the_bonus_bet_too() -> None:
    assert bets(folded(ACES, bonus=1000)) == {"ante": lost(ANTE), "bonus": lost(1000)}


def test_3_11_2_b_flop_bet_keeps_the_player_in_to_the_end() -> None:
    assert bets(box(STRAIGHT)) == {"ante": won(ANTE, 2500), "flop": won(FLOP, 5000)}


def test_3_11_3_turn_bet_is_settled_with_the_flop() -> None:
    assert bets(box(KINGS, turn=2500)) == {
        "ante": pushed(ANTE),
        "flop": won(FLOP, 5000),
        "turn": won(2500, 2500),
    }


def test_3_11_3_player_who_checked_may_still_bet_the_river() -> None:
    assert bets(box(KINGS, river=2500)) == {
        "ante": pushed(ANTE),
        "flop": won(FLOP, 5000),
        "river": won(2500, 2500),
    }


def test_3_11_4_river_bet_is_settled_with_the_others() -> None:
    assert bets(box(KINGS, turn=2500, river=2500)) == {
        "ante": pushed(ANTE),
        "flop": won(FLOP, 5000),
        "turn": won(2500, 2500),
        "river": won(2500, 2500),
    }


def test_3_11_4_check_on_turn_and_river_costs_nothing() -> None:
    assert bets(box(KINGS), dealer=ACES) == {"ante": lost(ANTE), "flop": lost(FLOP)}


def test_3_7_each_hand_of_one_player_is_settled_by_itself() -> None:
    answer = settle(played(box(STRAIGHT), folded(ACES, seat=2), box(KINGS, seat=3), dealer="Qc Qd"))
    assert [seat["bets"]["ante"]["outcome"] for seat in answer["seats"]] == ["win", "lose", "push"]


def test_3_7_seats_are_answered_in_the_order_given() -> None:
    answer = settle(played(box(KINGS, seat=5), box(ACES, seat=2)))
    assert [seat["seat"] for seat in answer["seats"]] == [5, 2]


# Comparing with the dealer


@pytest.mark.parametrize(
    ("hole", "board", "category"),
    [
        (STRAIGHT, BOARD, "straight"),
        ("Ah 3h", "Kh 9h 4h 8c 7s", "flush"),
        ("9s 9d", "Kh 9h 4h Kc 2s", "full_house"),
        ("9s 9d", "9c 9h 4s 4c 2s", "four_of_a_kind"),
        ("9h 8h", "7h 6h 5h Ac Kd", "straight_flush"),
        ("Ah Th", "Kh Qh Jh 2c 4d", "royal_flush"),
    ],
)
def test_3_13_ante_wins_with_a_straight_or_better(hole: str, board: str, category: str) -> None:
    seat = settled(box(hole, turn=2500, river=2500), board=board, dealer="3c 2d")
    assert seat["category"] == category
    assert seat["bets"] == {
        "ante": won(ANTE, 2500),
        "flop": won(FLOP, 5000),
        "turn": won(2500, 2500),
        "river": won(2500, 2500),
    }
    assert "3.13" in seat["rules"]


@pytest.mark.parametrize(
    ("hole", "dealer", "category"),
    [
        (TRIP_JACKS, RAGS, "three_of_a_kind"),
        ("Jh 8d", RAGS, "two_pairs"),
        (KINGS, RAGS, "one_pair"),
        ("Ah Kd", RAGS, "five_odd_cards"),
    ],
)
def test_3_13_ante_of_a_winner_below_a_straight_is_pushed(
    hole: str, dealer: str, category: str
) -> None:
    seat = settled(box(hole, turn=2500, river=2500), dealer=dealer)
    assert seat["category"] == category
    assert seat["bets"] == {
        "ante": pushed(ANTE),
        "flop": won(FLOP, 5000),
        "turn": won(2500, 2500),
        "river": won(2500, 2500),
    }
    assert "3.13" in seat["rules"]


def test_3_14_lower_hand_loses_ante_flop_turn_and_river() -> None:
    seat = settled(box(KINGS, turn=2500, river=2500), dealer=ACES)
    assert seat["bets"] == {
        "ante": lost(ANTE),
        "flop": lost(FLOP),
        "turn": lost(2500),
        "river": lost(2500),
    }
    assert "3.14" in seat["rules"]


def test_3_14_even_a_straight_flush_loses_to_a_higher_one() -> None:
    seat = settled(box("Ah 9c"), board="5h 4h 3h 2h Kc", dealer="6h 9d")
    assert seat["category"] == "straight_flush"
    assert seat["bets"] == {"ante": lost(ANTE), "flop": lost(FLOP)}


@pytest.mark.parametrize(
    ("hole", "dealer", "board"),
    [("Kh Qd", "Kd Qh", BOARD), ("2c 2d", "Ks Kd", "9h 8c 7s 6d 5c")],
)
def test_3_15_stand_off_returns_ante_flop_turn_and_river(
    hole: str, dealer: str, board: str
) -> None:
    seat = settled(box(hole, turn=2500, river=2500), board=board, dealer=dealer)
    assert seat["bets"] == {
        "ante": pushed(ANTE),
        "flop": pushed(FLOP),
        "turn": pushed(2500),
        "river": pushed(2500),
    }
    assert "3.15" in seat["rules"]


def test_3_15_stand_off_does_not_save_bonus_and_jackpot_bets() -> None:
    settled_bets = bets(box("Kh Qd", bonus=1000, jackpot=JACKPOT), dealer="Kd Qh")
    assert settled_bets["bonus"] == lost(1000)
    assert settled_bets["jackpot"] == lost(JACKPOT)


def test_4_3_hand_not_shown_loses_to_any_dealer() -> None:
    seat = settled(box(ACES, turn=2500, river=2500, bonus=1000, revealed=False))
    assert seat["bets"] == {
        "ante": lost(ANTE),
        "flop": lost(FLOP),
        "turn": lost(2500),
        "river": lost(2500),
        "bonus": lost(1000),
    }
    assert "4.3" in seat["rules"]


def test_4_3_hand_not_shown_loses_though_the_board_would_tie() -> None:
    results = bets(box("2c 2d", revealed=False), board="9h 8c 7s 6d 5c", dealer="Ks Kd")
    assert results == {"ante": lost(ANTE), "flop": lost(FLOP)}


# Boxes without a player or an ante: §3.6, §5.4 to §5.6


@pytest.mark.parametrize(
    "stakes",
    [{"bonus": 1000}, {"flop": 5000, "turn": 2500, "river": 2500}, {"ante": 0, "bonus": 1}],
)
def test_3_6_bets_in_a_box_without_ante_are_given_back(stakes: dict[str, int]) -> None:
    seat = settled(empty_box(**stakes), board="", dealer="")
    assert {name: seat["bets"][name] for name in stakes if stakes[name]} == {
        name: given_back(stake) for name, stake in stakes.items() if stake
    }
    assert "category" not in seat


def test_5_4_jackpot_bet_without_ante_is_given_back() -> None:
    answer = settle(played(empty_box(jackpot=JACKPOT), board="Ah Kh Qh Jh Th"))
    assert answer["seats"][0]["bets"] == {"jackpot": given_back(JACKPOT)}
    assert "5.4" in answer["seats"][0]["rules"]
    assert answer["claims"] == []


def test_5_5_player_who_left_before_the_flop_bet_has_folded() -> None:
    seat = settled(box(ACES, decision="absent", bonus=1000))
    assert seat["bets"] == {"ante": lost(ANTE), "bonus": lost(1000)}
    assert "5.5" in seat["rules"]


def test_5_5_player_who_left_after_the_flop_bet_has_folded() -> None:
    seat = settled(box(ACES, decision="absent", flop=FLOP, bonus=1000))
    assert seat["bets"] == {"ante": lost(ANTE), "flop": lost(FLOP), "bonus": lost(1000)}
    assert "5.5" in seat["rules"]


def test_i33_player_who_left_after_the_turn_bet_loses_it_too() -> None:
    assert bets(box(ACES, decision="absent", flop=FLOP, turn=2500)) == {
        "ante": lost(ANTE),
        "flop": lost(FLOP),
        "turn": lost(2500),
    }


def test_5_5_excess_of_a_player_who_left_is_given_back() -> None:
    results = bets(box(ACES, decision="absent", flop=6000))
    assert results == {"ante": lost(ANTE), "flop": lost(6000, excess=1000)}


def test_5_6_player_who_left_after_his_last_decision_is_settled() -> None:
    results = bets(box(STRAIGHT, river=2500))
    assert results == {
        "ante": won(ANTE, 2500),
        "flop": won(FLOP, 5000),
        "river": won(2500, 2500),
    }


def test_5_20_chips_are_settled_where_they_lie() -> None:
    results = bets(box(KINGS, bonus=2500, river=2500), dealer=ACES)
    assert results == {
        "ante": lost(ANTE),
        "flop": lost(FLOP),
        "bonus": won(2500, 25000),
        "river": lost(2500),
    }


# Hands a ruling took out of the round


@pytest.mark.parametrize("hole", [None, "Ah", "Ah Ad As"])
def test_5_10_3_player_who_withdraws_has_every_bet_back(hole: str | None) -> None:
    laid = box(hole or "", decision="withdrawn", flop=FLOP, bonus=1000, jackpot=JACKPOT)
    if hole is None:
        del laid["cards"]
    assert bets(laid, board="", dealer="") == {
        "ante": given_back(ANTE),
        "flop": given_back(FLOP),
        "bonus": given_back(1000),
        "jackpot": given_back(JACKPOT),
    }


def test_5_15_invalidated_hand_has_every_bet_back() -> None:
    answer = settle(
        played(
            box("Ah Th 2s", decision="invalid", flop=FLOP, turn=2500, jackpot=JACKPOT),
            box(KINGS, seat=2),
            board="Kc Qh Jh 2c 4d",
        )
    )
    assert answer["seats"][0]["bets"] == {
        "ante": given_back(ANTE),
        "flop": given_back(FLOP),
        "turn": given_back(2500),
        "jackpot": given_back(JACKPOT),
    }
    assert answer["seats"][1]["bets"]["flop"] == won(FLOP, 5000)
    assert answer["claims"] == []
