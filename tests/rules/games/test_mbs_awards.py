"""The MBS games: who is paid what from the meter (3.14, 3.15.1, 3.15.2, 4.2).

The paragraphs are those of Megalink Singapore Stud Poker; Singapore Stud Poker is
silent and follows them (I-1, I-3), so most tests ask both. The order among
claims of one round is in test_mbs_award_order.py.
"""

import pytest

from tests.rules.ask import Json, refused
from tests.rules.games.mbs_awards import (
    BOTH_GAMES,
    METER,
    RESET,
    awarded,
    full_house,
    order,
    payments,
    royal,
    rules,
    straight_flush,
    straight_flushes,
)
from tests.rules.games.mbs_stud import MEGALINK

DOCUMENTS = ("mbs-megalink-stud",)

DECLINING: Json = {"settings": {"straight_flush_share": "declining"}}
BY_RESET: Json = {"settings": {"straight_flush_share": "reset"}}


# ── one winner ───────────────────────────────────────────────────────────────


@BOTH_GAMES
def test_4_2_royal_flush_takes_the_whole_meter_and_resets_it(game: str) -> None:
    assert awarded(game, [royal("a")]) == {
        "awards": [
            {
                "id": "a",
                "amount": 100_000_000,
                "meter_before": 100_000_000,
                "meter_after": 20_000_000,
                "rule": "4.2",
            }
        ],
        "meter": {"value": 20_000_000, "reset": 20_000_000},
    }


@BOTH_GAMES
def test_4_2_straight_flush_takes_a_tenth(game: str) -> None:
    answer = awarded(game, [straight_flush("a")])
    assert payments(answer) == [("a", 10_000_000, 100_000_000, 90_000_000)]
    assert rules(answer) == ["4.2"]


@BOTH_GAMES
def test_4_2_tenth_is_rounded_down_and_the_rest_stays(game: str) -> None:
    answer = awarded(game, [straight_flush("a")], meter=100_000_009)
    assert payments(answer) == [("a", 10_000_000, 100_000_009, 90_000_009)]


@BOTH_GAMES
def test_4_2_fixed_amount_leaves_the_meter_alone(game: str) -> None:
    answer = awarded(game, [full_house("a")])
    assert payments(answer) == [("a", 20_000, 100_000_000, 100_000_000)]


@BOTH_GAMES
def test_4_2_fixed_amount_is_paid_whatever_the_meter_holds(game: str) -> None:
    answer = awarded(game, [full_house("a")], meter=5)
    assert payments(answer) == [("a", 20_000, 5, 5)]


@BOTH_GAMES
def test_4_2_tenth_may_take_the_meter_below_its_reset_value(game: str) -> None:
    answer = awarded(
        game,
        [straight_flush("a", "03:05:00.000"), royal("b", "03:06:00.000", table="T2")],
        meter=RESET,
    )
    assert payments(answer) == [
        ("a", 2_000_000, 20_000_000, 18_000_000),
        ("b", 18_000_000, 18_000_000, 20_000_000),
    ]


def test_4_2_claim_may_carry_all_that_settle_gave_it() -> None:
    answer = awarded(MEGALINK, [royal("a", on="player", level="major")])
    assert payments(answer) == [("a", 100_000_000, 100_000_000, 20_000_000)]


# ── separate tables: the first entered is paid first ─────────────────────────


@BOTH_GAMES
def test_3_14_the_royal_entered_first_has_the_meter_and_the_next_the_reset_value(
    game: str,
) -> None:
    answer = awarded(
        game,
        [royal("late", "03:05:00.001", table="T1"), royal("early", "03:05:00.000", table="T2")],
    )
    assert payments(answer) == [
        ("early", 100_000_000, 100_000_000, 20_000_000),
        ("late", 20_000_000, 20_000_000, 20_000_000),
    ]


@BOTH_GAMES
def test_3_14_straight_flushes_of_two_tables_do_not_share(game: str) -> None:
    answer = awarded(
        game,
        [
            straight_flush("b", "03:06:00.000", table="T1"),
            straight_flush("a", "03:05:00.000", table="T2"),
        ],
    )
    assert payments(answer) == [
        ("a", 10_000_000, 100_000_000, 90_000_000),
        ("b", 9_000_000, 90_000_000, 81_000_000),
    ]


@BOTH_GAMES
def test_3_14_when_the_hand_was_dealt_does_not_matter(game: str) -> None:
    answer = awarded(
        game,
        [
            royal("dealt first", "03:06:00.000", dealt_at="2026-01-02T03:00:00.000Z"),
            royal("entered first", "03:05:00.000", table="T2"),
        ],
    )
    assert order(answer) == ["entered first", "dealt first"]


@BOTH_GAMES
def test_3_14_royal_entered_first_leaves_a_tenth_of_the_reset_value(game: str) -> None:
    answer = awarded(
        game, [straight_flush("b", "03:06:00.000", table="T2"), royal("a", "03:05:00.000")]
    )
    assert payments(answer) == [
        ("a", 100_000_000, 100_000_000, 20_000_000),
        ("b", 2_000_000, 20_000_000, 18_000_000),
    ]


# ── royal flushes of one round share ─────────────────────────────────────────


@BOTH_GAMES
def test_3_15_1_two_royals_share_the_meter_and_one_reset_value(game: str) -> None:
    answer = awarded(game, [royal("a", seat=2), royal("b", seat=5)])
    assert payments(answer) == [
        ("a", 60_000_000, 100_000_000, 20_000_000),
        ("b", 60_000_000, 20_000_000, 20_000_000),
    ]
    assert answer["meter"] == {"value": 20_000_000, "reset": 20_000_000}


def test_3_15_1_sharing_royals_name_the_paragraph() -> None:
    answer = awarded(MEGALINK, [royal("a", seat=2), royal("b", seat=5)])
    assert rules(answer) == ["3.15.1", "3.15.1"]


@BOTH_GAMES
def test_3_15_1_three_royals_share_two_reset_values_and_the_last_leaves_the_cents(
    game: str,
) -> None:
    answer = awarded(game, [royal("a", seat=1), royal("b", seat=2), royal("c", seat=3)])
    assert payments(answer) == [
        ("a", 46_666_666, 100_000_000, 20_000_000),
        ("b", 46_666_666, 20_000_000, 20_000_000),
        ("c", 46_666_666, 20_000_000, 20_000_002),
    ]


@BOTH_GAMES
def test_3_15_1_four_royals_share_three_reset_values(game: str) -> None:
    answer = awarded(game, [royal(str(seat), seat=seat) for seat in (1, 2, 3, 4)])
    assert [amount for _, amount, _, _ in payments(answer)] == [40_000_000] * 4


@BOTH_GAMES
def test_3_15_1_royals_share_when_the_meter_is_below_its_reset_value(game: str) -> None:
    answer = awarded(game, [royal("a", seat=1), royal("b", seat=2)], meter=18_000_001)
    assert payments(answer) == [
        ("a", 19_000_000, 18_000_001, 20_000_000),
        ("b", 19_000_000, 20_000_000, 20_000_001),
    ]


@BOTH_GAMES
def test_3_15_1_royals_of_two_rounds_of_one_table_do_not_share(game: str) -> None:
    answer = awarded(
        game,
        [royal("a", "03:05:00.000", round=17), royal("b", "03:06:00.000", round=18, seat=1)],
    )
    assert payments(answer) == [
        ("a", 100_000_000, 100_000_000, 20_000_000),
        ("b", 20_000_000, 20_000_000, 20_000_000),
    ]


# ── straight flushes of one round share ──────────────────────────────────────


@BOTH_GAMES
@pytest.mark.parametrize("settings", [{}, {"settings": {}}, DECLINING])
def test_3_15_2_two_straight_flushes_share_two_declining_tenths(game: str, settings: Json) -> None:
    answer = awarded(game, straight_flushes(2), **settings)
    assert payments(answer) == [
        ("s1", 9_500_000, 100_000_000, 90_500_000),
        ("s2", 9_500_000, 90_500_000, 81_000_000),
    ]


@BOTH_GAMES
def test_3_15_2_three_share_three_declining_tenths_and_the_cent_stays(game: str) -> None:
    assert payments(awarded(game, straight_flushes(3))) == [
        ("s1", 9_033_333, 100_000_000, 90_966_667),
        ("s2", 9_033_333, 90_966_667, 81_933_334),
        ("s3", 9_033_333, 81_933_334, 72_900_001),
    ]


def test_3_15_2_sharing_straight_flushes_name_the_paragraph() -> None:
    assert rules(awarded(MEGALINK, straight_flushes(2))) == ["3.15.2", "3.15.2"]


@BOTH_GAMES
def test_i4_by_reset_value_the_second_adds_a_tenth_of_the_reset_value(game: str) -> None:
    assert payments(awarded(game, straight_flushes(2), **BY_RESET)) == [
        ("s1", 6_000_000, 100_000_000, 94_000_000),
        ("s2", 6_000_000, 94_000_000, 88_000_000),
    ]


@BOTH_GAMES
def test_i4_by_reset_value_the_third_adds_another_and_the_cent_stays(game: str) -> None:
    assert payments(awarded(game, straight_flushes(3), **BY_RESET)) == [
        ("s1", 4_666_666, 100_000_000, 95_333_334),
        ("s2", 4_666_666, 95_333_334, 90_666_668),
        ("s3", 4_666_666, 90_666_668, 86_000_002),
    ]


@BOTH_GAMES
@pytest.mark.parametrize("settings", [DECLINING, BY_RESET])
def test_i35_the_setting_does_not_matter_where_nothing_is_shared(game: str, settings: Json) -> None:
    answer = awarded(game, straight_flushes(1), **settings)
    assert payments(answer) == [("s1", 10_000_000, 100_000_000, 90_000_000)]


@BOTH_GAMES
def test_i35_the_meter_never_falls_below_zero(game: str) -> None:
    assert payments(awarded(game, straight_flushes(3), meter=1000, **BY_RESET)) == [
        ("s1", 1_333_366, 1000, 0),
        ("s2", 1_333_366, 0, 0),
        ("s3", 1_333_366, 0, 0),
    ]


@BOTH_GAMES
def test_i35_the_meter_covers_what_it_can_of_the_share_that_empties_it(game: str) -> None:
    answer = awarded(game, straight_flushes(2), meter=1_500_000, **BY_RESET)
    assert payments(answer) == [
        ("s1", 1_075_000, 1_500_000, 425_000),
        ("s2", 1_075_000, 425_000, 0),
    ]


# ── what cannot be asked ─────────────────────────────────────────────────────


@BOTH_GAMES
def test_i4_an_unknown_way_of_sharing_is_refused(game: str) -> None:
    asked = {
        "game": game,
        "meter": {"value": METER, "reset": RESET},
        "claims": straight_flushes(2),
        "settings": {"straight_flush_share": "evenly"},
    }
    assert "straight_flush_share" in str(refused("award", asked))


@BOTH_GAMES
@pytest.mark.parametrize("meter", [{"value": -1, "reset": RESET}, {"value": METER, "reset": -1}])
def test_4_2_negative_meter_is_refused(game: str, meter: Json) -> None:
    refused("award", {"game": game, "meter": meter, "claims": [royal("a")]})


@BOTH_GAMES
def test_4_2_claim_without_amount_or_percentage_is_refused(game: str) -> None:
    nothing = royal("a")
    del nothing["percent"]
    asked = {"game": game, "meter": {"value": METER, "reset": RESET}, "claims": [nothing]}
    refused("award", asked)
