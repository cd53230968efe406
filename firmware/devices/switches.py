"""Power-good, cover and key switch on pins: three levels that the table has to know.

Each line is pulled low and driven high when all is well (power good, cover closed, key
on), so a cut cable reads as the bad case. A level counts once it has been the same for long
enough; the first one is reported at the start. Wiring is in `hw/README.md`.
"""

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Literal

from gpiozero import DigitalInputDevice
from gpiozero.pins import Factory

from firmware.devices.pin_edges import on_edges
from firmware.devices.sensing import Debouncer
from firmware.protocol.fault_catalogue import FaultCode
from firmware.table.events import Event, FaultNoticed, FaultPassed, KeyTurned
from firmware.table.intake import Intake

Switch = Literal["power_good", "cover", "key"]
SWITCH_DEBOUNCE_MS: Mapping[Switch, int] = {
    "power_good": 10,  # the hold-up supply lasts seconds, and a dip is not a failure
    "cover": 50,
    "key": 50,
}
_FAULTS: Mapping[Switch, FaultCode] = {"power_good": "power_failing", "cover": "cover_open"}


class Switches:
    """The switches that the board has."""

    def __init__(self, pins: Mapping[Switch, int], factory: Factory | None, intake: Intake) -> None:
        """Open the pins, by switch, and report their levels."""
        self.pins = pins
        self._intake = intake
        self._loop = asyncio.get_running_loop()
        self._debouncers = {switch: Debouncer(SWITCH_DEBOUNCE_MS[switch]) for switch in pins}
        self._inputs = {
            switch: DigitalInputDevice(pin, pull_up=False, pin_factory=factory)
            for switch, pin in pins.items()
        }
        for switch, line in self._inputs.items():
            on_edges(line, partial(self._edge, switch), intake)

    def levels(self) -> dict[str, bool]:
        """Return what each switch was last reported as, if it has been."""
        reported = {switch: each.reported for switch, each in self._debouncers.items()}
        return {switch: level for switch, level in reported.items() if level is not None}

    def close(self) -> None:
        """Release the pins."""
        for line in self._inputs.values():
            line.close()

    def _edge(self, switch: Switch) -> None:
        level = bool(self._inputs[switch].is_active)
        self._debouncers[switch].edge(level, self._monotonic_ms())
        # One millisecond more than the wait, since timers and the clock round differently.
        self._loop.call_later((SWITCH_DEBOUNCE_MS[switch] + 1) / 1000, self._look, switch)

    def _look(self, switch: Switch) -> None:
        level = self._debouncers[switch].settled(self._monotonic_ms())
        if level is not None:
            self._intake.put(_event(switch, self._intake.now_ms(), level=level))

    def _monotonic_ms(self) -> int:
        return int(self._loop.time() * 1000)


def _event(switch: Switch, at_ms: int, *, level: bool) -> Event:
    if switch == "key":
        return KeyTurned(at_ms=at_ms, on=level)
    if level:
        return FaultPassed(at_ms=at_ms, code=_FAULTS[switch])
    return FaultNoticed(at_ms=at_ms, code=_FAULTS[switch])
