"""The least that can stand between a sensor and a lamp: gpiozero alone, on simulated pins.

python -m tests.bench.bare_pins <socket of the pins>

No event loop, no debouncing, no journal: an input's callback switches an output.
"""

import signal
import sys
from pathlib import Path

from gpiozero import DigitalInputDevice, DigitalOutputDevice

from sim.table.boards import FIRST_LAMP_PIN, FIRST_SENSOR_PIN
from sim.table.pins import SimFactory


def main() -> None:
    """Switch the first lamp with the first sensor, until the pins are gone."""
    factory = SimFactory(Path(sys.argv[1]))
    lamp = DigitalOutputDevice(FIRST_LAMP_PIN, pin_factory=factory)
    sensor = DigitalInputDevice(FIRST_SENSOR_PIN, pull_up=False, pin_factory=factory)
    sensor.when_activated = lamp.on
    sensor.when_deactivated = lamp.off
    lamp.blink(0.01, 0.01, n=1, background=False)  # whoever is at the socket may begin
    signal.pause()


if __name__ == "__main__":
    main()
