"""How long to wait before a broker is tried again: longer each time, and never in step.

A floor whose power comes back has hundreds of tables that would all knock at once.
"""

from collections.abc import Callable


class Backoff:
    """Doubles from the first wait up to the longest; a broker that has served begins anew."""

    def __init__(self, first_s: float, most_s: float, jitter: Callable[[], float]) -> None:
        """Take the waits, and a source of factors around one."""
        self._first_s = first_s
        self._most_s = most_s
        self._jitter = jitter
        self._wait_s = first_s

    def next_s(self, served_s: float) -> float:
        """Give the wait after an attempt that has served for so long."""
        if served_s > self._most_s:
            self._wait_s = self._first_s
        wait_s = self._wait_s
        self._wait_s = min(wait_s * 2, self._most_s)
        return wait_s * self._jitter()
