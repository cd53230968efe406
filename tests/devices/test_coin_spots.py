"""Coin spots: a chip counts once its level has been the same for long enough.

The debouncer on timestamps, then real gpiozero inputs on mock pins in an event loop. What
a chip means is the table's business.
"""

import asyncio
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from gpiozero.pins.mock import MockFactory, MockPin
from hypothesis import given
from hypothesis import strategies as st

from firmware.devices.coin_spots import CoinSpots
from firmware.devices.sensing import DEBOUNCE_MS, Debouncer
from firmware.devices.sensor_limits import SensorLimits
from firmware.table.events import CoinSensed, Event, FaultNoticed, FaultPassed
from tests.devices.intake import FakeIntake

PINS = {(1, "jackpot"): 4, (2, "jackpot"): 5, (3, "jackpot"): 6}


def reports(edges: list[tuple[int, bool]]) -> list[tuple[int, bool]]:
    """Feed edges to a debouncer that is asked every millisecond; give what it says, when."""
    debouncer = Debouncer()
    coming = dict(edges)
    said = []
    for at_ms in range(max(coming, default=0) + 2 * DEBOUNCE_MS):
        if at_ms in coming:
            debouncer.edge(coming[at_ms], at_ms)
        level = debouncer.settled(at_ms)
        if level is not None:
            said.append((at_ms, level))
    return said


# The debouncer


def test_a_level_is_reported_once_it_has_been_quiet_for_the_whole_wait() -> None:
    assert reports([(100, True)]) == [(100 + DEBOUNCE_MS, True)]


def test_a_sensor_that_was_never_read_reports_nothing() -> None:
    assert Debouncer().settled(10**9) is None


def test_bouncing_ends_in_one_report_after_the_last_edge() -> None:
    bounces = [(0, True), (3, False), (4, True), (10, False), (15, True)]
    assert reports(bounces) == [(15 + DEBOUNCE_MS, True)]


def test_every_edge_starts_the_wait_anew() -> None:
    edges = [(DEBOUNCE_MS - 1) * time for time in range(6)]
    chatter = [(at_ms, place % 2 == 0) for place, at_ms in enumerate(edges)]
    assert reports(chatter) == [(edges[-1] + DEBOUNCE_MS, False)]


def test_a_flicker_that_comes_back_to_the_same_level_is_no_news() -> None:
    assert reports([(0, True), (100, False), (105, True)]) == [(DEBOUNCE_MS, True)]


def test_a_chip_that_comes_and_goes_slowly_is_reported_each_time() -> None:
    edges = [(0, False), (100, True), (200, False), (300, True)]
    assert reports(edges) == [(at_ms + DEBOUNCE_MS, level) for at_ms, level in edges]


@given(st.dictionaries(st.integers(0, 400), st.booleans(), max_size=30))
def test_whatever_bounces_reports_alternate_after_quiet_times_and_end_with_the_truth(
    edges: dict[int, bool],
) -> None:
    said = reports(sorted(edges.items()))
    levels = [level for _, level in said]
    assert all(before != after for before, after in pairwise(levels))
    for at_ms, level in said:
        last = max(edge for edge in edges if edge <= at_ms)
        assert at_ms - last >= DEBOUNCE_MS
        assert edges[last] == level
    if edges:
        assert levels[-1] == edges[max(edges)]
    else:
        assert levels == []


# Pins


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    """Make pins that can be driven."""
    pins = MockFactory()
    yield pins
    pins.close()


def chip(factory: MockFactory, seat: int) -> None:
    """Put a chip on the spot of a seat."""
    factory.pin(PINS[seat, "jackpot"]).drive_high()


def lift(factory: MockFactory, seat: int) -> None:
    """Take the chip off the spot of a seat."""
    factory.pin(PINS[seat, "jackpot"]).drive_low()


async def next_event(shell: FakeIntake) -> Event:
    """Wait for the next event that is not the end of a fault."""
    async with asyncio.timeout(30):
        while isinstance(event := await shell.events.get(), FaultPassed):
            pass
        return event


async def first(shell: FakeIntake, count: int) -> set[tuple[int, bool]]:
    """Wait for so many events, and give the seats and levels."""
    return {_sensed(await next_event(shell)) for _ in range(count)}


def _sensed(event: Event) -> tuple[int, bool]:
    assert isinstance(event, CoinSensed)
    assert event.bet == "jackpot"
    return event.seat, event.present


async def started(factory: MockFactory) -> tuple[FakeIntake, CoinSpots]:
    """Open three empty spots and take their first reports."""
    shell = FakeIntake()
    spots = CoinSpots(PINS, factory, shell)
    assert await first(shell, 3) == {(1, False), (2, False), (3, False)}
    while not shell.events.empty():
        assert isinstance(shell.events.get_nowait(), FaultPassed)
    return shell, spots


def test_at_a_start_every_spot_reports_what_lies_there(
    factory: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A chip drives its line; gpiozero's mock pin would fall with the pull resistor.
    monkeypatch.setattr(MockPin, "_set_pull", lambda _pin, _pull: None)

    async def play() -> None:
        shell = FakeIntake()
        chip(factory, 2)
        spots = CoinSpots(PINS, factory, shell)
        assert await first(shell, 3) == {(1, False), (2, True), (3, False)}
        spots.close()

    asyncio.run(play())


@pytest.mark.parametrize("pin", range(4, 28))
def test_a_sensor_works_on_every_pin_that_a_table_file_may_name(
    factory: MockFactory, pin: int
) -> None:
    async def play() -> None:
        CoinSpots({(1, "jackpot"): pin}, factory, FakeIntake()).close()

    asyncio.run(play())


def test_a_chip_is_sensed_and_its_lifting_too(factory: MockFactory) -> None:
    async def play() -> None:
        shell, spots = await started(factory)
        chip(factory, 3)
        assert await first(shell, 1) == {(3, True)}
        lift(factory, 3)
        assert await first(shell, 1) == {(3, False)}
        spots.close()

    asyncio.run(play())


def test_two_spots_of_one_seat_are_told_apart_by_their_bets(factory: MockFactory) -> None:
    async def play() -> None:
        shell = FakeIntake()
        spots = CoinSpots({(1, "jackpot"): 4, (1, "jackpot_dealer"): 5}, factory, shell)
        factory.pin(5).drive_high()
        sensed = [await next_event(shell), await next_event(shell)]
        assert {
            (event.seat, event.bet, event.present)
            for event in sensed
            if isinstance(event, CoinSensed)
        } == {(1, "jackpot", False), (1, "jackpot_dealer", True)}
        spots.close()

    asyncio.run(play())


def test_a_bouncing_chip_is_one_event(factory: MockFactory) -> None:
    async def play() -> None:
        shell, spots = await started(factory)
        for _ in range(20):
            chip(factory, 1)
            lift(factory, 1)
        chip(factory, 1)
        assert await first(shell, 1) == {(1, True)}
        chip(factory, 2)
        assert await first(shell, 1) == {(2, True)}
        assert shell.events.empty()
        spots.close()

    asyncio.run(play())


def test_a_flicker_is_no_event(factory: MockFactory) -> None:
    async def play() -> None:
        shell, spots = await started(factory)
        chip(factory, 1)
        lift(factory, 1)
        chip(factory, 2)
        assert await first(shell, 1) == {(2, True)}
        assert shell.events.empty()
        spots.close()

    asyncio.run(play())


def test_an_edge_on_a_thread_of_its_own_arrives_in_the_event_loop(factory: MockFactory) -> None:
    async def play() -> None:
        shell, spots = await started(factory)
        await asyncio.to_thread(chip, factory, 2)
        assert await first(shell, 1) == {(2, True)}
        spots.close()

    asyncio.run(play(), debug=True)  # in which a loop refuses other threads


def test_a_clock_that_is_put_back_meanwhile_loses_no_chip(factory: MockFactory) -> None:
    async def play() -> None:
        shell, spots = await started(factory)
        shell.clock_ms = 10**15
        chip(factory, 1)
        await asyncio.sleep(0)
        shell.clock_ms = None
        chip(factory, 2)
        assert await first(shell, 1) == {(1, True)}
        spots.close()

    asyncio.run(play())


def test_closed_spots_give_their_pins_back(factory: MockFactory) -> None:
    async def play() -> None:
        _, spots = await started(factory)
        spots.close()
        _, again = await started(factory)
        again.close()

    asyncio.run(play())


# What is wrong with a sensor


def test_a_chip_lifted_and_put_back_50_times_a_second_is_a_fault_of_its_spot_and_no_chip(
    factory: MockFactory,
) -> None:
    async def play() -> None:
        shell, spots = await started(factory)
        fault: Event | None = None
        while not isinstance(fault, FaultNoticed):
            # On a busy machine a pause may be long enough for the chip to count.
            await toy_with(factory, 3, times=50)
            while not shell.events.empty() and not isinstance(fault, FaultNoticed):
                fault = shell.events.get_nowait()
        assert (fault.code, fault.where) == ("sensor_chatters", "seat 3")
        assert fault.detail == "more than 20 changes a second"
        await toy_with(factory, 3, times=20)
        chip(factory, 3)
        passed = await shell.events.get()
        assert isinstance(passed, FaultPassed)
        assert (passed.code, passed.where) == ("sensor_chatters", "seat 3")
        assert await first(shell, 1) == {(3, True)}
        assert shell.events.empty()
        spots.close()

    asyncio.run(play())


async def toy_with(factory: MockFactory, seat: int, *, times: int) -> None:
    """Lift a chip and put it back 50 times a second."""
    for _ in range(times):
        chip(factory, seat)
        await asyncio.sleep(0.01)
        lift(factory, seat)
        await asyncio.sleep(0.01)


def test_a_sensor_that_never_sees_its_spot_empty_is_stuck_until_it_does(
    factory: MockFactory,
) -> None:
    async def play() -> None:
        shell = FakeIntake()
        pins = {(2, "jackpot_dealer"): 5}
        spots = CoinSpots(pins, factory, shell, SensorLimits(stuck_ms=100))
        factory.pin(5).drive_high()
        sensed = await next_event(shell)
        assert isinstance(sensed, CoinSensed)
        assert sensed.present
        fault = await next_event(shell)
        assert isinstance(fault, FaultNoticed)
        assert (fault.code, fault.where) == ("sensor_stuck", "seat 2 jackpot_dealer")
        factory.pin(5).drive_low()
        lifted, passed = await next_event(shell), await shell.events.get()
        assert isinstance(lifted, CoinSensed)
        assert not lifted.present
        assert isinstance(passed, FaultPassed)
        assert (passed.code, passed.where) == ("sensor_stuck", "seat 2 jackpot_dealer")
        spots.close()

    asyncio.run(play())


def test_at_a_start_a_good_sensor_ends_the_faults_that_a_journal_may_hold(
    factory: MockFactory,
) -> None:
    async def play() -> None:
        shell = FakeIntake()
        spots = CoinSpots({(1, "jackpot"): 4}, factory, shell)
        async with asyncio.timeout(30):
            events = [await shell.events.get() for _ in range(3)]
        ended = {(e.code, e.where) for e in events if isinstance(e, FaultPassed)}
        assert ended == {("sensor_chatters", "seat 1"), ("sensor_stuck", "seat 1")}
        spots.close()

    asyncio.run(play())


def test_levels_that_were_not_taken_are_reported_again(factory: MockFactory) -> None:
    async def play() -> None:
        shell, spots = await started(factory)
        chip(factory, 1)
        assert await first(shell, 1) == {(1, True)}
        spots.read_again()
        assert await first(shell, 3) == {(1, True), (2, False), (3, False)}
        spots.close()

    asyncio.run(play())


def test_however_fast_a_sensor_changes_one_edge_at_a_time_crosses_into_the_loop(
    factory: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        shell, spots = await started(factory)
        crossings: list[Callable[[], None]] = []
        monkeypatch.setattr(shell, "from_thread", crossings.append)
        for _ in range(1_000):
            chip(factory, 1)
            lift(factory, 1)
        assert len(crossings) == 1
        chip(factory, 1)
        crossings[0]()
        assert await first(shell, 1) == {(1, True)}
        spots.close()

    asyncio.run(play())
