"""Ending several coroutines together, also when one of them loses a cancellation."""

import asyncio
import gc

import pytest

from firmware.link.tasks import to_its_end, until_one_ends


async def deaf(losing: int) -> None:
    """Lose some cancellations, as `wait_for` may on Python 3.11, before ending."""
    while True:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            losing -= 1
            if losing < 0:
                raise


async def failing() -> None:
    await asyncio.sleep(0)
    raise OSError("the line is gone")


def test_the_first_to_end_ends_the_others_even_if_they_lose_a_cancellation() -> None:
    async def played() -> int:
        async with asyncio.timeout(30):
            await until_one_ends([deaf(2), deaf(0), asyncio.sleep(0)])
        return len(asyncio.all_tasks())

    assert asyncio.run(played()) == 1


def test_what_went_wrong_is_passed_on() -> None:
    with pytest.raises(OSError, match="the line is gone"):
        asyncio.run(until_one_ends([failing(), deaf(1)]))


def test_being_cancelled_ends_everything_first() -> None:
    async def played() -> int:
        running = asyncio.create_task(until_one_ends([deaf(2), deaf(1)]))
        await asyncio.sleep(0)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        return len(asyncio.all_tasks())

    assert asyncio.run(played()) == 1


def test_what_fails_at_the_same_time_is_no_failure_of_the_event_loop() -> None:
    failures: list[dict[str, object]] = []

    async def fails(when: str) -> None:
        try:
            await asyncio.sleep(0 if when == "at once" else 60)
        finally:
            raise OSError(when)

    async def scenario() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, what: failures.append(what))
        with pytest.raises(OSError, match="at once"):
            await until_one_ends([fails("at once"), fails("at once"), fails("when it is ended")])
        gc.collect()

    asyncio.run(scenario())
    assert not failures


def test_what_has_to_be_done_is_done_although_the_task_is_cancelled_again_and_again() -> None:
    async def played() -> bool:
        done = asyncio.Event()

        async def last_words() -> None:
            for _ in range(5):
                await asyncio.sleep(0)
            done.set()

        task = asyncio.create_task(to_its_end(last_words()))
        await asyncio.sleep(0)
        while not task.done():
            task.cancel()
            await asyncio.sleep(0)
        return task.cancelled() and done.is_set()

    assert asyncio.run(played())


def test_what_has_to_be_done_passes_on_what_went_wrong() -> None:
    with pytest.raises(OSError, match="the line is gone"):
        asyncio.run(to_its_end(failing()))
