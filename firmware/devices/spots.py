"""Coin spots with their lamps, wherever they are wired to: on pins, on a spot board, or some on each.

`Spots` is all that the table knows of them. Which spots are where is in the board file, and chosen in
`shell/spot_wiring.py`.
"""

from collections.abc import Callable, Mapping
from typing import Protocol

from gpiozero.pins import Factory

from firmware.devices.coin_spots import CoinSpots, SensorReading
from firmware.devices.lamps import Lamps
from firmware.devices.sensor_limits import SensorLimits
from firmware.table.effects import Pattern, SpotKey
from firmware.table.intake import Intake


class Spots(Protocol):
    """Some coin spots and their lamps."""

    def set(self, spot: SpotKey, pattern: Pattern) -> None:
        """Set a lamp to another pattern, starting now; a pattern starts lit."""

    def read_again(self) -> None:
        """Report every level again: some reports may not have been taken."""

    def readings(self) -> Mapping[SpotKey, SensorReading]:
        """Return the state of every sensor."""

    def when_judged(self, callback: Callable[[], None]) -> None:
        """Call this once, when it is known what lies there, or told that it is not known."""

    def close(self) -> None:
        """Let go of sensors and lamps."""


class PinSpots:
    """Spots on the pins of this machine."""

    def __init__(
        self,
        pins: Mapping[SpotKey, tuple[int, int]],
        factory: Factory | None,
        intake: Intake,
        limits: SensorLimits | None = None,
    ) -> None:
        """Open sensor and lamp of every spot, all dark, and report what is there now."""
        self._lamps = Lamps({spot: lamp for spot, (_, lamp) in pins.items()}, factory)
        try:
            sensors = {spot: sensor for spot, (sensor, _) in pins.items()}
            self._sensors = CoinSpots(sensors, factory, intake, limits)
        except BaseException:
            self._lamps.close()
            raise
        self.set = self._lamps.set
        self.read_again = self._sensors.read_again
        self.readings = self._sensors.readings

    def when_judged(self, callback: Callable[[], None]) -> None:
        """Call this at once: a pin can always be read."""
        callback()

    def close(self) -> None:
        """Release the pins."""
        self._sensors.close()
        self._lamps.close()


class AllSpots:
    """Spots that are wired to several places, as one."""

    def __init__(self, places: Mapping[SpotKey, Spots]) -> None:
        """Take what each spot is wired to."""
        self._places = dict(places)
        self._each = list(dict.fromkeys(self._places.values()))

    def set(self, spot: SpotKey, pattern: Pattern) -> None:
        """Set a lamp to another pattern."""
        self._places[spot].set(spot, pattern)

    def read_again(self) -> None:
        """Report every level again."""
        for spots in self._each:
            spots.read_again()

    def readings(self) -> dict[SpotKey, SensorReading]:
        """Return the state of every sensor."""
        found = [spots.readings() for spots in self._each]
        return {spot: reading for each in found for spot, reading in each.items()}

    def when_judged(self, callback: Callable[[], None]) -> None:
        """Call this when each of them is judged."""
        waiting = len(self._each)

        def judged() -> None:
            nonlocal waiting
            waiting -= 1
            if not waiting:
                callback()

        for spots in self._each:
            spots.when_judged(judged)

    def close(self) -> None:
        """Let go of all of them."""
        for spots in self._each:
            spots.close()
