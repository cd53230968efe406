"""The pins of the board, as `hw/README.md` has them wired: sensors, lamp registers, their enable, the LED.

All sensors are read in one access, so that a look is the same moment for every spot.
"""

import machine

TYPE_CHECKING = False  # MicroPython has no module `typing`
if TYPE_CHECKING:
    from typing import Any

_GPIO_IN = 0xD0000004
"""The levels of all pins: GP0 is bit 0."""
_INPUTS = range(14)
_INPUT_MASK = (1 << 14) - 1
_ENABLE_PIN = 16
_LATCH_PIN = 17
_CLOCK_PIN = 18
_DATA_PIN = 19
_LED_PIN = 25
_BITS_PER_SECOND = 1_000_000
_BLINK_MS = 500


class Pins:
    """What the board is wired to."""

    def __init__(self) -> None:
        """Set the pins up, with all lamps off; the lamp drivers are not enabled by that."""
        self._inputs = [machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_DOWN) for pin in _INPUTS]
        # Nothing is read back; without that the bus would take the pin of the enable for its input.
        self._registers = machine.SPI(
            0,
            baudrate=_BITS_PER_SECOND,
            sck=_output(_CLOCK_PIN),
            mosi=_output(_DATA_PIN),
            miso=None,
        )
        self._enable = _output(_ENABLE_PIN)
        self._latch = _output(_LATCH_PIN)
        self._led = _output(_LED_PIN)
        self._lit = 0
        self._shift(0)

    def levels(self) -> int:
        """Read all sensors: bit 0 is input 1."""
        return machine.mem32[_GPIO_IN] & _INPUT_MASK  # type: ignore[no-any-return]  # an integer

    def light(self, lit: int) -> None:
        """Light these lamps: bit 0 is output 1."""
        if lit != self._lit:
            self._shift(lit)

    def kick(self) -> None:
        """Keep the lamp drivers enabled for another second, and tell the registers again what is lit."""
        self._shift(self._lit)
        self._enable.value(1)
        self._enable.value(0)

    def blink(self, at_ms: int) -> None:
        """Show that the program runs."""
        self._led.value(at_ms // _BLINK_MS & 1)

    def _shift(self, lit: int) -> None:
        self._registers.write(bytes((lit >> 8, lit & 0xFF)))  # what is shifted first goes farthest
        self._latch.value(1)
        self._latch.value(0)
        self._lit = lit


def _output(pin: int) -> "Any":  # noqa: ANN401  # the chip's own, which has no types
    return machine.Pin(pin, machine.Pin.OUT, value=0)
