"""Publishes what is owed one after the other, without waiting for the broker in between."""

import asyncio

from firmware.link.client import LinkClient
from firmware.link.problems import NotAllowed


class Publishing:
    """Publishes without waiting for the broker's receipts, in order; a failure ends it."""

    def __init__(self, client: LinkClient, topic: str) -> None:
        self._client = client
        self._topic = topic
        self._tasks: set[asyncio.Task[None]] = set()
        self._failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def start(self, payload: bytes) -> None:
        """Publish; the order is that of the calls."""
        task = asyncio.create_task(self._client.publish(self._topic, payload, qos=1))
        self._tasks.add(task)
        task.add_done_callback(self._done)

    async def until_failed(self) -> None:
        """Wait for ever, or until something could not be published."""
        await self._failed

    def close(self) -> None:
        """Stop waiting for receipts."""
        for task in self._tasks:
            task.cancel()

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is None and self._client.not_allowed:
            error = NotAllowed(f"publish on {self._topic}")
        if error is not None and not self._failed.done():
            self._failed.set_exception(error)
            # Anyone still waiting hears of it; if nobody is, it does not matter.
            self._failed.exception()
