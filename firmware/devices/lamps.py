"""Lamps on pins: the lamp language as on and off, driven by one timer for all of them.

The timer wakes only when a lamp has to change. No pulse-width modulation, and no thread per
lamp. What a pattern does when is in `lamp_patterns.py`.
"""

import asyncio
from collections.abc import Mapping

from gpiozero import DigitalOutputDevice
from gpiozero.pins import Factory

from firmware.devices.lamp_patterns import is_lit, next_change_ms
from firmware.table.effects import Pattern, SpotKey

_AGAIN_MS = 1_000
"""How soon lamps are driven again after a pin has failed."""


class Lamps:
    """The lamps of all spots."""

    def __init__(self, pins: Mapping[SpotKey, int], factory: Factory | None) -> None:
        """Open the lamp pins, by spot, all dark."""
        self._loop = asyncio.get_running_loop()
        self._lamps = {
            spot: DigitalOutputDevice(pin, pin_factory=factory) for spot, pin in pins.items()
        }
        self._patterns: dict[SpotKey, Pattern] = dict.fromkeys(pins, "off")
        self._since_ms: dict[SpotKey, int] = dict.fromkeys(pins, 0)
        self._timer: asyncio.TimerHandle | None = None
        self._wakes_ms: int | None = None

    def set(self, spot: SpotKey, pattern: Pattern) -> None:
        """Set a lamp to another pattern, starting now; a pattern starts lit."""
        at_ms = self._monotonic_ms()
        self._patterns[spot], self._since_ms[spot] = pattern, at_ms
        self._wake_at(self._driven(spot, at_ms))

    def drive(self, at_ms: int) -> int | None:
        """Set every lamp for a time of the event loop; return when one changes next."""
        nexts = [self._driven(spot, at_ms) for spot in self._lamps]
        return min((ms for ms in nexts if ms is not None), default=None)

    def close(self) -> None:
        """Turn the lamps off and release the pins."""
        if self._timer is not None:
            self._timer.cancel()
        for lamp in self._lamps.values():
            lamp.off()
            lamp.close()

    def _driven(self, spot: SpotKey, at_ms: int) -> int | None:
        """Set one lamp; return when it changes next."""
        pattern, since_ms = self._patterns[spot], self._since_ms[spot]
        lit = is_lit(pattern, at_ms - since_ms)
        if bool(self._lamps[spot].value) != lit:
            self._lamps[spot].value = lit
        change_ms = next_change_ms(pattern, at_ms - since_ms)
        return None if change_ms is None else since_ms + change_ms

    def _wake_at(self, at_ms: int | None) -> None:
        """Come back when a lamp changes, unless the timer is already set for earlier."""
        if at_ms is None or (self._wakes_ms is not None and self._wakes_ms <= at_ms):
            return
        if self._timer is not None:
            self._timer.cancel()
        self._wakes_ms = at_ms
        self._timer = self._loop.call_at(at_ms / 1000, self._woken)

    def _woken(self) -> None:
        self._timer = self._wakes_ms = None
        at_ms = self._monotonic_ms()
        next_ms: int | None = at_ms + _AGAIN_MS
        try:
            next_ms = self.drive(at_ms)
        finally:
            # Also when a pin fails, which the event loop reports: the others keep blinking.
            self._wake_at(next_ms)

    def _monotonic_ms(self) -> int:
        """Return the monotonic time: a clock set back must not stop a lamp."""
        # Rounded, because a timer may fire a fraction of a millisecond before its time.
        return round(self._loop.time() * 1000)
