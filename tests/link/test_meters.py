"""What the controller publishes, judged: its numbers, its books, and how its meter rises."""

import msgspec

from firmware.link.meters import LASTS_S, PublishedWatch
from firmware.protocol.messages import (
    MOST_CENTS_PER_S,
    AwardMessage,
    ControllerStatus,
    MeterMessage,
    PendingClaim,
    PendingMessage,
    UnitAccepted,
)
from firmware.table.events import (
    AwardGranted,
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


def test_an_older_meter_does_not_overtake_a_newer_one() -> None:
    watch = PublishedWatch()
    assert watch.judge(meter(500, 7), 0) == (None, True)
    doubt, follow = watch.judge(meter(400, 6), 1)
    assert not follow
    assert doubt is not None
    assert doubt.words == "it is old: number 6 after 7"
    assert watch.judge(meter(500, 7), 2) == (None, True), "retained, after a reconnection"


def test_a_forged_number_does_not_stick_for_ever_and_is_a_fault_when_it_has_lasted() -> None:
    watch = PublishedWatch()
    watch.judge(meter(500, 7), 0)
    assert watch.judge(meter(500, 2**62), 1) == (None, True)
    assert not watch.judge(meter(501, 8), 2)[1]
    assert not watch.judge(meter(502, 9), 2 + LASTS_S - 0.1)[1]
    doubt, follow = watch.judge(meter(503, 10), 2 + LASTS_S)
    assert follow
    assert doubt is not None
    assert doubt.code == "sequence_fell"
    assert watch.judge(meter(504, 11), 3 + LASTS_S) == (None, True), "the controller is followed"


def test_a_single_old_message_now_and_then_is_never_followed() -> None:
    watch = PublishedWatch()
    for at_s in range(0, 100, 5):
        assert watch.judge(meter(500, 100 + at_s), at_s) == (None, True)
        assert not watch.judge(meter(1, 5), at_s + 1)[1]


def test_other_books_begin_another_count_and_another_meter() -> None:
    watch = PublishedWatch()
    watch.judge(meter(500, 2**62), 0)
    assert watch.judge(meter(900_000_000, 1, "b"), 1) == (None, True)
    assert watch.judge(meter(500, 2, "b"), 2) == (None, True)


def test_a_meter_rises_no_faster_than_a_link_can_contribute() -> None:
    watch = PublishedWatch()
    watch.judge(meter(1_000_000, 1), 0)
    assert watch.judge(meter(1_000_000 + 2 * MOST_CENTS_PER_S, 2), 0) == (None, True)
    doubt, follow = watch.judge(meter(10**15, 3), 5)
    assert not follow
    assert doubt is not None
    assert doubt.code == "meter_doubted"
    assert doubt.words == (
        "the meter cannot have risen so: $10,000,000,000,000.00 after $14,000.00"
    )
    assert watch.judge(meter(1_500_000, 4), 6) == (None, True), "its number did not count either"


def test_a_meter_that_falls_at_a_hit_and_rises_again_when_it_is_taken_back_is_believed() -> None:
    watch = PublishedWatch()
    watch.judge(meter(90_000_000, 1), 0)
    assert watch.judge(meter(10_000_000, 2), 1) == (None, True)
    assert watch.judge(meter(90_000_500, 3), 2) == (None, True)


def test_a_meter_that_stays_where_it_cannot_be_is_a_fault_and_followed() -> None:
    watch = PublishedWatch()
    watch.judge(meter(500, 1), 0)
    watch.judge(meter(10**12, 2), 1)
    doubt, follow = watch.judge(meter(10**12 + 5, 3), 1 + LASTS_S)
    assert follow
    assert doubt is not None
    assert doubt.code == "meter_doubted"
    assert watch.judge(meter(10**12 + 10, 4), 2 + LASTS_S) == (None, True)


def test_the_numbers_of_pending_messages_are_judged_alike() -> None:
    watch = PublishedWatch()
    watch.judge(PendingMessage(claims=(), sequence=2**62, books="a"), 0)
    old = PendingMessage(claims=(), sequence=3, books="a")
    assert not watch.judge(old, 1)[1]
    assert watch.judge(old, 1 + LASTS_S)[1]


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
    said(ear, TOPICS.meter, meter(500, 2**62))
    assert said(ear, TOPICS.meter, meter(600, 3), 1.0) == []
    assert ear.stats.ignored == 1
    assert "it is old: number 3 after" in ear.stats.last_ignored
    moved, fault = said(ear, TOPICS.meter, meter(700, 4), 1.0 + LASTS_S)
    assert isinstance(moved, MeterMoved)
    assert moved.meter_cents == 700
    assert isinstance(fault, FaultNoticed)
    assert (fault.code, fault.where) == ("sequence_fell", "meter")


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
    assert locked.shares == ((mine, 100), ("T9.x.1.1", 10))
    elsewhere = PendingMessage(claims=claims[1:], sequence=2, books="a", locked_cents=7)
    assert [type(event) for event in said(ear, TOPICS.pending, elsewhere)] == [PendingChanged]


def test_an_award_is_heard_with_the_meter_that_it_is_a_share_of() -> None:
    award = AwardMessage(id=f"{TABLE}.{JOURNAL}.9.1", amount_cents=5, meter_cents=10, winners=2)
    (event,) = said(listening(), TOPICS.answer(TABLE), award)
    assert isinstance(event, AwardGranted)
    assert (event.amount_cents, event.meter_cents, event.winners) == (5, 10, 2)
