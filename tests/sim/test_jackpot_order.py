"""Who is paid now and what the others wait for: the decision alone, by interpretation."""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pytest
from msgspec import UNSET

from firmware.protocol.messages import TableStatus
from firmware.rules.contract import EnteredClaim
from firmware.rules.games import GAMES
from sim.jackpot_controller.order import PaymentDecision, TableStatuses, UnpaidClaim, decide
from tests.sim.jackpot_messages import DEALT_MS, status

RWS, MBS = GAMES["rws-multilink-stud"], GAMES["mbs-megalink-stud"]
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def claim(  # noqa: PLR0913  # a claim has so many sides
    id_: str,
    *,
    dealt: int = 0,
    entered: int = 0,
    tier: str = "royal_flush",
    decided: bool = True,
    overruled: frozenset[str] = frozenset(),
    seat: int = 1,
) -> UnpaidClaim:
    """Make a claim that waits; its table stands before the colon of its id."""
    percents = {"royal_flush": 100, "straight_flush": 10}
    return UnpaidClaim(
        claim=EnteredClaim(
            id=id_,
            table=id_.split(":", maxsplit=1)[0],
            round=1,
            seat=seat,
            tier=tier,
            dealt_at=NOON + timedelta(milliseconds=dealt),
            entered_at=NOON + timedelta(seconds=entered),
            percent=percents.get(tier, 100),
        ),
        dealt_at_ms=DEALT_MS + dealt,
        decided=decided,
        overruled=overruled,
    )


def tables(*statuses: TableStatus) -> TableStatuses:
    """Put statuses under their tables' names."""
    return {each.table: each for each in statuses}


class Case(NamedTuple):
    """A table of the tests: who waits, where the tables stand, who is paid."""

    waiting: list[UnpaidClaim]
    statuses: TableStatuses
    paid: tuple[str, ...]
    holds: str = ""
    """What stands in the reasons of the first that is held."""


BY_DEAL = {
    "I-17 two royals of one table by the deal": Case(
        [claim("T1:a", dealt=20, seat=2), claim("T1:b", dealt=10)],
        tables(status("T1", "T1:a", "T1:b", dealt=5)),
        ("T1:b", "T1:a"),
    ),
    "I-17 an older hand of the same table may have lost its claim on the way": Case(
        [claim("T1:a", dealt=20, seat=2)],
        tables(status("T1", "T1:a", dealt=5, owed=3, phase="settling")),
        (),
        "table T1, which still owes 3 messages",
    ),
    "I-17 what the same table said before the claim was known says nothing": Case(
        [claim("T1:a", dealt=20, seat=2)],
        tables(status("T1", dealt=5)),
        (),
        "table T1, which has not answered that it knows of this claim",
    ),
    "I-17 the same table has not heard of a claim of the round yet": Case(
        [claim("T1:a", dealt=10, seat=2), claim("T1:b", dealt=20)],
        tables(status("T1", "T1:a", dealt=5)),
        (),
        "table T1, which has not answered that it knows of T1 seat 1 (T1:b)",
    ),
    "I-19 the late claim that was dealt first is paid first": Case(
        [claim("T1:a", dealt=20, entered=1), claim("T2:b", dealt=10, entered=9)],
        tables(status("T1", "T2:b", "T1:a"), status("T2", "T1:a", "T2:b")),
        ("T2:b", "T1:a"),
    ),
    "I-19 equal times by the name of the table": Case(
        [claim("T2:b"), claim("T1:a")],
        tables(
            status("T1", "T1:a", "T2:b", dealt=0, phase="settling"),
            status("T2", "T1:a", "T2:b", dealt=0, phase="settling"),
        ),
        ("T1:a", "T2:b"),
    ),
    "I-19 another table plays a hand dealt earlier": Case(
        [claim("T1:a", dealt=20)],
        tables(status("T2", "T1:a", dealt=10)),
        (),
        "table T2, which plays a hand that was dealt before it",
    ),
    "I-19 another table plays a hand dealt later": Case(
        [claim("T1:a", dealt=20)], tables(status("T2", "T1:a", dealt=21)), ("T1:a",)
    ),
    "I-19 the claimant's own hand does not hold its claim": Case(
        [claim("T1:a", dealt=20)], tables(status("T1", "T1:a", dealt=5)), ("T1:a",)
    ),
    "I-19 the claimant's own table is dead": Case(
        [claim("T1:a", dealt=20)],
        tables(status("T1", "T1:a", online=False)),
        (),
        "table T1, which is offline",
    ),
    "I-19 the claimant's own table is dead and overruled": Case(
        [claim("T1:a", overruled=frozenset({"T1"}))], tables(status("T1", online=False)), ("T1:a",)
    ),
    "I-19 the claimant's own table was taken off the link": Case([claim("T1:a")], {}, ("T1:a",)),
    "I-19 another table has not answered yet": Case(
        [claim("T1:a")], tables(status("T2")), (), "has not answered that it knows of this claim"
    ),
    "I-19 another table still owes money": Case(
        [claim("T1:a")], tables(status("T2", "T1:a", owed=2)), (), "still owes 2 messages"
    ),
    "I-19 another table is dead": Case(
        [claim("T1:a")],
        tables(status("T2", "T1:a", online=False)),
        (),
        "table T2, which is offline",
    ),
    "I-19 another table has not been heard of": Case(
        [claim("T1:a")], {"T2": None}, (), "has not been heard of yet"
    ),
    "I-19 a dead table that is overruled": Case(
        [claim("T1:a", overruled=frozenset({"T2"}))],
        tables(status("T2", online=False)),
        ("T1:a",),
    ),
    "I-19 an overruled table does not speak for another": Case(
        [claim("T1:a", overruled=frozenset({"T2"}))],
        tables(status("T2", online=False), status("T3", online=False)),
        (),
        "table T3",
    ),
    "I-19 deals that overlap do not wait for each other": Case(
        [claim("T1:a", dealt=30), claim("T2:b", dealt=20)],
        tables(
            status("T1", "T1:a", "T2:b", dealt=10, phase="settling"),
            status("T2", "T1:a", "T2:b", dealt=15, phase="settling"),
        ),
        ("T2:b", "T1:a"),
    ),
    "I-19 another table at the settlement may still put something right": Case(
        [claim("T1:a", dealt=20)],
        tables(status("T2", "T1:a", dealt=10, phase="settling")),
        (),
        "table T2, which has not paid its round, in which a hand was dealt before it",
    ),
    "I-19 a table that waits for its own claim and keys its hands anew may still claim": Case(
        [claim("T1:a", dealt=20), claim("T2:b", dealt=30)],
        tables(
            status("T1", "T1:a", "T2:b", dealt=12, phase="settling"),
            status("T2", "T1:a", "T2:b", dealt=10, phase="claiming"),
        ),
        (),
        "table T2, which plays a hand that was dealt before it",
    ),
    "I-19 a table that has its award and is not paid may still claim": Case(
        [claim("T3:c", dealt=50)],
        tables(status("T2", "T3:c", dealt=10, phase="settling")),
        (),
        "has not paid its round",
    ),
    "I-19 three tables that wait for their own claims are no circle": Case(
        [claim("T1:a", dealt=30), claim("T2:b", dealt=20), claim("T3:c", dealt=25)],
        tables(
            status("T1", "T1:a", "T2:b", "T3:c", dealt=10, phase="settling"),
            status("T2", "T1:a", "T2:b", "T3:c", dealt=11, phase="settling"),
            status("T3", "T1:a", "T2:b", "T3:c", dealt=12, phase="settling"),
        ),
        ("T2:b", "T3:c", "T1:a"),
    ),
    "I-19 a table that is not paid for hours is overruled": Case(
        [claim("T1:a", dealt=20, overruled=frozenset({"T2"}))],
        tables(status("T2", "T1:a", dealt=10, phase="settling")),
        ("T1:a",),
    ),
    "I-19 a claim of an earlier round does not clear the present one": Case(
        [claim("T1:a", dealt=30), claim("T2:b", dealt=40)],
        tables(status("T1", "T2:b"), status("T2", "T1:a", "T2:b", dealt=10, round_=2)),
        (),
        "plays a hand that was dealt before it",
    ),
    "I-31 a claim without verdict holds those dealt before it": Case(
        [claim("T1:a", dealt=10), claim("T2:b", dealt=20, decided=False)],
        tables(status("T1", "T2:b"), status("T2", "T1:a")),
        (),
        "the verdict on T2 seat 1 (T2:b)",
    ),
    "I-31 the first may be paid while the second is held": Case(
        [claim("T1:a", dealt=10), claim("T2:b", dealt=30)],
        tables(status("T1", "T1:a", "T2:b", dealt=5), status("T2", "T1:a", dealt=20)),
        ("T1:a",),
        "table T1, which plays a hand that was dealt before it",
    ),
}


@pytest.mark.parametrize("name", BY_DEAL)
def test_by_the_time_of_the_deal(name: str) -> None:
    case = BY_DEAL[name]
    check(decide(RWS, case.waiting, case.statuses), case)


BY_ENTRY = {
    "I-18 by entry whatever was dealt first": Case(
        [claim("T1:a", dealt=99, entered=1), claim("T2:b", dealt=1, entered=2)],
        tables(status("T1", "T1:a", dealt=0), status("T2", "T2:b", dealt=0)),
        ("T1:a", "T2:b"),
    ),
    "I-18 a royal waits for the straight flush of its own round": Case(
        [
            claim("T1:a", entered=1),
            claim("T2:b", entered=2),
            claim("T1:s", entered=3, tier="straight_flush", seat=2),
        ],
        tables(status("T1", "T1:a", "T1:s"), status("T2", "T2:b")),
        ("T2:b", "T1:s", "T1:a"),
    ),
    "I-18 two royals of one table share, so both must be known to it": Case(
        [claim("T1:a", entered=1), claim("T1:b", entered=2, seat=3)],
        tables(status("T1", "T1:a")),
        (),
        "table T1, which has not answered that it knows of T1 seat 3 (T1:b)",
    ),
    "I-18 the table may still owe another claim of the round": Case(
        [claim("T1:a")], tables(status("T1", "T1:a", owed=1)), (), "still owes 1 messages"
    ),
    "I-18 the claimant's table is dead": Case(
        [claim("T1:a")], tables(status("T1", "T1:a", online=False)), (), "T1, which is offline"
    ),
    "I-18 the claimant's table was taken off the link": Case([claim("T1:a")], {}, ("T1:a",)),
    "I-18 other tables are not waited for": Case(
        [claim("T1:a", dealt=9)],
        tables(status("T1", "T1:a"), status("T2", online=False), status("T3", dealt=1)),
        ("T1:a",),
    ),
    "I-18 a later unit waits for the one before it": Case(
        [claim("T1:a", entered=1), claim("T2:b", entered=2)],
        tables(status("T1", owed=1), status("T2", "T2:b")),
        (),
        "has not answered",
    ),
    "I-31 a claim without verdict holds everything": Case(
        [claim("T1:a", entered=1), claim("T2:b", entered=2, decided=False)],
        tables(status("T1", "T1:a"), status("T2", "T2:b")),
        (),
        "the verdict on T2 seat 1 (T2:b)",
    ),
}


@pytest.mark.parametrize("name", BY_ENTRY)
def test_by_entry(name: str) -> None:
    case = BY_ENTRY[name]
    check(decide(MBS, case.waiting, case.statuses), case)


def check(decision: PaymentDecision, case: Case) -> None:
    """Compare a decision with what the case says."""
    assert decision.payable == case.paid
    waits = decision.waits
    assert set(waits) == {each.id for each in case.waiting} - set(case.paid)
    assert bool(waits) == bool(case.holds)
    if waits:
        first = next(iter(waits))
        assert case.holds in "; ".join(waits[first])
        for id_ in list(waits)[1:]:
            assert any("which is paid before it" in reason for reason in waits[id_])


def test_i_18_a_fixed_amount_that_was_paid_still_says_when_its_royal_is() -> None:
    flush = EnteredClaim(
        id="T1:f",
        table="T1",
        round=1,
        seat=4,
        tier="flush",
        dealt_at=NOON,
        entered_at=NOON + timedelta(seconds=5),
        percent=UNSET,
        amount=10_000,
    )
    waiting = [claim("T1:a", entered=1), claim("T2:b", entered=3)]
    statuses = tables(status("T1", "T1:a"), status("T2", "T2:b"))
    assert decide(MBS, waiting, statuses).payable == ("T1:a", "T2:b")
    assert decide(MBS, waiting, statuses, [flush]).payable == ("T2:b", "T1:a")
