"""Payment from the meter in the RWS stud games: §4.2, §4.5.1 and §4.5.2, also I-17, I-19, I-20.

How a hand comes to a claim is in `test_rws_stud_jackpot_bet.py`.
"""

import pytest

from tests.rules.ask import Json, award
from tests.rules.games.rws_stud import (
    CASINO,
    FLUSH,
    MULTILINK,
    QUALIFYING,
    STRAIGHT_FLUSH,
    betting,
    both_games,
    claimed,
)

DOCUMENTS = (MULTILINK, CASINO)

MILLION = 100_000_000  # a million dollars, in cents
RESET = 20_000_000

Row = tuple[str, int, int, int]  # id, amount, meter before, meter after


def at(second: str) -> str:
    return f"2026-01-02T03:04:{second}Z"


def claim(name: str, **more: object) -> Json:
    """Make a claim; dealt at second 05 at table T1, entered later, unless told otherwise."""
    basis = {"id": name, "table": "T1", "round": 17, "seat": 1}
    return {**basis, "dealt_at": at("05.000"), "entered_at": at("30.000"), **more}


def royal(name: str, **more: object) -> Json:
    return claim(name, tier="royal_flush", percent=100, **more)


def straight_flush(name: str, **more: object) -> Json:
    return claim(name, tier="straight_flush", percent=10, **more)


def flush(name: str, **more: object) -> Json:
    return claim(name, tier="flush", amount=10_000, **more)


def full_house(name: str, **more: object) -> Json:
    return claim(name, tier="full_house", amount=20_000, **more)


def awarded(game: str, *claims: Json, value: int = MILLION, **more: object) -> Json:
    meter = {"value": value, "reset": RESET}
    return award({"game": game, "meter": meter, "claims": list(claims), **more})


def rows(answer: Json) -> list[Row]:
    """Give the payments in their order, and check that the answer ends at the last one's meter."""
    paid = [
        (paid["id"], paid["amount"], paid["meter_before"], paid["meter_after"])
        for paid in answer["awards"]
    ]
    assert answer["meter"] == {"value": paid[-1][3], "reset": RESET}
    return paid


def order(answer: Json) -> list[str]:
    return [paid["id"] for paid in answer["awards"]]


# §4.2: one claim


@both_games
def test_4_2_royal_flush_takes_the_meter_and_resets_it(game: str) -> None:
    assert awarded(game, royal("a")) == {
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


@both_games
def test_4_2_straight_flush_takes_a_tenth(game: str) -> None:
    answer = awarded(game, straight_flush("a"))
    assert rows(answer) == [("a", 10_000_000, 100_000_000, 90_000_000)]
    assert answer["awards"][0]["rule"] == "4.2"


@pytest.mark.parametrize(
    ("game", "tier", "amount"),
    [
        (MULTILINK, "four_of_a_kind", 200_000),
        (MULTILINK, "full_house", 20_000),
        (MULTILINK, "flush", 10_000),
        (CASINO, "four_of_a_kind", 50_000),
        (CASINO, "full_house", 20_000),
        (CASINO, "flush", 10_000),
    ],
)
def test_4_2_fixed_amounts_leave_the_meter_alone(game: str, tier: str, amount: int) -> None:
    answer = awarded(game, claim("a", tier=tier, amount=amount))
    assert rows(answer) == [("a", amount, 100_000_000, 100_000_000)]
    assert answer["awards"][0]["rule"] == "4.2"


@both_games
def test_4_2_fixed_amount_is_paid_though_the_meter_is_low(game: str) -> None:
    assert rows(awarded(game, flush("a"), value=0)) == [("a", 10_000, 0, 0)]


@both_games
def test_4_2_tenth_is_rounded_down_and_the_rest_stays(game: str) -> None:
    assert rows(awarded(game, straight_flush("a"), value=12_345_678)) == [
        ("a", 1_234_567, 12_345_678, 11_111_111)
    ]


@both_games
def test_4_2_tenth_may_take_the_meter_below_its_reset_value(game: str) -> None:
    assert rows(awarded(game, straight_flush("a"), value=RESET)) == [
        ("a", 2_000_000, 20_000_000, 18_000_000)
    ]


@both_games
def test_1_13_royal_flush_resets_a_meter_that_stood_below_its_reset_value(game: str) -> None:
    assert rows(awarded(game, royal("a"), value=18_000_000)) == [
        ("a", 18_000_000, 18_000_000, 20_000_000)
    ]


@both_games
def test_4_2_no_claim_moves_nothing(game: str) -> None:
    assert awarded(game) == {"awards": [], "meter": {"value": MILLION, "reset": RESET}}


@both_games
def test_4_2_claims_are_taken_as_settlement_gives_them(game: str) -> None:
    settled = claimed(
        game,
        QUALIFYING,
        betting(FLUSH, seat=2, jackpot=500),
        betting(STRAIGHT_FLUSH, seat=5, jackpot=500),
    )
    first, second = settled
    answer = awarded(
        game,
        claim("a", **first),
        claim("b", **second, dealt_at=at("05.900")),
    )
    assert rows(answer) == [
        ("a", 10_000, 100_000_000, 100_000_000),
        ("b", 10_000_000, 100_000_000, 90_000_000),
    ]


# §4.5.1: one table, one round


@both_games
def test_4_5_1_two_royals_are_paid_clockwise_each_at_the_meter_as_it_stands(game: str) -> None:
    answer = awarded(
        game,
        royal("b", seat=4, dealt_at=at("05.400")),
        royal("a", seat=2, dealt_at=at("05.200")),
    )
    assert rows(answer) == [
        ("a", 100_000_000, 100_000_000, 20_000_000),
        ("b", 20_000_000, 20_000_000, 20_000_000),
    ]
    assert answer["awards"][1]["rule"] == "4.5.1"


@both_games
def test_4_5_1_two_straight_flushes_each_take_a_tenth_of_what_stands(game: str) -> None:
    answer = awarded(
        game,
        straight_flush("a", seat=1, dealt_at=at("05.100")),
        straight_flush("b", seat=6, dealt_at=at("05.600")),
    )
    assert rows(answer) == [
        ("a", 10_000_000, 100_000_000, 90_000_000),
        ("b", 9_000_000, 90_000_000, 81_000_000),
    ]
    assert answer["awards"][1]["rule"] == "4.5.1"


@both_games
def test_4_5_1_royal_dealt_after_a_straight_flush_takes_what_it_left(game: str) -> None:
    answer = awarded(
        game,
        royal("b", seat=5, dealt_at=at("05.500")),
        straight_flush("a", seat=3, dealt_at=at("05.300")),
    )
    assert rows(answer) == [
        ("a", 10_000_000, 100_000_000, 90_000_000),
        ("b", 90_000_000, 90_000_000, 20_000_000),
    ]


@both_games
def test_4_5_1_straight_flush_dealt_after_a_royal_takes_a_tenth_of_the_reset(game: str) -> None:
    answer = awarded(
        game,
        straight_flush("b", seat=5, dealt_at=at("05.500")),
        royal("a", seat=3, dealt_at=at("05.300")),
    )
    assert rows(answer) == [
        ("a", 100_000_000, 100_000_000, 20_000_000),
        ("b", 2_000_000, 20_000_000, 18_000_000),
    ]


@both_games
def test_4_5_1_four_royals_leave_the_last_three_the_reset_value(game: str) -> None:
    answer = awarded(
        game,
        *(royal(f"seat{seat}", seat=seat, dealt_at=at(f"05.{seat}00")) for seat in (4, 3, 2, 1)),
    )
    assert rows(answer) == [
        ("seat1", 100_000_000, 100_000_000, 20_000_000),
        ("seat2", 20_000_000, 20_000_000, 20_000_000),
        ("seat3", 20_000_000, 20_000_000, 20_000_000),
        ("seat4", 20_000_000, 20_000_000, 20_000_000),
    ]


# §4.5.2: several tables


@both_games
def test_4_5_2_across_tables_the_hand_dealt_first_is_paid_first(game: str) -> None:
    answer = awarded(
        game,
        royal("b", table="T1", round=17, seat=1, dealt_at=at("05.679")),
        royal("a", table="T2", round=90, seat=7, dealt_at=at("05.678")),
    )
    assert rows(answer) == [
        ("a", 100_000_000, 100_000_000, 20_000_000),
        ("b", 20_000_000, 20_000_000, 20_000_000),
    ]
    assert answer["awards"][1]["rule"] == "4.5.2"


@both_games
def test_4_5_2_time_of_entry_is_of_no_account(game: str) -> None:
    answer = awarded(
        game,
        royal("b", table="T1", dealt_at=at("07.000"), entered_at=at("10.000")),
        straight_flush("a", table="T2", dealt_at=at("06.000"), entered_at=at("50.000")),
    )
    assert rows(answer) == [
        ("a", 10_000_000, 100_000_000, 90_000_000),
        ("b", 90_000_000, 90_000_000, 20_000_000),
    ]


@both_games
def test_4_5_2_tables_may_alternate(game: str) -> None:
    answer = awarded(
        game,
        straight_flush("a", table="T1", seat=1, dealt_at=at("01.000")),
        straight_flush("c", table="T1", seat=5, dealt_at=at("03.000")),
        straight_flush("b", table="T2", seat=2, dealt_at=at("02.000")),
    )
    assert rows(answer) == [
        ("a", 10_000_000, 100_000_000, 90_000_000),
        ("b", 9_000_000, 90_000_000, 81_000_000),
        ("c", 8_100_000, 81_000_000, 72_900_000),
    ]


@both_games
def test_4_5_2_midnight_does_not_turn_the_order_round(game: str) -> None:
    answer = awarded(
        game,
        royal("b", table="T1", dealt_at="2026-01-03T00:00:00.001Z"),
        royal("a", table="T2", dealt_at="2026-01-02T23:59:59.999Z"),
    )
    assert order(answer) == ["a", "b"]


# Where the documents leave room


@both_games
def test_i19_equal_times_go_by_table_name_and_then_by_seat(game: str) -> None:
    answer = awarded(
        game,
        royal("d", table="T2", seat=1),
        royal("b", table="T10", seat=6),
        royal("a", table="T10", seat=3),
    )
    assert order(answer) == ["a", "b", "d"]


@both_games
def test_i35_ties_that_remain_go_by_id(game: str) -> None:
    assert order(awarded(game, royal("z"), straight_flush("a"), flush("m"))) == ["a", "m", "z"]


@both_games
def test_i20_minor_claims_stand_in_the_order_of_the_deal(game: str) -> None:
    answer = awarded(
        game,
        full_house("c", seat=6, dealt_at=at("05.600")),
        royal("b", seat=4, dealt_at=at("05.400")),
        flush("a", seat=2, dealt_at=at("05.200")),
    )
    assert rows(answer) == [
        ("a", 10_000, 100_000_000, 100_000_000),
        ("b", 100_000_000, 100_000_000, 20_000_000),
        ("c", 20_000, 20_000_000, 20_000_000),
    ]


@both_games
@pytest.mark.parametrize("share", ["declining", "reset"])
def test_i35_sharing_setting_has_no_effect_where_nothing_is_shared(game: str, share: str) -> None:
    claims = [
        straight_flush("a", seat=1, dealt_at=at("05.100")),
        straight_flush("b", seat=2, dealt_at=at("05.200")),
    ]
    answer = awarded(game, *claims, settings={"straight_flush_share": share})
    assert answer == awarded(game, *claims)
