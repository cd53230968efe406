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

Spot = tuple[int, str]
"""A coin spot by seat and jackpot bet."""


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
    """The sensors of all spots."""

    def __init__(self, pins: Mapping[Spot, int], factory: Factory | None, shell: Shell) -> None:
        """Open the sensor pins, by spot, and report what lies there now."""
        self._shell = shell
        self._loop = asyncio.get_running_loop()
        self._sensors = {
            spot: DigitalInputDevice(pin, pull_up=False, pin_factory=factory)
            for spot, pin in pins.items()
        }
        self._debouncers = {spot: Debouncer() for spot in pins}
        for spot, sensor in self._sensors.items():
            sensor.when_activated = self._callback(spot, level=True)
            sensor.when_deactivated = self._callback(spot, level=False)
            self._edge(spot, level=sensor.is_active)

    def close(self) -> None:
        """Give the pins back."""
        for sensor in self._sensors.values():
            sensor.close()

    def _callback(self, spot: Spot, *, level: bool) -> Callable[[], None]:
        """Make what gpiozero calls on a thread of its own; it takes no partial."""

        def changed() -> None:
            self._shell.from_thread(partial(self._edge, spot, level=level))

        return changed

    def _edge(self, spot: Spot, *, level: bool) -> None:
        self._debouncers[spot].edge(level, self._monotonic_ms())
        # One millisecond more than the wait, since timers and clock round differently.
        self._loop.call_later((DEBOUNCE_MS + 1) / 1000, self._report, spot)

    def _report(self, spot: Spot) -> None:
        present = self._debouncers[spot].settled(self._monotonic_ms())
        if present is not None:
            seat, bet = spot
            at_ms = self._shell.now_ms()
            self._shell.put(CoinSensed(at_ms=at_ms, seat=seat, bet=bet, present=present))

    def _monotonic_ms(self) -> int:
        """Give a time that nobody sets: a wall clock put back would hold up a chip."""
        return int(self._loop.time() * 1000)
