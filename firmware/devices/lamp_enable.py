"""The sign of life for the lamp drivers: a pin that is toggled while events are taken.

A circuit behind it (`hw/README.md`) enables the lamp drivers for about a second after each
change. So all lamps go dark when the firmware hangs or dies, whatever level its pins are
left at: a lit lamp says something about a bet, and nothing would be behind it. A technician in
service mode may withhold the sign, to see that the lamps do go dark.
"""

from gpiozero import DigitalOutputDevice
from gpiozero.pins import Factory

EVERY_S = 0.25


class LampEnable:
    """The pin, if the board has one."""

    def __init__(self, pin: int | None, factory: Factory | None) -> None:
        """Open the pin; it does not move yet."""
        self._line = None if pin is None else DigitalOutputDevice(pin, pin_factory=factory)
        self.withheld = False
        """Whether the sign is not given, for a test."""

    def toggle(self) -> None:
        """Keep the lamp drivers on for another moment."""
        if self._line is not None and not self.withheld:
            self._line.toggle()

    def close(self) -> None:
        """Leave the pin low and release it."""
        if self._line is not None:
            self._line.off()
            self._line.close()
