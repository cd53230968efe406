"""Farewells on the link: each is of one connection of one start, and ends no other.

Anybody who has heard a last will can say it again, also one that the controller has not heard. And two
honest ones may have no record between them. So the connection tells them apart (7.10).
"""

import shutil
from datetime import timedelta

from msgspec.structs import replace

from firmware.protocol.messages import HeadAsked, TableStatus, UnitAccepted, UnitRefused
from sim.jackpot_controller.liveness import PATIENCE
from tests.sim.test_jackpot_heads import SETTINGS, Floor, Unit, beats, floor, is_online

__all__ = ["floor"]


def comes_back(floor: Floor, unit: Unit) -> None:
    """Let a unit connect once more."""
    unit.connection += "'"
    assert isinstance(floor.house.connects(unit), UnitAccepted)
    assert is_online(floor.house)


def says_again(floor: Floor, unit: Unit, will: TableStatus) -> None:
    """Say a last will again that is not the newest; the unit is there and answers."""
    (asked,) = floor.house.hears(will)
    assert isinstance(asked, HeadAsked)
    unit.proof = unit.runtime.heads.proved(asked)
    floor.house.hears(replace(unit.status(), waits=False))
    beats(floor.house, 30, unit)


def test_7_10_an_old_last_will_takes_nobody_off_the_link_whether_it_was_heard_or_not(
    floor: Floor,
) -> None:
    unit = Unit(floor.card, "a")
    floor.house.connects(unit)
    will = unit.status(online=False)
    for heard in (True, False):
        if heard:
            floor.house.hears(will)
            assert not is_online(floor.house)
        else:  # it was published while the controller was away
            will = unit.status(online=False)
            floor.house.restarts()
        comes_back(floor, unit)
        says_again(floor, unit, will)
        assert is_online(floor.house)
        floor.house.restarts()
        assert isinstance(floor.house.connects(unit), UnitAccepted)
        says_again(floor, unit, will)
        assert is_online(floor.house)
    shutil.copytree(floor.card, floor.copy)
    copied = Unit(floor.copy, "b")
    floor.house.hears(will)
    assert isinstance(floor.house.waits(copied, unit), UnitRefused)
    for each in (unit, copied):
        each.runtime.close()


def test_7_10_a_second_last_will_counts_though_no_record_was_written_since_the_first(
    floor: Floor,
) -> None:
    unit = Unit(floor.card, "a")
    floor.house.connects(unit)
    for _ in range(3):
        floor.house.hears(unit.status(online=False))
        assert not is_online(floor.house)
        comes_back(floor, unit)
    floor.house.hears(unit.status(online=False))
    new = TableStatus(
        table="T1", journal="newbox", online=True, game=SETTINGS.game, waits=True, boot="n"
    )
    (refused,) = floor.house.hears(new)
    assert isinstance(refused, UnitRefused)
    assert "must be closed first" in refused.reason
    unit.runtime.close()


def test_7_10_a_last_will_of_a_connection_that_nobody_knows_ends_it_if_the_start_is_silent(
    floor: Floor,
) -> None:
    unit = Unit(floor.card, "a")
    floor.house.connects(unit)
    floor.house.restarts()
    unit.connection = "2"  # while the controller was away
    will = unit.status(online=False)
    unit.runtime.close()
    (asked,) = floor.house.hears(will, retained=True)
    assert isinstance(asked, HeadAsked)
    assert is_online_by_the_books(floor)
    beats(floor.house, PATIENCE.total_seconds() + 2)
    assert not is_online_by_the_books(floor)
    floor.house.restarts()
    assert not is_online_by_the_books(floor)
    again = Unit(floor.card, "b")
    assert isinstance(floor.house.connects(again), UnitAccepted)
    again.runtime.close()


def is_online_by_the_books(floor: Floor) -> bool:
    """Say whether another box of this table is kept away by a unit that is on the link."""
    new = TableStatus(table="T1", journal="newbox", online=True, game=SETTINGS.game, boot="n")
    (refused,) = floor.house.hears(new)
    assert isinstance(refused, UnitRefused)
    return "is on the link" in refused.reason


def test_7_10_what_was_said_on_a_connection_that_has_ended_puts_nobody_on_the_link(
    floor: Floor,
) -> None:
    unit = Unit(floor.card, "a")
    floor.house.connects(unit)
    captured = replace(unit.status(), waits=False)
    floor.house.hears(unit.status(online=False))
    for restarted in (False, True):
        if restarted:
            floor.house.restarts()
        (asked,) = floor.house.hears(captured)
        assert isinstance(asked, HeadAsked)
        assert not is_online_by_the_books(floor)
    unit.runtime.close()


def test_7_10_a_status_said_again_does_not_make_an_old_connection_the_newest(floor: Floor) -> None:
    unit = Unit(floor.card, "a")
    floor.house.connects(unit)
    captured, will = unit.status(), unit.status(online=False)
    comes_back(floor, unit)  # without a record between
    (asked,) = floor.house.hears(captured)
    assert isinstance(asked, HeadAsked)
    says_again(floor, unit, will)
    assert is_online(floor.house)
    unit.runtime.close()


def test_7_10_a_late_last_will_changes_nothing_for_a_unit_that_came_back_before_it(
    floor: Floor,
) -> None:
    unit = Unit(floor.card, "a")
    floor.house.connects(unit)
    will = unit.status(online=False)
    comes_back(floor, unit)
    floor.house.now += timedelta(seconds=8)
    says_again(floor, unit, will)
    assert is_online(floor.house)
    unit.runtime.close()
