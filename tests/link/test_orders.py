"""An order to go on without records (contract 7.11): for a unit that was refused, and no other."""

import msgspec
import pytest

from firmware.protocol.messages import (
    ControllerStatus,
    GoesOn,
    Message,
    UnitAccepted,
    UnitRefused,
)
from firmware.table.events import Event, FaultNoticed, WentOn
from tests.link.ends import BOOKS, JOURNAL, TABLE, TOPICS
from tests.link.test_hostile_messages import Ear

ONLINE = ControllerStatus(online=True, books=BOOKS)
ACCEPTED = UnitAccepted(journal=JOURNAL, boot="b", books=BOOKS)
REFUSED = UnitRefused(journal=JOURNAL, boot="b", reason="records are missing")


def order(through: int = 33, books: str = BOOKS) -> UnitAccepted:
    """Make an order of the house."""
    goes_on = GoesOn(through=through, round=7, contributions=1, contributed_cents=500, by="300")
    return UnitAccepted(journal=JOURNAL, boot="b", books=books, goes_on=goes_on)


def hears(ear: Ear, *messages: Message) -> list[Event]:
    """Let the table hear messages, and give the events that come of the last one."""
    events: list[Event] = []
    for message in messages:
        of_all = isinstance(message, ControllerStatus)
        topic = TOPICS.controller if of_all else TOPICS.answer(TABLE)
        events = ear.takes(topic, msgspec.json.encode(message))
    return events


def test_7_11_an_order_for_a_unit_that_was_refused_is_passed_on_and_accepts_it() -> None:
    ear = Ear()
    went_on, missing = hears(ear, ONLINE, REFUSED, order())
    assert isinstance(went_on, WentOn)
    assert (went_on.through, went_on.round, went_on.by) == (33, 7, "300")
    assert isinstance(missing, FaultNoticed)
    assert missing.code == "journal_damaged"
    assert ear.hearing.accepted


@pytest.mark.parametrize("before", [(), (ACCEPTED,), (REFUSED, ACCEPTED)], ids=len)
def test_7_11_an_order_for_a_unit_that_is_not_refused_is_a_fault_and_nothing_else(
    before: tuple[Message, ...],
) -> None:
    ear = Ear()
    hears(ear, ONLINE, *before)
    accepted = ear.hearing.accepted
    (fault,) = hears(ear, order())
    assert isinstance(fault, FaultNoticed)
    assert (fault.code, fault.where) == ("sequence_fell", "order")
    assert fault.detail == "this unit is to go on after record 33, and was not refused"
    assert ear.hearing.accepted == accepted
    assert hears(ear, order()) == []
    assert "the same was said a moment ago" in ear.stats.last_ignored


def test_7_11_an_order_after_no_record_is_a_fault_and_nothing_else() -> None:
    ear = Ear()
    (fault,) = hears(ear, ONLINE, REFUSED, order(through=0))
    assert isinstance(fault, FaultNoticed)
    assert "lacks nothing" in fault.detail
    assert not ear.hearing.accepted


def test_7_11_an_order_that_is_repeated_after_a_reconnection_accepts_the_unit_again() -> None:
    """The controller repeats it until it has heard a status that no longer waits."""
    ear = Ear()
    hears(ear, ONLINE, REFUSED, order())
    ear.hearing.begin_again()
    assert isinstance(hears(ear, ONLINE, order())[0], WentOn)
    assert ear.hearing.accepted


def test_7_11_an_order_that_comes_with_a_new_connection_after_the_refusal_is_followed() -> None:
    ear = Ear()
    hears(ear, ONLINE, REFUSED)
    ear.hearing.begin_again()
    assert isinstance(hears(ear, ONLINE, order())[0], WentOn)


def test_7_6_an_order_of_other_books_than_the_live_controllers_is_ignored() -> None:
    ear = Ear()
    assert hears(ear, ONLINE, REFUSED, order(books="other")) == []
    assert "books other than the controller's" in ear.stats.last_ignored
    assert ear.hearing.refused


def test_a_refusal_after_an_acceptance_is_told_again_even_in_the_same_words() -> None:
    """The table forgets a refusal when it is accepted: only a new one lets it follow an order."""
    ear = Ear()
    hears(ear, ONLINE, REFUSED, ACCEPTED)
    (fault,) = hears(ear, REFUSED)
    assert isinstance(fault, FaultNoticed)
    assert fault.code == "unit_refused"
