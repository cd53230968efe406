"""The sign of life for the lamp drivers stops when the table does not get on."""

import asyncio
from contextlib import suppress

import pytest
from gpiozero.pins.mock import MockFactory

from firmware.devices import lamp_enable
from firmware.devices.lamp_enable import LampEnable

PIN = 21


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a second pass in a hundredth."""
    monkeypatch.setattr(lamp_enable, "EVERY_S", 0.001)


async def changes(progress: list[tuple[int, int]]) -> int:
    """Count the changes of the pin while a table makes this progress, and then none."""
    factory = MockFactory()
    enable = LampEnable(PIN, factory)
    left = iter(progress)
    with suppress(RuntimeError):  # the progress is over
        await enable.run(lambda: next(left))
    states = [each.state for each in factory.pin(PIN).states]
    enable.close()
    return len(states) - 1  # the first is how it was found


@pytest.mark.parametrize(
    ("progress", "toggles"),
    [
        ([(0, 0)] * 8, 8),  # nothing happens, which is no fault
        ([(n, 5) for n in range(8)], 8),  # busy, and it gets on
        ([(7, 3)] * 8, 1),  # events wait and none is taken
        ([(7, 3), (7, 3), (8, 2), (8, 2), (9, 1), (10, 0)], 4),
    ],
)
def test_the_pin_changes_while_the_table_gets_on(
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
            await enable.run(lambda: next(left))

    asyncio.run(run())
    assert pin.state == 1
    enable.close()
    assert [each.state for each in pin.states][-1] == 0


def test_a_board_without_the_pin_waits_for_ever() -> None:
    async def run() -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(0.05):
                await LampEnable(None, None).run(lambda: (0, 0))
                pytest.fail("it came to an end")

    asyncio.run(run())
