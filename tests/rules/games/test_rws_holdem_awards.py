"""In which order and at which meter the winners of `rws-holdem` are paid (§4.5, §1.20).

What a hand claims is in `test_rws_holdem_jackpot.py`.
"""

import pytest

from tests.rules.ask import Json, award
from tests.rules.games.rws_holdem import GAME, JACKPOT, box, claims

DOCUMENTS = ("rws-holdem",)

METER = 100000000
RESET = 20000000

FLOP_ROYAL: Json = {"tier": "royal_flush_flop", "percent": 100}
TURN_ROYAL: Json = {"tier": "royal_flush_turn", "percent": 25}
RIVER_ROYAL: Json = {"tier": "royal_flush_river", "percent": 5}
STRAIGHT_FLUSH: Json = {"tier": "straight_flush", "amount": 150000}
QUADS: Json = {"tier": "four_of_a_kind", "amount": 30000}
COMMUNITY_ROYAL: Json = {"tier": "royal_flush", "on": "community", "amount": 1000000}


def claim(name: str, line: Json, *, dealt: str, table: str = "", seat: int = 1) -> Json:
    """Write down a claim; `dealt` is the minute and second of one hour."""
    return {
        "id": name,
        "table": table or f"table of {name}",
        "round": 17,
        "seat": seat,
        "dealt_at": f"2026-01-02T03:{dealt}Z",
        "entered_at": "2026-01-02T03:05:00.000Z",
        **line,
    }


def awarded(*claimed: Json, meter: int = METER) -> Json:
    """Ask for the awards."""
    return award({"game": GAME, "meter": {"value": meter, "reset": RESET}, "claims": list(claimed)})


def rules(*claimed: Json) -> dict[str, str]:
    """Award claims; give the paragraph that decided each."""
    return {each["id"]: each["rule"] for each in awarded(*claimed)["awards"]}


def paid(*claimed: Json, meter: int = METER) -> list[tuple[str, int, int, int]]:
    """Award claims; give id, amount, and the meter before and after, as they are paid."""
    answer = awarded(*claimed, meter=meter)
    awards = answer["awards"]
    assert answer["meter"] == {"value": awards[-1]["meter_after"], "reset": RESET}
    return [
        (each["id"], each["amount"], each["meter_before"], each["meter_after"]) for each in awards
    ]


def test_1_20_jackpot_won_whole_starts_again_from_the_reset_value() -> None:
    assert paid(claim("a", FLOP_ROYAL, dealt="04:05.678")) == [("a", METER, METER, RESET)]


def test_4_2_turn_royal_takes_a_quarter_and_resets_nothing() -> None:
    assert paid(claim("a", TURN_ROYAL, dealt="04:05.678")) == [("a", 25000000, METER, 75000000)]


def test_4_2_river_royal_takes_a_twentieth_and_resets_nothing() -> None:
    assert paid(claim("a", RIVER_ROYAL, dealt="04:05.678")) == [("a", 5000000, METER, 95000000)]


@pytest.mark.parametrize(
    ("line", "amount"), [(STRAIGHT_FLUSH, 150000), (QUADS, 30000), (COMMUNITY_ROYAL, 1000000)]
)
def test_4_2_fixed_lines_leave_the_meter_alone(line: Json, amount: int) -> None:
    assert paid(claim("a", line, dealt="04:05.678")) == [("a", amount, METER, METER)]


def test_4_2_shares_are_rounded_down_and_the_rest_stays_on_the_meter() -> None:
    assert paid(
        claim("a", TURN_ROYAL, dealt="04:05.000"),
        claim("b", RIVER_ROYAL, dealt="04:06.000"),
        meter=33333335,
    ) == [("a", 8333333, 33333335, 25000002), ("b", 1250000, 25000002, 23750002)]


def test_4_5_winner_dealt_first_is_paid_first() -> None:
    assert paid(
        claim("whole", FLOP_ROYAL, dealt="04:05.679"),
        claim("quarter", TURN_ROYAL, dealt="04:05.678"),
    ) == [("quarter", 25000000, METER, 75000000), ("whole", 75000000, 75000000, RESET)]


def test_4_5_later_winner_is_paid_from_the_meter_as_it_then_stands() -> None:
    assert paid(
        claim("quarter", TURN_ROYAL, dealt="04:05.679"),
        claim("whole", FLOP_ROYAL, dealt="04:05.678"),
    ) == [("whole", METER, METER, RESET), ("quarter", 5000000, RESET, 15000000)]


def test_4_5_two_flop_royals_take_the_jackpot_and_then_the_reset_value() -> None:
    assert paid(
        claim("second", FLOP_ROYAL, dealt="04:06.000"),
        claim("first", FLOP_ROYAL, dealt="04:05.000"),
    ) == [("first", METER, METER, RESET), ("second", RESET, RESET, RESET)]


def test_4_5_two_turn_royals_take_a_quarter_each_of_what_is_left() -> None:
    assert paid(
        claim("first", TURN_ROYAL, dealt="04:05.000"),
        claim("second", TURN_ROYAL, dealt="04:06.000"),
    ) == [("first", 25000000, METER, 75000000), ("second", 18750000, 75000000, 56250000)]


def test_4_5_time_of_entry_does_not_count() -> None:
    early, late = "2026-01-02T03:07:00.000Z", "2026-01-02T03:08:00.000Z"
    order = paid(
        claim("entered first", TURN_ROYAL, dealt="04:06.000") | {"entered_at": early},
        claim("dealt first", TURN_ROYAL, dealt="04:05.000") | {"entered_at": late},
    )
    assert [name for name, *_ in order] == ["dealt first", "entered first"]


def test_4_5_is_the_rule_where_majors_of_several_tables_meet() -> None:
    assert rules(
        claim("whole", FLOP_ROYAL, dealt="04:05.000"),
        claim("quarter", TURN_ROYAL, dealt="04:07.000"),
        claim("twentieth", RIVER_ROYAL, dealt="04:06.000"),
    ) == {"whole": "4.5", "quarter": "4.5", "twentieth": "4.2"}


def test_4_2_is_the_rule_of_a_major_among_minors() -> None:
    assert rules(
        claim("quarter", TURN_ROYAL, dealt="04:05.000"),
        claim("twentieth", RIVER_ROYAL, dealt="04:06.000"),
        claim("quads", QUADS, dealt="04:07.000"),
    ) == {"quarter": "4.2", "twentieth": "4.2", "quads": "4.2"}


def test_i19_equal_times_go_by_table_then_seat() -> None:
    order = paid(
        claim("a", RIVER_ROYAL, dealt="04:05.000", table="T2", seat=1),
        claim("b", QUADS, dealt="04:05.000", table="T1", seat=5),
        claim("c", TURN_ROYAL, dealt="04:05.000", table="T1", seat=2),
        claim("d", QUADS, dealt="04:05.000", table="T10", seat=1),
    )
    assert [name for name, *_ in order] == ["c", "b", "d", "a"]


def test_i20_minor_claims_stand_among_the_majors_by_time() -> None:
    assert paid(
        claim("whole", FLOP_ROYAL, dealt="04:08.000"),
        claim("community", COMMUNITY_ROYAL, dealt="04:09.000"),
        claim("twentieth", RIVER_ROYAL, dealt="04:06.000"),
        claim("quads", QUADS, dealt="04:05.000"),
        claim("quarter", TURN_ROYAL, dealt="04:07.000"),
    ) == [
        ("quads", 30000, METER, METER),
        ("twentieth", 5000000, METER, 95000000),
        ("quarter", 23750000, 95000000, 71250000),
        ("whole", 71250000, 71250000, RESET),
        ("community", 1000000, RESET, RESET),
    ]


def test_4_5_claim_goes_to_award_as_settle_gave_it() -> None:
    laid = box("Ah 2c", jackpot=JACKPOT)
    (settled_claim,) = claims(laid, board="Kh Qh Jh Th 5d")
    whole_claim = claim("a", settled_claim, dealt="04:05.678")
    assert paid(whole_claim) == [("a", 25000000, METER, 75000000)]
