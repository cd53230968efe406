"""The sign of life for the lamp drivers: a pin that is toggled while the table gets on.

A circuit behind it (`hw/README.md`) enables the lamp drivers for about a second after each
change. So all lamps go dark when the firmware hangs or dies, whatever level its pins are
left at: a lamp that shines says something about a bet, and nobody would be saying it.
"""

import asyncio
from collections.abc import Callable

from gpiozero import DigitalOutputDevice
from gpiozero.pins import Factory

EVERY_S = 0.25

Progress = Callable[[], tuple[int, int]]
"""How many events have been taken so far, and how many wait."""


class LampEnable:
    """The pin, if the board has one."""

    def __init__(self, pin: int | None, factory: Factory | None) -> None:
        """Open the pin; it does not move yet."""
        self._line = None if pin is None else DigitalOutputDevice(pin, pin_factory=factory)

    async def run(self, progress: Progress) -> None:
        """Toggle for ever, but not while events wait and none is taken."""
        if self._line is None:
            await asyncio.Event().wait()
            return
        taken_before = -1
        while True:
            taken, waiting = progress()
            if waiting == 0 or taken != taken_before:
                self._line.toggle()
            taken_before = taken
            await asyncio.sleep(EVERY_S)

    def close(self) -> None:
        """Leave the pin low and give it back."""
        if self._line is not None:
            self._line.off()
            self._line.close()
