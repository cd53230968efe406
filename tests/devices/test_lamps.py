"""Lamps: the lamp language as on and off, and real gpiozero outputs on mock pins.

Which lamp has which pattern when is the table's business.
"""

import asyncio
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import get_args

import pytest
from gpiozero.pins.mock import MockFactory

from firmware.devices import lamps as lamps_module
from firmware.devices.lamps import PATTERNS, TICK_MS, Lamps, is_lit
from firmware.table.effects import Pattern
from tests.devices.shell import FakeShell

FIRST, SECOND = (1, "jackpot"), (2, "jackpot")
PINS = {FIRST: 16, SECOND: 17}
EVERY = get_args(Pattern)


def seen(pattern: Pattern, span_ms: int) -> list[tuple[bool, int]]:
    """Watch a lamp for a time; give how long it was lit and dark, in turn."""
    levels = (is_lit(pattern, at_ms) for at_ms in range(span_ms))
    return [(lit, len(list(times))) for lit, times in groupby(levels)]


# Patterns


def test_off_is_dark_and_steady_is_lit_for_ever() -> None:
    assert seen("off", 10_000) == [(False, 10_000)]
    assert seen("steady", 10_000) == [(True, 10_000)]


def test_a_slow_blink_is_slow() -> None:
    assert seen("slow_blink", 3_200) == [(True, 800), (False, 800)] * 2


def test_a_quick_blink_is_quick() -> None:
    assert seen("quick_blink", 600) == [(True, 150), (False, 150)] * 2


def test_a_flutter_is_quicker() -> None:
    assert seen("flutter", 200) == [(True, 50), (False, 50)] * 2


def test_a_double_blink_blinks_twice_and_rests() -> None:
    once = [(True, 150), (False, 150), (True, 150), (False, 750)]
    assert seen("double_blink", 2_400) == once * 2


def test_the_whole_lamp_language_can_be_told_apart() -> None:
    assert set(PATTERNS) == set(EVERY)
    assert len({tuple(seen(pattern, 4_800)) for pattern in EVERY}) == len(EVERY)


@pytest.mark.parametrize("pattern", EVERY)
def test_no_pattern_is_finer_than_the_tick_that_drives_it(pattern: Pattern) -> None:
    assert all(duration_ms % TICK_MS == 0 for duration_ms in PATTERNS[pattern])


@pytest.mark.parametrize("pattern", EVERY)
def test_every_pattern_but_off_begins_lit(pattern: Pattern) -> None:
    assert is_lit(pattern, 0) == (pattern != "off")


# Pins


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    """Make pins that can be looked at."""
    pins = MockFactory()
    yield pins
    pins.close()


def lit(factory: MockFactory) -> dict[int, bool]:
    """Look at the lamps, by seat."""
    return {seat: bool(factory.pin(pin).state) for (seat, _), pin in PINS.items()}


def with_lamps(factory: MockFactory, play: Callable[[Lamps, FakeShell], None]) -> None:
    """Play with lamps in an event loop whose clock stands still."""

    async def played() -> None:
        shell = FakeShell()
        shell.clock_ms = 123_456
        lamps = Lamps(PINS, factory, shell)
        play(lamps, shell)
        lamps.close()

    asyncio.run(played())


def test_lamps_begin_dark(factory: MockFactory) -> None:
    with_lamps(factory, lambda _lamps, _shell: None)
    assert lit(factory) == {1: False, 2: False}


def test_a_pattern_begins_at_once_and_on_its_own_lamp(factory: MockFactory) -> None:
    def play(lamps: Lamps, _shell: FakeShell) -> None:
        lamps.set(SECOND, "slow_blink")
        assert lit(factory) == {1: False, 2: True}
        lamps.set(FIRST, "steady")
        lamps.set(SECOND, "off")
        assert lit(factory) == {1: True, 2: False}

    with_lamps(factory, play)


@pytest.mark.parametrize("pattern", EVERY)
def test_lamps_are_dark_when_they_are_closed(factory: MockFactory, pattern: Pattern) -> None:
    with_lamps(factory, lambda lamps, _shell: lamps.set(FIRST, pattern))
    assert lit(factory) == {1: False, 2: False}


def test_running_lamps_follow_their_patterns_from_where_each_began(
    factory: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lamps_module, "TICK_MS", 1)

    async def until(expected: dict[int, bool]) -> None:
        async with asyncio.timeout(30):
            while lit(factory) != expected:  # noqa: ASYNC110  # a pin has no event
                await asyncio.sleep(0)

    async def play() -> None:
        shell = FakeShell()
        shell.clock_ms = 5_000
        lamps = Lamps(PINS, factory, shell)
        running = asyncio.create_task(lamps.run())
        lamps.set(FIRST, "slow_blink")
        shell.clock_ms += 400
        lamps.set(SECOND, "slow_blink")
        assert lit(factory) == {1: True, 2: True}
        for expected in ({1: False, 2: True}, {1: False, 2: False}, {1: True, 2: False}):
            shell.clock_ms += 400
            await until(expected)
        shell.clock_ms -= 3_600_000  # a clock that is put back stops no lamp
        await until({1: True, 2: False})
        running.cancel()
        lamps.close()

    asyncio.run(play())
