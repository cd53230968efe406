"""Coin spots on pins: a chip is sensed when the level has been the same for long enough.

`Debouncer` is pure, on timestamps, because pin factories differ in what they do about
bouncing. `CoinSpots` holds the gpiozero inputs; gpiozero calls back on threads of its
own, which cross into the event loop through the shell.
"""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial

from gpiozero import DigitalInputDevice
from gpiozero.pins import Factory

from firmware.table.events import CoinSensed
from firmware.table.shell import Shell

DEBOUNCE_MS = 30


class Debouncer:
    """The history of one sensor: the last edge, and the level last reported."""

    def __init__(self, debounce_ms: int = DEBOUNCE_MS) -> None:
        self._debounce_ms = debounce_ms
        self._level: bool | None = None
        self._edge_ms = 0
        self._reported: bool | None = None

    def edge(self, level: bool, at_ms: int) -> None:  # noqa: FBT001  # a level is a level
        """Note the level of the sensor; every edge starts the wait anew."""
        self._level, self._edge_ms = level, at_ms

    def settled(self, at_ms: int) -> bool | None:
        """Give the level if it has been the same for long enough and was not reported yet."""
        quiet = at_ms - self._edge_ms >= self._debounce_ms
        if self._level is None or not quiet or self._level == self._reported:
            return None
        self._reported = self._level
        return self._level


class CoinSpots:
    """The sensors of all seats."""

    def __init__(self, pins: Mapping[int, int], factory: Factory | None, shell: Shell) -> None:
        """Open the sensor pins, by seat, and report what lies there now."""
        self._shell = shell
        self._loop = asyncio.get_running_loop()
        self._sensors = {
            seat: DigitalInputDevice(pin, pull_up=False, pin_factory=factory)
            for seat, pin in pins.items()
        }
        self._debouncers = {seat: Debouncer() for seat in pins}
        for seat, sensor in self._sensors.items():
            sensor.when_activated = self._callback(seat, level=True)
            sensor.when_deactivated = self._callback(seat, level=False)
            self._edge(seat, level=sensor.is_active)

    def close(self) -> None:
        """Give the pins back."""
        for sensor in self._sensors.values():
            sensor.close()

    def _callback(self, seat: int, *, level: bool) -> Callable[[], None]:
        """Make what gpiozero calls on a thread of its own; it takes no partial."""

        def changed() -> None:
            self._shell.from_thread(partial(self._edge, seat, level=level))

        return changed

    def _edge(self, seat: int, *, level: bool) -> None:
        self._debouncers[seat].edge(level, self._monotonic_ms())
        # One millisecond more than the wait, since timers and clock round differently.
        self._loop.call_later((DEBOUNCE_MS + 1) / 1000, self._report, seat)

    def _report(self, seat: int) -> None:
        present = self._debouncers[seat].settled(self._monotonic_ms())
        if present is not None:
            at_ms = self._shell.now_ms()
            self._shell.put(CoinSensed(at_ms=at_ms, seat=seat, present=present))

    def _monotonic_ms(self) -> int:
        """Give a time that nobody sets: a wall clock put back would hold up a chip."""
        return int(self._loop.time() * 1000)
