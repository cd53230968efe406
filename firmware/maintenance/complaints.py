"""Logs what peers do wrong, but not as often as a hostile one would like."""

import logging
import time

MOST_A_MINUTE = 20
_MINUTE_S = 60.0


class Complaints:
    """A log that cannot be flooded: a few lines per minute, then how many more there were."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._since_s = -_MINUTE_S
        self._said = 0

    def say(self, sentence: str) -> None:
        """Log a sentence, or count it."""
        now_s = time.monotonic()
        if now_s - self._since_s >= _MINUTE_S:
            if self._said > MOST_A_MINUTE:
                self._log.warning("maintenance: and %d more", self._said - MOST_A_MINUTE)
            self._since_s, self._said = now_s, 0
        self._said += 1
        if self._said <= MOST_A_MINUTE:
            self._log.warning("maintenance: %s", sentence)
