"""Documents about the RWS stud games that are refused, with what is wrong in them.

Settlement first (the layout of §2.1 and §2.2, decisions of §3.12, §5.5 and §5.6),
then irregularities and awards. What is refused in every game alike is not here.
"""

import re
from collections.abc import Callable

import pytest

from tests.rules.ask import Json, refused
from tests.rules.games.rws_stud import (
    CASINO,
    MULTILINK,
    ONE_PAIR,
    QUALIFYING,
    QUEEN_HIGH,
    absent,
    betting,
    both_games,
    folding,
    table,
)

DOCUMENTS = (MULTILINK, CASINO)


def refusal(game: str, *seats: Json, dealer: str | None = QUALIFYING, **more: object) -> str:
    return str(refused("settle", table(game, dealer, *seats, **more)))


def with_bet(kind: str, stake: float) -> Json:
    seat = betting(ONE_PAIR)
    seat["bets"][kind] = stake
    return seat


def without(seat: Json, key: str) -> Json:
    return {name: value for name, value in seat.items() if name != key}


@both_games
@pytest.mark.parametrize("bet", ["jackpot_dealer", "bonus", "flop", "turn", "river"])
def test_2_1_1_b_bets_that_are_not_on_the_layout_are_refused(game: str, bet: str) -> None:
    assert bet in refusal(game, with_bet(bet, 500))


@both_games
@pytest.mark.parametrize("stake", [-500, 2.5])
@pytest.mark.parametrize("bet", ["ante", "bet", "jackpot"])
def test_2_1_1_a_stake_that_is_no_amount_is_refused(game: str, bet: str, stake: float) -> None:
    assert re.search(rf"\b{bet}\b", refusal(game, with_bet(bet, stake)))


@both_games
@pytest.mark.parametrize(
    ("cards", "dealer"),
    [
        ("Tc Tc Kc 6h 3s", QUALIFYING),
        ("Tc Th Kd 6h 3s", QUALIFYING),
        (ONE_PAIR, "As As 7c 5d 2s"),
        ("Tc 1h Kc 6h 3s", QUALIFYING),
        ("10c Th Kc 6h 3s", QUALIFYING),
        ("Tc Tx Kc 6h 3s", QUALIFYING),
    ],
)
def test_2_2_1_cards_outside_a_single_deck_are_refused(game: str, cards: str, dealer: str) -> None:
    refusal(game, betting(cards), dealer=dealer)


@both_games
def test_2_2_1_card_in_two_hands_is_refused(game: str) -> None:
    refusal(game, betting(ONE_PAIR, seat=1), betting(QUEEN_HIGH, seat=2))


@both_games
def test_3_10_community_cards_are_refused(game: str) -> None:
    community = ["Js", "9s", "8s", "4d", "3d"]
    assert "community" in refusal(game, betting(ONE_PAIR), community=community)


@both_games
@pytest.mark.parametrize("cards", ["", "Tc Th", "Tc Th Kc 6h", "Tc Th Kc 6h 3s 2h"])
@pytest.mark.parametrize("player", [betting, folding, absent])
def test_3_10_hand_of_other_than_five_cards_is_refused(
    game: str, cards: str, player: Callable[..., Json]
) -> None:
    assert "cards" in refusal(game, player(cards))


@both_games
def test_3_10_missing_hand_is_refused(game: str) -> None:
    assert "cards" in refusal(game, without(betting(ONE_PAIR), "cards"))


@both_games
@pytest.mark.parametrize("dealer", [None, "", "As Kd", "As Kd 7c 5d", "As Kd 7c 5d 2s 2h"])
def test_3_10_dealer_without_five_cards_is_refused_while_a_hand_is_in(
    game: str, dealer: str | None
) -> None:
    assert "dealer" in refusal(
        game, betting(ONE_PAIR, seat=1), folding("Jc 9s 8s 4d 3d", seat=2), dealer=dealer
    )


@both_games
@pytest.mark.parametrize(
    "seat",
    [
        folding(ONE_PAIR, decision="bet"),
        betting(ONE_PAIR, bet=0),
        betting(ONE_PAIR, decision="fold"),
        without(betting(ONE_PAIR), "decision"),
        without(folding(ONE_PAIR), "decision"),
        betting(ONE_PAIR, decision="flop"),
        betting(ONE_PAIR, decision="check"),
    ],
)
def test_3_12_decision_that_contradicts_the_layout_is_refused(game: str, seat: Json) -> None:
    assert "decision" in refusal(game, seat)


@both_games
def test_5_6_player_whose_bet_is_placed_has_no_decision_left(game: str) -> None:
    assert "decision" in refusal(game, betting(ONE_PAIR, decision="absent"))


@both_games
@pytest.mark.parametrize(
    "seat",
    [
        {"seat": 1, "bets": {"bet": 5000}, "decision": "fold"},
        {"seat": 1, "bets": {"bet": 5000}, "decision": "absent"},
        {"seat": 1, "bets": {"jackpot": 500}, "decision": "bet"},
    ],
)
def test_i33_contradiction_is_refused_in_a_box_without_an_ante_too(game: str, seat: Json) -> None:
    assert "decision" in refusal(game, seat)


@both_games
@pytest.mark.parametrize("limits", [{"ante_min": 5000, "ante_max": 2500}, {"bonus_max": 500}])
def test_3_3_limits_that_no_table_displays_are_refused(game: str, limits: Json) -> None:
    assert "limits" in refusal(game, betting(ONE_PAIR), limits=limits)


@both_games
@pytest.mark.parametrize("draws", [{}, {"magic_card": "7d"}, {"lucky_seat": 1}])
def test_4_2_draws_are_refused(game: str, draws: Json) -> None:
    assert "draws" in refusal(game, betting(ONE_PAIR), draws=draws)


@both_games
def test_2_1_1_a_box_given_twice_is_refused(game: str) -> None:
    refusal(game, betting(ONE_PAIR, seat=1), folding("Jc 9s 8s 4d 3d", seat=1))


@both_games
@pytest.mark.parametrize("seat", [0, -1])
def test_2_1_1_a_boxes_are_counted_from_one(game: str, seat: int) -> None:
    assert "seat" in refusal(game, betting(ONE_PAIR, seat=seat))


@both_games
def test_2_1_1_a_key_that_means_nothing_is_refused(game: str) -> None:
    assert "tip" in refusal(game, betting(ONE_PAIR, tip=100))
    assert "rake" in refusal(game, betting(ONE_PAIR), rake=100)


# Irregularities

FACTS: dict[str, Json] = {
    "cards_exposed": {"count": 1, "any_player_seen": False},
    "misdeal": {"any_player_seen": False, "movable": True},
    "dealer_count_wrong": {"reconstructable": True, "before_next_round": True},
    "player_count_wrong": {"seat": 1, "reconstructable": True, "before_next_round": True},
    "no_burn": {"any_player_seen": False, "reconstructable": True},
    "dealing_error": {"reconstructable": True},
    "simultaneous_draw": {"order_known": True},
    "jackpot_fault": {"any_player_seen": True},
    "interruption": {"outcome_established": True},
    "extra_hand_examined": {"seats": [1, 2], "first_seat": 1, "intentional": True},
    "late_bet": {"seat": 1},
    "late_increase": {"seat": 1},
    "late_withdrawal": {"seat": 1},
    "jackpot_without_ante": {"seat": 1, "bets_closed": True},
    "over_max": {"seat": 1, "bets_closed": True},
    "under_min": {"seat": 1, "bets_closed": True},
    "played_several_positions": {"seats": [1, 2], "viewed": [1]},
    "hand_not_confidential": {"seat": 1},
}


def ruling_refusal(game: str, irregularity: str, facts: Json) -> str:
    return str(refused("ruling", {"game": game, "irregularity": irregularity, "facts": facts}))


@both_games
@pytest.mark.parametrize(
    ("irregularity", "fact"), [(name, fact) for name, facts in FACTS.items() for fact in facts]
)
def test_5_ruling_without_a_fact_it_needs_is_refused(
    game: str, irregularity: str, fact: str
) -> None:
    assert fact in ruling_refusal(game, irregularity, without(FACTS[irregularity], fact))


@both_games
@pytest.mark.parametrize("irregularity", ["foreign_card", "dealing_error"])
def test_5_ruling_with_a_fact_nobody_asked_for_is_refused(game: str, irregularity: str) -> None:
    facts = FACTS.get(irregularity, {}) | {"weather": "fine"}
    assert "weather" in ruling_refusal(game, irregularity, facts)


@both_games
def test_3_10_stud_has_no_community_cards_to_miscount(game: str) -> None:
    facts = {"reconstructable": False, "before_next_round": True}
    ruling_refusal(game, "community_count_wrong", facts)


@both_games
def test_5_unknown_irregularity_is_refused(game: str) -> None:
    ruling_refusal(game, "spilt_drink", {})


# Awards


@both_games
@pytest.mark.parametrize("prize", [{}, {"percent": 100, "amount": 10_000}, {"amount": -1}])
def test_4_2_claim_must_say_one_prize(game: str, prize: Json) -> None:
    time = "2026-01-02T03:04:05.678Z"
    claim = {"id": "a", "table": "T1", "round": 1, "seat": 1, "tier": "royal_flush"}
    claim |= {"dealt_at": time, "entered_at": time} | prize
    meter = {"value": 1000, "reset": 100}
    refused("award", {"game": game, "meter": meter, "claims": [claim]})
