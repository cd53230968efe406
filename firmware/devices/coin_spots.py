"""Coin spots on pins: the sensors' levels reach the table as chips and faults.

`CoinSpots` holds the gpiozero inputs; gpiozero calls back on threads of its own, which
cross into the event loop in `pin_edges.py`. `sensing.py` decides when a level counts, `spot_news.py`
tells the table.
"""

import asyncio
from collections.abc import Mapping
from functools import partial

from gpiozero import DigitalInputDevice
from gpiozero.pins import Factory
from msgspec import Struct

from firmware.devices.pin_edges import on_edges
from firmware.devices.sensing import SensorWatch
from firmware.devices.sensor_limits import SensorLimits
from firmware.devices.spot_news import SpotNews
from firmware.table.effects import SpotKey
from firmware.table.intake import Intake


class SensorReading(Struct, frozen=True):
    """The state of one sensor, for diagnosis."""

    level: bool
    chatters: bool
    stuck: bool
    edges: int
    """How often it has changed since the start."""


class CoinSpots:
    """The sensors of all spots."""

    def __init__(
        self,
        pins: Mapping[SpotKey, int],
        factory: Factory | None,
        intake: Intake,
        limits: SensorLimits | None = None,
    ) -> None:
        """Open the sensor pins, by spot, and report what is there now."""
        self._intake = intake
        limits = limits or SensorLimits()
        self._loop = asyncio.get_running_loop()
        self._timers: dict[SpotKey, asyncio.TimerHandle] = {}
        self._sensors = {
            spot: DigitalInputDevice(pin, pull_up=False, pin_factory=factory)
            for spot, pin in pins.items()
        }
        self._watches = {spot: SensorWatch(limits) for spot in pins}
        self._news = {spot: SpotNews(spot, limits, intake) for spot in pins}
        self._edges: dict[SpotKey, int] = dict.fromkeys(pins, 0)
        for spot, sensor in self._sensors.items():
            on_edges(sensor, partial(self._edge, spot), intake)

    def read_again(self) -> None:
        """Report every level again: some reports may not have been taken."""
        for spot, watch in self._watches.items():
            watch.forget()
            self._look(spot)

    def readings(self) -> dict[SpotKey, SensorReading]:
        """Return the state of every sensor."""
        return {
            spot: SensorReading(
                bool(self._sensors[spot].is_active), watch.chatters, watch.stuck, self._edges[spot]
            )
            for spot, watch in self._watches.items()
        }

    def close(self) -> None:
        """Release the pins."""
        for timer in self._timers.values():
            timer.cancel()
        for sensor in self._sensors.values():
            sensor.close()

    def _edge(self, spot: SpotKey) -> None:
        level = bool(self._sensors[spot].is_active)
        self._edges[spot] += 1
        self._watches[spot].edge(level, self._monotonic_ms())
        self._look(spot)

    def _look(self, spot: SpotKey) -> None:
        """Tell the table what is new, and look again when there may be more."""
        watch = self._watches[spot]
        for news in watch.look(self._monotonic_ms()):
            self._news[spot].tell(news, self._intake.now_ms(), watch.chatter_words)
        if spot in self._timers:
            self._timers.pop(spot).cancel()
        next_ms = watch.next_look_ms
        if next_ms is not None:
            # One millisecond more than the wait, since timers and the clock round differently.
            self._timers[spot] = self._loop.call_at((next_ms + 1) / 1000, self._look, spot)

    def _monotonic_ms(self) -> int:
        """Return the monotonic time: a wall clock set back would hold up a chip."""
        return int(self._loop.time() * 1000)
