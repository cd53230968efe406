"""The sign of life for the lamp drivers stops when no events are taken."""

import asyncio
from contextlib import suppress

import pytest
from gpiozero.pins.mock import MockFactory

from firmware.devices.lamp_enable import LampEnable
from firmware.shell.alive import while_events_are_taken
from tests.devices.intake import unexpected

PIN = 21


async def changes(progress: list[tuple[int, int]]) -> int:
    """Count the changes of the pin while a table makes this progress, and then none."""
    factory = MockFactory()
    enable = LampEnable(PIN, factory)
    left = iter(progress)
    with suppress(RuntimeError):  # the progress is over
        await while_events_are_taken(lambda: next(left), 0.001, enable.toggle, unexpected)
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
            await while_events_are_taken(lambda: next(left), 0.001, enable.toggle, unexpected)

    asyncio.run(run())
    assert pin.state == 1
    enable.close()
    assert [each.state for each in pin.states][-1] == 0


def test_a_board_without_the_pin_does_nothing() -> None:
    enable = LampEnable(None, None)
    enable.toggle()
    enable.close()


def test_a_pin_that_fails_is_told_and_does_not_end_the_signs_of_life() -> None:
    """One failed toggle must end neither the loop nor the program."""
    told: list[Exception] = []
    given: list[int] = []
    left = iter([(0, 0)] * 3)

    def sign() -> None:
        given.append(1)
        if len(given) == 1:
            raise OSError("the pin is gone")

    async def run() -> None:
        with suppress(RuntimeError):
            await while_events_are_taken(lambda: next(left), 0.001, sign, told.append)

    asyncio.run(run())
    assert len(given) == 3
    assert [str(error) for error in told] == ["the pin is gone"]
