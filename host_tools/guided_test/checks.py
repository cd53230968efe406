"""The guided test of a table in service mode: every lamp, spot, panel, sign, card source.

`run_checks` goes through the checks with an `Operator`: a person at the table, or the simulator's
hands. The table lights or shows something, and the operator says whether it does; the operator
moves something, and the table must sense it. How questions are put is the operator's business.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from firmware.errors import UnderfeltError
from firmware.maintenance.protocol import (
    AnyRequest,
    BeginService,
    Done,
    EndService,
    Show,
    Shown,
    TestLamp,
    TestText,
)
from firmware.rules.words import spaced
from host_tools.connection.table_stream import TableStream

LOOK_S = 0.1
TestedSpot = tuple[int, str]


class Operator(Protocol):
    """The person at the table, or the simulator's hands."""

    patience_s: float

    def sees_lamp(self, spot: TestedSpot, pattern: str) -> bool:
        """Return whether the lamp of a spot does this."""

    def reads(self, device: str, wanted: str) -> bool:
        """Return whether the panel or the sign shows this."""

    def moves_chip(self, spot: TestedSpot, *, on: bool) -> None:
        """Put a chip on a spot, or lift it."""

    def presses_key(self) -> None:
        """Press a key on the panel."""

    def draws_card(self) -> None:
        """Have the shoe or shuffler read a card."""


class Technician(Struct, frozen=True):
    """The technician's number and PIN."""

    staff: str
    pin: str


class CheckResult(Struct, frozen=True):
    """The result of one check."""

    what: str
    passed: bool
    detail: str
    at_ms: int


class TestReport(Struct, frozen=True):
    """The report of a test."""

    __test__ = False  # pytest would take the name for a test

    target: str
    table: str
    game: str
    version: str
    journal: str
    technician: str
    began_ms: int
    checks: list[CheckResult]

    @property
    def passed(self) -> bool:
        """Whether every check passed."""
        return bool(self.checks) and all(check.passed for check in self.checks)


def number_of_checks(table: TableStream) -> int:
    """Return the number of checks."""
    return len(_spots(_shown(table))) * 3 + 4


def run_checks(
    table: TableStream, who: Technician, operator: Operator, tell: Callable[[CheckResult], None]
) -> TestReport:
    """Test a closed table, and report each check as it is done."""
    began_ms = _now_ms()
    _do(table, lambda number: BeginService(number=number, staff=who.staff, pin=who.pin))
    checks = []
    try:
        for check in _checks(table, operator):
            tell(check)
            checks.append(check)
    finally:
        _do(table, lambda number: EndService(number=number))
    known = table.identity
    return TestReport(
        target=table.target.text,
        table=known.table,
        game=known.game,
        version=known.version,
        journal=known.journal,
        technician=who.staff,
        began_ms=began_ms,
        checks=checks,
    )


def _checks(table: TableStream, operator: Operator) -> Iterator[CheckResult]:
    spots = _spots(_shown(table))
    for spot in spots:
        yield _lamp(table, operator, spot)
        yield _chip(table, operator, spot, on=True)
        yield _chip(table, operator, spot, on=False)
    for device, text in (("panel", "PANEL 4711"), ("sign", "SIGN 0815")):
        yield _text(table, operator, device, text)
    yield _heard(table, operator, "panel", operator.presses_key, "key press")
    yield _heard(table, operator, "cards", operator.draws_card, "card")


def _lamp(table: TableStream, operator: Operator, spot: TestedSpot) -> CheckResult:
    seat, bet = spot
    for pattern in ("steady", "off"):
        request = TestLamp(number=0, seat=seat, bet=bet, pattern=pattern)
        _do(table, partial(_numbered, request))
        if not operator.sees_lamp(spot, pattern):
            wanted = "does not light" if pattern == "steady" else "does not go out"
            remedy = "check its wire and the lamp driver"
            return _check(f"{_place(spot)}: lamp", f"{wanted}: {remedy}", passed=False)
    return _check(f"{_place(spot)}: lamp", "lights and goes out")


def _chip(table: TableStream, operator: Operator, spot: TestedSpot, *, on: bool) -> CheckResult:
    what = f"{_place(spot)}: {'chip put down' if on else 'chip lifted'}"
    operator.moves_chip(spot, on=on)
    if _waited(table, operator, lambda shown: (spot in _chips(shown)) is on):
        return _check(what, "sensed")
    return _check(what, "not sensed: clean the sensor and check its wire", passed=False)


def _text(table: TableStream, operator: Operator, device: str, text: str) -> CheckResult:
    _do(table, lambda number: TestText(number=number, device=device, text=text))
    if operator.reads(device, text):
        return _check(f"{device}: text", "shown")
    return _check(f"{device}: text", "not shown: check its cable and power", passed=False)


def _heard(
    table: TableStream, operator: Operator, device: str, move: Callable[[], None], what: str
) -> CheckResult:
    before = sum(line.startswith(device) for line in _shown(table).heard)
    move()
    heard = _waited(
        table, operator, lambda shown: sum(h.startswith(device) for h in shown.heard) > before
    )
    detail = "received" if heard else "nothing received: check its cable and its baud rate"
    return _check(f"{device}: {what}", detail, passed=heard)


def _waited(table: TableStream, operator: Operator, wanted: Callable[[Shown], bool]) -> bool:
    ends_s = time.monotonic() + operator.patience_s
    while not wanted(_shown(table)):
        if time.monotonic() >= ends_s:
            return False
        time.sleep(LOOK_S)
    return True


def _do(table: TableStream, make: Callable[[int], AnyRequest]) -> None:
    table.ask(Done, make)


def _numbered(request: TestLamp, number: int) -> TestLamp:
    return replace(request, number=number)


def _shown(table: TableStream) -> Shown:
    return table.ask(Shown, lambda number: Show(number=number))


def _spots(shown: Shown) -> list[TestedSpot]:
    return [(seat.seat, bet) for seat in shown.table.seats for bet in seat.lamps]


def _chips(shown: Shown) -> set[TestedSpot]:
    return {(seat.seat, bet) for seat in shown.table.seats for bet in seat.chips}


def _place(spot: TestedSpot) -> str:
    seat, bet = spot
    return f"seat {seat}" if bet == "jackpot" else f"seat {seat} {spaced(bet)}"


def _check(what: str, detail: str, *, passed: bool = True) -> CheckResult:
    return CheckResult(what, passed, detail, _now_ms())


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


class NotTestedError(UnderfeltError):
    """A test could not be carried out."""
