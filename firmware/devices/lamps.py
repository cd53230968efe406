"""Lamps on pins: the lamp language as on and off, driven by one task for all of them.

A pattern is a list of times, so that a glance at the table below says what a lamp does.
No pulse-width modulation and no thread a lamp.
"""

import asyncio
from collections.abc import Mapping

from gpiozero import DigitalOutputDevice
from gpiozero.pins import Factory

from firmware.table.effects import Pattern
from firmware.table.shell import Shell

TICK_MS = 50
Spot = tuple[int, str]
"""A coin spot by seat and jackpot bet."""
PATTERNS: Mapping[Pattern, tuple[int, ...]] = {
    # on for, off for, on for, … in milliseconds, and round again
    "off": (),
    "steady": (1000,),
    "slow_blink": (800, 800),
    "quick_blink": (150, 150),
    "flutter": (50, 50),
    "double_blink": (150, 150, 150, 750),
}


def is_lit(pattern: Pattern, at_ms: int) -> bool:
    """Tell whether a lamp with this pattern is lit at a time."""
    times = PATTERNS[pattern]
    if not times:
        return False
    into_ms = at_ms % sum(times)
    for place, duration_ms in enumerate(times):
        if into_ms < duration_ms:
            return place % 2 == 0
        into_ms -= duration_ms
    return False


class Lamps:
    """The lamps of all spots."""

    def __init__(self, pins: Mapping[Spot, int], factory: Factory | None, shell: Shell) -> None:
        """Open the lamp pins, by spot, all dark."""
        self._shell = shell
        self._lamps = {
            spot: DigitalOutputDevice(pin, pin_factory=factory) for spot, pin in pins.items()
        }
        self._patterns: dict[Spot, Pattern] = dict.fromkeys(pins, "off")
        self._since_ms: dict[Spot, int] = dict.fromkeys(pins, 0)

    def set(self, spot: Spot, pattern: Pattern) -> None:
        """Give a lamp another pattern, beginning now; a pattern begins lit."""
        self._patterns[spot] = pattern
        self._since_ms[spot] = self._shell.now_ms()
        self._drive(spot, self._since_ms[spot])

    async def run(self) -> None:
        """Drive all lamps for ever."""
        while True:
            await asyncio.sleep(TICK_MS / 1000)
            at_ms = self._shell.now_ms()
            for spot in self._lamps:
                self._drive(spot, at_ms)

    def close(self) -> None:
        """Darken the lamps and give the pins back."""
        for lamp in self._lamps.values():
            lamp.off()
            lamp.close()

    def _drive(self, spot: Spot, at_ms: int) -> None:
        lit = is_lit(self._patterns[spot], at_ms - self._since_ms[spot])
        if bool(self._lamps[spot].value) != lit:
            self._lamps[spot].value = lit
