"""The sign of life for the lamp drivers stops when no events are taken."""

import asyncio
from contextlib import suppress

import pytest
from gpiozero.pins.mock import MockFactory

from firmware.devices.faults import DeviceFaults
from firmware.devices.lamp_enable import LampEnable
from firmware.shell.alive import while_events_are_taken
from firmware.table.events import Event, FaultNoticed, FaultPassed
from tests.devices.intake import FakeIntake, all_well

PIN = 21


async def changes(progress: list[tuple[int, int]]) -> int:
    """Count the changes of the pin while a table makes this progress, and then none."""
    factory = MockFactory()
    enable = LampEnable(PIN, factory)
    left = iter(progress)
    with suppress(RuntimeError):  # the progress is over
        await while_events_are_taken(lambda: next(left), 0.001, enable.toggle, all_well)
    states = [each.state for each in factory.pin(PIN).states]
    enable.close()
    return len(states) - 1  # the first is how it was found


@pytest.mark.parametrize(
    ("progress", "toggles"),
    [
        ([(0, 0)] * 8, 8),  # nothing happens, which is no fault
        ([(n, 5) for n in range(8)], 8),  # busy, and they are taken
        ([(7, 3)] * 8, 1),  # events wait and none is taken
        ([(7, 3), (7, 3), (8, 2), (8, 2), (9, 1), (10, 0)], 4),
    ],
)
def test_the_pin_changes_while_events_are_taken(
    progress: list[tuple[int, int]], toggles: int
) -> None:
    assert asyncio.run(changes(progress)) == toggles


def test_the_pin_is_left_low() -> None:
    factory = MockFactory()
    enable = LampEnable(PIN, factory)
    pin = factory.pin(PIN)

    async def run() -> None:
        with suppress(RuntimeError):
            left = iter([(0, 0)])
            await while_events_are_taken(lambda: next(left), 0.001, enable.toggle, all_well)

    asyncio.run(run())
    assert pin.state == 1
    enable.close()
    assert [each.state for each in pin.states][-1] == 0


def test_the_pin_rests_while_a_technician_withholds_the_sign() -> None:
    factory = MockFactory()
    enable = LampEnable(PIN, factory)
    pin = factory.pin(PIN)
    enable.withheld = True
    enable.toggle()
    assert pin.state == 0
    enable.withheld = False
    enable.toggle()
    assert pin.state == 1
    enable.close()


def test_a_board_without_the_pin_does_nothing() -> None:
    enable = LampEnable(None, None)
    enable.toggle()
    enable.close()


def test_a_spot_board_gets_the_sign_with_the_pin_or_without_and_not_while_it_is_withheld() -> None:
    told: list[str] = []
    for pin in (None, PIN):
        enable = LampEnable(pin, MockFactory(), lambda: told.append("ALIVE"))
        assert enable.fitted
        enable.toggle()
        enable.withheld = True
        enable.toggle()
        enable.close()
    assert told == ["ALIVE"] * 2
    assert not LampEnable(None, None).fitted


def test_a_pin_that_fails_is_told_and_does_not_end_the_signs_of_life() -> None:
    """One failed toggle must end neither the loop nor the program."""
    given: list[int] = []
    left = iter([(0, 0)] * 3)

    def sign() -> None:
        given.append(1)
        if len(given) == 1:
            raise OSError("the pin is gone")

    async def run() -> list[Event]:
        intake = FakeIntake()
        judge = DeviceFaults("lamp enable", intake).judge_driver
        with suppress(RuntimeError):
            await while_events_are_taken(lambda: next(left), 0.001, sign, judge)
        return [intake.events.get_nowait() for _ in range(intake.events.qsize())]

    failed, passed = asyncio.run(run())
    assert len(given) == 3
    assert isinstance(failed, FaultNoticed)
    assert (failed.code, failed.where) == ("device_gone", "lamp enable")
    assert "the pin is gone" not in failed.detail
    # It ends with the next good sign, so that nobody has to clear it.
    assert isinstance(passed, FaultPassed)
