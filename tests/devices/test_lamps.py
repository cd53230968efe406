"""Lamps: the lamp language as on and off, and real gpiozero outputs on mock pins.

Which lamp has which pattern when is the table's business.
"""

import asyncio
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import get_args

import pytest
from gpiozero.pins.mock import MockFactory
from hypothesis import given
from hypothesis import strategies as st

from firmware.devices import lamps as lamps_module
from firmware.devices.lamp_patterns import PATTERNS, is_lit, next_change_ms
from firmware.devices.lamps import Lamps
from firmware.table.effects import Pattern

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


@given(st.sampled_from(EVERY), st.integers(0, 100_000))
def test_the_next_change_is_the_next_time_at_which_the_lamp_differs(
    pattern: Pattern, into_ms: int
) -> None:
    change_ms = next_change_ms(pattern, into_ms)
    if change_ms is None:
        assert pattern in {"off", "steady"}
        return
    now = is_lit(pattern, into_ms)
    assert all(is_lit(pattern, ms) == now for ms in range(into_ms, change_ms))
    assert is_lit(pattern, change_ms) != now


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


def with_lamps(factory: MockFactory, play: Callable[[Lamps], None]) -> None:
    """Play with lamps in an event loop that does not turn meanwhile."""

    async def played() -> None:
        lamps = Lamps(PINS, factory)
        play(lamps)
        lamps.close()

    asyncio.run(played())


def test_lamps_begin_dark(factory: MockFactory) -> None:
    with_lamps(factory, lambda _lamps: None)
    assert lit(factory) == {1: False, 2: False}


def test_a_pattern_begins_at_once_and_on_its_own_lamp(factory: MockFactory) -> None:
    def play(lamps: Lamps) -> None:
        lamps.set(SECOND, "slow_blink")
        assert lit(factory) == {1: False, 2: True}
        lamps.set(FIRST, "steady")
        lamps.set(SECOND, "off")
        assert lit(factory) == {1: True, 2: False}

    with_lamps(factory, play)


@pytest.mark.parametrize("pattern", EVERY)
def test_lamps_are_dark_when_they_are_closed(factory: MockFactory, pattern: Pattern) -> None:
    with_lamps(factory, lambda lamps: lamps.set(FIRST, pattern))
    assert lit(factory) == {1: False, 2: False}


def test_lamps_follow_their_patterns_from_where_each_began(
    factory: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        lamps = Lamps(PINS, factory)
        monkeypatch.setattr(lamps, "_monotonic_ms", lambda: 5_000)
        lamps.set(FIRST, "slow_blink")
        monkeypatch.setattr(lamps, "_monotonic_ms", lambda: 5_400)
        lamps.set(SECOND, "slow_blink")
        assert lit(factory) == {1: True, 2: True}
        assert lamps.drive(5_799) == 5_800
        assert lit(factory) == {1: True, 2: True}
        assert lamps.drive(5_800) == 6_200
        assert lit(factory) == {1: False, 2: True}
        assert lamps.drive(6_203) == 6_600  # late, and no drift follows from it
        assert lit(factory) == {1: False, 2: False}
        assert lamps.drive(6_600) == 7_000
        assert lit(factory) == {1: True, 2: False}
        lamps.close()

    asyncio.run(play())


def test_lamps_change_by_themselves_as_long_as_a_pattern_changes(factory: MockFactory) -> None:
    async def until(expected: dict[int, bool]) -> None:
        async with asyncio.timeout(30):
            while lit(factory) != expected:  # noqa: ASYNC110  # a pin has no event
                await asyncio.sleep(0)

    async def play() -> None:
        lamps = Lamps(PINS, factory)
        lamps.set(FIRST, "flutter")
        for _ in range(3):
            await until({1: False, 2: False})
            await until({1: True, 2: False})
        lamps.set(SECOND, "quick_blink")
        await until({1: False, 2: False})
        lamps.close()

    asyncio.run(play())


def test_lamps_that_do_not_change_never_wake_the_event_loop(factory: MockFactory) -> None:
    def play(lamps: Lamps) -> None:
        lamps.set(FIRST, "steady")
        lamps.set(SECOND, "off")
        assert lamps.drive(10**9) is None

    with_lamps(factory, play)


def test_a_lamp_whose_pin_fails_does_not_stop_the_others(
    factory: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lamps_module, "_AGAIN_MS", 1)

    async def play() -> None:
        lamps = Lamps(PINS, factory)
        complaints: list[dict[str, object]] = []
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _loop, context: complaints.append(context))
        lamps.set(FIRST, "flutter")
        broken = lamps.drive

        def fail(at_ms: int) -> int | None:
            if not complaints:
                raise OSError(5, "Input/output error")
            return broken(at_ms)

        monkeypatch.setattr(lamps, "drive", fail)
        async with asyncio.timeout(30):
            while not complaints or lit(factory)[1]:  # noqa: ASYNC110  # a pin has no event
                await asyncio.sleep(0)
        lamps.close()

    asyncio.run(play())
