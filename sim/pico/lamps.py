"""What is behind the board's pins for lamps: two shift registers, and the circuit that keeps them on.

Two TPIC6B595 in a row hold a bit for each output; a 74HC123 enables their outputs for a second after each
kick. The electrical side only: which lamp means what is nobody's business here.
"""

from collections.abc import Callable

from rp2040py.gpio_pin import GPIOPinState
from rp2040py.rp2040 import RP2040

KICK, LATCH = 16, 17
PULSE_MS = 1_000.0
"""How long one kick enables the outputs; the parts allow up to a half more."""
OUTPUTS = 14
_BITS = 16
_AT_POWER_ON = 0xFFFF
"""Nobody says what a register holds when its power comes: the worst."""


class LampDrivers:
    """The registers, what they hold, and until when they are enabled."""

    def __init__(self, now_ms: Callable[[], float]) -> None:
        self._now_ms = now_ms
        self._shifted = self._held = _AT_POWER_ON
        self._enabled_until_ms = 0.0
        self.kicks = 0
        self.latched = 0
        """How often something was taken over into the outputs."""

    def wire(self, chip: RP2040) -> None:
        """Connect the pins of a chip."""
        bus = chip.spi[0]

        def shift(value: int) -> None:
            self._shifted = (self._shifted << 8 | value) & ((1 << _BITS) - 1)
            bus.complete_transmit(0)

        bus.on_transmit = shift
        chip.gpio[LATCH].add_listener(self._latch)
        chip.gpio[KICK].add_listener(self._kick)

    @property
    def lit(self) -> frozenset[int]:
        """The outputs whose lamps are lit now, from 1."""
        if not self.enabled:
            return frozenset()
        return frozenset(number for number in range(1, OUTPUTS + 1) if self._held >> number - 1 & 1)

    @property
    def enabled(self) -> bool:
        """Whether the outputs are on at all."""
        return self._now_ms() < self._enabled_until_ms

    def power_off(self) -> None:
        """Take the power away: all is dark, and what the registers hold is lost."""
        self._shifted = self._held = _AT_POWER_ON
        self._enabled_until_ms = 0.0

    def _latch(self, value: GPIOPinState, before: GPIOPinState) -> None:
        if value == GPIOPinState.HIGH and before != GPIOPinState.HIGH:
            self._held = self._shifted
            self.latched += 1

    def _kick(self, value: GPIOPinState, before: GPIOPinState) -> None:
        if value == GPIOPinState.HIGH and before == GPIOPinState.LOW:
            self.kicks += 1
            self._enabled_until_ms = self._now_ms() + PULSE_MS
