"""The one inbox of the firmware: everything that happens comes through here.

Devices and the link put events in; the runtime takes them out one at a time. Threads
of other libraries (gpiozero calls back on its own) cross into the event loop here, in
`from_thread`, and nowhere else.
"""

import asyncio
from collections.abc import Callable

from msgspec import Struct

from firmware import clock
from firmware.table.events import Event

CAPACITY = 1_000


class Arrival(Struct, frozen=True):
    """An event, and what to do once it is decided and on the disk: acknowledge its frame."""

    event: Event
    afterwards: Callable[[], None] | None = None


class Inbox:
    """A bounded queue of arrivals, for one event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[Arrival] = asyncio.Queue(CAPACITY)
        self._taken = 0

    def now_ms(self) -> int:
        """Give the time of the table's clock, for stamping events."""
        return clock.now_ms()

    def put(self, event: Event, afterwards: Callable[[], None] | None = None) -> None:
        """Put an event in, from the event loop; one that does not fit is an error, not lost."""
        self._queue.put_nowait(Arrival(event, afterwards))

    def from_thread(self, callback: Callable[[], None]) -> None:
        """Run a callback in the event loop, from whatever thread this is."""
        self._loop.call_soon_threadsafe(callback)

    async def get(self) -> Arrival:
        """Wait for the next arrival."""
        arrival = await self._queue.get()
        self._taken += 1
        return arrival

    def progress(self) -> tuple[int, int]:
        """Give how many arrivals have been taken out so far, and how many wait."""
        return self._taken, self._queue.qsize()
