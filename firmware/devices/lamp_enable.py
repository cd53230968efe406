"""The sign of life for the lamp drivers: a pin that is toggled while events are taken.

A circuit behind it (`hw/README.md`) enables the lamp drivers for about a second after each
change. So all lamps go dark when the firmware hangs or dies, whatever level its pins are
left at: a lit lamp says something about a bet, and nothing would be behind it. A spot board has such a
circuit of its own and gets the same sign over its line. A technician in service mode may withhold the
sign, to see that the lamps do go dark.
"""

from collections.abc import Callable

from gpiozero import DigitalOutputDevice
from gpiozero.pins import Factory

EVERY_S = 0.25


class LampEnable:
    """The pin, if the board has one, and whoever else gets the sign."""

    def __init__(
        self, pin: int | None, factory: Factory | None, tell: Callable[[], None] | None = None
    ) -> None:
        """Open the pin; it does not move yet, and nobody is told."""
        self._tell = tell
        self._line = None if pin is None else DigitalOutputDevice(pin, pin_factory=factory)
        self.withheld = False
        """Whether the sign is not given, for a test."""

    @property
    def fitted(self) -> bool:
        """Whether any lamps go dark without the sign."""
        return self._line is not None or self._tell is not None

    def toggle(self) -> None:
        """Keep the lamp drivers on for another moment."""
        if self.withheld:
            return
        if self._line is not None:
            self._line.toggle()
        if self._tell is not None:
            self._tell()

    def close(self) -> None:
        """Leave the pin low and release it."""
        if self._line is not None:
            self._line.off()
            self._line.close()
