"""The health of the controller itself: heat, supply voltage, clock, room on the disk.

`Judge` is pure: readings in, events out, each once when it changes. The readers below it
are thin; what a machine does not have is not judged. The kernel knows whether the clock is
synchronised (`adjtimex`), because every time server says so there; where a service unit
forbids that call, the settings name a file that the time server touches.
"""

import asyncio
import ctypes
import os
import time
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from firmware.protocol.fault_catalogue import FaultCode
from firmware.rules.words import counted
from firmware.settings.table_file import HealthSettings
from firmware.shell.clock import now_ms
from firmware.table.events import ClockJudged, Event, FaultNoticed, FaultPassed
from firmware.table.intake import Intake

_TIME_ERROR = 5
_TIMEX_BYTES = 256  # more than the kernel's struct timex
_MEGABYTE = 1_000_000


class Readings(Struct, frozen=True, kw_only=True):
    """What was read at one moment; None for what this machine does not report."""

    wall_ms: int
    monotonic_ms: int
    temperature_c: float | None = None
    under_voltage: bool | None = None
    synchronised: bool | None = None
    free_mb: float | None = None


_UNITS = (("day", 86_400_000), ("hour", 3_600_000), ("minute", 60_000), ("second", 1_000))


def jump_words(by_ms: int) -> str:
    """Say by how much a clock was set: `set back by 17 days`."""
    size_ms = abs(by_ms)
    unit, unit_ms = next((each for each in _UNITS if size_ms >= each[1]), _UNITS[-1])
    return f"set {'back' if by_ms < 0 else 'forward'} by {counted(size_ms // unit_ms, unit)}"


class Judge:
    """Compares readings with the limits and with those before."""

    def __init__(self, settings: HealthSettings) -> None:
        self._settings = settings
        self._last_told: dict[FaultCode, bool] = {}
        self._offset_ms: int | None = None

    def events(self, readings: Readings) -> list[Event]:
        """Return what is new."""
        at_ms = readings.wall_ms
        return [
            *self._jumped(readings),
            *self._hot(readings),
            *self._fault(at_ms, "under_voltage", wrong=readings.under_voltage),
            *self._clock(readings),
            *self._disk(readings),
        ]

    def _jumped(self, readings: Readings) -> Iterator[Event]:
        """Compare the wall clock with the monotonic clock."""
        offset_ms = readings.wall_ms - readings.monotonic_ms
        before_ms, self._offset_ms = self._offset_ms, offset_ms
        if before_ms is not None and abs(offset_ms - before_ms) >= self._settings.jump_ms:
            yield FaultNoticed(
                at_ms=readings.wall_ms,
                code="clock_jumped",
                detail=jump_words(offset_ms - before_ms),
            )

    def _hot(self, readings: Readings) -> Iterator[Event]:
        if readings.temperature_c is None:
            return
        wrong_before = self._last_told.get("hot", False)
        limit_c = self._settings.cool_c if wrong_before else self._settings.hot_c
        detail = f"{readings.temperature_c:.0f} °C"
        wrong = readings.temperature_c >= limit_c
        yield from self._fault(readings.wall_ms, "hot", wrong=wrong, detail=detail)

    def _clock(self, readings: Readings) -> Iterator[Event]:
        if readings.synchronised is None:
            return
        news = list(self._fault(readings.wall_ms, "clock_free", wrong=not readings.synchronised))
        if news:
            yield ClockJudged(
                at_ms=readings.wall_ms, quality="synchronised" if readings.synchronised else "free"
            )
        yield from news

    def _disk(self, readings: Readings) -> Iterator[Event]:
        if readings.free_mb is None:
            return
        # Twice the limit ends it, so that it does not come and go with every record.
        least_mb = self._settings.least_free_mb * (1 + self._last_told.get("disk_full", False))
        detail = f"{readings.free_mb:.0f} MB free"
        wrong = readings.free_mb < least_mb
        yield from self._fault(readings.wall_ms, "disk_full", wrong=wrong, detail=detail)

    def _fault(
        self, at_ms: int, code: FaultCode, *, wrong: bool | None, detail: str = ""
    ) -> Iterator[Event]:
        """Report once that something has become wrong or right; at first either is news."""
        if wrong is None or self._last_told.get(code) is wrong:
            return
        self._last_told[code] = wrong
        if wrong:
            yield FaultNoticed(at_ms=at_ms, code=code, detail=detail)
        else:
            yield FaultPassed(at_ms=at_ms, code=code)


def read_machine(settings: HealthSettings, journal: Path) -> Readings:
    """Read everything that this machine reports."""
    return Readings(
        wall_ms=now_ms(),
        monotonic_ms=time.monotonic_ns() // 1_000_000,
        temperature_c=_temperature_c(settings.thermal),
        under_voltage=_under_voltage(settings.voltage),
        synchronised=_synchronised(settings.clock_file),
        free_mb=_free_mb(journal),
    )


async def watch_machine(settings: HealthSettings, journal: Path, intake: Intake) -> None:
    """Read and judge for ever."""
    judge = Judge(settings)
    while True:
        for event in judge.events(read_machine(settings, journal)):
            intake.put(event)
        await asyncio.sleep(settings.every_s)


def _temperature_c(folder: str) -> float | None:
    """Return the temperature of the hottest zone, in degrees."""
    if not folder:
        return None
    zones = [_number(path) for path in Path(folder).glob("thermal_zone*/temp")]
    return max((zone / 1000 for zone in zones if zone is not None), default=None)


def _under_voltage(folder: str) -> bool | None:
    """Ask the Pi's own supply monitor, which is one of the hardware monitors by name."""
    for path in Path(folder).glob("hwmon*/in0_lcrit_alarm") if folder else ():
        alarm = _number(path)
        if alarm is not None:
            return alarm > 0
    return None


def _synchronised(clock_file: str) -> bool | None:
    if clock_file:
        return Path(clock_file).exists()
    try:
        state = ctypes.CDLL(None, use_errno=True).adjtimex(
            ctypes.create_string_buffer(_TIMEX_BYTES)
        )
    except (OSError, AttributeError):
        return None
    # -1 means that the kernel may not be asked; that judges nothing.
    return None if state < 0 else state != _TIME_ERROR


def rtc_s(folder: str) -> int | None:
    """Return the real-time clock's seconds since 1970, if there is one."""
    return _number(Path(folder) / "since_epoch") if folder else None


def _free_mb(folder: Path) -> float | None:
    try:
        disk = os.statvfs(folder)
    except OSError:
        return None
    return disk.f_bavail * disk.f_frsize / _MEGABYTE


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
