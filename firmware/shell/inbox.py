"""The one inbox of the firmware: everything that happens comes through here.

Devices and the link put events in; the runtime takes them out one at a time. gpiozero
calls back on threads of its own; they cross into the event loop here, in `from_thread`.

The inbox is bounded, and nothing is lost in silence. What will be sent again is not taken
while it is full: a device repeats a frame that is not acknowledged, and coin levels are read
again when there is room (`when_roomy`). What will not be sent again has places of its own.
Running out of room is a fault.
"""

import asyncio
import logging
from collections.abc import Callable

from msgspec import Struct

from firmware.devices.faults import error_place
from firmware.protocol.fault_catalogue import FaultCode
from firmware.shell import clock
from firmware.table.events import CoinSensed, Event, FaultNoticed, Observation

_log = logging.getLogger(__name__)

CAPACITY = 1_000
"""Places for what will be sent again; more than a table does in many rounds."""
RESERVED = 1_000
"""Places for the rest: faults, answers of the link, lots."""


class Arrival(Struct, frozen=True):
    """An event, and what to do once it is decided and on the disk: acknowledge its frame."""

    event: Event
    afterwards: Callable[[], None] | None = None


class Inbox:
    """A bounded queue of arrivals, for one event loop."""

    def __init__(self, capacity: int = CAPACITY, reserved: int = RESERVED) -> None:
        self._capacity = capacity
        self._reserved = reserved
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[Arrival] = asyncio.Queue()
        self._when_roomy: list[Callable[[], None]] = []
        self._not_taken = 0
        self._taken = 0

    def now_ms(self) -> int:
        """Return the time by the table's clock, for stamping events."""
        return clock.now_ms()

    def put(self, event: Event, afterwards: Callable[[], None] | None = None) -> None:
        """Put an event in, from the event loop; one that does not fit must be sent again."""
        comes_again = afterwards is not None or isinstance(event, CoinSensed | Observation)
        places = self._capacity if comes_again else self._capacity + self._reserved
        if self._queue.qsize() < places:
            self._queue.put_nowait(Arrival(event, afterwards))
            return
        if not self._not_taken:
            _log.error("the inbox is full; %s is the first event not taken", type(event).__name__)
        self._not_taken += 1

    def when_roomy(self, callback: Callable[[], None]) -> None:
        """Call this when there is room again after something was not taken."""
        self._when_roomy.append(callback)

    def from_thread(self, callback: Callable[[], None]) -> None:
        """Run a callback in the event loop, from any thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(callback)

    async def get(self) -> Arrival:
        """Wait for the next arrival."""
        arrival = await self._queue.get()
        self._taken += 1
        if self._not_taken and self._queue.qsize() <= self._capacity // 2:
            self._tell_overflow()
        return arrival

    def progress(self) -> tuple[int, int]:
        """Return how many arrivals have been taken out so far, and how many are waiting."""
        return self._taken, self._queue.qsize()

    def callback_failed(self, _loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        """Be the exception handler of the event loop: a device never takes it down."""
        error = context.get("exception")
        if isinstance(error, Exception):
            self.driver_failed("pins", error)

    def driver_failed(self, where: str, error: Exception) -> None:
        """Report that a device's driver has failed: a device never takes the table down."""
        # Not the error's own words: they could name a card.
        _log.error("%s: the driver failed with %s", where, error_place(error))
        self._fault("device_gone", where, f"the driver failed with {type(error).__name__}")

    def _tell_overflow(self) -> None:
        not_taken, self._not_taken = self._not_taken, 0
        self._fault("inbox_full", "", f"{not_taken} events had to be sent again")
        for callback in self._when_roomy:
            callback()

    def _fault(self, code: FaultCode, where: str, detail: str) -> None:
        self.put(FaultNoticed(at_ms=self.now_ms(), code=code, where=where, detail=detail))
