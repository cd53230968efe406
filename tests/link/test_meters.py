"""What the controller publishes, judged: its numbers, its books, and how its meter rises."""

import msgspec
import pytest

from firmware.link.known import BACK_S
from firmware.link.meters import (
    BOOKS_KEPT,
    BOOKS_WITHIN_S,
    LASTS_S,
    QUIET_S,
    BooksWatch,
    Published,
    PublishedWatch,
)
from firmware.protocol.messages import (
    MOST_CENTS_PER_S,
    UNHEARD_CENTS,
    AwardMessage,
    ControllerStatus,
    MeterMessage,
    PendingClaim,
    PendingMessage,
    UnitAccepted,
)
from firmware.table.events import (
    AwardGranted,
    BelievedMeter,
    Event,
    FaultNoticed,
    MeterLocked,
    MeterMoved,
    PendingChanged,
)
from tests.link.ends import JOURNAL, TABLE, TOPICS
from tests.link.test_hostile_messages import Ear


def meter(cents: int, sequence: int, books: str = "a") -> MeterMessage:
    """Make a meter message."""
    return MeterMessage(meter_cents=cents, sequence=sequence, books=books)


def fate(watch: PublishedWatch, message: Published, now_s: float) -> str:
    """Say what becomes of a message, and by which doubt."""
    judged = watch.judge(message, now_s)
    return f"{judged.fate} {judged.doubt.code if judged.doubt else ''}".strip()


def test_an_older_meter_does_not_overtake_a_newer_one() -> None:
    watch = PublishedWatch()
    assert fate(watch, meter(500, 7), 0) == "follow"
    judged = watch.judge(meter(400, 6), 1)
    assert judged.fate == "ignore"
    assert judged.doubt is not None
    assert judged.doubt.words == "it is old: number 6 after 7"
    assert fate(watch, meter(500, 7), 2) == "follow", "retained, after a reconnection"


def test_a_forged_number_does_not_stick_for_ever_and_is_a_fault_when_it_has_lasted() -> None:
    watch = PublishedWatch()
    watch.judge(meter(500, 7), 0)
    assert fate(watch, meter(500, 2**53), 1) == "follow"
    assert fate(watch, meter(501, 8), 2) == "ignore sequence_fell"
    assert fate(watch, meter(502, 9), 2 + LASTS_S - 0.1) == "ignore sequence_fell"
    assert fate(watch, meter(503, 10), 2 + LASTS_S) == "follow sequence_fell"
    assert fate(watch, meter(504, 11), 3 + LASTS_S) == "follow", "the controller is followed"


def test_what_was_dropped_for_its_number_is_followed_although_it_is_not_repeated() -> None:
    watch = PublishedWatch()
    watch.judge(meter(500, 2**53), 0)
    watch.judge(meter(501, 8), 1)
    watch.judge(meter(499, 7), 2)
    assert watch.due(1 + LASTS_S - 0.1) is None
    judged = watch.due(1 + LASTS_S)
    assert judged is not None
    assert (judged.message, judged.fate) == (meter(501, 8), "follow")
    assert judged.doubt is not None
    assert judged.doubt.code == "sequence_fell"
    assert watch.due(99) is None
    assert fate(watch, meter(502, 9), 99) == "follow"


def test_a_single_old_message_now_and_then_is_never_followed() -> None:
    watch = PublishedWatch()
    for at_s in range(0, 100, 5):
        assert fate(watch, meter(500, 100 + at_s), at_s) == "follow"
        assert fate(watch, meter(1, 5), at_s + 1) == "ignore sequence_fell"
        assert watch.due(at_s + 4.9) is None


def test_a_number_that_has_fallen_does_not_let_in_a_meter_that_cannot_be() -> None:
    watch = PublishedWatch()
    watch.judge(meter(500, 7), 0)
    assert fate(watch, meter(10**13, 1), 1) == "ignore meter_doubted"
    assert fate(watch, meter(10**13, 2), 1 + LASTS_S) == "aside meter_doubted"


def test_one_doubt_does_not_begin_the_time_of_the_other_anew() -> None:
    watch = PublishedWatch()
    watch.judge(meter(500, 2**53), 0)
    for at_s in range(1, 10):
        watch.judge(meter(500, 10 + at_s), at_s)
        watch.judge(meter(10**13, 2**53 + at_s), at_s)
    judged = watch.due(1 + LASTS_S)
    assert judged is not None
    assert judged.message == meter(500, 19)


def test_other_books_begin_another_count_and_another_meter() -> None:
    watch = PublishedWatch()
    watch.judge(meter(500, 2**53), 0)
    assert fate(watch, meter(900_000_000, 1, "b"), 1) == "follow"
    assert fate(watch, meter(500, 2, "b"), 2) == "follow"


def test_books_that_come_back_are_judged_by_what_was_known_of_them() -> None:
    watch = PublishedWatch()
    watch.judge(meter(500, 7), 0)
    assert fate(watch, meter(10**13, 1, "b"), 1) == "follow"
    assert fate(watch, meter(10**13, 8), 2) == "ignore meter_doubted"
    assert fate(watch, meter(499, 6), 2) == "ignore sequence_fell"
    assert fate(watch, meter(505, 8), 3) == "follow"


def test_only_of_the_last_books_it_is_remembered_what_was_known() -> None:
    watch = PublishedWatch()
    for number in range(BOOKS_KEPT + 1):
        watch.judge(meter(500, 7, f"b{number}"), 0)
    assert fate(watch, meter(10**13, 8, "b1"), 1) == "ignore meter_doubted"
    assert fate(watch, meter(10**13, 8, "b0"), 1) == "follow"


def test_a_meter_rises_no_faster_than_a_link_can_contribute() -> None:
    watch = PublishedWatch()
    watch.judge(meter(1_000_000, 1), 0)
    assert fate(watch, meter(1_000_000 + 2 * MOST_CENTS_PER_S, 2), 0) == "follow"
    judged = watch.judge(meter(10**15, 3), 5)
    assert judged.fate == "ignore"
    assert judged.doubt is not None
    assert judged.doubt.code == "meter_doubted"
    assert judged.doubt.words == (
        "the meter cannot have risen so: $10,000,000,000,000.00 after $14,000.00"
    )
    assert fate(watch, meter(1_500_000, 4), 6) == "follow", "its number did not count either"


def test_a_house_says_how_fast_its_meter_can_rise() -> None:
    watch = PublishedWatch(100)
    watch.judge(meter(1_000_000, 1), 0)
    assert fate(watch, meter(1_000_201, 2), 0) == "ignore meter_doubted"
    assert fate(watch, meter(1_000_200, 2), 0) == "follow"
    for second in range(1, 30):
        assert fate(watch, meter(1_000_200 + 190_000 * second, 2 + second), second) != "follow"


def test_a_meter_that_falls_at_a_hit_and_rises_again_when_it_is_taken_back_is_believed() -> None:
    watch = PublishedWatch()
    watch.judge(meter(90_000_000, 1), 0)
    assert fate(watch, meter(10_000_000, 2), 1) == "follow"
    assert fate(watch, meter(90_000_500, 3), 2) == "follow"


def test_5_12_what_a_hit_has_taken_may_come_back_but_gains_nothing_with_time() -> None:
    watch = PublishedWatch(100)
    watch.judge(meter(90_000_000, 1), 0)
    for second in range(1, 3_600):
        assert fate(watch, meter(10_000_000 + second, 1 + second), second) == "follow"
    most = 10_003_599 + (90_000_000 - 10_000_001) + 100 * 3  # a second, and what is under way
    assert fate(watch, meter(most + 1, 9_000), 3_600) == "ignore meter_doubted"
    assert fate(watch, meter(most, 9_000), 3_600) == "follow"
    assert fate(watch, meter(2 * most, 9_001), 3_601) == "ignore meter_doubted"
    assert fate(watch, meter(10_000_000, 9_002), 3_602) == "follow"
    after = 3_602 + BACK_S
    assert fate(watch, meter(90_000_000, 9_003), after) == "ignore meter_doubted", "PAID long ago"


def test_of_two_hits_each_is_taken_back_once() -> None:
    watch = PublishedWatch(1)
    for number, cents in enumerate((9_000, 5_000, 1_000, 5_000, 9_000), start=1):
        assert fate(watch, meter(cents, number), 0) == "follow"
    assert fate(watch, meter(13_000, 9), 0) == "ignore meter_doubted"


def test_5_12_a_quiet_hour_allows_no_more_than_a_busy_broker_can_have_kept_back() -> None:
    for seconds in (QUIET_S, 3_600):
        watch = PublishedWatch(100)
        watch.judge(meter(1_000_000, 1), 0)
        assert fate(watch, meter(1_001_201, 2), seconds) == "ignore meter_doubted"
        assert fate(watch, meter(1_001_200, 2), seconds) == "follow"


def test_5_12_the_first_meter_after_the_link_was_down_has_risen_since_it_was_last_heard() -> None:
    for beats_until, risen_s in ((0, 3_600), (1_800, 1_800 + QUIET_S)):
        watch = PublishedWatch(100)
        watch.judge(meter(1_000_000, 1), 0)
        for second in range(0, beats_until + 1, 2):
            watch.stands(second)
        watch.begin_again()
        most = 1_000_000 + int(100 * (risen_s + 2))
        assert fate(watch, meter(most + 1, 2), 3_600) == "ignore meter_doubted"
        assert fate(watch, meter(most, 2), 3_600) == "follow"
        assert fate(watch, meter(most + 300_000, 3), 3_660) == "ignore meter_doubted"


@pytest.mark.parametrize("meter_first", [True, False])
def test_5_6_what_was_contributed_while_majors_held_the_meter_comes_at_once(
    *, meter_first: bool
) -> None:
    watch = PublishedWatch(100)
    watch.judge(meter(1_000_000, 1), 0)
    watch.hold(1, locked=True)
    for second in range(1, 3_600, 2):
        watch.stands(second)
    watch.judge(meter(1_000_000, 2), 1_800)  # said again
    if not meter_first:
        watch.hold(3_600, locked=False)
        watch.stands(3_601)
    assert fate(watch, meter(1_360_000, 3), 3_601) == "follow"
    watch.hold(3_602, locked=False)
    assert fate(watch, meter(1_720_000, 4), 3_603) == "ignore meter_doubted", "it came once"


def test_a_meter_that_stays_where_it_cannot_be_is_a_fault_and_never_followed() -> None:
    watch = PublishedWatch()
    watch.judge(meter(500, 1), 0)
    watch.judge(meter(10**12, 2), 1)
    judged = watch.due(1 + LASTS_S)
    assert judged is not None
    assert (judged.fate, judged.message) == ("aside", meter(10**12, 2))
    assert watch.due(2 + LASTS_S) is None, "it is told once"
    assert fate(watch, meter(10**12 + 5, 3), 3 + LASTS_S) == "aside meter_doubted"
    assert fate(watch, meter(505, 4), 4 + LASTS_S) == "follow", "the last believed one goes on"
    assert fate(watch, meter(10**12, 5), 5 + LASTS_S) == "ignore meter_doubted", "all over again"


def test_a_burst_that_the_time_has_covered_when_it_has_lasted_is_followed_without_a_fault() -> None:
    for cents, becomes in ((1_200, "follow"), (1_201, "aside meter_doubted")):
        watch = PublishedWatch(100)
        watch.judge(meter(0, 1), 0)
        assert fate(watch, meter(cents, 2), 0) == "ignore meter_doubted"
        judged = watch.due(LASTS_S)
        assert judged is not None
        assert f"{judged.fate} {judged.doubt.code if judged.doubt else ''}".strip() == becomes
        assert (fate(watch, meter(cents, 3), LASTS_S) == "follow") == (becomes == "follow")


def test_a_meter_that_the_shift_manager_has_compared_with_the_books_is_followed() -> None:
    watch = PublishedWatch()
    watch.judge(meter(500, 1), 0)
    watch.judge(meter(10**12, 2), 1)
    watch.judge(meter(10**12, 3), 1 + LASTS_S)
    words = "F505 (the meter cannot have risen so: $10,000,000,000.00 after $5.00)"
    watch.believe(words, 20)
    assert fate(watch, meter(10**12 + 5, 4), 21) == "follow"
    watch.believe(words, 22)
    assert fate(watch, meter(10**14, 5), 23) == "ignore meter_doubted"


def test_only_the_meter_that_the_fault_names_is_followed_when_it_is_cleared() -> None:
    watch = PublishedWatch()
    watch.judge(meter(500, 1), 0)
    watch.judge(meter(20_000_000, 2), 1)
    told = watch.due(1 + LASTS_S)
    assert told is not None
    assert told.doubt is not None
    assert fate(watch, meter(20_000_500, 3), 12) == "aside meter_doubted", "it has gone on"
    assert fate(watch, meter(10**13, 500), 12) == "ignore meter_doubted"
    watch.believe(told.doubt.words, 13)
    assert fate(watch, meter(20_000_600, 4), 13) == "follow"
    assert fate(watch, meter(10**13, 501), 14) == "ignore meter_doubted"


def test_another_meter_than_the_fault_names_is_told_anew_when_it_lasts() -> None:
    watch = PublishedWatch()
    watch.judge(meter(500, 1), 0)
    watch.judge(meter(20_000_000, 2), 1)
    first = watch.due(1 + LASTS_S)
    watch.judge(meter(10**13, 3), 12)
    second = watch.due(12 + LASTS_S)
    assert first is not None
    assert second is not None
    assert first.doubt is not None
    assert second.doubt is not None
    assert (second.fate, second.message) == ("aside", meter(10**13, 3))
    assert second.doubt.words != first.doubt.words
    watch.believe(first.doubt.words, 23)
    assert fate(watch, meter(10**13, 4), 23) == "aside meter_doubted", "that was the other one"


def restarted(cents: int = 500) -> PublishedWatch:
    """Make the watch of a table that has restarted while its meter was in doubt."""
    watch = PublishedWatch()
    watch.know(BelievedMeter(meter_cents=cents, books="a"), 0)
    return watch


def test_after_a_restart_in_doubt_the_first_meter_is_judged_by_what_the_journal_knows() -> None:
    assert fate(restarted(), meter(505, 9), 1) == "follow"
    assert fate(restarted(), meter(10**13, 1, "b"), 1) == "follow", "of other books"
    watch = restarted()
    assert fate(watch, meter(10**13, 9), 1) == "ignore meter_doubted"
    told = watch.due(1 + LASTS_S)
    assert told is not None
    assert told.doubt is not None
    assert told.fate == "aside"
    watch.believe("F505 (the meter cannot have risen so: $7.00 after $5.00)", 12)
    assert fate(watch, meter(10**13, 10), 12) == "aside meter_doubted", "another one was named"
    watch.believe(told.doubt.words, 13)
    assert fate(watch, meter(10**13 + 5, 11), 14) == "follow"


def test_after_a_restart_the_meter_may_have_risen_for_as_long_as_the_table_was_off() -> None:
    for off_s, becomes in ((0, "ignore meter_doubted"), (3600, "follow")):
        watch = PublishedWatch()
        watch.know(BelievedMeter(meter_cents=500, books="a"), -off_s)
        watch.begin_again()
        assert fate(watch, meter(3000 * MOST_CENTS_PER_S, 9), 1) == becomes


def test_what_was_cleared_just_after_a_restart_is_the_meter_that_the_fault_had_named() -> None:
    named = "F505 (the meter cannot have risen so: $10,000,000,000.00 after $5.00)"
    for cents, becomes in ((10**12, "follow"), (10**13, "ignore meter_doubted")):
        watch = restarted()
        watch.believe(named, 1)
        assert fate(watch, meter(cents, 9), 2) == becomes
    watch = restarted()
    watch.judge(meter(505, 8), 1)
    watch.believe(named, 2)
    assert fate(watch, meter(10**12, 9), 3) == "ignore meter_doubted", "one is believed meanwhile"


def test_a_reset_value_above_every_meter_is_as_impossible() -> None:
    watch = PublishedWatch()
    watch.judge(MeterMessage(meter_cents=900, sequence=1, reset_cents=1_000, books="a"), 0)
    low = MeterMessage(meter_cents=800, sequence=2, reset_cents=1_000, books="a")
    assert fate(watch, low, 1) == "follow"
    forged = MeterMessage(meter_cents=800, sequence=3, reset_cents=10**14, books="a")
    assert fate(watch, forged, 1) == "ignore meter_doubted"


def test_the_numbers_of_pending_messages_are_judged_alike() -> None:
    watch = PublishedWatch()
    watch.judge(PendingMessage(claims=(), sequence=2**62, books="a"), 0)
    old = PendingMessage(claims=(), sequence=3, books="a")
    assert fate(watch, old, 1) == "ignore sequence_fell"
    assert fate(watch, old, 1 + LASTS_S) == "follow sequence_fell"


def test_books_that_change_three_times_within_thirty_seconds_are_several_controllers() -> None:
    watch = BooksWatch()
    for at_s, books in enumerate("aababb"):
        watch.heard(books, at_s)
        assert watch.several(at_s) == (at_s >= 4)
    assert watch.several(2 + BOOKS_WITHIN_S - 0.1)
    assert not watch.several(2 + BOOKS_WITHIN_S)


# What the table hears of it


def said(ear: Ear, topic: str, message: msgspec.Struct, now_s: float = 0.0) -> list[Event]:
    """Let the controller publish something, and give the events that come of it."""
    before = len(ear.shell.events)
    ear.hearing.take(topic, msgspec.json.encode(message), now_s)
    return ear.shell.events[before:]


def accepted(ear: Ear, books: str) -> None:
    """Let a controller that keeps these books come, and accept the table's unit."""
    said(ear, TOPICS.controller, ControllerStatus(online=True, books=books))
    said(ear, TOPICS.answer(TABLE), UnitAccepted(journal=JOURNAL, boot="b", books=books))


def listening(books: str = "a") -> Ear:
    """Listen to a controller that keeps these books."""
    ear = Ear()
    accepted(ear, books)
    return ear


def test_what_is_not_believed_is_counted_and_told_and_a_fault_when_it_lasts() -> None:
    ear = listening()
    said(ear, TOPICS.meter, meter(500, 2**53))
    assert said(ear, TOPICS.meter, meter(600, 3), 1.0) == []
    assert ear.stats.ignored == 1
    assert "it is old: number 3 after" in ear.stats.last_ignored
    fault, moved = said(ear, TOPICS.meter, meter(700, 4), 1.0 + LASTS_S)
    assert isinstance(moved, MeterMoved)
    assert moved.meter_cents == 700
    assert isinstance(fault, FaultNoticed)
    assert (fault.code, fault.where) == ("sequence_fell", "meter")


def looked(ear: Ear, now_s: float) -> list[Event]:
    """Let time pass, and give the events that come of it."""
    before = len(ear.shell.events)
    ear.hearing.look(now_s)
    return ear.shell.events[before:]


def test_one_true_list_after_a_forged_number_is_followed_by_the_passing_of_time_alone() -> None:
    ear = listening()
    said(ear, TOPICS.pending, PendingMessage(claims=(), sequence=2**53, books="a"))
    claim = PendingClaim(id="T2.x.9.1", table="T2", seat=1, tier="royal_flush", dealt_at_ms=1)
    true = PendingMessage(claims=(claim,), sequence=2, books="a")
    assert said(ear, TOPICS.pending, true, 1.0) == []
    assert looked(ear, LASTS_S) == []
    fault, changed = looked(ear, 1.0 + LASTS_S)
    assert isinstance(fault, FaultNoticed)
    assert (fault.code, fault.where) == ("sequence_fell", "pending")
    assert isinstance(changed, PendingChanged)
    assert changed.ids == ("T2.x.9.1",)
    assert looked(ear, 2.0 + LASTS_S) == []


def test_nothing_is_followed_while_no_controller_is_there_or_from_an_earlier_connection() -> None:
    ear = listening()
    said(ear, TOPICS.meter, meter(500, 2**53))
    said(ear, TOPICS.meter, meter(501, 3), 1.0)
    said(ear, TOPICS.controller, ControllerStatus(online=False, books="a"), 2.0)
    assert looked(ear, 50.0) == []
    said(ear, TOPICS.controller, ControllerStatus(online=True, books="a"), 51.0)
    assert looked(ear, 52.0) == []
    said(ear, TOPICS.meter, meter(502, 4), 53.0)
    ear.hearing.begin_again()
    accepted(ear, "a")
    assert looked(ear, 99.0) == []


def test_a_meter_that_cannot_be_is_passed_on_as_doubted_after_the_fault() -> None:
    ear = listening()
    said(ear, TOPICS.meter, meter(500, 1))
    said(ear, TOPICS.meter, meter(10**13, 2), 1.0)
    fault, moved = looked(ear, 1.0 + LASTS_S)
    assert isinstance(fault, FaultNoticed)
    assert (fault.code, fault.where) == ("meter_doubted", "meter")
    assert isinstance(moved, MeterMoved)
    assert (moved.meter_cents, moved.doubted) == (10**13, True)
    ear.hearing.believe_meter(fault.detail, 20.0)
    (moved,) = said(ear, TOPICS.meter, meter(10**13 + 5, 3), 21.0)
    assert isinstance(moved, MeterMoved)
    assert not moved.doubted


def test_the_link_counts_by_what_it_has_heard_of_the_controller_and_of_pending_majors() -> None:
    ear = listening()
    said(ear, TOPICS.meter, meter(0, 1))
    here, gone = ControllerStatus(online=True, books="a"), ControllerStatus(online=False, books="a")
    for second in range(0, 3_600, 2):
        said(ear, TOPICS.controller, here, second)
    # Whoever says that it was gone gains no more than the time since it was heard.
    said(ear, TOPICS.controller, gone, 3_600)
    said(ear, TOPICS.controller, here, 3_601)
    assert said(ear, TOPICS.meter, meter(20 * MOST_CENTS_PER_S, 2), 3_601) == []
    claim = PendingClaim(id="T2.x.9.1", table="T2", seat=1, tier="royal_flush", dealt_at_ms=1)
    locked = PendingMessage(claims=(claim,), sequence=1, books="a", locked_cents=0)
    said(ear, TOPICS.pending, locked, 3_602)
    for second in range(3_602, 7_200, 2):
        said(ear, TOPICS.controller, here, second)
    (moved,) = said(ear, TOPICS.meter, meter(3_000 * MOST_CENTS_PER_S, 3), 7_200)
    assert isinstance(moved, MeterMoved)


def test_of_two_controllers_in_turn_neither_is_believed_and_it_is_a_fault() -> None:
    ear = listening("a")
    for at_s, books in enumerate("bab", start=1):
        said(ear, TOPICS.controller, ControllerStatus(online=True, books=books), at_s)
    faults = [each for each in ear.shell.events if isinstance(each, FaultNoticed)]
    assert [(fault.code, fault.where) for fault in faults] == [("sequence_fell", "books")]
    said(ear, TOPICS.answer(TABLE), UnitAccepted(journal=JOURNAL, boot="b", books="b"), 4.0)
    assert not ear.hearing.accepted
    assert said(ear, TOPICS.meter, meter(7_700, 1, "b"), 4.0) == []
    assert looked(ear, 30.9) == []
    (moved,) = looked(ear, 31.1)
    assert isinstance(moved, MeterMoved), "one of them is gone: the other is believed"
    assert (moved.meter_cents, ear.hearing.accepted) == (7_700, True)


def test_what_was_held_is_taken_with_the_meter_first_by_which_a_lock_is_judged() -> None:
    ear = Ear()
    said(ear, TOPICS.controller, ControllerStatus(online=True, books="a"))
    said(ear, TOPICS.pending, PendingMessage(claims=(), sequence=1, books="a"))
    said(ear, TOPICS.meter, meter(500, 1))
    answer = UnitAccepted(journal=JOURNAL, boot="b", books="a")
    events = said(ear, TOPICS.answer(TABLE), answer)
    assert [type(event) for event in events] == [MeterMoved, PendingChanged]


def test_a_second_controllers_books_are_heard_from_its_first_number_on() -> None:
    ear = listening()
    said(ear, TOPICS.meter, meter(500, 900))
    accepted(ear, "b")
    (moved,) = said(ear, TOPICS.meter, meter(70_000, 1, "b"))
    assert isinstance(moved, MeterMoved)
    assert moved.meter_cents == 70_000


def test_the_meter_that_a_claim_of_this_table_holds_is_a_decision_of_its_own() -> None:
    ear, mine = listening(), f"{TABLE}.{JOURNAL}.9.1"
    claims = tuple(
        PendingClaim(id=i, table="T", seat=1, tier="royal_flush", dealt_at_ms=1, percent=share)
        for i, share in ((mine, 100), ("T9.x.1.1", 10), ("T9.x.2.1", None))
    )
    pending = PendingMessage(claims=claims, sequence=1, books="a", locked_cents=7, reset_cents=3)
    changed, locked = said(ear, TOPICS.pending, pending)
    assert isinstance(changed, PendingChanged)
    assert isinstance(locked, MeterLocked)
    assert (locked.ids, locked.meter_cents, locked.reset_cents) == ((mine,), 7, 3)
    assert locked.unheard_cents == UNHEARD_CENTS
    assert locked.shares == ((mine, 100), ("T9.x.1.1", 10))
    elsewhere = PendingMessage(claims=claims[1:], sequence=2, books="a", locked_cents=7)
    assert [type(event) for event in said(ear, TOPICS.pending, elsewhere)] == [PendingChanged]


def test_an_award_is_heard_with_the_meter_that_it_is_a_share_of() -> None:
    award = AwardMessage(id=f"{TABLE}.{JOURNAL}.9.1", amount_cents=5, meter_cents=10, winners=2)
    (event,) = said(listening(), TOPICS.answer(TABLE), award)
    assert isinstance(event, AwardGranted)
    assert (event.amount_cents, event.meter_cents, event.winners) == (5, 10, 2)
