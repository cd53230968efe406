"""The wall clock of a simulated table, inside its process: the machine's, with an offset.

It replaces `time.time_ns`, by which the firmware asks the operating system, so that a clock can
jump without touching the machine's own. Not simulated: a clock that drifts, and whatever else
reads the machine's clock (logs).
"""

import time


class WallClock:
    """The clock of one process; `install` puts it in place of the machine's."""

    def __init__(self) -> None:
        self._set_off_ns = 0
        self._machine_ns = time.time_ns

    def install(self) -> None:
        """Make everything in this process use this clock."""
        time.time_ns = self.time_ns

    def time_ns(self) -> int:
        """Return the time by this clock."""
        return self._machine_ns() + self._set_off_ns

    def set_off(self, milliseconds: int) -> None:
        """Set the clock this far ahead of the machine's, or behind."""
        self._set_off_ns = milliseconds * 1_000_000
