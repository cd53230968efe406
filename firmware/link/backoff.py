"""How long to wait before a broker is tried again: longer each time, and never in step.

When a floor's power comes back, hundreds of tables would otherwise all connect at once.
"""

from collections.abc import Callable


class Backoff:
    """Doubles from the first wait up to the longest; a broker that has served starts over."""

    def __init__(self, first_s: float, most_s: float, jitter: Callable[[], float]) -> None:
        """Take the waits, and a source of factors around one."""
        self._first_s = first_s
        self._most_s = most_s
        self._jitter = jitter
        self._wait_s = first_s

    def next_s(self, served_s: float) -> float:
        """Return the wait after a connection that lasted this long."""
        if served_s > self._most_s:
            self._wait_s = self._first_s
        wait_s = self._wait_s
        self._wait_s = min(wait_s * 2, self._most_s)
        return wait_s * self._jitter()
