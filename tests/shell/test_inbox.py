"""The inbox: bounded, and nothing that does not fit is lost in silence."""

import asyncio
import threading
from functools import partial

import pytest

from firmware.shell.inbox import Inbox
from firmware.table.events import (
    Acknowledged,
    BetsOpened,
    CoinSensed,
    FaultNoticed,
    MeterMoved,
)

KEY = BetsOpened(at_ms=1, frame=1)
COIN = CoinSensed(at_ms=1, seat=1, present=True)
METER = MeterMoved(at_ms=1, meter_cents=1, sequence=1)
ANSWER = Acknowledged(at_ms=1, id="T1.a.1.1")


def nothing() -> None:
    """Acknowledge nobody."""


async def drained(inbox: Inbox, count: int) -> list[object]:
    """Take so many events."""
    async with asyncio.timeout(30):
        return [(await inbox.get()).event for _ in range(count)]


def test_what_is_put_in_comes_out_in_its_order_with_what_is_to_be_done_afterwards() -> None:
    async def play() -> None:
        inbox = Inbox()
        inbox.put(KEY, nothing)
        inbox.put(COIN)
        first, second = await inbox.get(), await inbox.get()
        assert (first.event, first.afterwards) == (KEY, nothing)
        assert (second.event, second.afterwards) == (COIN, None)

    asyncio.run(play())


def test_a_frame_that_does_not_fit_stays_unacknowledged_and_that_is_a_fault_when_there_is_room() -> (
    None
):
    async def play() -> None:
        acknowledged: list[int] = []
        inbox = Inbox(capacity=4)
        for number in range(7):
            inbox.put(KEY, partial(acknowledged.append, number))
        taken = [await inbox.get() for _ in range(4)]
        for arrival in taken:
            assert arrival.afterwards is not None
            arrival.afterwards()
        assert acknowledged == [0, 1, 2, 3]
        (fault,) = await drained(inbox, 1)
        assert isinstance(fault, FaultNoticed)
        assert fault.code == "inbox_full"
        assert fault.detail == "3 events had to be sent again"
        inbox.put(KEY, nothing)
        assert await drained(inbox, 1) == [KEY]

    asyncio.run(play())


@pytest.mark.parametrize("event", [COIN, METER])
def test_coin_levels_and_observations_are_read_again_when_there_is_room(
    event: CoinSensed | MeterMoved,
) -> None:
    async def play() -> None:
        inbox = Inbox(capacity=2)
        read_again: list[str] = []
        inbox.when_roomy(lambda: read_again.append("again"))
        for _ in range(3):
            inbox.put(event)
        assert read_again == []
        await drained(inbox, 2)
        assert read_again == ["again"]
        (fault,) = await drained(inbox, 1)
        assert isinstance(fault, FaultNoticed)
        await drained_nothing(inbox)
        assert read_again == ["again"]

    asyncio.run(play())


async def drained_nothing(inbox: Inbox) -> None:
    """Make sure that nothing waits."""
    inbox.put(ANSWER)
    assert await drained(inbox, 1) == [ANSWER]


def test_what_does_not_come_again_has_places_of_its_own() -> None:
    async def play() -> None:
        inbox = Inbox(capacity=2, reserved=3)
        for _ in range(5):
            inbox.put(COIN)
        for _ in range(3):
            inbox.put(ANSWER)
        events = await drained(inbox, 6)
        assert events[:5] == [COIN, COIN, ANSWER, ANSWER, ANSWER]
        assert isinstance(events[5], FaultNoticed)

    asyncio.run(play())


def test_a_flood_of_everything_is_bounded_and_told() -> None:
    async def play() -> None:
        inbox = Inbox(capacity=2, reserved=3)
        for _ in range(100):
            inbox.put(ANSWER)
        events = await drained(inbox, 6)
        assert events[:5] == [ANSWER] * 5
        assert isinstance(events[5], FaultNoticed)
        assert events[5].detail == "95 events had to be sent again"

    asyncio.run(play())


def test_a_thread_comes_in_through_the_loop_and_a_closed_loop_does_not_mind() -> None:
    async def play() -> Inbox:
        inbox = Inbox()
        seen: asyncio.Queue[int] = asyncio.Queue()
        await asyncio.to_thread(inbox.from_thread, lambda: seen.put_nowait(threading.get_ident()))
        async with asyncio.timeout(30):
            assert await seen.get() == threading.get_ident()
        return inbox

    asyncio.run(play()).from_thread(nothing)


def test_a_callback_that_fails_is_a_fault_without_its_words_and_the_loop_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail() -> None:
        raise ValueError("CARD As")

    async def play() -> None:
        inbox = Inbox()
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(inbox.callback_failed)
        loop.call_soon(fail)
        (fault,) = await drained(inbox, 1)
        assert isinstance(fault, FaultNoticed)
        assert (fault.code, fault.where) == ("device_gone", "pins")
        assert fault.detail == "the driver failed with ValueError"

    asyncio.run(play())
    assert "ValueError" in caplog.text
    assert "As" not in caplog.text


def test_progress_is_how_many_were_taken_and_how_many_wait() -> None:
    async def play() -> None:
        inbox = Inbox()
        assert inbox.progress() == (0, 0)
        inbox.put(KEY)
        inbox.put(KEY)
        assert inbox.progress() == (0, 2)
        await inbox.get()
        assert inbox.progress() == (1, 1)

    asyncio.run(play())
