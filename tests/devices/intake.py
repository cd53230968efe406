"""A shell for devices under test: a clock that the test sets, and an inbox that it reads."""

import asyncio
import threading
from collections.abc import Callable

from firmware.devices.panel_keys import event_of
from firmware.rules.games import GAMES
from firmware.table.events import Event


class FakeIntake:
    """Stands where the firmware's inbox stands, in a running event loop."""

    def __init__(self) -> None:
        self.clock_ms: int | None = None
        """The time, if the test sets it; otherwise that of the event loop."""
        self.events: asyncio.Queue[Event] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()

    def now_ms(self) -> int:
        """Give the time."""
        return int(self._loop.time() * 1_000) if self.clock_ms is None else self.clock_ms

    def put(self, event: Event, afterwards: Callable[[], None] | None = None) -> None:
        """Take an event; it must come in the thread of the event loop."""
        assert threading.get_ident() == self._thread
        self.events.put_nowait(event)
        if afterwards is not None:
            afterwards()

    def from_thread(self, callback: Callable[[], None]) -> None:
        """Run a callback in the event loop."""
        self._loop.call_soon_threadsafe(callback)


def all_well(error: Exception | None) -> None:
    """Fail if a sign of life could not be given."""
    if error is not None:
        raise AssertionError("nothing was to fail") from error


ANSWERS = frozenset[str]().union(*(game.answers for game in GAMES.values()))
"""What a player may answer in any of the games."""


def panel_event(text: str, frame: int, at_ms: int) -> Event | None:
    """Read a message of a panel that knows the answers of every game."""
    return event_of(text, frame, at_ms, ANSWERS)
