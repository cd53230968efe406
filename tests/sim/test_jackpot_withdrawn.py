"""Claims that a table or the house withdraws (I-37): struck out, taken back, or standing.

What the table does is in `tests/table/test_withdrawn.py`; both ends together, at random, are in
`test_tables_and_books.py`.
"""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from firmware.errors import BadInput
from firmware.protocol.messages import Acknowledgement, AwardMessage, Rejection
from firmware.protocol.obligations import AnyObligation, RoundReport, Verdict, Win
from sim.jackpot_controller.accounts import PARTS_PER_CENT, Accounts
from sim.jackpot_controller.commands import Command, record_command, result, run_commands
from sim.jackpot_controller.desk import LinkDesk, Outgoing
from sim.jackpot_controller.house_payments import HousePayment
from sim.jackpot_controller.report import report
from sim.jackpot_controller.show import page
from tests.sim.jackpot_messages import (
    FLUSH,
    RIVER,
    ROYAL,
    STRAIGHT,
    contribution,
    status,
    verdict,
    win,
)
from tests.sim.test_jackpot_claims import METER, NOW, RESET, Books

pytestmark = pytest.mark.usefixtures("believed")

SHARE = METER // 10


def withdrawn(number: int, on: Win, reason: str = "foreign card (§5.8.1)") -> Verdict:
    """Make the nth message of a table withdraw a claim."""
    return replace(verdict(number, on, confirmed=False), reason=reason)


def paid(number: int, on: Win) -> RoundReport:
    """Make the nth message of a table say that the round of a win is paid."""
    return RoundReport(
        id=f"{on.table}.j.{number}.1", table=on.table, at_ms=0, round=on.round, stage="settled"
    )


@pytest.fixture
def rws(tmp_path: Path) -> Iterator[Books]:
    """Begin the books of an RWS link."""
    books = Books(tmp_path / "rws.db", "rws-casino-stud")
    yield books
    books.store.close()


def assert_balanced(books: Books) -> None:
    """Prove the equation of the accounts, to the part."""
    accounts, totals = books.store.accounts, books.store.totals()
    held = accounts.meter_parts + accounts.reserve_parts + accounts.overflow_parts
    put_in = totals.resets_cents * PARTS_PER_CENT + totals.contributed_parts
    taken_out = totals.from_meter_cents * PARTS_PER_CENT + totals.reversed_parts
    assert held == put_in - taken_out + accounts.house_parts


# ── struck out ───────────────────────────────────────────────────────────────


def test_a_confirmed_claim_that_waits_is_struck_out_and_later_majors_flow(rws: Books) -> None:
    royal, other = win(2, ROYAL, "T1", dealt=10), win(2, ROYAL, "T2", dealt=20)
    older = {"T2": status("T2", royal.id, dealt=5)}
    assert rws.awards(royal, verdict(3, royal), statuses=older) == {}
    assert rws.awards(withdrawn(4, royal), statuses=older) == {}
    assert not rws.store.accounts.locked
    seen = {"T1": status("T1", other.id), "T2": status("T2", other.id)}
    assert rws.awards(other, verdict(3, other), statuses=seen) == {other.id: METER}
    assert rws.awards(royal) == {}
    assert rws.cents == (RESET, 0, 0, 0)
    assert_balanced(rws)


def test_a_confirmation_that_comes_after_the_withdrawal_changes_nothing(rws: Books) -> None:
    royal = win(2, ROYAL)
    rws.apply(royal, withdrawn(4, royal))
    with pytest.raises(BadInput, match="withdrawn already"):
        rws.apply(verdict(3, royal))
    assert rws.cents == (METER, 0, 0, 0)


# ── taken back ───────────────────────────────────────────────────────────────


def test_an_award_is_taken_back_and_the_reset_value_given_back(rws: Books) -> None:
    royal = win(2, ROYAL)
    assert rws.awards(royal, verdict(3, royal)) == {royal.id: METER}
    rws.apply(contribution(4, 700, "T2"))
    assert rws.apply(withdrawn(5, royal)).meter_moved
    assert rws.cents == (METER + 700, 0, 0, 0)
    assert rws.awards(royal) == {}
    totals = rws.store.totals()
    assert (totals.awards, totals.awarded_cents, totals.resets_cents) == (0, 0, RESET)
    assert_balanced(rws)


def test_a_minor_that_was_awarded_is_taken_back_and_the_meter_is_exact(rws: Books) -> None:
    flush = win(2, FLUSH)
    assert rws.awards(flush) == {flush.id: 10_000}
    rws.apply(withdrawn(3, flush))
    assert rws.cents == (METER, 0, 0, 0)
    assert rws.store.totals().awarded_cents == 0
    assert_balanced(rws)


def test_a_part_of_the_meter_goes_back_to_the_part_of_a_cent(tmp_path: Path) -> None:
    books = Books(tmp_path / "holdem.db", "rws-holdem")
    river = win(2, RIVER)
    assert books.awards(river) == {river.id: METER // 20}
    books.apply(withdrawn(3, river))
    assert books.cents == (METER, 0, 0, 0)
    assert_balanced(books)
    books.store.close()


def test_payments_made_since_stand_and_the_next_is_from_the_whole_meter(rws: Books) -> None:
    royal, straight = win(2, ROYAL, "T1"), win(2, STRAIGHT, "T2")
    rws.apply(royal, verdict(3, royal), straight, verdict(3, straight))
    assert rws.cents == (RESET - RESET // 10, 0, 0, 0)
    rws.apply(withdrawn(5, royal))
    assert rws.cents == (METER - RESET // 10, 0, 0, 0)
    assert rws.awards(straight) == {straight.id: RESET // 10}
    assert_balanced(rws)


def test_what_the_meter_can_no_longer_give_back_is_the_houses(rws: Books) -> None:
    """Ten per cent again and again: the meter was under its reset value when it was won."""
    for number in range(10):
        each = win(10 + number, STRAIGHT, "T3", round_=number + 1)
        rws.apply(each, verdict(30 + number, each))
    low, *_ = rws.cents
    assert low < RESET
    royal, second = win(2, ROYAL, "T1"), win(2, ROYAL, "T2")
    rws.apply(royal, verdict(3, royal), second, verdict(3, second))
    for number in range(10, 40):
        each = win(10 + number, STRAIGHT, "T4", round_=number + 1)
        rws.apply(each, verdict(90 + number, each))
    left, *_ = rws.cents
    assert left < RESET - low
    rws.apply(withdrawn(5, royal))
    assert rws.cents == (0, 0, 0, RESET - low - left)
    assert_balanced(rws)
    rws.apply(withdrawn(5, second))
    assert_balanced(rws)


def test_an_award_is_taken_back_while_another_claim_holds_the_meter(rws: Books) -> None:
    royal, other = win(2, ROYAL, "T1"), win(2, ROYAL, "T2")
    rws.apply(royal, verdict(3, royal), other, contribution(4, 700, "T3"))
    rws.apply(withdrawn(5, royal))
    assert rws.cents == (METER, 700, 0, 0), "the meter itself gets it back, not the reserve"
    assert rws.awards(verdict(3, other)) == {other.id: METER}
    assert rws.cents == (RESET + 700, 0, 0, 0)
    assert_balanced(rws)


def test_what_a_limited_meter_cannot_take_back_goes_to_the_overflow() -> None:
    after = Accounts(meter_parts=90).take_back(100, 0, 20, 150)
    assert after == Accounts(meter_parts=150, overflow_parts=20)
    assert Accounts(meter_parts=5, house_parts=40).take_back(30, 40, 0, 99) == Accounts(
        meter_parts=0, house_parts=5
    )
    won = Accounts(meter_parts=20, overflow_parts=9, locked=True, won_whole=1)
    assert won.take_back(80, 0, 20, 150).unlock(150) == Accounts(meter_parts=80, overflow_parts=9)


def test_3_15_of_two_royals_that_share_one_is_taken_back_and_the_other_has_the_meter(
    tmp_path: Path,
) -> None:
    books = Books(tmp_path / "mbs.db", "mbs-megalink-stud")
    first, second = win(2, ROYAL), win(3, replace(ROYAL, seat=3))
    share = (METER + RESET) // 2
    awards = books.awards(first, second, verdict(4, first), verdict(5, second))
    assert awards == {first.id: share, second.id: share}
    assert books.awards(withdrawn(6, first)) == {second.id: METER}
    assert books.cents == (RESET, 0, 0, 0)
    assert_balanced(books)
    shown = page(report(books.store.database, "underfelt", running=True))
    assert f"{second.id} by 4711: reckoned anew without {first.id}; was awarded" in shown
    books.apply(withdrawn(7, second))
    assert books.cents == (METER, 0, 0, 0)
    assert_balanced(books)
    books.store.close()


def test_3_15_1_a_royal_that_is_claimed_after_the_award_of_another_shares_with_it(
    tmp_path: Path,
) -> None:
    books = Books(tmp_path / "mbs.db", "mbs-megalink-stud")
    first, lost, again = (
        win(2, ROYAL),
        win(3, replace(ROYAL, seat=3)),
        win(7, replace(ROYAL, seat=3)),
    )
    share = (METER + RESET) // 2
    books.awards(first, lost, verdict(4, first), verdict(5, lost))
    assert books.awards(withdrawn(6, lost)) == {first.id: METER}
    assert books.awards(again) == {}
    assert books.cents == (METER, 0, 0, 0)
    assert books.awards(verdict(8, again)) == {first.id: share, again.id: share}
    assert books.cents == (RESET, 0, 0, 0)
    assert_balanced(books)
    shown = page(report(books.store.database, "underfelt", running=True))
    assert f"{first.id} by the dealer: reckoned anew with {again.id}; was awarded" in shown
    books.store.close()


def test_4_5_1_a_royal_that_was_dealt_first_and_is_claimed_last_is_paid_first(rws: Books) -> None:
    first, second, again = (
        win(2, ROYAL, dealt=1),
        win(3, replace(ROYAL, seat=3), dealt=2),
        win(8, ROYAL, dealt=1),
    )
    rws.awards(first, second, verdict(5, first), verdict(6, second))
    assert rws.awards(withdrawn(7, first)) == {second.id: METER}
    assert rws.awards(again, verdict(9, again)) == {again.id: METER, second.id: RESET}
    assert_balanced(rws)


def test_i_37_an_award_of_a_paid_round_stands_whatever_is_claimed_afterwards(rws: Books) -> None:
    first = win(2, ROYAL, dealt=1)
    assert rws.awards(first, verdict(3, first)) == {first.id: METER}
    rws.apply(paid(4, first))
    assert rws.awards(win(5, replace(ROYAL, seat=3), dealt=2)) == {}
    assert rws.store.totals().awarded_cents == METER


def test_4_5_1_the_second_royal_of_a_table_moves_up_when_the_first_is_taken_back(
    rws: Books,
) -> None:
    first, second = win(2, ROYAL, dealt=1), win(3, replace(ROYAL, seat=3), dealt=2)
    rws.apply(win(4, replace(FLUSH, seat=4)))
    awards = rws.awards(first, second, verdict(5, first), verdict(6, second))
    assert awards == {first.id: METER, second.id: RESET}
    # An award of another table was paid since, and stands.
    other = win(2, ROYAL, "T2", dealt=3)
    seen = {"T1": status("T1", other.id), "T2": status("T2", other.id)}
    assert rws.awards(other, verdict(3, other), statuses=seen) == {other.id: RESET}
    seen = {name: status(name, second.id) for name in seen}
    assert rws.awards(withdrawn(7, first), statuses=seen) == {second.id: METER}
    assert rws.cents == (RESET, 0, 0, 0)
    assert_balanced(rws)
    assert rws.store.totals().awarded_cents == METER + RESET + 10_000


def test_a_reset_that_stands_feeds_the_overflow_although_another_is_taken_back() -> None:
    won = Accounts(meter_parts=20, overflow_parts=9, locked=True, won_whole=2)
    after = won.take_back(20, 0, 20, 150).unlock(150)
    assert after == Accounts(meter_parts=29)


# ── what stands ──────────────────────────────────────────────────────────────


@pytest.fixture
def desk(rws: Books) -> LinkDesk:
    """Give the desk of the RWS link; T1 will have heard of its first claim."""
    desk = LinkDesk(rws.store)
    desk.units.heard(status("T1", "T1.j.2.1"), NOW)
    return desk


def tell(desk: LinkDesk, *owed: AnyObligation) -> list[Outgoing]:
    """Let obligations come to the desk, a second apart; give the last answers."""
    said: list[Outgoing] = []
    for number, each in enumerate(owed):
        at = NOW + timedelta(minutes=1, seconds=number)
        said = desk.take(desk.topics.owed(each.table), msgspec.json.encode(each), at)
    return said


def test_5_20_after_paid_the_award_stands_and_the_house_has_a_record(
    rws: Books, desk: LinkDesk
) -> None:
    straight = win(2, STRAIGHT)
    late = withdrawn(9, straight, "noticed late")
    tell(desk, straight, verdict(3, straight), paid(8, straight))
    (answer,) = tell(desk, late)
    assert isinstance(answer.document, Rejection)
    assert answer.document.reason.endswith("is paid at the table already: it stands (I-37)")
    assert rws.cents == (METER - SHARE, 0, 0, 0)
    (line,) = report(rws.store.database, "underfelt", running=True).withdrawals
    assert "by 4711: noticed late; NOT ACCEPTED" in line
    tell(desk, late)
    assert len(report(rws.store.database, "underfelt", running=True).withdrawals) == 1


def test_a_withdrawal_that_was_overtaken_by_the_end_of_its_round_still_counts(
    rws: Books, desk: LinkDesk
) -> None:
    """One seat of the round was not confirmed; a busy broker lost that message at first."""
    straight = win(2, STRAIGHT)
    tell(desk, straight, verdict(3, straight), paid(8, straight))
    (answer, *_) = tell(desk, withdrawn(7, straight))
    assert isinstance(answer.document, Acknowledgement)
    assert rws.cents == (METER, 0, 0, 0)


def test_what_the_table_has_paid_by_itself_is_not_withdrawn(rws: Books) -> None:
    royal = win(2, ROYAL)
    rws.apply(royal, verdict(3, royal, paid_cents=METER))
    with pytest.raises(BadInput, match="paid at the table already"):
        rws.apply(withdrawn(4, royal))


def test_another_unit_of_the_table_cannot_withdraw(rws: Books) -> None:
    royal = win(2, ROYAL)
    rws.apply(royal)
    with pytest.raises(BadInput, match="another unit's"):
        rws.apply(replace(withdrawn(4, royal), id="T1.k.4.1"))


# ── a rejected verdict ───────────────────────────────────────────────────────


def test_a_rejected_verdict_does_not_make_the_later_majors_wait(rws: Books, desk: LinkDesk) -> None:
    royal, other = win(2, ROYAL, "T1"), win(2, ROYAL, "T2")
    wrong = replace(verdict(3, royal), seat=2)
    (answer, *_) = tell(desk, royal, wrong)
    assert isinstance(answer.document, Rejection)
    assert [row.id for row in rws.store.claims.rows.aside()] == [royal.id]
    for table in ("T1", "T2"):
        told = msgspec.json.encode(status(table, other.id))
        desk.take(desk.topics.status(table), told, NOW)
    tell(desk, other)
    award, *_ = tell(desk, verdict(3, other))
    assert award.document == AwardMessage(id=other.id, amount_cents=METER, meter_cents=METER)
    # The right verdict still counts when it comes.
    for table in ("T1", "T2"):
        told = msgspec.json.encode(status(table, royal.id))
        desk.take(desk.topics.status(table), told, NOW)
    award, *_ = tell(desk, verdict(4, royal))
    assert award.document == AwardMessage(id=royal.id, amount_cents=RESET, meter_cents=RESET)


def test_a_stranger_sets_nobody_elses_claim_aside(rws: Books, desk: LinkDesk) -> None:
    royal = win(2, ROYAL)
    tell(desk, royal, replace(withdrawn(3, royal), table="T2", id="T2.j.3.1"))
    assert rws.store.claims.rows.aside() == []
    assert rws.store.accounts.locked


# ── the house ────────────────────────────────────────────────────────────────


def command(desk: LinkDesk, claim: str) -> str:
    """Let the house withdraw a claim; give the result."""
    order = Command("underfelt", "withdraw", "T1", "", "4711", claim, "the table is gone")
    number = record_command(desk.store.database, order, NOW)
    run_commands(desk, NOW)
    (text,) = desk.store.database.execute(
        "SELECT result FROM command WHERE number = ?", (number,)
    ).fetchone()
    return str(text)


def test_the_house_withdraws_what_a_table_cannot_settle(rws: Books, desk: LinkDesk) -> None:
    royal, straight = win(2, ROYAL), win(2, STRAIGHT, "T2")
    tell(desk, royal, straight, verdict(3, straight))
    assert command(desk, "T1.j.99.1") == "refused: claim: 'T1.j.99.1' is not in the books"
    assert command(desk, royal.id) == "carried out"
    for table in ("T1", "T2"):
        told = msgspec.json.encode(status(table, straight.id))
        desk.take(desk.topics.status(table), told, NOW)
    assert rws.cents == (METER - SHARE, 0, 0, 0)
    assert command(desk, royal.id) == f"refused: claim: {royal.id!r} is withdrawn already"
    # The table's own withdrawal says the same, and is acknowledged.
    (answer, *_) = tell(desk, withdrawn(5, royal))
    assert isinstance(answer.document, Acknowledgement)
    shown = page(report(rws.store.database, "underfelt", running=True))
    assert f"{royal.id} by 4711: the table is gone; was open" in shown
    assert f"withdraw T1 {royal.id} by 4711: the table is gone: carried out" in shown


def test_a_table_that_waits_for_what_the_house_has_withdrawn_is_told(desk: LinkDesk) -> None:
    royal = win(2, ROYAL)
    told = msgspec.json.encode(status("T2", dealt=0))
    desk.take(desk.topics.status("T2"), told, NOW)
    tell(desk, royal, verdict(3, royal))
    assert command(desk, royal.id) == "carried out"
    (answer,) = tell(desk, royal)
    assert answer.document == Rejection(
        id=royal.id, reason=f"id: {royal.id!r} is withdrawn by the house"
    )


def test_what_a_table_had_paid_before_it_heard_of_the_house_stands(
    rws: Books, desk: LinkDesk
) -> None:
    royal = win(2, ROYAL)
    tell(desk, royal)
    assert command(desk, royal.id) == "carried out"
    tell(desk, verdict(4, royal, paid_cents=METER))
    assert rws.cents == (RESET, 0, 0, 0)
    assert rws.store.totals().awarded_cents == METER
    assert_balanced(rws)


def test_the_house_leaves_an_award_to_its_table_unless_that_is_gone(
    rws: Books, desk: LinkDesk
) -> None:
    flush, paid_flush = win(2, FLUSH), win(3, FLUSH, round_=2)
    tell(desk, flush, paid_flush, paid(8, paid_flush))
    assert (
        command(desk, flush.id) == f"refused: claim: {flush.id!r} is awarded: void it at table T1"
    )
    desk.units.close("T1", "j", "4711", NOW)
    assert "paid at the table already" in command(desk, paid_flush.id)
    assert command(desk, flush.id) == "carried out"
    assert rws.store.totals().awarded_cents == 10_000


def test_the_report_says_who_took_what_back_and_why(rws: Books) -> None:
    royal = win(2, ROYAL)
    rws.apply(royal, verdict(3, royal), withdrawn(4, royal))
    found = report(rws.store.database, "underfelt", running=True)
    assert found.hits == 0
    shown = page(found)
    assert "awarded $15,000.00, taken back" in shown
    assert (
        f"{royal.id} by 4711: foreign card (§5.8.1); was awarded, $15,000.00 taken back,"
        " $10,000.00 of reset given back"
    ) in shown


# ── payments that the house enters ───────────────────────────────────────────


def entered(
    desk: LinkDesk, claim: str, payment: HousePayment, reason: str = "paid, §5.18.1"
) -> str:
    """Let the house enter a payment, and give the result."""
    order = Command("underfelt", "enter-payment", "T1", "", "4711", claim, reason, payment)
    number = record_command(desk.store.database, order, NOW)
    run_commands(desk, NOW)
    return result(desk.store.database, number) or ""


def test_5_18_1_a_payment_that_was_rejected_is_entered_by_the_house(
    rws: Books, desk: LinkDesk
) -> None:
    tell(desk, contribution(1, 0))
    told = msgspec.json.encode(status("T1", "T1.j.9.1"))
    desk.take(desk.topics.status("T1"), told, NOW)
    unknown = HousePayment(METER - 100)
    assert "is not in the books: say its round, seat and tier" in entered(desk, "T1.j.9.1", unknown)
    royal = HousePayment(METER - 100, round=7, seat=2, tier="royal_flush")
    assert entered(desk, "T1.j.9.1", replace(royal, tier="joker")).startswith("refused: tier")
    assert entered(desk, "T1.j.9.1", royal) == "carried out"
    assert rws.cents == (RESET + 100, 0, 0, 0)
    assert rws.store.totals().awarded_cents == METER - 100
    assert_balanced(rws)
    assert entered(desk, "T1.j.9.1", royal) == "refused: claim: 'T1.j.9.1' is booked already"
    shown = page(report(rws.store.database, "underfelt", running=True))
    assert "enter-payment T1 T1.j.9.1 by 4711: paid, §5.18.1: carried out" in shown


def test_the_house_enters_a_payment_on_a_claim_whose_award_was_taken_back(
    rws: Books, desk: LinkDesk
) -> None:
    royal = win(2, ROYAL)
    tell(desk, royal, verdict(3, royal), withdrawn(4, royal))
    told = msgspec.json.encode(status("T1", royal.id))
    assert entered(desk, royal.id, HousePayment(METER)) == "carried out"
    desk.take(desk.topics.status("T1"), told, NOW)
    assert rws.cents == (RESET, 0, 0, 0)
    assert rws.store.totals().awarded_cents == METER
    assert_balanced(rws)


def test_who_commands_says_why(desk: LinkDesk) -> None:
    tell(desk, contribution(1, 0))
    with pytest.raises(BadInput, match="reason: say why"):
        entered(desk, "T1.j.9.1", HousePayment(100), reason="")
