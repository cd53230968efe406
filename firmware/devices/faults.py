"""Telling the table what is wrong with a device, and that it is over; each once.

Also how to say what a driver has failed with: never with its own words, which could name
a card.
"""

import logging
import traceback
from pathlib import Path

from firmware.table.events import FaultNoticed, FaultPassed
from firmware.table.faults import FaultCode
from firmware.table.shell import Shell

_log = logging.getLogger(__name__)


class DeviceFaults:
    """What is wrong with one device or spot."""

    def __init__(self, where: str, shell: Shell) -> None:
        self._where = where
        self._shell = shell
        # At first nothing is known: the journal may hold a fault of before the start.
        self._standing: dict[FaultCode, bool] = {}

    def judge(self, code: FaultCode, *, wrong: bool, detail: str = "") -> None:
        """Note whether something is wrong, and tell the table if that is new."""
        if self._standing.get(code) is wrong:
            return
        self._standing[code] = wrong
        at_ms = self._shell.now_ms()
        if wrong:
            _log.warning("%s: %s (%s)", self._where, code, detail)
            fault = FaultNoticed(at_ms=at_ms, code=code, where=self._where, detail=detail)
            self._shell.put(fault)
        else:
            self._shell.put(FaultPassed(at_ms=at_ms, code=code, where=self._where))

    def stands(self, code: FaultCode) -> bool:
        """Tell whether a fault stands."""
        return self._standing.get(code, False)


def place_of_error(error: BaseException) -> str:
    """Say what kind of error it was, and in which line of which file."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"
