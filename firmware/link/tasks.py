"""Running several coroutines until the first of them ends, or one although we are cancelled."""

import asyncio
from collections.abc import Coroutine, Iterable


async def until_one_ends(works: Iterable[Coroutine[None, None, object]]) -> None:
    """Run coroutines until one ends, end the others, and pass on what went wrong.

    On Python 3.11 `wait_for`, which aiomqtt uses, can lose a cancellation that comes
    together with its result; so a task is cancelled until it has ended.
    """
    tasks = [asyncio.create_task(work) for work in works]
    pending = set(tasks)
    done: set[asyncio.Task[object]] = set()
    try:
        done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
    finally:
        while pending:
            for task in pending:
                task.cancel()
            _, pending = await asyncio.wait(pending, timeout=0.1)
        for task in tasks:
            # Anything else that went wrong at the same time is covered by what is passed on; not
            # looked at, it would be a failure of the event loop, which is one of the table.
            _ = task.cancelled() or task.exception()
    for task in done:
        task.result()


async def to_its_end(work: Coroutine[None, None, object]) -> None:
    """Run a coroutine to its end even while this task is cancelled, and pass both on.

    The work has to have an end: nothing else ends it.
    """
    task = asyncio.create_task(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        _ = task.cancelled() or task.exception()
        raise cancelled
    task.result()
