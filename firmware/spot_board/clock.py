"""The time since the start of the program, which never jumps back.

The chip's milliseconds begin again at 0 after 12.4 days; their differences do not.
"""

TYPE_CHECKING = False  # MicroPython has no module `typing`
if TYPE_CHECKING:
    from collections.abc import Callable


class Clock:
    """A sum of differences; read at least once in six days."""

    def __init__(
        self, ticks_ms: "Callable[[], int]", ticks_diff: "Callable[[int, int], int]"
    ) -> None:
        """Start at 0; the two functions are those of MicroPython's `time`."""
        self._ticks_ms = ticks_ms
        self._ticks_diff = ticks_diff
        self._last_ms = ticks_ms()
        self._now_ms = 0

    def now_ms(self) -> int:
        """Return how long ago the clock was started."""
        ticks_ms = self._ticks_ms()
        self._now_ms += self._ticks_diff(ticks_ms, self._last_ms)
        self._last_ms = ticks_ms
        return self._now_ms
