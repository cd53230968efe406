"""Singapore Stud Poker: what happens after an irregularity (paragraph 5).

The document is short: three rulings come from the same operator's later game
(I-1), all the rest that it does not speak of is referred, never borrowed.
"""

import pytest

from tests.rules.ask import Json, refused, ruling
from tests.rules.games.mbs_stud import SINGAPORE

DOCUMENTS = ("mbs-singapore-stud",)


def rule_on(irregularity: str, **facts: object) -> Json:
    return ruling(SINGAPORE, irregularity, **facts)


def void(rule: str) -> Json:
    return {"action": "void", "rule": rule, "bets": "returned"}


REFERRED = {"action": "refer", "rule": "silent", "authority": "gaming_shift_manager"}


# ── what the document says ───────────────────────────────────────────────────


def test_5_1_1_foreign_card_voids_the_round() -> None:
    assert rule_on("foreign_card") == void("5.1.1")


def test_5_2_hands_dealt_to_wrong_places_are_moved_if_nobody_handled_his_cards() -> None:
    answer = rule_on("misdeal", any_player_seen=False, movable=True)
    assert answer == {"action": "reconstruct", "rule": "5.2"}


def test_5_2_misdeal_that_moving_hands_cannot_mend_voids_the_round() -> None:
    assert rule_on("misdeal", any_player_seen=False, movable=False) == void("5.2")


def test_5_3_wrong_count_of_the_dealers_hand_voids_the_round() -> None:
    answer = rule_on("dealer_count_wrong", reconstructable=False, before_next_round=True)
    assert answer == void("5.3")


def test_5_3_dealers_hand_that_can_be_reconstructed_is() -> None:
    answer = rule_on("dealer_count_wrong", reconstructable=True, before_next_round=True)
    assert answer == {"action": "reconstruct", "rule": "5.3"}


@pytest.mark.parametrize("reconstructable", [True, False])
def test_5_3_dealers_count_noticed_in_the_next_game_changes_nothing(
    *, reconstructable: bool
) -> None:
    answer = rule_on("dealer_count_wrong", reconstructable=reconstructable, before_next_round=False)
    assert answer == {"action": "continue", "rule": "5.3"}


@pytest.mark.parametrize("seen", [True, False])
@pytest.mark.parametrize("count", [2, 3, 7])
def test_5_4_two_exposed_cards_void_the_round_seen_or_not(count: int, *, seen: bool) -> None:
    assert rule_on("cards_exposed", count=count, any_player_seen=seen) == void("5.4")


def test_5_5_shortage_or_excess_of_cards_voids_the_round() -> None:
    assert rule_on("deck_count_wrong") == void("5.5")


@pytest.mark.parametrize("late", ["late_bet", "late_increase"])
def test_5_6_late_wager_is_refused(late: str) -> None:
    assert rule_on(late, seat=2) == {"action": "refuse", "rule": "5.6"}


def test_5_7_late_withdrawal_does_not_count() -> None:
    assert rule_on("late_withdrawal", seat=2) == {"action": "stand", "rule": "5.7"}


# ── what the later document decides ──────────────────────────────────────────


@pytest.mark.parametrize("limit", ["over_max", "under_min"])
def test_i1_out_of_the_limits_play_goes_on_once_bets_are_closed(limit: str) -> None:
    answer = rule_on(limit, seat=2, bets_closed=True)
    assert answer == {"action": "continue", "rule": "I-1"}


def test_i1_an_excess_is_refused_while_bets_are_open() -> None:
    answer = rule_on("over_max", seat=2, bets_closed=False)
    assert answer == {"action": "refuse", "rule": "I-1"}


def test_i1_wager_under_the_minimum_can_be_corrected_while_bets_are_open() -> None:
    answer = rule_on("under_min", seat=2, bets_closed=False)
    assert answer == {"action": "correct", "rule": "I-1"}


def test_i1_jackpot_wager_without_an_ante_can_be_corrected_while_bets_are_open() -> None:
    answer = rule_on("jackpot_without_ante", seat=2, bets_closed=False)
    assert answer == {"action": "correct", "rule": "I-1"}


def test_i1_jackpot_wager_without_an_ante_is_invalid_once_bets_are_closed() -> None:
    answer = rule_on("jackpot_without_ante", seat=2, bets_closed=True)
    assert answer == {"action": "invalidate", "rule": "I-1", "seats": [2]}


# ── what is referred ─────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("irregularity", "facts"),
    [
        ("insufficient_cards", {}),
        ("unshuffled", {}),
        ("cards_exposed", {"count": 1, "any_player_seen": False}),
        ("cards_exposed", {"count": 1, "any_player_seen": True}),
        ("dealer_card_exposed", {}),
        ("misdeal", {"any_player_seen": True, "movable": True}),
        ("misdeal", {"any_player_seen": True, "movable": False}),
        ("player_count_wrong", {"seat": 4, "reconstructable": True, "before_next_round": True}),
        ("player_count_wrong", {"seat": 4, "reconstructable": True, "before_next_round": False}),
        ("player_count_wrong", {"seat": 4, "reconstructable": False, "before_next_round": True}),
        ("player_count_wrong", {"seat": 4, "reconstructable": False, "before_next_round": False}),
        ("dealing_error", {"reconstructable": True}),
        ("dealing_error", {"reconstructable": False}),
        ("card_face_up_in_shoe", {}),
        ("simultaneous_draw", {"order_known": True}),
        ("simultaneous_draw", {"order_known": False}),
        ("jackpot_fault", {"any_player_seen": True}),
        ("jackpot_fault", {"any_player_seen": False}),
        ("jackpot_fault_persists", {}),
        ("interruption", {"outcome_established": True}),
        ("interruption", {"outcome_established": False}),
        ("extra_hand_examined", {"seats": [2, 4], "first_seat": 2, "intentional": True}),
        ("extra_hand_examined", {"seats": [2, 4], "first_seat": 2, "intentional": False}),
        ("played_several_positions", {"seats": [2, 4], "viewed": []}),
        ("played_several_positions", {"seats": [2, 4], "viewed": [4]}),
        ("played_several_positions", {"seats": [2, 4], "viewed": [2, 4]}),
        ("hand_not_confidential", {"seat": 2}),
        ("error_in_earlier_round", {}),
        ("other", {}),
    ],
)
def test_i1_what_the_document_is_silent_on_is_referred(irregularity: str, facts: Json) -> None:
    assert rule_on(irregularity, **facts) == REFERRED


# ── what cannot be asked ─────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("irregularity", "facts"),
    [
        ("no_burn", {"any_player_seen": False, "reconstructable": True}),
        ("community_count_wrong", {"reconstructable": True, "before_next_round": True}),
    ],
)
def test_i23_what_cannot_happen_here_is_refused(irregularity: str, facts: Json) -> None:
    asked = {"game": SINGAPORE, "irregularity": irregularity, "facts": facts}
    assert "irregularity" in str(refused("ruling", asked))


@pytest.mark.parametrize(
    ("irregularity", "facts", "missing"),
    [
        ("cards_exposed", {"count": 2}, "any_player_seen"),
        ("player_count_wrong", {"reconstructable": True, "before_next_round": True}, "seat"),
        ("interruption", {}, "outcome_established"),
        ("over_max", {"seat": 2}, "bets_closed"),
    ],
)
def test_5_fact_is_needed_even_where_the_document_is_silent(
    irregularity: str, facts: Json, missing: str
) -> None:
    asked = {"game": SINGAPORE, "irregularity": irregularity, "facts": facts}
    assert missing in str(refused("ruling", asked))
