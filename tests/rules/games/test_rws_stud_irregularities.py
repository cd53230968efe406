"""Rulings in the RWS stud games: each irregularity with every set of facts that matters (§5).

The two documents agree word for word here, so every test holds for both games.
What a ruling does to the money is in `test_rws_stud_limits.py`; facts that are
missing are in `test_rws_stud_refusals.py`.
"""

import pytest

from tests.rules.ask import Json, ruling
from tests.rules.games.rws_stud import CASINO, MULTILINK, both_games

DOCUMENTS = (MULTILINK, CASINO)

yes_or_no = [False, True]


def void(rule: str) -> Json:
    return {"action": "void", "rule": rule, "bets": "returned"}


def go_on(rule: str) -> Json:
    return {"action": "continue", "rule": rule}


def choice(rule: str, *options: str, affects: str) -> Json:
    return {"action": "options", "rule": rule, "options": list(options), "affects": affects}


AS_DEALT = choice("5.10", "continue", "withdraw", affects="affected")
PUT_RIGHT = choice("5.10", "continue_reconstructed", "withdraw", affects="affected")
LEFT_TO_THE_SHIFT_MANAGER = {
    "action": "refer",
    "rule": "5.24",
    "authority": "table_games_shift_manager",
}


# Limits and the jackpot bet without an ante


@both_games
def test_5_1_excess_is_refused_before_bets_close(game: str) -> None:
    expected = {"action": "refuse", "rule": "5.1"}
    assert ruling(game, "over_max", seat=3, bets_closed=False) == expected


@both_games
def test_5_1_1_excess_noticed_later_is_left_to_settlement(game: str) -> None:
    assert ruling(game, "over_max", seat=3, bets_closed=True) == go_on("5.1.1")


@both_games
def test_5_2_player_under_the_minimum_may_correct_his_bet(game: str) -> None:
    expected = {"action": "correct", "rule": "5.2"}
    assert ruling(game, "under_min", seat=3, bets_closed=False) == expected


@both_games
def test_5_2_1_bet_under_the_minimum_noticed_later_stands(game: str) -> None:
    assert ruling(game, "under_min", seat=3, bets_closed=True) == go_on("5.2.1")


@both_games
def test_i15_jackpot_bet_without_an_ante_may_be_corrected_before_bets_close(game: str) -> None:
    expected = {"action": "correct", "rule": "3.8"}
    assert ruling(game, "jackpot_without_ante", seat=3, bets_closed=False) == expected


@both_games
def test_5_4_jackpot_bet_without_an_ante_goes_back_after_bets_close(game: str) -> None:
    expected = {"action": "invalidate", "rule": "5.4", "seats": [3]}
    assert ruling(game, "jackpot_without_ante", seat=3, bets_closed=True) == expected


# Interruptions


@both_games
def test_5_7_1_interruption_after_an_outcome_does_not_stop_the_round(game: str) -> None:
    assert ruling(game, "interruption", outcome_established=True) == go_on("5.7.1")


@both_games
def test_5_7_2_interruption_before_an_outcome_voids_the_round(game: str) -> None:
    assert ruling(game, "interruption", outcome_established=False) == void("5.7.2")


# What voids a round


@both_games
def test_5_8_1_foreign_card_voids_the_round(game: str) -> None:
    assert ruling(game, "foreign_card") == void("5.8.1")


@both_games
@pytest.mark.parametrize("count", [2, 3, 10])
def test_5_8_2_two_exposed_cards_void_a_round_that_nobody_has_seen(game: str, count: int) -> None:
    assert ruling(game, "cards_exposed", count=count, any_player_seen=False) == void("5.8.2")


@both_games
@pytest.mark.parametrize("count", [1, 2, 10])
def test_5_12_exposed_cards_change_nothing_once_a_hand_is_seen(game: str, count: int) -> None:
    assert ruling(game, "cards_exposed", count=count, any_player_seen=True) == go_on("5.12")


@both_games
def test_i23_one_exposed_card_before_a_hand_is_seen_gives_the_affected_a_choice(game: str) -> None:
    assert ruling(game, "cards_exposed", count=1, any_player_seen=False) == AS_DEALT


@both_games
def test_5_8_3_wrong_number_of_cards_in_the_deck_voids_the_round(game: str) -> None:
    assert ruling(game, "deck_count_wrong") == void("5.8.3")


@both_games
def test_5_8_4_too_few_cards_in_the_shoe_void_the_round(game: str) -> None:
    assert ruling(game, "insufficient_cards") == void("5.8.4")


@both_games
def test_5_8_5_unshuffled_cards_void_the_round(game: str) -> None:
    assert ruling(game, "unshuffled") == void("5.8.5")


@both_games
def test_5_8_6_unseen_misdeal_voids_the_round(game: str) -> None:
    assert ruling(game, "misdeal", any_player_seen=False, movable=False) == void("5.8.6")


@both_games
def test_5_8_6_unseen_misdeal_is_put_right_by_moving_whole_hands(game: str) -> None:
    expected = {"action": "reconstruct", "rule": "5.8.6"}
    assert ruling(game, "misdeal", any_player_seen=False, movable=True) == expected


@both_games
def test_i34_misdeal_that_was_seen_gives_the_affected_a_choice(game: str) -> None:
    assert ruling(game, "misdeal", any_player_seen=True, movable=True) == PUT_RIGHT
    assert ruling(game, "misdeal", any_player_seen=True, movable=False) == AS_DEALT


# Wrong counts


@both_games
def test_5_8_7_wrong_dealer_count_voids_the_round(game: str) -> None:
    facts = {"reconstructable": False, "before_next_round": True}
    assert ruling(game, "dealer_count_wrong", **facts) == void("5.8.7")


@both_games
def test_5_15_wrong_player_count_puts_that_hand_out(game: str) -> None:
    facts = {"reconstructable": False, "before_next_round": True}
    expected = {"action": "invalidate", "rule": "5.15", "seats": [4]}
    assert ruling(game, "player_count_wrong", seat=4, **facts) == expected


@both_games
def test_i23_wrong_count_that_can_be_put_right_is_a_dealing_error(game: str) -> None:
    facts = {"reconstructable": True, "before_next_round": True}
    assert ruling(game, "dealer_count_wrong", **facts) == PUT_RIGHT
    assert ruling(game, "player_count_wrong", seat=4, **facts) == PUT_RIGHT


@both_games
@pytest.mark.parametrize("reconstructable", yes_or_no)
def test_5_20_wrong_count_noticed_in_the_next_round_changes_nothing(
    game: str, *, reconstructable: bool
) -> None:
    facts = {"reconstructable": reconstructable, "before_next_round": False}
    assert ruling(game, "dealer_count_wrong", **facts) == go_on("5.20")
    assert ruling(game, "player_count_wrong", seat=4, **facts) == go_on("5.20")


@both_games
def test_5_20_error_of_an_earlier_round_changes_nothing(game: str) -> None:
    assert ruling(game, "error_in_earlier_round") == go_on("5.20")


# Burnt card and other dealing errors


@both_games
@pytest.mark.parametrize("reconstructable", yes_or_no)
def test_5_9_missing_burn_voids_a_round_that_was_seen(game: str, *, reconstructable: bool) -> None:
    facts = {"any_player_seen": True, "reconstructable": reconstructable}
    assert ruling(game, "no_burn", **facts) == void("5.9")


@both_games
def test_5_9_missing_burn_that_cannot_be_put_right_voids_the_round(game: str) -> None:
    facts = {"any_player_seen": False, "reconstructable": False}
    assert ruling(game, "no_burn", **facts) == void("5.9")


@both_games
def test_5_9_missing_burn_that_is_put_right_gives_all_a_choice(game: str) -> None:
    facts = {"any_player_seen": False, "reconstructable": True}
    expected = choice("5.9", "continue_reconstructed", "withdraw", affects="all")
    assert ruling(game, "no_burn", **facts) == expected


@both_games
def test_5_10_1_hand_that_cannot_be_put_right_is_continued_or_withdrawn(game: str) -> None:
    assert ruling(game, "dealing_error", reconstructable=False) == AS_DEALT


@both_games
def test_5_10_2_hand_that_is_put_right_is_continued_or_withdrawn(game: str) -> None:
    assert ruling(game, "dealing_error", reconstructable=True) == PUT_RIGHT


# Late bets


@both_games
@pytest.mark.parametrize("late", ["late_bet", "late_increase"])
def test_5_11_late_bet_or_increase_is_refused(game: str, late: str) -> None:
    assert ruling(game, late, seat=2) == {"action": "refuse", "rule": "5.11"}


@both_games
def test_5_11_late_withdrawal_does_not_count(game: str) -> None:
    assert ruling(game, "late_withdrawal", seat=2) == {"action": "stand", "rule": "5.11"}


# Cards that turn up wrongly


@both_games
def test_5_13_card_found_face_up_in_the_shoe_is_the_next_card(game: str) -> None:
    expected = {"action": "use_card", "rule": "5.13", "as": "next_card"}
    assert ruling(game, "card_face_up_in_shoe") == expected


@both_games
def test_5_14_1_simultaneous_cards_in_known_order_give_all_a_choice(game: str) -> None:
    expected = choice("5.14.1", "continue_reconstructed", "withdraw", affects="all")
    assert ruling(game, "simultaneous_draw", order_known=True) == expected


@both_games
def test_5_14_simultaneous_cards_in_unknown_order_are_ordered_by_the_supervisor(game: str) -> None:
    expected = choice("5.14.1", "continue", "withdraw", affects="all")
    assert ruling(game, "simultaneous_draw", order_known=False) == {
        **expected,
        "authority": "pit_supervisor",
    }


@both_games
def test_5_16_exposed_card_of_the_dealer_becomes_his_face_up_card(game: str) -> None:
    expected = {"action": "use_card", "rule": "5.16", "as": "face_up_card"}
    assert ruling(game, "dealer_card_exposed") == expected


# The jackpot system


@both_games
def test_5_17_jackpot_fault_before_a_hand_is_seen_voids_the_round(game: str) -> None:
    assert ruling(game, "jackpot_fault", any_player_seen=False) == void("5.17")


@both_games
def test_5_18_1_jackpot_fault_after_a_hand_is_seen_does_not_stop_the_round(game: str) -> None:
    assert ruling(game, "jackpot_fault", any_player_seen=True) == go_on("5.18.1")


@both_games
def test_5_18_2_house_chooses_while_the_jackpot_fault_lasts(game: str) -> None:
    assert ruling(game, "jackpot_fault_persists") == {
        "action": "refer",
        "rule": "5.18.2",
        "authority": "house",
        "options": ["close_table", "disallow_box", "no_jackpot_bets"],
    }


# Hands that a player should not have seen


@both_games
@pytest.mark.parametrize(
    ("seats", "first_seat", "out"),
    [([2, 5], 2, [5]), ([2, 5], 5, [2]), ([1, 3, 6], 3, [1, 6])],
)
def test_5_19_hands_examined_on_purpose_are_out_but_for_the_first(
    game: str, seats: list[int], first_seat: int, out: list[int]
) -> None:
    facts = {"seats": seats, "first_seat": first_seat, "intentional": True}
    assert ruling(game, "extra_hand_examined", **facts) == {
        "action": "invalidate",
        "rule": "5.19",
        "seats": out,
        "authority": "pit_supervisor",
    }


@both_games
def test_5_19_hands_examined_by_mistake_stay_in(game: str) -> None:
    facts = {"seats": [2, 5], "first_seat": 2, "intentional": False}
    assert ruling(game, "extra_hand_examined", **facts) == {
        "action": "continue",
        "rule": "5.19",
        "authority": "pit_supervisor",
    }


# §5.24: what the documents do not speak of


@both_games
@pytest.mark.parametrize("viewed", [[], [2], [2, 5]])
def test_5_24_hands_played_in_error_are_left_to_the_shift_manager(
    game: str, viewed: list[int]
) -> None:
    facts = {"seats": [2, 5], "viewed": viewed}
    assert ruling(game, "played_several_positions", **facts) == LEFT_TO_THE_SHIFT_MANAGER


@both_games
def test_5_24_hand_not_kept_confidential_is_left_to_the_shift_manager(game: str) -> None:
    assert ruling(game, "hand_not_confidential", seat=2) == LEFT_TO_THE_SHIFT_MANAGER


@both_games
def test_5_24_anything_else_is_left_to_the_shift_manager(game: str) -> None:
    assert ruling(game, "other") == LEFT_TO_THE_SHIFT_MANAGER


# §5.22


@both_games
@pytest.mark.parametrize(
    ("irregularity", "facts"),
    [
        ("foreign_card", {}),
        ("interruption", {"outcome_established": False}),
        ("jackpot_fault", {"any_player_seen": False}),
        ("no_burn", {"any_player_seen": True, "reconstructable": True}),
        ("dealer_count_wrong", {"reconstructable": False, "before_next_round": True}),
    ],
)
def test_5_22_void_round_returns_all_bets(game: str, irregularity: str, facts: Json) -> None:
    assert ruling(game, irregularity, **facts)["bets"] == "returned"
