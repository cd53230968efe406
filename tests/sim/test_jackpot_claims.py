"""Claims in the books: the lock and the reserve, the order, what was paid already, sharing.

The amounts are those of the rules core; here it is which meter they come from, and where
every cent goes. Time and tables are made up.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.errors import BadInput
from firmware.protocol.obligations import AnyObligation
from firmware.rules.contract import MAX_CENTS, Claim
from sim.jackpot_controller.accounts import PARTS_PER_CENT, Accounts
from sim.jackpot_controller.order import TableStatuses
from sim.jackpot_controller.store import Applied, JackpotLinkSettings, Store
from tests.sim.jackpot_messages import (
    FLOP,
    FLUSH,
    RIVER,
    ROYAL,
    STRAIGHT,
    contribution,
    reversal,
    status,
    verdict,
    win,
)

pytestmark = pytest.mark.usefixtures("believed")

NOW = datetime(2026, 1, 1, 20, tzinfo=UTC)
RESET, METER = 1_000_000, 1_500_000


class Books:
    """The books of a link with 1,500,000 cents on the meter; every cent staked is added."""

    def __init__(self, path: Path, game: str, limit_cents: int | None = None) -> None:
        self.store = Store.open(
            path, JackpotLinkSettings(game, RESET, 10_000, limit_cents, stake_limit_cents=MAX_CENTS)
        )
        self._seconds = 0
        self.apply(contribution(1, METER - RESET, "T9"))

    def apply(self, *owed: AnyObligation, statuses: TableStatuses | None = None) -> Applied:
        """Enter obligations, a second apart, and give the last answer."""
        for each in owed:
            self._seconds += 1
            at = NOW + timedelta(seconds=self._seconds)
            applied = self.store.apply(each, at, statuses)
        return applied

    def awards(self, *owed: AnyObligation, statuses: TableStatuses | None = None) -> dict[str, int]:
        """Enter obligations and give what was awarded at the last one."""
        awards = self.apply(*owed, statuses=statuses).awards
        return {award.id: award.amount_cents for award in awards}

    @property
    def cents(self) -> tuple[int, int, int, int]:
        """The meter, the reserve, the overflow and the house's part, which are whole here."""
        found = self.store.accounts
        parts = (found.meter_parts, found.reserve_parts, found.overflow_parts, found.house_parts)
        assert all(each % PARTS_PER_CENT == 0 for each in parts)
        meter, reserve, overflow, house = (each // PARTS_PER_CENT for each in parts)
        return meter, reserve, overflow, house


@pytest.fixture
def rws(tmp_path: Path) -> Iterator[Books]:
    """Begin the books of an RWS link."""
    books = Books(tmp_path / "rws.db", "rws-casino-stud")
    yield books
    books.store.close()


@pytest.fixture
def mbs(tmp_path: Path) -> Iterator[Books]:
    """Begin the books of an MBS link."""
    books = Books(tmp_path / "mbs.db", "mbs-megalink-stud")
    yield books
    books.store.close()


# ── I-31: the lock and the reserve ───────────────────────────────────────────


def test_i_31_contributions_while_a_major_waits_go_to_the_reserve(rws: Books) -> None:
    royal = win(2, ROYAL)
    assert rws.apply(royal).pending_moved
    assert not rws.apply(contribution(3, 700, "T2")).meter_moved
    assert rws.cents == (METER, 700, 0, 0)
    assert rws.awards(verdict(4, royal)) == {royal.id: METER}
    assert rws.cents == (RESET + 700, 0, 0, 0)


def test_i_31_a_reversal_while_locked_leaves_the_locked_value(rws: Books) -> None:
    early, late = contribution(2, 300), contribution(4, 500)
    rws.apply(early, win(3, ROYAL), late, reversal(5, late))
    assert rws.cents == (METER + 300, 0, 0, 0)
    rws.apply(reversal(6, early))
    assert rws.cents == (METER + 300, -300, 0, 0)
    rws.apply(verdict(7, win(3, ROYAL), confirmed=False))
    assert rws.cents == (METER, 0, 0, 0)


def test_a_withdrawn_claim_releases_the_meter_and_is_never_paid(rws: Books) -> None:
    royal = win(2, ROYAL)
    rws.apply(royal, contribution(3, 700))
    assert rws.apply(verdict(4, royal, confirmed=False)).pending_moved
    assert rws.cents == (METER + 700, 0, 0, 0)
    assert rws.awards(royal) == {}
    with pytest.raises(BadInput, match="withdrawn already"):
        rws.apply(verdict(5, royal))


def test_i_31_all_claims_are_paid_from_the_locked_value_in_the_rules_order(rws: Books) -> None:
    royal, straight = win(2, ROYAL, "T1", dealt=20), win(2, STRAIGHT, "T2", dealt=10)
    rws.apply(royal, contribution(3, 10_000), straight)
    assert rws.awards(verdict(4, royal)) == {}
    assert rws.awards(verdict(4, straight)) == {
        straight.id: METER // 10,
        royal.id: METER - METER // 10,
    }
    assert rws.cents == (RESET + 10_000, 0, 0, 0)


def test_a_minor_of_a_fixed_amount_is_paid_while_the_meter_is_locked(rws: Books) -> None:
    rws.apply(win(2, ROYAL))
    flush = win(2, FLUSH, "T2")
    assert rws.awards(flush) == {flush.id: 10_000}
    assert rws.cents == (METER, 0, 0, 0)


def test_i_43_a_river_royal_is_paid_at_once_from_the_meter_as_it_is_displayed(
    tmp_path: Path,
) -> None:
    books = Books(tmp_path / "holdem.db", "rws-holdem")
    flop, river = win(2, FLOP, "T1", dealt=10), win(3, RIVER, "T2", dealt=20)
    older = win(4, RIVER, "T3", dealt=5)
    assert books.awards(flop) == {}
    books.apply(contribution(5, 4_000))
    assert books.awards(river) == {river.id: METER // 20}, "and nothing of the reserve"
    left = METER - METER // 20
    assert books.awards(older) == {older.id: left // 20}
    left -= left // 20
    assert books.cents == (left, 4_000, 0, 0)
    assert [claim.id for claim in books.store.claims.pending()] == [flop.id]
    assert books.awards(verdict(4, flop)) == {flop.id: left}
    assert books.cents == (RESET + 4_000, 0, 0, 0)
    books.store.close()


def test_i_43_a_river_royal_moves_the_meter_that_is_displayed(tmp_path: Path) -> None:
    books = Books(tmp_path / "holdem.db", "rws-holdem")
    books.apply(win(2, FLOP, "T1"))
    assert books.store.apply(win(3, RIVER, "T2"), NOW, {}).meter_moved
    books.store.close()


def test_i_43_a_river_royal_withdrawn_gives_back_to_a_locked_meter(tmp_path: Path) -> None:
    books = Books(tmp_path / "holdem.db", "rws-holdem")
    flop, river = win(2, FLOP, "T1"), win(3, RIVER, "T2")
    books.apply(flop, river, verdict(4, river, confirmed=False))
    assert books.cents == (METER, 0, 0, 0)
    assert books.awards(verdict(4, flop)) == {flop.id: METER}
    books.store.close()


def test_i_43_a_river_royal_that_its_table_has_paid_is_booked_while_locked(tmp_path: Path) -> None:
    books = Books(tmp_path / "holdem.db", "rws-holdem")
    flop, river = win(2, FLOP, "T1"), replace(win(3, RIVER, "T2"), final=False)
    books.apply(flop, river, verdict(4, river, paid_cents=7_000))
    assert books.cents == (METER - 7_000, 0, 0, 0)
    assert books.awards(verdict(4, flop)) == {flop.id: METER - 7_000}
    books.store.close()


# ── the order across tables ──────────────────────────────────────────────────


def test_i_19_a_claim_that_comes_late_but_was_dealt_first_is_paid_first(rws: Books) -> None:
    late_dealt, first_dealt = win(2, ROYAL, "T1", dealt=50), win(2, ROYAL, "T2", dealt=10)
    playing = {"T1": status("T1", late_dealt.id), "T2": status("T2", late_dealt.id, dealt=5)}
    assert rws.awards(late_dealt, verdict(3, late_dealt), statuses=playing) == {}
    both = (late_dealt.id, first_dealt.id)
    settled = {
        "T1": status("T1", *both),
        "T2": status("T2", *both, dealt=5, phase="settling"),
    }
    rws.apply(first_dealt, statuses=playing)
    assert rws.awards(verdict(3, first_dealt), statuses=settled) == {
        first_dealt.id: METER,
        late_dealt.id: RESET,
    }


def test_i_18_megalink_pays_by_entry(mbs: Books) -> None:
    entered_first, dealt_first = win(2, ROYAL, "T1", dealt=50), win(2, ROYAL, "T2", dealt=10)
    mbs.apply(entered_first, dealt_first, verdict(3, dealt_first))
    assert mbs.awards(verdict(3, entered_first)) == {
        entered_first.id: METER,
        dealt_first.id: RESET,
    }


def test_two_royals_at_one_megalink_table_share(mbs: Books) -> None:
    first, second = win(2, ROYAL), win(3, replace(ROYAL, seat=3))
    mbs.apply(first, second, verdict(4, first))
    share = (METER + RESET) // 2
    assert mbs.awards(verdict(5, second)) == {first.id: share, second.id: share}
    assert mbs.cents == (RESET, 0, 0, 0)


def test_a_royal_whose_fellow_is_withdrawn_has_it_all(mbs: Books) -> None:
    first, second = win(2, ROYAL), win(3, replace(ROYAL, seat=3))
    mbs.apply(first, second, verdict(4, first))
    assert mbs.awards(verdict(5, second, confirmed=False)) == {first.id: METER}


def test_a_megalink_royal_waits_for_the_claims_that_its_table_still_owes(mbs: Books) -> None:
    first, second = win(2, ROYAL), win(3, replace(ROYAL, seat=3))
    owing = {"T1": status("T1", first.id, owed=1)}
    assert mbs.awards(first, verdict(4, first), statuses=owing) == {}
    assert mbs.awards(second, verdict(5, second), statuses=owing) == {}
    complete = {"T1": status("T1", first.id, second.id)}
    applied = mbs.store.review(complete, NOW)
    assert [award.amount_cents for award in applied.awards] == [(METER + RESET) // 2] * 2


def test_a_dead_table_holds_the_others_until_it_is_overruled(rws: Books) -> None:
    royal = win(2, ROYAL)
    dead = {"T1": status("T1", royal.id), "T3": status("T3", online=False)}
    assert rws.awards(royal, verdict(3, royal), statuses=dead) == {}
    rws.apply(contribution(4, 900, "T2"), statuses=dead)
    applied = rws.store.overrule("T3", "4711", dead, NOW)
    assert [award.amount_cents for award in applied.awards] == [METER]
    assert rws.cents == (RESET + 900, 0, 0, 0)
    # The next claim waits for the dead table again.
    again = win(5, ROYAL, round_=2)
    assert rws.awards(again, verdict(6, again), statuses=dead) == {}


def test_a_claim_of_an_overruled_table_is_set_aside_until_its_verdict(rws: Books) -> None:
    royal, of_the_dead = win(2, ROYAL, dealt=50), win(2, ROYAL, "T3", dealt=10)
    dead = {"T3": status("T3", online=False)}
    rws.apply(royal, of_the_dead, verdict(3, royal), statuses=dead)
    applied = rws.store.overrule("T3", "4711", dead, NOW)
    assert [(award.id, award.amount_cents) for award in applied.awards] == [(royal.id, METER)]
    assert not rws.store.accounts.locked
    assert [row.id for row in rws.store.claims.rows.aside()] == [of_the_dead.id]
    assert rws.awards(verdict(4, of_the_dead)) == {of_the_dead.id: RESET}


# ── I-28: what was paid already ──────────────────────────────────────────────


def test_i_28_a_claim_that_was_paid_is_booked_and_not_awarded(rws: Books) -> None:
    royal = win(2, ROYAL)
    assert rws.awards(royal, verdict(3, royal, paid_cents=METER - 500)) == {}
    assert rws.cents == (RESET + 500, 0, 0, 0)
    assert rws.awards(royal) == {}
    assert rws.store.totals().awarded_cents == METER - 500


def test_i_28_two_tables_cut_off_at_once_that_both_hit(rws: Books) -> None:
    one, two = win(2, ROYAL, "T1", dealt=10), win(2, ROYAL, "T2", dealt=20)
    rws.apply(one, two, verdict(3, two, paid_cents=METER), verdict(3, one, paid_cents=METER))
    # The second is covered by the reset value that the first has left.
    assert rws.cents == (RESET, 0, 0, METER - RESET)
    assert rws.store.totals().resets_cents == 3 * RESET


def test_i_28_what_was_paid_stands_in_the_order_too(rws: Books) -> None:
    first, paid = win(2, ROYAL, "T1", dealt=10), win(2, ROYAL, "T2", dealt=20)
    rws.apply(paid, first, verdict(3, paid, paid_cents=METER))
    assert rws.awards(verdict(3, first)) == {first.id: METER}
    assert rws.cents == (RESET, 0, 0, METER - RESET)


@pytest.mark.parametrize("paid_cents", [METER // 10 + 50, METER // 10, METER // 10 - 50])
def test_i_28_paid_otherwise_than_awarded_is_the_houses(rws: Books, paid_cents: int) -> None:
    straight = win(2, STRAIGHT)
    rws.apply(straight)
    assert rws.awards(verdict(3, straight)) == {straight.id: METER // 10}
    # The table is told what was awarded: it compares.
    paid = verdict(4, straight, paid_cents=paid_cents)
    assert rws.awards(paid) == {straight.id: METER // 10}
    assert rws.cents == (METER - METER // 10, 0, 0, paid_cents - METER // 10)
    assert rws.store.totals().awarded_cents == paid_cents
    with pytest.raises(BadInput, match="booked already"):
        rws.apply(verdict(5, straight, paid_cents=1))


def test_i_28_a_minor_that_was_awarded_and_had_been_paid(rws: Books) -> None:
    flush = win(2, FLUSH)
    assert rws.awards(flush) == {flush.id: 10_000}
    rws.apply(verdict(3, flush, paid_cents=10_000))
    assert rws.cents == (METER, 0, 0, 0)


def test_the_award_of_a_minor_that_is_withdrawn_goes_back(tmp_path: Path) -> None:
    books = Books(tmp_path / "holdem.db", "rws-holdem")
    river = win(2, RIVER)
    books.apply(river, verdict(3, river, confirmed=False))
    assert books.cents == (METER, 0, 0, 0)
    assert books.store.totals().awarded_cents == 0
    assert books.awards(river) == {}
    books.store.close()


def test_a_minor_that_is_not_final_waits_and_locks_nothing(rws: Books) -> None:
    flush = replace(win(2, FLUSH), final=False)
    assert rws.awards(flush) == {}
    assert not rws.store.accounts.locked
    assert rws.awards(verdict(3, flush)) == {flush.id: 10_000}


def test_a_second_verdict_is_refused(rws: Books) -> None:
    rws.apply(win(2, ROYAL), verdict(3, win(2, ROYAL)))
    with pytest.raises(BadInput, match="already"):
        rws.apply(verdict(4, win(2, ROYAL)))


# ── limit and overflow ───────────────────────────────────────────────────────


def test_what_exceeds_the_limit_feeds_the_next_reset(tmp_path: Path) -> None:
    books = Books(tmp_path / "limited.db", "rws-casino-stud", METER + 100)
    books.apply(contribution(2, 400))
    assert books.cents == (METER + 100, 0, 300, 0)
    straight, royal = win(3, STRAIGHT), win(5, ROYAL, round_=2)
    books.apply(straight, verdict(4, straight))
    # Ten per cent leave room below the limit, but only a reset is fed.
    assert books.cents == (METER + 100 - 150_010, 0, 300, 0)
    books.apply(royal, contribution(6, 50), verdict(7, royal))
    assert books.cents == (RESET + 50 + 300, 0, 0, 0)
    books.store.close()


def test_a_reset_is_fed_up_to_the_limit_alone(tmp_path: Path) -> None:
    books = Books(tmp_path / "limited.db", "rws-casino-stud", METER)
    books.apply(contribution(2, METER))
    royal = win(3, ROYAL)
    books.apply(royal, contribution(4, 70), verdict(5, royal))
    assert books.cents == (METER, 0, METER - (METER - RESET) + 70, 0)
    books.store.close()


def test_a_reversal_empties_the_overflow_that_it_filled(tmp_path: Path) -> None:
    books = Books(tmp_path / "limited.db", "rws-casino-stud", METER + 100)
    over = contribution(2, 400)
    books.apply(over, reversal(3, over))
    assert books.cents == (METER, 0, 0, 0)
    books.store.close()


def test_what_a_meter_cannot_give_back_is_the_houses() -> None:
    empty = Accounts(meter_parts=30)
    assert empty.reverse(100, 0, 1_000) == Accounts(meter_parts=0, house_parts=70)
    locked = Accounts(meter_parts=30, locked=True).reverse(100, 0, 1_000)
    assert locked == Accounts(meter_parts=30, reserve_parts=-100, locked=True)
    assert locked.unlock(1_000) == Accounts(meter_parts=0, house_parts=70)


def test_a_claim_of_a_seat_counts_once_a_round(rws: Books) -> None:
    rws.apply(win(2, FLUSH))
    with pytest.raises(BadInput, match="has already claimed it as"):
        rws.apply(win(3, FLUSH))
    rws.apply(win(3, FLUSH, round_=2), win(4, replace(FLUSH, seat=2)))
    assert rws.store.totals().awards == 3


def test_a_clock_that_is_set_back_puts_no_claim_before_an_earlier_one(mbs: Books) -> None:
    first, second = win(2, ROYAL, "T1"), win(2, ROYAL, "T2")
    mbs.store.apply(first, NOW)
    mbs.store.apply(second, NOW - timedelta(hours=1))
    mbs.store.apply(verdict(3, second), NOW)
    awards = mbs.store.apply(verdict(3, first), NOW).awards
    assert [(award.id, award.amount_cents) for award in awards] == [
        (first.id, METER),
        (second.id, RESET),
    ]


def test_a_flush_is_never_paid_from_the_meter(rws: Books) -> None:
    for percent in (100, 10):
        greedy = Claim(1, "player", "flush", "minor", percent=percent)
        with pytest.raises(BadInput):
            rws.apply(win(2, greedy))
    assert rws.cents == (METER, 0, 0, 0)


def test_a_reversal_takes_from_the_meter_what_the_overflow_has_fed_to_it(tmp_path: Path) -> None:
    books = Books(tmp_path / "limited.db", "rws-casino-stud", METER + 100)
    over, royal = contribution(2, 400), win(3, ROYAL)
    books.apply(over, royal, verdict(4, royal))
    assert books.cents == (RESET + 300, 0, 0, 0)
    books.apply(reversal(5, over))
    assert books.cents == (RESET - 100, 0, 0, 0)
    books.store.close()


def test_a_contribution_is_taken_back_once(rws: Books) -> None:
    taken_back = contribution(2, 400)
    rws.apply(taken_back, reversal(3, taken_back))
    with pytest.raises(BadInput, match=r"was reversed by T1\.j\.3\.1"):
        rws.apply(reversal(4, taken_back))
    assert rws.cents == (METER, 0, 0, 0)


def test_i_18_a_flush_that_was_paid_at_once_still_puts_its_royal_after_another(mbs: Books) -> None:
    royal, other = win(2, ROYAL, "T1"), win(2, ROYAL, "T2")
    flush = win(3, replace(FLUSH, seat=4), "T1")
    assert flush.id in mbs.awards(royal, other, flush)
    mbs.apply(verdict(4, royal))
    assert mbs.awards(verdict(4, other)) == {other.id: METER, royal.id: RESET}
