"""Claims that are withdrawn together while their messages come one by one: none is awarded (I-37).

What becomes of a single claim that is withdrawn is in `test_jackpot_withdrawn.py`.
"""

from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.protocol.messages import AwardMessage
from firmware.protocol.obligations import RoundReport, Verdict, Win
from sim.jackpot_controller.desk import LinkDesk
from tests.sim.jackpot_messages import FLUSH, ROYAL, verdict, win
from tests.sim.test_jackpot_claims import METER, RESET, Books
from tests.sim.test_jackpot_withdrawn import assert_balanced, tell

pytestmark = pytest.mark.usefixtures("believed")

ONE, OTHER, THIRD = (win(2 + seat, replace(ROYAL, seat=seat)) for seat in (1, 2, 3))
MINOR = win(8, replace(FLUSH, seat=4))
VOID = RoundReport(id="T1.j.20.9", table="T1", at_ms=0, round=1, stage="void")


@pytest.fixture(params=["rws-casino-stud", "mbs-megalink-stud"])
def books(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Books]:
    """Begin the books of a link."""
    opened = Books(tmp_path / "link.db", request.param)
    yield opened
    opened.store.close()


def withdrawn(*wins: Win) -> list[Verdict]:
    """Withdraw these together, by one record of the table."""
    return [
        replace(
            verdict(20, each, confirmed=False),
            id=f"T1.j.20.{number}",
            also_withdraws=tuple(other.id for other in wins if other is not each),
        )
        for number, each in enumerate(wins, start=1)
    ]


def award(books: Books, *wins: Win) -> None:
    """Let the royals of a round be awarded."""
    books.apply(*wins)
    verdicts = [verdict(10 + number, each) for number, each in enumerate(wins)]
    assert books.awards(*verdicts).keys() == {each.id for each in wins}


@pytest.mark.parametrize("order", [*permutations(range(3))], ids=str)
def test_nothing_of_a_void_round_is_awarded_after_the_first_withdrawal(
    books: Books, order: tuple[int, ...]
) -> None:
    award(books, ONE, OTHER, THIRD)
    verdicts = withdrawn(ONE, OTHER, THIRD)
    for place in order:
        assert books.awards(verdicts[place]) == {}
        assert_balanced(books)
    assert books.cents == (METER, 0, 0, 0)
    assert not books.store.accounts.locked


def test_what_stays_is_awarded_anew_once_all_that_goes_is_withdrawn(books: Books) -> None:
    award(books, ONE, OTHER, THIRD)
    first, second = withdrawn(ONE, OTHER)
    assert books.awards(first) == {}
    assert books.awards(second) == {THIRD.id: METER}
    assert books.cents == (RESET, 0, 0, 0)


def test_a_win_that_comes_after_the_withdrawal_that_names_it_is_not_awarded(books: Books) -> None:
    books.apply(ONE)
    first, second = withdrawn(ONE, MINOR)
    books.apply(first)
    assert books.awards(MINOR) == {}
    assert books.awards(MINOR) == {}, "nor when it is asked for again"
    assert books.awards(second) == {}
    assert books.cents == (METER, 0, 0, 0)


def test_an_award_is_not_repeated_once_its_withdrawal_is_announced(books: Books) -> None:
    assert books.awards(MINOR) == {MINOR.id: 10_000}
    assert books.awards(MINOR) == {MINOR.id: 10_000}, "asked for again"
    books.apply(ONE, withdrawn(ONE, MINOR)[0])
    assert books.awards(MINOR) == {}


def test_nothing_is_awarded_in_a_round_that_is_reported_void(books: Books) -> None:
    books.apply(ONE, VOID)
    assert books.awards(MINOR) == {}
    assert books.awards(verdict(10, ONE)) == {}
    for each in withdrawn(ONE, MINOR):
        assert books.awards(each) == {}
    assert books.cents == (METER, 0, 0, 0)
    assert not books.store.accounts.locked


def test_a_minor_whose_withdrawal_came_before_it_is_not_awarded(books: Books) -> None:
    desk = LinkDesk(books.store)
    (alone,) = withdrawn(MINOR)
    assert tell(desk, alone) == [], "it came too early, and is not answered"
    said = [each.document for each in tell(desk, MINOR)]
    assert not [each for each in said if isinstance(each, AwardMessage)]
    tell(desk, alone)
    assert books.store.totals().awards == 0


def test_another_round_or_table_is_not_called_off_with_it(books: Books) -> None:
    books.apply(ONE, VOID, *withdrawn(ONE))
    next_round = win(30, FLUSH, round_=2)
    elsewhere = win(30, FLUSH, "T2")
    assert books.awards(next_round) == {next_round.id: 10_000}
    assert books.awards(elsewhere) == {elsewhere.id: 10_000}


def test_i_28_what_the_table_has_paid_is_booked_all_the_same(books: Books) -> None:
    books.apply(ONE, VOID, verdict(10, ONE, paid_cents=METER))
    assert books.cents == (RESET, 0, 0, 0)
