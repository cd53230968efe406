"""Tells the table what was found of a spot's sensor, as chips and faults.

One for spots on pins and on a spot board: what a sensor means is found in `sensing.py`, on the Pi or
on the board, and comes here.
"""

from collections.abc import Callable

from firmware.devices.faults import DeviceFaults
from firmware.devices.sensor_limits import SensorLimits, SensorNews
from firmware.protocol.fault_catalogue import spot_place
from firmware.table.effects import SpotKey
from firmware.table.events import CoinSensed
from firmware.table.intake import Intake


class SpotNews:
    """What the table is told of one spot."""

    def __init__(self, spot: SpotKey, limits: SensorLimits, intake: Intake) -> None:
        self._spot = spot
        self._limits = limits
        self._intake = intake
        self._faults = DeviceFaults(spot_place(*spot), intake)

    @property
    def chatters(self) -> bool:
        """Whether the table was told that the sensor chatters."""
        return self._faults.stands("sensor_chatters")

    @property
    def stuck(self) -> bool:
        """Whether the table was told that the sensor is stuck."""
        return self._faults.stands("sensor_stuck")

    def tell(self, news: SensorNews, at_ms: int, words: str = "") -> None:
        """Tell what was found, with the words for chatter."""
        if news in {"present", "absent"}:
            self.level(at_ms, present=news == "present")
        self.judge(news, words)

    def judge(self, news: SensorNews, words: str = "") -> None:
        """Tell whether the sensor can be trusted; a level that counts also ends a fault."""
        if news == "chatters":
            self._faults.judge("sensor_chatters", wrong=True, detail=words)
            return
        if news == "stuck":
            detail = f"a chip for {self._limits.stuck_ms // 1000} s"
            self._faults.judge("sensor_stuck", wrong=True, detail=detail)
            return
        self._faults.judge("sensor_chatters", wrong=False)
        if news in {"absent", "free"}:
            self._faults.judge("sensor_stuck", wrong=False)

    def level(
        self, at_ms: int, *, present: bool, afterwards: Callable[[], None] | None = None
    ) -> None:
        """Tell whether a chip lies there; told twice it changes nothing."""
        seat, bet = self._spot
        event = CoinSensed(at_ms=at_ms, seat=seat, bet=bet, present=present)
        self._intake.put(event, afterwards)
