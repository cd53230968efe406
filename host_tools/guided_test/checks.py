"""How each check of a guided test is done, with an `Operator` at the table and the table's requests.

The table lights or shows something, and the operator says whether it does; the operator moves
something, and the table must sense it. A check returns what it found, or raises why it failed.
Which checks a table has is in `plan.py`; retries, skips and the report are in `runner.py`.
"""

import secrets
import time
from collections.abc import Callable
from functools import partial
from typing import Literal, Protocol

from msgspec import Struct
from msgspec.structs import replace

from firmware.errors import UnderfeltError
from firmware.maintenance.protocol import (
    AnyRequest,
    Done,
    Show,
    Shown,
    TestLamp,
    TestLampEnable,
    TestSwitch,
    TestText,
)
from host_tools.connection.table_stream import TableStream
from host_tools.spot_board_gone import why_gone

LOOK_S = 0.1
TestedSpot = tuple[int, str]
WhatNext = Literal["retry", "fail", "skip"]


class NotTestedError(UnderfeltError):
    """A test could not be carried out."""


class CheckFailedError(UnderfeltError):
    """A check has failed; the text says how, and what to look at."""


class NotPossibleError(UnderfeltError):
    """A check cannot be done, and nothing that it is about is to blame; the text says what is."""


class CheckSkippedError(UnderfeltError):
    """A check is left undone; the text says why."""


class NotAttemptedError(CheckSkippedError):
    """A check is left undone before anything was moved, so there is nothing to put right."""


class Operator(Protocol):
    """The person at the table, or the simulator's hands."""

    patience_s: float
    meanwhile: Callable[[], object]
    """What is done now and then while the operator takes his time."""

    def sees_lamp(self, spot: TestedSpot, pattern: str) -> bool:
        """Return whether the lamp of a spot does this."""

    def sees_all_lamps(self, pattern: str) -> bool:
        """Return whether all lamps do this."""

    def reads(self, device: str, wanted: str) -> bool:
        """Return whether the panel or the sign shows this."""

    def moves_chip(self, spot: TestedSpot, *, on: bool) -> None:
        """Put a chip on a spot, or lift it."""

    def moves_switch(self, switch: str, *, on: bool) -> None:
        """Turn the key, close the cover, plug the main supply in; or the opposite."""

    def has_hold_up(self) -> bool:
        """Return whether the controller runs on while the main supply is off."""

    def presses_key(self) -> None:
        """Press a key on the panel."""

    def draws_card(self) -> None:
        """Have the shoe or shuffler read a card."""

    def gives_up(self) -> bool:
        """Return whether the operator does not want to wait any longer."""

    def after_failure(self, sentence: str) -> WhatNext:
        """Decide what becomes of a check that has failed."""


class Workplace(Struct, frozen=True):
    """A table in service mode, and who operates it."""

    table: TableStream
    operator: Operator

    def do(self, make: Callable[[int], AnyRequest]) -> Done:
        """Have the table do something."""
        return self.table.ask(Done, make)

    def shown(self) -> Shown:
        """Look at the table."""
        return self.table.ask(Shown, lambda number: Show(number=number))

    def light(self, spot: TestedSpot, pattern: str) -> None:
        """Drive a lamp."""
        seat, bet = spot
        request = TestLamp(number=0, seat=seat, bet=bet, pattern=pattern)
        self.do(partial(_numbered, request))

    def waited(self, wanted: Callable[[Shown], bool]) -> bool:
        """Wait until the table shows what is wanted; false if that takes too long."""
        ends_s = time.monotonic() + self.operator.patience_s
        while not wanted(self.shown()):
            if time.monotonic() >= ends_s or self.operator.gives_up():
                return False
            time.sleep(LOOK_S)
        return True


def _numbered(request: TestLamp, number: int) -> TestLamp:
    return replace(request, number=number)


def on_spot_board(do: Callable[[Workplace], str], work: Workplace) -> str:
    """Do a check of what is on the spot board, unless that is not there."""
    _check_spot_board(work)
    try:
        return do(work)
    except CheckFailedError:
        _check_spot_board(work)
        raise


def _check_spot_board(work: Workplace) -> None:
    why = why_gone(work.shown().table)
    if why:
        raise NotPossibleError(why)


# What the operator sees


def lamp(work: Workplace, spot: TestedSpot) -> str:
    """Light a lamp and put it out."""
    for pattern, trouble in (("steady", "does not light"), ("off", "does not go out")):
        work.light(spot, pattern)
        if not work.operator.sees_lamp(spot, pattern):
            raise CheckFailedError(f"{trouble}: check its wire and the lamp driver")
    return "lights and goes out"


def text(work: Workplace, device: str) -> str:
    """Show a number that nobody knows beforehand."""
    wanted = f"{device.upper()} {secrets.randbelow(9_000) + 1_000}"
    work.do(lambda number: TestText(number=number, device=device, text=wanted))
    if not work.operator.reads(device, wanted):
        raise CheckFailedError("not shown: check its cable and power")
    return "shown"


def enable_withdrawn(work: Workplace, spots: list[TestedSpot]) -> str:
    """Light all lamps and withdraw the lamp enable: they must go dark."""
    _give_enable(work, given=True)
    light_all(work, spots, "steady")
    if not work.operator.sees_all_lamps("steady"):
        raise CheckFailedError("not all lamps light: put the lamps right first")
    _give_enable(work, given=False)
    if not work.operator.sees_all_lamps("off"):
        raise CheckFailedError("the lamps stay lit: check the lamp enable and the lamp switch")
    return "all lamps go dark"


def enable_given(work: Workplace, spots: list[TestedSpot]) -> str:
    """Give the lamp enable again: the lamps must light again."""
    _give_enable(work, given=True)
    if not work.operator.sees_all_lamps("steady"):
        raise CheckFailedError("the lamps stay dark: check the lamp enable and the lamp switch")
    light_all(work, spots, "off")
    return "all lamps light again"


def restore_lamps(work: Workplace, spots: list[TestedSpot]) -> None:
    """Enable the lamps and put them out."""
    _give_enable(work, given=True)
    light_all(work, spots, "off")


def light_all(work: Workplace, spots: list[TestedSpot], pattern: str) -> None:
    """Drive all lamps."""
    for spot in spots:
        work.light(spot, pattern)


def _give_enable(work: Workplace, *, given: bool) -> None:
    work.do(lambda number: TestLampEnable(number=number, given=given))


# What the table senses


def chip_down(work: Workplace, spot: TestedSpot) -> str:
    """Have a chip put down."""
    sensor = _chip_on(work, spot, "senses a chip although there is none")
    return _moved(work, sensor, to=True)


def chip_up(work: Workplace, spot: TestedSpot) -> str:
    """Have the chip lifted."""
    sensor = _chip_on(work, spot, "does not sense the chip any more")
    return _moved(work, sensor, to=False)


REMEDIES = {
    "key": "check the switch and its wire",
    "cover": "check the switch and its wire",
    "power_good": "check the supervisor of the supply and its wire",
}
"""What to look at if a line does not change."""


def switch_moved(work: Workplace, switch: str, *, to: bool) -> str:
    """Have a switch moved."""
    work.do(lambda number: TestSwitch(number=number, switch=switch))
    line = _Movable(
        level=lambda shown: shown.switches.get(switch),
        move=lambda on: work.operator.moves_switch(switch, on=on),
        stays="its line does not change",
        remedy=REMEDIES[switch],
    )
    return _moved(work, line, to=to)


def supply_good(work: Workplace) -> str:
    """Look at the supply's signal."""
    if not work.shown().switches.get("power_good"):
        raise CheckFailedError("reads bad: measure the 12 V, and check the supervisor and its wire")
    return "reads good"


def supply_pulled(work: Workplace) -> str:
    """Have the main supply pulled, if the table survives that."""
    if not work.operator.has_hold_up():
        raise NotAttemptedError("there is no hold-up supply: the table would go off")
    return switch_moved(work, "power_good", to=False)


def heard(work: Workplace, device: str, move: Callable[[], None]) -> str:
    """Have a device say something."""
    before = _times(work.shown(), device)
    move()
    if not work.waited(lambda shown: _times(shown, device) > before):
        raise CheckFailedError("nothing received: check its cable and its baud rate")
    return "received"


class _Movable(Struct, frozen=True, kw_only=True):
    """Something that the operator moves and the table senses."""

    level: Callable[[Shown], bool | None]
    move: Callable[[bool], None]
    stays: str
    """What is said if it cannot be brought into the other position first."""
    remedy: str


def _chip_on(work: Workplace, spot: TestedSpot, stays: str) -> _Movable:
    return _Movable(
        level=lambda shown: spot in _chips(shown),
        move=lambda on: work.operator.moves_chip(spot, on=on),
        stays=stays,
        remedy="clean the sensor and check its wire",
    )


def _moved(work: Workplace, thing: _Movable, *, to: bool) -> str:
    """Have something moved, and sense it: only what was the other way before has moved."""
    if thing.level(work.shown()) is to:
        thing.move(not to)
        if not work.waited(lambda shown: thing.level(shown) is not to):
            raise CheckFailedError(f"{thing.stays}: {thing.remedy}")
    thing.move(to)
    if not work.waited(lambda shown: thing.level(shown) is to):
        raise CheckFailedError(f"not sensed: {thing.remedy}")
    return "sensed"


def _times(shown: Shown, device: str) -> int:
    """Count what a device has said; an older table tells only the last things."""
    if shown.heard_times:
        return shown.heard_times.get(device, 0)
    return sum(line.startswith(f"{device}:") for line in shown.heard)


def _chips(shown: Shown) -> set[TestedSpot]:
    return {(seat.seat, bet) for seat in shown.table.seats for bet in seat.chips}
