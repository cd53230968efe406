"""The wall clock of a simulated table, inside its process: the machine's, set off on demand.

What the firmware asks the operating system for (`time.time_ns`) is answered here, so that a
clock can jump without touching the machine's own. Not simulated: a clock that drifts, and
what else reads the machine's clock (logs).
"""

import time


class WallClock:
    """The clock of one process; `install` puts it in the place of the machine's."""

    def __init__(self) -> None:
        self._set_off_ns = 0
        self._machine_ns = time.time_ns

    def install(self) -> None:
        """Let everything in this process ask this clock."""
        time.time_ns = self.time_ns

    def time_ns(self) -> int:
        """Give the time as this clock shows it."""
        return self._machine_ns() + self._set_off_ns

    def set_off(self, milliseconds: int) -> None:
        """Let the clock show so much more, or less, than the machine's."""
        self._set_off_ns = milliseconds * 1_000_000
