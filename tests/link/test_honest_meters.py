"""Meters that an honest link has, however it came to them: none of them is doubted.

And beside each, what a forger would make of it: he gains nothing.
"""

import pytest

from firmware.link.known import BACK_S, FALLS_WITHIN_S, Known
from firmware.link.meters import PublishedWatch
from firmware.protocol.messages import (
    MOST_CENTS_PER_S,
    ControllerStatus,
    MeterMessage,
    PendingClaim,
    PendingMessage,
)
from firmware.table.events import BelievedMeter, MeterMoved
from tests.link.ends import TOPICS
from tests.link.test_hostile_messages import Ear
from tests.link.test_meters import accepted, fate, said

RATE = 2_000
"""What a house of some tables says of its floor, in cents a second."""
RESET_CENTS = 10_000_000
ROYAL_CENTS = 50_000_000
DOUBTED = "ignore meter_doubted"


def meter(cents: int, sequence: int) -> MeterMessage:
    """Make a meter message with the link's reset value."""
    return MeterMessage(meter_cents=cents, sequence=sequence, reset_cents=RESET_CENTS, books="a")


def following(*meters_cents: int, at_s: float = 0.0) -> PublishedWatch:
    """Follow some meters, one after the other at the same moment."""
    watch = PublishedWatch(RATE)
    for sequence, cents in enumerate(meters_cents, start=1):
        assert fate(watch, meter(cents, sequence), at_s) == "follow", cents
    return watch


def stands(watch: PublishedWatch, since_s: int, until_s: int) -> None:
    """Let the controller be heard every two seconds."""
    for second in range(since_s, until_s, 2):
        watch.stands(second)


# A reset that goes up


@pytest.mark.parametrize("after_s", [60, 9 * 3_600])
def test_5_7_a_royal_raises_a_meter_that_is_below_its_reset_value(after_s: int) -> None:
    # Heard as it fell, or already low when this table came: neither matters.
    for heard in ((RESET_CENTS, 9_000_000, 8_100_000, 7_290_000), (7_290_000,)):
        watch = following(*heard)
        stands(watch, 0, after_s)
        assert fate(watch, meter(RESET_CENTS + 100 * RATE, 9), after_s) == DOUBTED
        assert fate(watch, meter(RESET_CENTS, 9), after_s) == "follow"


def test_nobody_climbs_by_falling_below_the_reset_value_and_rising_to_it() -> None:
    watch = following(*(9_000_000, RESET_CENTS) * 50)
    assert fate(watch, meter(RESET_CENTS + 1_000_000, 999), 0) == DOUBTED


def test_5_9_a_hit_is_taken_back_although_the_meter_fell_below_its_reset_value_since() -> None:
    for last_cents in (49_000_000, ROYAL_CENTS):
        following(ROYAL_CENTS, RESET_CENTS, 9_000_000, last_cents)
    watch = following(ROYAL_CENTS, RESET_CENTS, 9_000_000, RESET_CENTS, ROYAL_CENTS)
    assert fate(watch, meter(ROYAL_CENTS + 1_000_000, 9), 0) == DOUBTED


def test_5_9_a_share_is_taken_back_to_above_the_reset_value_with_what_has_come_since() -> None:
    watch, cents = following(RESET_CENTS, 9_000_000), 9_000_000
    for second in range(1, 601):
        cents += 200
        assert fate(watch, meter(cents, 2 + second), second) == "follow"
    forged = meter(cents + 1_000_000 + 20 * RATE, 999)
    assert fate(watch, forged, 601) == DOUBTED
    assert fate(watch, meter(cents + 1_000_000, 999), 601) == "follow"


def test_5_9_a_hit_that_was_paid_while_the_table_was_away_is_taken_back() -> None:
    for contributed_s, becomes in ((600, "follow"), (700, DOUBTED)):
        watch = following(ROYAL_CENTS)
        watch.begin_again()
        # What was contributed meanwhile is in neither meter alone.
        assert fate(watch, meter(45_000_000 + contributed_s * RATE, 2), 600) == "follow"
        stands(watch, 602, 700)
        back = meter(ROYAL_CENTS + contributed_s * RATE, 3)
        assert fate(watch, back, 700) == becomes


# Many falls


def test_5_9_returned_bets_crowd_no_hit_out() -> None:
    watch, sequence, cents = following(ROYAL_CENTS, RESET_CENTS), 9, RESET_CENTS
    for second in range(1, 1_000):
        for cents in (RESET_CENTS + 500, RESET_CENTS + 400):
            sequence += 1
            assert fate(watch, meter(cents, sequence), second) == "follow"
    assert fate(watch, meter(ROYAL_CENTS, 9_999), 1_000) == "follow"


def test_of_a_whole_shift_of_falls_only_so_many_are_kept() -> None:
    known = Known()
    for second in range(100_000):
        known.fall(1, second)
    assert len(known.falls) <= BACK_S / FALLS_WITHIN_S + 1
    assert BACK_S - FALLS_WITHIN_S <= known.most_cents(100_000) <= BACK_S


def test_5_9_of_two_hits_the_first_that_is_taken_back_leaves_the_other_its_time() -> None:
    watch = following(ROYAL_CENTS, 45_000_000)
    late_s = BACK_S - 600
    assert fate(watch, meter(40_000_000, 9), late_s) == "follow"
    assert fate(watch, meter(45_000_000, 10), late_s + 60) == "follow"
    assert fate(watch, meter(ROYAL_CENTS, 11), BACK_S + 60) == "follow"
    assert fate(watch, meter(ROYAL_CENTS + 5_000_000, 12), BACK_S + 70) == DOUBTED


# What is contributed while majors hold the meter

HOUR_S = 3_600


def test_5_6_a_table_that_comes_during_a_lock_believes_the_whole_reserve() -> None:
    for rises_s, becomes in ((HOUR_S, "follow"), (BACK_S + HOUR_S, DOUBTED)):
        watch = PublishedWatch(RATE)
        watch.stands(0)
        assert fate(watch, meter(ROYAL_CENTS, 1), 0) == "follow"
        watch.stands(1)
        watch.hold(2, locked=True)
        stands(watch, 4, 60)
        risen_cents = int(rises_s * RATE)
        assert fate(watch, meter(ROYAL_CENTS + risen_cents, 2), 60) == becomes


@pytest.mark.parametrize("list_first", [True, False])
def test_5_6_a_table_that_starts_in_a_round_during_a_lock_believes_the_whole_reserve(
    *, list_first: bool
) -> None:
    # The lock had begun long before the last record of the journal.
    watch = PublishedWatch(RATE)
    watch.know(BelievedMeter(meter_cents=ROYAL_CENTS, reset_cents=RESET_CENTS, books="a"), -5)
    watch.begin_again()
    if list_first:
        watch.hold(0, locked=True)
    assert fate(watch, meter(ROYAL_CENTS, 1), 0) == "follow"
    watch.hold(1, locked=True)
    stands(watch, 2, 60)
    assert fate(watch, meter(ROYAL_CENTS + HOUR_S * RATE, 2), 60) == "follow"


def test_5_6_a_table_that_comes_back_during_a_lock_counts_from_when_it_was_there() -> None:
    for risen_s, becomes in ((HOUR_S, "follow"), (2 * HOUR_S, DOUBTED)):
        watch = following(ROYAL_CENTS)
        watch.begin_again()
        assert fate(watch, meter(ROYAL_CENTS, 2), HOUR_S) == "follow"
        watch.hold(HOUR_S, locked=True)
        stands(watch, HOUR_S, HOUR_S + 60)
        assert fate(watch, meter(ROYAL_CENTS + risen_s * RATE, 3), HOUR_S + 60) == becomes


def test_a_lock_that_begins_while_the_table_is_there_allows_no_time_before_it() -> None:
    for waits_s in (0, 60, HOUR_S):
        for unlocked_first in (True, False):
            watch = PublishedWatch(RATE)
            watch.judge(meter(ROYAL_CENTS, 1), 0)
            if unlocked_first:
                watch.hold(0, locked=False)
            elif waits_s == 0:
                continue  # that lock was there before
            stands(watch, 0, waits_s)
            watch.hold(waits_s, locked=True)
            stands(watch, waits_s, waits_s + 60)
            forged = meter(ROYAL_CENTS + 90 * RATE, 2)
            assert fate(watch, forged, waits_s + 60) == DOUBTED


def locked_for(seconds: int, *meters_cents: int) -> PublishedWatch:
    """Follow a meter that majors hold for so long, and those that come right after the lock."""
    watch = following(meters_cents[0])
    watch.hold(0, locked=False)
    watch.hold(0, locked=True)
    for sequence, cents in enumerate(meters_cents[1:], start=9):
        assert fate(watch, meter(cents, sequence), 1) == "follow"
    stands(watch, 1, seconds)
    return watch


def test_5_6_the_reserve_is_believed_although_an_award_was_taken_back_during_the_lock() -> None:
    watch = locked_for(HOUR_S, ROYAL_CENTS, 45_000_000)
    assert fate(watch, meter(ROYAL_CENTS, 19), HOUR_S) == "follow"
    most_cents = ROYAL_CENTS + HOUR_S * RATE + 20 * RATE
    assert fate(watch, meter(most_cents + 10 * RATE, 20), HOUR_S + 20) == DOUBTED
    assert fate(watch, meter(most_cents, 20), HOUR_S + 20) == "follow"
    watch.hold(HOUR_S + 20, locked=False)
    forged = meter(most_cents + 30 * RATE, 21)
    assert fate(watch, forged, HOUR_S + 21) == DOUBTED, "it came once"


def test_5_6_the_reserve_is_believed_although_a_royal_has_raised_the_meter_during_the_lock() -> (
    None
):
    watch = locked_for(HOUR_S, 3_000_000, RESET_CENTS)
    assert fate(watch, meter(RESET_CENTS + HOUR_S * RATE, 19), HOUR_S) == "follow"


def test_when_a_lock_has_ended_what_was_not_contributed_does_not_come_any_more() -> None:
    watch = locked_for(HOUR_S, ROYAL_CENTS)
    assert fate(watch, meter(ROYAL_CENTS + 500, 19), HOUR_S) == "follow"
    watch.hold(HOUR_S, locked=False)
    watch.begin_again()  # somebody says that the controller was gone
    assert fate(watch, meter(ROYAL_CENTS + 60 * RATE, 20), HOUR_S + 1) == DOUBTED


def test_5_9_a_royal_is_taken_back_although_the_reserve_was_added_when_it_was_paid() -> None:
    reserve_cents = HOUR_S * RATE // 2
    watch = locked_for(HOUR_S, ROYAL_CENTS)
    assert fate(watch, meter(RESET_CENTS + reserve_cents, 19), HOUR_S) == "follow"
    watch.hold(HOUR_S, locked=False)
    stands(watch, HOUR_S, HOUR_S + 600)
    forged = meter(ROYAL_CENTS + HOUR_S * RATE + 60 * RATE, 20)
    assert fate(watch, forged, HOUR_S + 600) == DOUBTED
    assert fate(watch, meter(ROYAL_CENTS + reserve_cents, 20), HOUR_S + 600) == "follow"


def test_5_9_a_share_is_taken_back_although_the_reserve_was_added_after_it_was_paid() -> None:
    reserve_cents = HOUR_S * RATE // 2
    watch = locked_for(HOUR_S, ROYAL_CENTS, 45_000_000)
    assert fate(watch, meter(45_000_000 + reserve_cents, 19), HOUR_S) == "follow"
    watch.hold(HOUR_S, locked=False)
    stands(watch, HOUR_S, HOUR_S + 600)
    forged = meter(ROYAL_CENTS + reserve_cents + 60 * RATE, 20)
    assert fate(watch, forged, HOUR_S + 600) == DOUBTED
    assert fate(watch, meter(ROYAL_CENTS + reserve_cents, 20), HOUR_S + 600) == "follow"


# After a restart


def registered(cents: int, books: str = "a") -> BelievedMeter:
    """Make the meter that was registered with the last round before a restart."""
    return BelievedMeter(meter_cents=cents, reset_cents=RESET_CENTS, books=books)


def test_5_9_after_a_restart_the_meter_may_come_back_to_the_one_that_was_registered() -> None:
    for books, becomes in (("a", "follow"), ("b", DOUBTED)):
        watch = PublishedWatch(RATE)
        watch.recall(registered(ROYAL_CENTS, books))
        watch.begin_again()
        assert fate(watch, meter(RESET_CENTS, 1), 0) == "follow", "another table's royal"
        stands(watch, 0, 60)
        assert fate(watch, meter(ROYAL_CENTS + 60 * RATE, 2), 60) == DOUBTED
        assert fate(watch, meter(ROYAL_CENTS, 2), 60) == becomes, "it is taken back"


def test_5_9_what_was_registered_before_a_restart_comes_back_once_and_within_a_shift() -> None:
    watch = PublishedWatch(RATE)
    watch.recall(registered(ROYAL_CENTS))
    for sequence, cents in enumerate((RESET_CENTS, ROYAL_CENTS)):
        assert fate(watch, meter(cents, sequence), 0) == "follow"
    assert fate(watch, meter(ROYAL_CENTS + 1_000_000, 9), 0) == DOUBTED
    watch = PublishedWatch(RATE)
    watch.recall(registered(ROYAL_CENTS))
    watch.judge(meter(RESET_CENTS, 1), 0)
    assert fate(watch, meter(ROYAL_CENTS, 2), BACK_S) == DOUBTED


def test_5_9_a_hit_before_a_doubt_is_taken_back_while_the_table_is_off() -> None:
    for cents, becomes in ((ROYAL_CENTS, "follow"), (ROYAL_CENTS + 60 * RATE, DOUBTED)):
        watch = PublishedWatch(RATE)
        watch.know(registered(RESET_CENTS), 0)
        watch.recall(registered(ROYAL_CENTS))
        assert fate(watch, meter(cents, 9), 5) == becomes


def test_a_meter_above_the_one_that_was_registered_before_a_restart_is_the_first_heard() -> None:
    watch = PublishedWatch(RATE)
    watch.recall(registered(RESET_CENTS))
    assert fate(watch, meter(ROYAL_CENTS, 1), 0) == "follow", "a table at rest has no other"
    assert fate(watch, meter(ROYAL_CENTS + 1_000_000, 2), 0) == DOUBTED


def test_5_9_the_link_of_a_table_that_has_restarted_lets_an_award_come_back() -> None:
    ear = Ear()
    ear.hearing.recall_meter(registered(ROYAL_CENTS))
    accepted(ear, "a")
    for sequence, cents in enumerate((RESET_CENTS, ROYAL_CENTS)):
        (moved,) = said(ear, TOPICS.meter, meter(cents, sequence))
        assert isinstance(moved, MeterMoved)
        assert (moved.meter_cents, moved.doubted) == (cents, False)


def test_5_6_the_link_of_a_table_that_comes_during_a_lock_believes_the_reserve() -> None:
    claim = PendingClaim(id="T9.j.5.1", table="T9", seat=1, tier="royal_flush", dealt_at_ms=1)
    locked = PendingMessage(claims=(claim,), sequence=1, books="a", locked_cents=ROYAL_CENTS)
    here = ControllerStatus(online=True, books="a")
    ear = Ear()
    said(ear, TOPICS.controller, here)
    # Held until the controller has accepted this unit, then taken with the meter first.
    said(ear, TOPICS.pending, locked)
    said(ear, TOPICS.meter, meter(ROYAL_CENTS, 1))
    accepted(ear, "a")
    for second in range(2, 60, 2):
        said(ear, TOPICS.controller, here, second)
    reserve = meter(ROYAL_CENTS + HOUR_S * MOST_CENTS_PER_S, 2)
    (moved,) = said(ear, TOPICS.meter, reserve, 60)
    assert isinstance(moved, MeterMoved)
