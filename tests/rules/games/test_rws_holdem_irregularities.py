"""What the rules of `rws-holdem` say after each irregularity (§5, and §3.8).

Whole rulings, with every combination of facts that changes one. From §5.16 on the
numbers are not those of the stud documents. What a ruling does to the money of a
box is in `test_rws_holdem_settlement.py`, what gets no ruling in `test_rws_holdem_refusals.py`.
"""

import pytest

from tests.rules.ask import Json
from tests.rules.ask import ruling as ask_ruling
from tests.rules.games.rws_holdem import GAME

DOCUMENTS = ("rws-holdem",)

BOTH = [False, True]


def ruling(irregularity: str, **facts: object) -> Json:
    """Rule on an irregularity at a hold'em table."""
    return ask_ruling(GAME, irregularity, **facts)


def void(rule: str) -> Json:
    """Describe a round without a result."""
    return {"action": "void", "rule": rule, "bets": "returned"}


def play_on(rule: str) -> Json:
    """Describe a round that goes on as dealt."""
    return {"action": "continue", "rule": rule}


def options(rule: str, *choices: str, affects: str = "affected") -> Json:
    """Describe a choice that players are given."""
    return {"action": "options", "rule": rule, "options": list(choices), "affects": affects}


NOT_COVERED = {"action": "refer", "rule": "5.23", "authority": "table_games_shift_manager"}


# Limits and bets: §3.8, §5.1 to §5.4, §5.11


def test_5_1_excess_is_refused_while_bets_are_open() -> None:
    assert ruling("over_max", seat=2, bets_closed=False) == {"action": "refuse", "rule": "5.1"}


def test_5_1_1_excess_noticed_late_is_left_to_settlement() -> None:
    assert ruling("over_max", seat=2, bets_closed=True) == play_on("5.1.1")


def test_5_2_bet_under_the_minimum_may_be_corrected_while_bets_are_open() -> None:
    assert ruling("under_min", seat=2, bets_closed=False) == {"action": "correct", "rule": "5.2"}


def test_5_2_1_bet_under_the_minimum_noticed_late_is_left_to_settlement() -> None:
    assert ruling("under_min", seat=2, bets_closed=True) == play_on("5.2.1")


def test_3_8_jackpot_bet_without_ante_may_be_corrected_while_bets_are_open() -> None:
    assert ruling("jackpot_without_ante", seat=2, bets_closed=False) == {
        "action": "correct",
        "rule": "3.8",
    }


def test_5_4_jackpot_bet_without_ante_noticed_late_is_out_of_the_round() -> None:
    assert ruling("jackpot_without_ante", seat=2, bets_closed=True) == {
        "action": "invalidate",
        "rule": "5.4",
        "seats": [2],
    }


@pytest.mark.parametrize("irregularity", ["late_bet", "late_increase"])
def test_5_11_late_bets_are_refused(irregularity: str) -> None:
    assert ruling(irregularity, seat=3) == {"action": "refuse", "rule": "5.11"}


def test_5_11_late_withdrawal_does_not_count() -> None:
    assert ruling("late_withdrawal", seat=3) == {"action": "stand", "rule": "5.11"}


# Interruptions and the jackpot system: §5.7, §5.16, §5.17


def test_5_7_1_interruption_after_an_outcome_does_not_stop_the_round() -> None:
    assert ruling("interruption", outcome_established=True) == play_on("5.7.1")


def test_5_7_2_interruption_before_an_outcome_voids_the_round() -> None:
    assert ruling("interruption", outcome_established=False) == void("5.7.2")


def test_5_16_jackpot_fault_before_a_hand_was_seen_voids_the_round() -> None:
    assert ruling("jackpot_fault", any_player_seen=False) == void("5.16")


def test_5_17_1_jackpot_fault_after_a_hand_was_seen_does_not_stop_the_round() -> None:
    assert ruling("jackpot_fault", any_player_seen=True) == play_on("5.17.1")


def test_5_17_2_house_chooses_how_to_go_on_while_the_jackpot_fault_lasts() -> None:
    assert ruling("jackpot_fault_persists") == {
        "action": "refer",
        "rule": "5.17.2",
        "authority": "house",
        "options": ["close_table", "disallow_box", "no_jackpot_bets"],
    }


# The deck: §5.8


def test_5_8_1_foreign_card_voids_the_round() -> None:
    assert ruling("foreign_card") == void("5.8.1")


def test_5_8_3_wrong_number_of_cards_in_the_deck_voids_the_round() -> None:
    assert ruling("deck_count_wrong") == void("5.8.3")


def test_5_8_4_too_few_cards_to_finish_void_the_round() -> None:
    assert ruling("insufficient_cards") == void("5.8.4")


def test_5_8_5_unshuffled_cards_void_the_round() -> None:
    assert ruling("unshuffled") == void("5.8.5")


# Exposed cards: §5.8.2, §5.10, §5.12


@pytest.mark.parametrize("count", [2, 3])
def test_5_8_2_two_exposed_cards_and_no_hand_seen_void_the_round(count: int) -> None:
    assert ruling("cards_exposed", count=count, any_player_seen=False) == void("5.8.2")


def test_5_10_1_one_exposed_card_and_no_hand_seen_may_be_played_as_dealt() -> None:
    assert ruling("cards_exposed", count=1, any_player_seen=False) == options(
        "5.10", "continue", "withdraw"
    )


@pytest.mark.parametrize("count", [1, 2, 3])
def test_5_12_exposed_cards_after_a_hand_was_seen_do_not_stop_the_round(count: int) -> None:
    assert ruling("cards_exposed", count=count, any_player_seen=True) == play_on("5.12")


# Dealing errors: §5.8.6, §5.8.7, §5.9, §5.10, §5.13 to §5.15


def test_5_8_6_misdeal_that_cannot_be_moved_voids_the_round_if_unseen() -> None:
    assert ruling("misdeal", any_player_seen=False, movable=False) == void("5.8.6")


def test_5_8_6_misdeal_is_put_right_by_moving_hands_if_unseen() -> None:
    assert ruling("misdeal", any_player_seen=False, movable=True) == {
        "action": "reconstruct",
        "rule": "5.8.6",
    }


def test_5_10_1_misdeal_seen_and_not_movable_may_be_played_as_dealt() -> None:
    assert ruling("misdeal", any_player_seen=True, movable=False) == options(
        "5.10", "continue", "withdraw"
    )


def test_5_10_2_misdeal_seen_and_movable_may_be_played_reconstructed() -> None:
    assert ruling("misdeal", any_player_seen=True, movable=True) == options(
        "5.10", "continue_reconstructed", "withdraw"
    )


COUNTS = ["dealer_count_wrong", "community_count_wrong"]


@pytest.mark.parametrize("irregularity", COUNTS)
def test_5_8_7_wrong_count_beyond_repair_voids_the_round(irregularity: str) -> None:
    facts = {"reconstructable": False, "before_next_round": True}
    assert ruling(irregularity, **facts) == void("5.8.7")


@pytest.mark.parametrize("irregularity", COUNTS)
def test_5_10_2_wrong_count_that_can_be_put_right_is_a_dealing_error(irregularity: str) -> None:
    facts = {"reconstructable": True, "before_next_round": True}
    assert ruling(irregularity, **facts) == options("5.10", "continue_reconstructed", "withdraw")


@pytest.mark.parametrize("reconstructable", BOTH)
@pytest.mark.parametrize("irregularity", COUNTS)
def test_5_19_wrong_count_noticed_in_the_next_round_changes_nothing(
    irregularity: str, *, reconstructable: bool
) -> None:
    facts = {"reconstructable": reconstructable, "before_next_round": False}
    assert ruling(irregularity, **facts) == play_on("5.19")


def test_5_15_wrong_count_of_a_player_takes_his_hand_out() -> None:
    facts = {"seat": 3, "reconstructable": False, "before_next_round": True}
    assert ruling("player_count_wrong", **facts) == {
        "action": "invalidate",
        "rule": "5.15",
        "seats": [3],
    }


def test_5_10_2_wrong_count_of_a_player_that_can_be_put_right_is_a_dealing_error() -> None:
    facts = {"seat": 3, "reconstructable": True, "before_next_round": True}
    assert ruling("player_count_wrong", **facts) == options(
        "5.10", "continue_reconstructed", "withdraw"
    )


@pytest.mark.parametrize("reconstructable", BOTH)
def test_5_19_wrong_count_of_a_player_noticed_in_the_next_round_changes_nothing(
    *, reconstructable: bool
) -> None:
    facts = {"seat": 3, "reconstructable": reconstructable, "before_next_round": False}
    assert ruling("player_count_wrong", **facts) == play_on("5.19")


@pytest.mark.parametrize(("seen", "reconstructable"), [(True, True), (True, False), (False, False)])
def test_5_9_missing_burn_card_seen_or_beyond_repair_voids_the_round(
    *, seen: bool, reconstructable: bool
) -> None:
    facts = {"any_player_seen": seen, "reconstructable": reconstructable}
    assert ruling("no_burn", **facts) == void("5.9")


def test_5_9_missing_burn_card_put_right_gives_all_players_options() -> None:
    assert ruling("no_burn", any_player_seen=False, reconstructable=True) == options(
        "5.9", "continue_reconstructed", "withdraw", affects="all"
    )


def test_5_10_1_other_dealing_error_may_be_played_as_dealt() -> None:
    assert ruling("dealing_error", reconstructable=False) == options("5.10", "continue", "withdraw")


def test_5_10_2_other_dealing_error_may_be_played_reconstructed() -> None:
    assert ruling("dealing_error", reconstructable=True) == options(
        "5.10", "continue_reconstructed", "withdraw"
    )


def test_5_13_card_face_up_in_the_shoe_is_the_next_card() -> None:
    assert ruling("card_face_up_in_shoe") == {
        "action": "use_card",
        "rule": "5.13",
        "as": "next_card",
    }


def test_5_14_pit_supervisor_decides_an_order_that_is_not_known() -> None:
    assert ruling("simultaneous_draw", order_known=False) == {
        **options("5.14.1", "continue", "withdraw", affects="all"),
        "authority": "pit_supervisor",
    }


def test_5_14_1_cards_drawn_together_in_known_order_give_all_players_options() -> None:
    assert ruling("simultaneous_draw", order_known=True) == options(
        "5.14.1", "continue_reconstructed", "withdraw", affects="all"
    )


# Hands, earlier rounds, void rounds and the rest: §5.18 to §5.23


def test_5_18_hands_examined_on_purpose_are_out_but_for_the_first() -> None:
    facts = {"seats": [2, 4, 5], "first_seat": 4, "intentional": True}
    assert ruling("extra_hand_examined", **facts) == {
        "action": "invalidate",
        "rule": "5.18",
        "seats": [2, 5],
        "authority": "pit_supervisor",
    }


def test_5_18_hands_examined_by_mistake_stay_in() -> None:
    facts = {"seats": [2, 4], "first_seat": 4, "intentional": False}
    assert ruling("extra_hand_examined", **facts) == {
        **play_on("5.18"),
        "authority": "pit_supervisor",
    }


def test_5_19_error_of_an_earlier_round_changes_nothing() -> None:
    assert ruling("error_in_earlier_round") == play_on("5.19")


@pytest.mark.parametrize(
    ("irregularity", "facts"),
    [
        ("foreign_card", {}),
        ("deck_count_wrong", {}),
        ("insufficient_cards", {}),
        ("unshuffled", {}),
        ("cards_exposed", {"count": 2, "any_player_seen": False}),
        ("misdeal", {"any_player_seen": False, "movable": False}),
        ("dealer_count_wrong", {"reconstructable": False, "before_next_round": True}),
        ("no_burn", {"any_player_seen": True, "reconstructable": True}),
        ("interruption", {"outcome_established": False}),
        ("jackpot_fault", {"any_player_seen": False}),
    ],
)
def test_5_21_void_round_gives_every_bet_back(irregularity: str, facts: Json) -> None:
    answer = ruling(irregularity, **facts)
    assert (answer["action"], answer["bets"]) == ("void", "returned")


def test_5_23_whatever_is_not_covered_goes_to_the_shift_manager() -> None:
    assert ruling("other") == NOT_COVERED


@pytest.mark.parametrize("viewed", [[], [2], [2, 3]])
def test_5_23_hands_controlled_in_error_are_not_covered(viewed: list[int]) -> None:
    assert ruling("played_several_positions", seats=[2, 3], viewed=viewed) == NOT_COVERED


def test_5_23_hand_that_is_not_confidential_is_not_covered() -> None:
    assert ruling("hand_not_confidential", seat=2) == NOT_COVERED
