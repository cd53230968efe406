"""Orders of the house to let a unit go on: for one start, and nothing else follows from them.

An order counts from the moment at which it is in the unit's journal. Whatever has the journal as it
was before that lacks the records still, and would pay again what was paid in them.
"""

import shutil

from msgspec.structs import replace

from firmware.protocol.messages import HeadAsked, UnitAccepted, UnitRefused
from firmware.shell.inbox import Arrival
from tests.sim.test_jackpot_heads import (
    Floor,
    Unit,
    beats,
    events_of,
    floor,
    is_online,
    lost_records,
    switched_off,
)

__all__ = ["floor"]


def ordered(floor: Floor, unit: Unit) -> tuple[UnitRefused, UnitAccepted]:
    """Let the house order that a refused unit goes on, and let it hear that."""
    refused = floor.house.connects(unit)
    assert isinstance(refused, UnitRefused)
    assert floor.house.orders("accept-unit", unit.journal) == "carried out"
    accepted = floor.house.connects(unit)
    assert isinstance(accepted, UnitAccepted)
    assert accepted.goes_on is not None
    return refused, accepted


def writes_down(unit: Unit, refused: UnitRefused, accepted: UnitAccepted) -> None:
    """Let a table that was refused write down that it goes on."""
    for event in (*events_of(unit, refused), *events_of(unit, refused, accepted)):
        unit.runtime.handle(Arrival(event))


def test_7_11_another_start_is_refused_while_the_order_is_not_in_the_journal(floor: Floor) -> None:
    for told in (True, False):
        unit = lost_records(floor) if told else Unit(floor.copy, "d")
        if not told:
            assert isinstance(floor.house.connects(unit), UnitRefused)
        ordered(floor, unit)
        if told:
            switched_off(floor.house, unit)
        else:
            unit.runtime.close()  # without a last will
        floor.house.restarts()
        again = Unit(floor.copy, "c" if told else "e")
        for _ in range(4):
            refused = floor.house.connects(again)
            assert isinstance(refused, UnitRefused)
            assert "are missing" in refused.reason
            beats(floor.house, 5)
        again.runtime.close()


def test_7_11_that_a_start_no_longer_waits_does_not_show_that_the_order_is_in_its_journal(
    floor: Floor,
) -> None:
    unit = lost_records(floor)
    ordered(floor, unit)
    unit.goes_on(3)  # something else
    assert floor.house.hears(replace(unit.status(), waits=False)) == []
    switched_off(floor.house, unit)
    again = Unit(floor.copy, "c")
    assert isinstance(floor.house.connects(again), UnitRefused)
    again.runtime.close()


def test_7_11_an_order_that_nobody_heard_of_in_time_is_given_and_followed_once_more(
    floor: Floor,
) -> None:
    unit = lost_records(floor)
    writes_down(unit, *ordered(floor, unit))
    unit.runtime.close()  # before it has said so
    assert is_online(floor.house)
    beats(floor.house, 5)
    again = Unit(floor.copy, "c")
    for _ in range(4):
        assert isinstance(floor.house.connects(again), UnitRefused)
        beats(floor.house, 5)
    refused, accepted = ordered(floor, again)
    assert accepted.goes_on is not None
    assert accepted.goes_on.through == 34, "or the table would take it for the first one"
    writes_down(again, refused, accepted)
    assert again.runtime.table.state.went_on == 34
    assert not again.runtime.table.state.refused
    assert floor.house.hears(replace(again.status(), waits=False)) == []
    switched_off(floor.house, again)
    last = Unit(floor.copy, "d")
    assert floor.house.connects(last) == UnitAccepted(
        journal=last.journal, boot="d", books=accepted.books
    )
    last.runtime.close()


def test_7_11_who_goes_on_by_order_speaks_for_the_table_before_the_order_is_in_its_journal(
    floor: Floor,
) -> None:
    unit = lost_records(floor)
    ordered(floor, unit)
    assert floor.house.desk.units.start_of("T1", unit.journal) == "b"
    card = Unit(floor.card, "d")  # the card with all records
    refused = floor.house.waits(card, unit)
    assert isinstance(refused, UnitRefused)
    assert "is on the link" in refused.reason
    floor.house.hears(unit.status(online=False))
    assert not is_online(floor.house)
    assert isinstance(floor.house.connects(card), UnitAccepted)
    for each in (unit, card):
        each.runtime.close()


def test_7_11_an_order_lapses_when_another_start_is_accepted(floor: Floor) -> None:
    unit = lost_records(floor)
    assert isinstance(floor.house.connects(unit), UnitRefused)
    assert floor.house.orders("accept-unit", unit.journal) == "carried out"
    card = Unit(floor.card, "d")
    assert isinstance(floor.house.connects(card), UnitAccepted)
    assert isinstance(floor.house.connects(unit, card), UnitRefused)
    switched_off(floor.house, card)
    floor.house.restarts()
    assert isinstance(floor.house.connects(unit), UnitRefused)
    unit.runtime.close()


def test_7_9_an_order_lets_nobody_speak_beside_a_known_start_that_is_back(floor: Floor) -> None:
    known = Unit(floor.card, "a")
    floor.house.connects(known)
    shutil.copytree(floor.card, floor.copy)
    known.goes_on(9)
    floor.house.hears(known.status())
    floor.house.hears(known.status(online=False))
    unit = Unit(floor.copy, "b")
    assert isinstance(floor.house.connects(unit), UnitRefused)
    assert floor.house.orders("accept-unit", unit.journal) == "carried out"
    known.connection = "2"
    assert isinstance(floor.house.connects(known), UnitAccepted)
    assert isinstance(floor.house.waits(unit, known), UnitRefused)
    for each in (known, unit):
        each.runtime.close()


def test_7_11_what_an_ordered_start_said_before_it_was_refused_is_judged_without_the_order(
    floor: Floor,
) -> None:
    unit = lost_records(floor)
    early = unit.status()
    unit.goes_on(2)
    ordered(floor, unit)
    (asked,) = floor.house.hears(early)
    assert isinstance(asked, HeadAsked)
    unit.runtime.close()
