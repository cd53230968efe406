"""Megalink Singapore Stud Poker: what happens after an irregularity (paragraphs 5 and 6).

Every irregularity of the contract, with each combination of facts that changes
the answer. What a ruling then does to the wagers is in test_mbs_megalink_limits.py.
"""

import pytest

from tests.rules.ask import Json, refused, ruling
from tests.rules.games.mbs_stud import MEGALINK

DOCUMENTS = ("mbs-megalink-stud",)


def rule_on(irregularity: str, **facts: object) -> Json:
    return ruling(MEGALINK, irregularity, **facts)


def void(rule: str) -> Json:
    return {"action": "void", "rule": rule, "bets": "returned"}


def goes_on(rule: str) -> Json:
    return {"action": "continue", "rule": rule}


def put_right(rule: str) -> Json:
    return {"action": "reconstruct", "rule": rule}


REFERRED = {"action": "refer", "rule": "6.1", "authority": "gaming_shift_manager"}


# ── the deck ─────────────────────────────────────────────────────────────────


def test_5_1_1_foreign_card_voids_the_round() -> None:
    assert rule_on("foreign_card") == void("5.1.1")


def test_5_1_1_unshuffled_cards_void_the_round() -> None:
    assert rule_on("unshuffled") == void("5.1.1")


def test_5_8_wrong_count_of_the_deck_voids_the_round() -> None:
    answer = rule_on("deck_count_wrong")
    assert answer["rule"] in {"5.1.1", "5.8"}  # both paragraphs state it
    assert answer == void(answer["rule"])


# ── the deal ─────────────────────────────────────────────────────────────────


def test_5_2_hands_dealt_to_wrong_places_are_moved_if_nobody_handled_his_cards() -> None:
    assert rule_on("misdeal", any_player_seen=False, movable=True) == put_right("5.2")


def test_5_2_misdeal_that_moving_hands_cannot_mend_voids_the_round() -> None:
    assert rule_on("misdeal", any_player_seen=False, movable=False) == void("5.2")


@pytest.mark.parametrize("movable", [True, False])
def test_6_1_misdeal_after_cards_were_handled_is_referred(*, movable: bool) -> None:
    assert rule_on("misdeal", any_player_seen=True, movable=movable) == REFERRED


def test_5_3_wrong_count_of_the_dealers_hand_voids_the_round() -> None:
    answer = rule_on("dealer_count_wrong", reconstructable=False, before_next_round=True)
    assert answer == void("5.3")


def test_5_3_dealers_hand_that_can_be_reconstructed_is() -> None:
    answer = rule_on("dealer_count_wrong", reconstructable=True, before_next_round=True)
    assert answer == put_right("5.3")


@pytest.mark.parametrize("reconstructable", [True, False])
def test_5_3_dealers_count_noticed_in_the_next_round_changes_nothing(
    *, reconstructable: bool
) -> None:
    answer = rule_on("dealer_count_wrong", reconstructable=reconstructable, before_next_round=False)
    assert answer == goes_on("5.3")


@pytest.mark.parametrize("seen", [True, False])
@pytest.mark.parametrize("count", [2, 3, 7])
def test_5_4_two_exposed_cards_void_the_round_seen_or_not(count: int, *, seen: bool) -> None:
    assert rule_on("cards_exposed", count=count, any_player_seen=seen) == void("5.4")


@pytest.mark.parametrize("seen", [True, False])
def test_6_1_one_exposed_card_is_referred(*, seen: bool) -> None:
    assert rule_on("cards_exposed", count=1, any_player_seen=seen) == REFERRED


def wrong_count_of_seat_4() -> Json:
    return rule_on("player_count_wrong", seat=4, reconstructable=False, before_next_round=True)


def test_5_7_player_with_a_wrong_count_is_out() -> None:
    answer = wrong_count_of_seat_4()
    assert answer["action"] == "invalidate"
    assert answer["seats"] == [4]


def test_5_7_1_the_others_may_withdraw() -> None:
    answer = wrong_count_of_seat_4()
    assert answer["rule"] in {"5.7", "5.7.1"}  # the one takes the hand out, the other lets withdraw
    assert answer == {
        "action": "invalidate",
        "rule": answer["rule"],
        "seats": [4],
        "options": ["continue", "withdraw"],
        "affects": "all",
    }


def test_5_7_players_hand_that_can_be_reconstructed_is() -> None:
    answer = rule_on("player_count_wrong", seat=4, reconstructable=True, before_next_round=True)
    assert answer == put_right("5.7")


@pytest.mark.parametrize("reconstructable", [True, False])
def test_5_7_players_count_noticed_in_the_next_round_changes_nothing(
    *, reconstructable: bool
) -> None:
    answer = rule_on(
        "player_count_wrong", seat=4, reconstructable=reconstructable, before_next_round=False
    )
    assert answer == goes_on("5.7")


# ── wagers ───────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("late", ["late_bet", "late_increase"])
def test_5_5_late_wager_is_refused(late: str) -> None:
    assert rule_on(late, seat=2) == {"action": "refuse", "rule": "5.5"}


def test_5_6_late_withdrawal_does_not_count() -> None:
    assert rule_on("late_withdrawal", seat=2) == {"action": "stand", "rule": "5.6"}


def test_5_12_1_jackpot_wager_without_an_ante_can_be_corrected_while_bets_are_open() -> None:
    answer = rule_on("jackpot_without_ante", seat=2, bets_closed=False)
    assert answer == {"action": "correct", "rule": "5.12.1"}


def test_5_12_2_jackpot_wager_without_an_ante_is_invalid_once_bets_are_closed() -> None:
    answer = rule_on("jackpot_without_ante", seat=2, bets_closed=True)
    assert answer == {"action": "invalidate", "rule": "5.12.2", "seats": [2]}


def test_3_4_an_excess_is_refused_while_bets_are_open() -> None:
    answer = rule_on("over_max", seat=2, bets_closed=False)
    assert answer == {"action": "refuse", "rule": "3.4"}


def test_3_4_wager_under_the_minimum_can_be_corrected_while_bets_are_open() -> None:
    answer = rule_on("under_min", seat=2, bets_closed=False)
    assert answer == {"action": "correct", "rule": "3.4"}


def test_5_13_under_the_minimum_play_goes_on_once_bets_are_closed() -> None:
    assert rule_on("under_min", seat=2, bets_closed=True) == goes_on("5.13")


def test_5_14_over_the_maximum_play_goes_on_once_bets_are_closed() -> None:
    assert rule_on("over_max", seat=2, bets_closed=True) == goes_on("5.14")


# ── players ──────────────────────────────────────────────────────────────────


def test_5_9_hand_not_kept_confidential_is_for_the_shift_manager() -> None:
    answer = rule_on("hand_not_confidential", seat=2)
    assert answer["action"] == "refer"
    assert answer["rule"] == "5.9"
    assert answer["authority"] == "gaming_shift_manager"


@pytest.mark.parametrize(
    ("viewed", "out"), [([4], [2, 6]), ([2], [4, 6]), ([2, 6], [4]), ([4, 6], [2])]
)
def test_5_10_1_hands_not_viewed_are_invalid(viewed: list[int], out: list[int]) -> None:
    answer = rule_on("played_several_positions", seats=[2, 4, 6], viewed=viewed)
    assert answer == {"action": "invalidate", "rule": "5.10.1", "seats": out}


def test_5_10_1_with_every_hand_viewed_play_goes_on() -> None:
    answer = rule_on("played_several_positions", seats=[2, 4], viewed=[2, 4])
    assert answer == goes_on("5.10.1")


def test_5_10_2_with_no_hand_viewed_the_first_dealt_stays() -> None:
    answer = rule_on("played_several_positions", seats=[2, 4, 6], viewed=[])
    assert answer == {"action": "invalidate", "rule": "5.10.2", "seats": [4, 6]}


def test_5_10_2_the_first_dealt_is_the_first_from_the_dealers_left() -> None:
    answer = rule_on("played_several_positions", seats=[5, 3], viewed=[])
    assert answer == {"action": "invalidate", "rule": "5.10.2", "seats": [5]}


@pytest.mark.parametrize("intentional", [True, False])
def test_i34_player_who_examined_more_hands_is_referred(*, intentional: bool) -> None:
    answer = rule_on("extra_hand_examined", seats=[2, 4], first_seat=2, intentional=intentional)
    assert answer["action"] == "refer"
    assert answer["authority"] == "gaming_shift_manager"


# ── power ────────────────────────────────────────────────────────────────────


def test_5_16_1_before_an_outcome_all_players_may_withdraw() -> None:
    assert rule_on("interruption", outcome_established=False) == {
        "action": "options",
        "rule": "5.16.1",
        "options": ["continue", "withdraw"],
        "affects": "all",
    }


def test_5_16_2_after_an_outcome_play_goes_on() -> None:
    assert rule_on("interruption", outcome_established=True) == goes_on("5.16.2")


# ── what the document does not speak of ──────────────────────────────────────


@pytest.mark.parametrize(
    ("irregularity", "facts"),
    [
        ("insufficient_cards", {}),
        ("dealer_card_exposed", {}),
        ("dealing_error", {"reconstructable": True}),
        ("dealing_error", {"reconstructable": False}),
        ("card_face_up_in_shoe", {}),
        ("simultaneous_draw", {"order_known": True}),
        ("simultaneous_draw", {"order_known": False}),
        ("jackpot_fault", {"any_player_seen": True}),
        ("jackpot_fault", {"any_player_seen": False}),
        ("jackpot_fault_persists", {}),
        ("error_in_earlier_round", {}),
        ("other", {}),
    ],
)
def test_6_1_what_is_not_covered_is_for_the_shift_manager(irregularity: str, facts: Json) -> None:
    assert rule_on(irregularity, **facts) == REFERRED


# ── what cannot be asked ─────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("irregularity", "facts"),
    [
        ("no_burn", {"any_player_seen": False, "reconstructable": True}),
        ("community_count_wrong", {"reconstructable": True, "before_next_round": True}),
        ("spilled_drink", {}),
    ],
)
def test_i23_what_cannot_happen_here_is_refused(irregularity: str, facts: Json) -> None:
    asked = {"game": MEGALINK, "irregularity": irregularity, "facts": facts}
    assert "irregularity" in str(refused("ruling", asked))


@pytest.mark.parametrize(
    ("irregularity", "facts", "missing"),
    [
        ("cards_exposed", {"any_player_seen": True}, "count"),
        ("cards_exposed", {"count": 2}, "any_player_seen"),
        ("misdeal", {"movable": True}, "any_player_seen"),
        ("misdeal", {"any_player_seen": False}, "movable"),
        ("dealer_count_wrong", {"reconstructable": True}, "before_next_round"),
        ("dealer_count_wrong", {"before_next_round": True}, "reconstructable"),
        ("player_count_wrong", {"reconstructable": False, "before_next_round": True}, "seat"),
        ("dealing_error", {}, "reconstructable"),
        ("simultaneous_draw", {}, "order_known"),
        ("jackpot_fault", {}, "any_player_seen"),
        ("interruption", {}, "outcome_established"),
        ("extra_hand_examined", {"seats": [2, 4], "first_seat": 2}, "intentional"),
        ("late_bet", {}, "seat"),
        ("jackpot_without_ante", {"seat": 2}, "bets_closed"),
        ("over_max", {"bets_closed": True}, "seat"),
        ("under_min", {"seat": 2}, "bets_closed"),
        ("played_several_positions", {"seats": [2, 4]}, "viewed"),
        ("hand_not_confidential", {}, "seat"),
    ],
)
def test_5_fact_that_is_needed_must_be_given(irregularity: str, facts: Json, missing: str) -> None:
    asked = {"game": MEGALINK, "irregularity": irregularity, "facts": facts}
    assert missing in str(refused("ruling", asked))


def test_5_fact_that_nobody_asked_for_is_refused() -> None:
    asked = {"game": MEGALINK, "irregularity": "late_bet", "facts": {"seat": 2, "colour": "red"}}
    assert "colour" in str(refused("ruling", asked))
