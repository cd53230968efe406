"""Telling the table that a device has a fault, and that it is over; each once.

Also how to describe a driver's failure: never in its own words, which could name a card.
"""

import logging
import traceback
from pathlib import Path

from firmware.protocol.fault_catalogue import FaultCode
from firmware.table.events import FaultNoticed, FaultPassed
from firmware.table.intake import Intake

_log = logging.getLogger(__name__)


class DeviceFaults:
    """What is wrong with one device or spot."""

    def __init__(self, where: str, intake: Intake) -> None:
        self._where = where
        self._intake = intake
        # Nothing has been reported yet: the journal may hold a fault from before the start.
        self._last_told: dict[FaultCode, bool] = {}

    def judge(self, code: FaultCode, *, wrong: bool, detail: str = "") -> None:
        """Note whether something is wrong, and tell the table if that is new."""
        if self._last_told.get(code) is wrong:
            return
        self._last_told[code] = wrong
        at_ms = self._intake.now_ms()
        if wrong:
            _log.warning("%s: %s (%s)", self._where, code, detail)
            fault = FaultNoticed(at_ms=at_ms, code=code, where=self._where, detail=detail)
            self._intake.put(fault)
        else:
            self._intake.put(FaultPassed(at_ms=at_ms, code=code, where=self._where))

    def judge_driver(self, error: Exception | None) -> None:
        """Note whether the device could be driven; it is gone for as long as it cannot."""
        detail = "" if error is None else f"the driver failed with {error_place(error)}"
        self.judge("device_gone", wrong=error is not None, detail=detail)

    def stands(self, code: FaultCode) -> bool:
        """Return whether a fault is present."""
        return self._last_told.get(code, False)


def error_place(error: BaseException) -> str:
    """Say what kind of error it was, and in which line of which file."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"
