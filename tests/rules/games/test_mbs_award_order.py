"""The MBS games: in which order claims on the meter are paid (3.15.3, I-18, I-35).

The paragraphs are those of Megalink Singapore Stud Poker; Singapore Stud Poker is
silent and follows them (I-1, I-3). Amounts and shares as such are in
test_mbs_awards.py.
"""

from itertools import permutations

import pytest

from tests.rules.games.mbs_awards import (
    BOTH_GAMES,
    awarded,
    full_house,
    hit,
    order,
    payments,
    royal,
    straight_flush,
    straight_flushes,
)
from tests.rules.games.mbs_stud import MEGALINK, SINGAPORE

DOCUMENTS = ("mbs-megalink-stud",)

# ── lower hands of the same round come first ─────────────────────────────────


def test_3_15_3_royal_is_paid_after_a_fixed_amount_of_its_round() -> None:
    answer = awarded(
        MEGALINK, [royal("a", "03:05:00.000"), full_house("b", "03:05:30.000", seat=4)]
    )
    assert answer == {
        "awards": [
            {
                "id": "b",
                "amount": 20_000,
                "meter_before": 100_000_000,
                "meter_after": 100_000_000,
                "rule": "3.15.3",
            },
            {
                "id": "a",
                "amount": 100_000_000,
                "meter_before": 100_000_000,
                "meter_after": 20_000_000,
                "rule": "4.2",
            },
        ],
        "meter": {"value": 20_000_000, "reset": 20_000_000},
    }


@BOTH_GAMES
def test_3_15_3_royal_is_paid_after_a_straight_flush_of_its_round(game: str) -> None:
    answer = awarded(
        game, [royal("a", "03:05:00.000", seat=1), straight_flush("b", "03:06:00.000", seat=2)]
    )
    assert payments(answer) == [
        ("b", 10_000_000, 100_000_000, 90_000_000),
        ("a", 90_000_000, 90_000_000, 20_000_000),
    ]


@BOTH_GAMES
def test_3_15_3_shared_royals_are_paid_after_shared_straight_flushes(game: str) -> None:
    answer = awarded(game, [royal("r4", seat=4), royal("r5", seat=5), *straight_flushes(2)])
    assert payments(answer) == [
        ("s1", 9_500_000, 100_000_000, 90_500_000),
        ("s2", 9_500_000, 90_500_000, 81_000_000),
        ("r4", 50_500_000, 81_000_000, 20_000_000),
        ("r5", 50_500_000, 20_000_000, 20_000_000),
    ]


# ── units and their times ────────────────────────────────────────────────────


@BOTH_GAMES
def test_i18_royal_that_waits_for_its_round_lets_another_table_pass(game: str) -> None:
    answer = awarded(
        game,
        [
            royal("royal", "03:05:00.000", seat=1),
            straight_flush("elsewhere", "03:06:00.000", table="T2"),
            full_house("lower", "03:07:00.000", seat=2),
        ],
    )
    assert payments(answer) == [
        ("elsewhere", 10_000_000, 100_000_000, 90_000_000),
        ("lower", 20_000, 90_000_000, 90_000_000),
        ("royal", 90_000_000, 90_000_000, 20_000_000),
    ]


@BOTH_GAMES
def test_i18_straight_flush_waits_for_a_fixed_amount_of_its_round(game: str) -> None:
    answer = awarded(
        game,
        [
            straight_flush("waits", "03:05:00.000", seat=1),
            royal("elsewhere", "03:06:00.000", table="T2"),
            full_house("lower", "03:07:00.000", seat=2),
        ],
    )
    assert payments(answer) == [
        ("elsewhere", 100_000_000, 100_000_000, 20_000_000),
        ("lower", 20_000, 20_000_000, 20_000_000),
        ("waits", 2_000_000, 20_000_000, 18_000_000),
    ]


@BOTH_GAMES
def test_i18_nothing_waits_for_another_table_or_another_round(game: str) -> None:
    answer = awarded(
        game,
        [
            royal("royal", "03:05:00.000"),
            full_house("other table", "03:06:00.000", table="T2"),
            full_house("other round", "03:07:00.000", round=18),
        ],
    )
    assert order(answer) == ["royal", "other table", "other round"]


@BOTH_GAMES
def test_i18_those_who_share_are_paid_together_at_their_first_entry(game: str) -> None:
    answer = awarded(
        game,
        [
            straight_flush("second", "03:05:00.000", seat=6),
            royal("elsewhere", "03:06:00.000", table="T2"),
            straight_flush("first", "03:07:00.000", seat=2),
        ],
    )
    assert payments(answer) == [
        ("first", 9_500_000, 100_000_000, 90_500_000),
        ("second", 9_500_000, 90_500_000, 81_000_000),
        ("elsewhere", 81_000_000, 81_000_000, 20_000_000),
    ]


@BOTH_GAMES
def test_i18_royal_waits_for_the_first_of_the_straight_flushes_alone(game: str) -> None:
    answer = awarded(
        game,
        [
            royal("royal", "03:05:00.000", seat=1),
            straight_flush("s2", "03:06:00.000", seat=2),
            royal("elsewhere", "03:07:00.000", table="T2"),
            straight_flush("s3", "03:08:00.000", seat=3),
        ],
    )
    assert payments(answer) == [
        ("s2", 9_500_000, 100_000_000, 90_500_000),
        ("s3", 9_500_000, 90_500_000, 81_000_000),
        ("royal", 81_000_000, 81_000_000, 20_000_000),
        ("elsewhere", 20_000_000, 20_000_000, 20_000_000),
    ]


@BOTH_GAMES
def test_i18_at_one_time_fixed_before_straight_flush_before_royal(game: str) -> None:
    answer = awarded(
        game,
        [
            royal("royal", table="T1"),
            straight_flush("straight flush", table="T2"),
            full_house("fixed", table="T3"),
        ],
    )
    assert order(answer) == ["fixed", "straight flush", "royal"]


@BOTH_GAMES
def test_i18_at_one_time_by_table_then_round_then_seat(game: str) -> None:
    claims = [
        full_house("e", table="T2", round=1, seat=1),
        full_house("d", table="T10", round=10, seat=1),
        full_house("c", table="T10", round=9, seat=6),
        full_house("b", table="T10", round=9, seat=5),
        full_house("a", table="T1", round=30, seat=7),
    ]
    assert order(awarded(game, claims)) == ["a", "b", "c", "d", "e"]


@BOTH_GAMES
def test_i18_the_order_in_which_claims_are_listed_does_not_matter(game: str) -> None:
    claims = [
        royal("r", "03:05:00.000", seat=1),
        straight_flush("s", "03:06:00.000", seat=2),
        full_house("f", "03:07:00.000", seat=3),
        royal("elsewhere", "03:06:30.000", table="T2"),
    ]
    orders = {tuple(order(awarded(game, listed))) for listed in permutations(claims)}
    assert orders == {("elsewhere", "f", "s", "r")}


@BOTH_GAMES
def test_i35_no_fixed_amount_waits_for_another(game: str) -> None:
    answer = awarded(
        game,
        [
            hit("flush", "flush", "03:07:00.000", seat=1),
            hit("four", "four_of_a_kind", "03:05:00.000", seat=2),
            full_house("full house", "03:06:00.000", seat=3),
        ],
    )
    assert order(answer) == ["four", "full house", "flush"]


# ── what only Singapore Stud Poker has ───────────────────────────────────────


def test_i3_players_share_a_royal_of_the_dealer() -> None:
    answer = awarded(SINGAPORE, [royal("a", seat=1, on="dealer"), royal("b", seat=4, on="dealer")])
    assert payments(answer) == [
        ("a", 60_000_000, 100_000_000, 20_000_000),
        ("b", 60_000_000, 20_000_000, 20_000_000),
    ]


def test_i3_players_share_a_straight_flush_of_the_dealer() -> None:
    claims = [straight_flush("a", seat=1, on="dealer"), straight_flush("b", seat=4, on="dealer")]
    assert payments(awarded(SINGAPORE, claims)) == [
        ("a", 9_500_000, 100_000_000, 90_500_000),
        ("b", 9_500_000, 90_500_000, 81_000_000),
    ]


def test_i35_seat_with_two_claims_has_two_shares() -> None:
    answer = awarded(
        SINGAPORE,
        [
            royal("c", seat=4, on="dealer"),
            royal("b", seat=1, on="dealer"),
            royal("a", seat=1, on="player"),
        ],
    )
    assert [(name, amount) for name, amount, _, _ in payments(answer)] == [
        ("a", 46_666_666),
        ("b", 46_666_666),
        ("c", 46_666_666),
    ]


def test_i35_what_remains_equal_goes_by_id() -> None:
    answer = awarded(
        SINGAPORE, [full_house("b", on="player"), full_house("c"), full_house("a", on="dealer")]
    )
    assert order(answer) == ["a", "b", "c"]


@pytest.mark.parametrize("tier", ["magic_card", "lucky_player", "lucky_dealer"])
def test_i16_draw_is_a_fixed_amount_paid_before_the_royal_of_its_round(tier: str) -> None:
    answer = awarded(
        SINGAPORE,
        [royal("royal", "03:05:00.000"), hit("draw", tier, "03:06:00.000", amount=500)],
    )
    assert payments(answer) == [
        ("draw", 500, 100_000_000, 100_000_000),
        ("royal", 100_000_000, 100_000_000, 20_000_000),
    ]
