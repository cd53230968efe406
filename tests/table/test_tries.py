"""Wrong PINs: one answer to all, a wait that grows, and nothing that a clock or a restart undoes."""

import msgspec
import pytest
from msgspec.structs import replace

from firmware.protocol.fault_catalogue import Role
from firmware.table.effects import NOT_ACCEPTED, NOT_ASKED, ShowRefusal
from firmware.table.events import (
    DealerSignedOn,
    JournalOpened,
    ServiceBegun,
    ServiceRefused,
    StaffIdentified,
    StaffRefused,
    TableClosed,
)
from firmware.table.irregularities.tries import MOST_REMEMBERED, PERSON, PLACE
from firmware.table.table import Table
from tests.table.playing import SETTINGS, STRAIGHT_FLUSH, Playing, at_reveal, refused

NUMBER = "pit_supervisor-7"
MINUTE_MS = 60_000


def waiting() -> Playing:
    """Play to a major that waits for a supervisor, with the key turned."""
    playing = at_reveal(STRAIGHT_FLUSH)
    playing.reveal()
    playing.turn_key()
    playing.between_tries_ms = 0
    return playing


def try_wrong(playing: Playing, staff: str = NUMBER) -> bool:
    """Enter a wrong PIN; return whether it was looked at, and so written down."""
    assert playing.press(StaffRefused, staff=staff) == refused(NOT_ACCEPTED)
    return playing.decided


def confirms(playing: Playing) -> bool:
    """Enter the right PIN; return whether it was accepted."""
    effects = playing.identify()
    return ShowRefusal(NOT_ACCEPTED) not in effects


def counted_apart(playing: Playing) -> tuple[object, object]:
    """Give the journal and the state without what tells a right PIN from a wrong one."""
    records = [
        replace(each, nothing_to_do=False) if isinstance(each, StaffRefused) else each
        for each in playing.journal
    ]
    return records, replace(playing.state, tries={}, place_tries={})


@pytest.mark.parametrize("role", ["dealer", "technician"])
def test_who_may_not_confirm_is_answered_like_a_wrong_pin_and_not_counted(role: Role) -> None:
    wrong, may_not = waiting(), waiting()
    told = wrong.press(StaffRefused, staff=f"{role}-7")
    assert may_not.identify(role) == told == refused(NOT_ACCEPTED)
    assert counted_apart(may_not) == counted_apart(wrong)
    assert (may_not.state.tries, may_not.state.place_tries) == ({}, {})


def test_nothing_to_confirm_is_answered_like_a_wrong_pin_and_not_counted() -> None:
    wrong, idle = Playing(), Playing()
    for playing in (wrong, idle):
        playing.turn_key()
    assert wrong.press(StaffRefused, staff=NUMBER) == idle.identify() == refused(NOT_ASKED)
    assert counted_apart(idle) == counted_apart(wrong)
    assert (idle.state.tries, idle.state.place_tries) == ({}, {})


def test_a_technician_who_signs_on_is_answered_like_a_wrong_pin_and_not_counted() -> None:
    wrong, technician = Playing(), Playing()
    told = wrong.press(StaffRefused, staff="4", signing_on=True)
    signed_on = technician.press(DealerSignedOn, staff="4", name="T", role="technician")
    assert signed_on == told == refused(NOT_ACCEPTED)
    assert counted_apart(technician) == counted_apart(wrong)
    assert technician.state.tries == {}


def test_a_supervisor_who_was_early_may_still_confirm_the_major() -> None:
    playing = waiting()
    for _ in range(PERSON.free + PLACE.free):
        playing.identify("technician")
    assert confirms(playing)


def test_while_a_wait_lasts_a_right_pin_with_nothing_to_confirm_is_not_written_down() -> None:
    playing = waiting()
    for _ in range(PERSON.free):
        try_wrong(playing, "technician-7")
    before = list(playing.journal)
    assert playing.identify("technician") == refused(NOT_ACCEPTED)
    assert playing.journal == before


def test_6_2_a_higher_position_confirms_what_the_dealer_could() -> None:
    playing = at_reveal(STRAIGHT_FLUSH)
    playing.report("late_bet", seat=1)
    playing.confirm_as("pit_supervisor")
    assert playing.phase() == "revealing"
    assert "Confirmed by the pit_supervisor." in playing.state.round.rulings[-1]


def test_6_2_excess_that_a_higher_position_refuses_goes_back_at_once() -> None:
    playing = Playing()
    playing.open()
    playing.ante(1, 250_000)
    playing.report("over_max", seat=1)
    playing.confirm_as("pit_supervisor")
    assert playing.state.round.seats[1].stakes["ante"] == SETTINGS.ante_max_cents


def test_without_the_key_no_pin_is_looked_at() -> None:
    playing = waiting()
    playing.turn_key(on=False)
    before = list(playing.journal)
    wrong = playing.press(StaffRefused, staff=NUMBER)
    assert playing.identify() == wrong
    assert playing.journal == before
    assert playing.state.tries == {}


def test_while_a_wait_lasts_right_and_wrong_pins_are_alike_and_not_counted() -> None:
    playing = waiting()
    for _ in range(PERSON.free):
        assert try_wrong(playing)
    before = list(playing.journal)
    assert not try_wrong(playing)
    assert not confirms(playing)
    assert playing.journal == before


def test_the_wait_of_a_person_doubles_and_has_an_end() -> None:
    playing = waiting()
    waits = []
    for _ in range(9):
        while try_wrong(playing):
            pass
        began_ms = playing.up_ms
        while not try_wrong(playing):
            playing.up_ms += MINUTE_MS
        waits.append((playing.up_ms - began_ms) // MINUTE_MS)
    assert waits[:5] == [5, 10, 20, 40, 60]
    assert max(waits) == 60


def test_a_person_is_believed_again_after_the_wait() -> None:
    playing = waiting()
    for _ in range(PERSON.free):
        try_wrong(playing)
    playing.up_ms += PERSON.first_ms - 1
    assert not confirms(playing)
    playing.up_ms += 1
    assert confirms(playing)
    assert NUMBER not in playing.state.tries


def test_the_panel_counts_over_all_numbers_and_a_right_pin_does_not_reset_it() -> None:
    playing = waiting()
    for number in range(PLACE.free - 1):
        assert try_wrong(playing, str(number))
    playing.press(DealerSignedOn, staff="100", name="D", role="dealer")
    assert playing.state.on_duty is not None
    assert try_wrong(playing, "99")
    assert not confirms(playing)
    playing.up_ms += PLACE.first_ms
    assert confirms(playing)


def test_wrong_tries_are_forgotten_one_by_one() -> None:
    playing = waiting()
    for _ in range(PERSON.free - 1):
        try_wrong(playing)
    playing.up_ms += PERSON.forgiven_ms
    assert try_wrong(playing)
    assert playing.state.tries[NUMBER].count == PERSON.free - 1
    assert confirms(playing)


@pytest.mark.parametrize("jump_ms", [10**12, -(10**12)])
def test_a_clock_that_is_set_ends_no_wait(jump_ms: int) -> None:
    playing = waiting()
    for _ in range(PERSON.free):
        try_wrong(playing)
    playing.at_ms += jump_ms
    assert not confirms(playing)


def test_a_restart_begins_the_wait_anew() -> None:
    playing = waiting()
    for _ in range(PERSON.free):
        try_wrong(playing)
    playing.up_ms += PERSON.first_ms - 1
    playing.restart()
    playing.turn_key()
    assert not confirms(playing)
    playing.up_ms = PERSON.first_ms - 1
    assert not confirms(playing)
    playing.up_ms = PERSON.first_ms
    assert confirms(playing)


def test_distinct_wrong_numbers_take_bounded_room() -> None:
    playing = waiting()
    for number in range(1_000):
        playing.up_ms += PLACE.longest_ms
        assert try_wrong(playing, str(number))
        assert len(playing.state.tries) <= MOST_REMEMBERED
    assert len(msgspec.msgpack.encode(playing.state.tries)) < 2_000


def test_a_person_with_many_wrong_tries_is_not_forgotten_for_others() -> None:
    playing = waiting()
    for _ in range(PERSON.free):
        try_wrong(playing)
    for number in range(2 * MOST_REMEMBERED):
        playing.state.place_tries.clear()
        try_wrong(playing, str(number))
    playing.state.place_tries.clear()
    assert not confirms(playing)


def test_wrong_pins_for_service_are_in_the_journal_and_make_everybody_wait_there() -> None:
    playing = Playing()
    playing.between_tries_ms = 0
    playing.press(TableClosed)
    for number in range(PLACE.free):
        assert playing.take(ServiceRefused(at_ms=playing.now(), staff=str(number))) == ()
        assert playing.decided
    before = list(playing.journal)
    begun = ServiceBegun(at_ms=playing.now(), staff="9", name="Tan", role="technician")
    for event in (ServiceRefused(at_ms=playing.now(), staff="9"), begun):
        assert playing.take(event) == ()
    assert playing.phase() == "closed"
    assert playing.journal == before
    playing.take(replace(begun, up_ms=PLACE.first_ms))
    assert playing.state.phase == "service"


def test_an_older_journal_counts_as_it_did() -> None:
    opened = JournalOpened(at_ms=1, table="T1", journal="old", settings=SETTINGS, edition=1)
    wrong = StaffRefused(at_ms=2, frame=1, staff="7")
    table = Table.recovered(SETTINGS, [opened, *(replace(wrong, frame=n) for n in range(1, 9))])
    assert table.state.tries["7"].count == 8
    assert table.state.tries["7"].at_ms == 2
    assert table.state.place_tries == {}


def test_every_pin_that_is_tried_carries_the_time_since_the_start() -> None:
    for kind in (StaffIdentified, StaffRefused, DealerSignedOn, ServiceBegun, ServiceRefused):
        assert "up_ms" in kind.__struct_fields__
