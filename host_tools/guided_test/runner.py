"""Carries a guided test out: service mode, check by check, retries and skips, and its report.

The report is kept after every check, so that whatever ends the test loses nothing. How a check
is done is in `checks.py`, which checks there are in `plan.py`, how a report is written in
`report_file.py`.
"""

import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

import typer

from firmware.errors import UnderfeltError
from firmware.maintenance.protocol import BeginService, EndService
from firmware.maintenance.vitals import Vitals
from firmware.protocol.version import VERSION
from host_tools.guided_test.checks import (
    CheckFailedError,
    CheckSkippedError,
    NotAttemptedError,
    NotPossibleError,
    Workplace,
)
from host_tools.guided_test.plan import Check
from host_tools.guided_test.results import CheckResult, Outcome, Technician, TestReport

_SIGNALS = (signal.SIGTERM, signal.SIGHUP)
_BY_TECHNICIAN = "by the technician"
Tell = Callable[[CheckResult], None]
Keep = Callable[[TestReport], None]


class SignalledError(KeyboardInterrupt):
    """A signal has asked the program to end: as Ctrl-C, but from outside."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class GuidedTest:
    """One test of one table."""

    def __init__(
        self, work: Workplace, who: Technician, vitals: Vitals, *, simulated_hands: bool
    ) -> None:
        self._work = work
        self._who = who
        self._vitals = vitals
        self._simulated_hands = simulated_hands
        self._name = ""
        self._began_ms = _now_ms()
        self._checks: Sequence[Check] = ()
        self._results: dict[str, CheckResult] = {}

    def run(self, checks: Sequence[Check], tell: Tell, keep: Keep) -> TestReport:
        """Test a closed table; tell of each check, and keep the report as it grows."""
        work, who = self._work, self._who
        begin = work.do(lambda number: BeginService(number=number, staff=who.staff, pin=who.pin))
        self._name, self._began_ms, self._checks = begin.name, _now_ms(), checks
        work.operator.meanwhile = work.shown
        try:
            self._do_all(tell, keep)
            work.do(lambda number: EndService(number=number))
        except (UnderfeltError, KeyboardInterrupt, typer.Abort) as error:
            # Hanging up ends service mode; an answer that is still to come would confuse a request.
            with _undisturbed():
                keep(self._report(_reason(error)))
            raise
        report = self._report("")
        keep(report)
        return report

    def _do_all(self, tell: Tell, keep: Keep) -> None:
        keep(self._report(_UNDER_WAY))
        for check in self._checks:
            result = self._result(check)
            self._results[check.what] = result
            keep(self._report(_UNDER_WAY))
            if not check.left_out:
                tell(result)

    def _result(self, check: Check) -> CheckResult:
        if check.left_out or check.do is None:
            return _undone(check)
        needed = self._results.get(check.needs)
        if needed is not None and needed.outcome != "passed":
            return _without(check, needed)
        outcome, detail = self._tried(check, check.do)
        return CheckResult(check.what, outcome, detail, _now_ms())

    def _tried(self, check: Check, do: Callable[[Workplace], str]) -> tuple[Outcome, str]:
        """Do a check until it passes, or until the operator has had enough of it."""
        failures: list[str] = []
        while True:
            try:
                return "passed", f"{self._found(do)}{_retried(failures)}"
            except NotAttemptedError as why:
                return "skipped", str(why)
            except NotPossibleError as why:
                return "not possible", str(why)
            except CheckSkippedError:
                check.undo(self._work)
                return "skipped", f"{_BY_TECHNICIAN}{_retried(failures)}"
            except CheckFailedError as failure:
                failures.append(str(failure))
            # Whatever ends the test from here on, this was seen.
            self._results[check.what] = CheckResult(
                check.what, "failed", f"{failures[-1]}{_retried(failures[:-1])}", _now_ms()
            )
            following = self._work.operator.after_failure(f"{check.what}: {failures[-1]}")
            if following == "retry":
                continue
            check.undo(self._work)
            detail = f"{failures[-1]}{_retried(failures[:-1])}"
            if following == "skip":
                return "skipped", f"{detail} (skipped {_BY_TECHNICIAN})"
            return "failed", detail

    def _found(self, do: Callable[[Workplace], str]) -> str:
        """Do a check once; what came of it counts only if the table is still there."""
        try:
            found = do(self._work)
        except CheckFailedError:
            self._work.shown()
            raise
        self._work.shown()
        return found

    def _report(self, stopped: str) -> TestReport:
        table, vitals = self._work.table, self._vitals
        known = table.identity
        return TestReport(
            target=table.target.text,
            table=known.table,
            game=known.game,
            board=vitals.board,
            table_version=known.version,
            tool_version=VERSION,
            journal=known.journal,
            technician=self._who.staff,
            technician_name=self._name,
            simulated_hands=self._simulated_hands,
            simulated_table=table.target.kind == "sim",
            began_ms=self._began_ms,
            ended_ms=_now_ms(),
            stopped=stopped,
            checks=tuple(self._results.get(check.what) or _undone(check) for check in self._checks),
        )


_UNDER_WAY = "the test was still under way when this was written"


def _undone(check: Check) -> CheckResult:
    """Say why a check is not done, as far as that is known without trying."""
    if check.left_out:
        return CheckResult(check.what, "left out", check.left_out)
    if check.do is None:
        return CheckResult(check.what, "not fitted", check.missing)
    return CheckResult(check.what, "not done", "")


def _retried(failures: Sequence[str]) -> str:
    """Say that it was tried before, and what came of that."""
    if not failures:
        return ""
    tries = len(failures) + 1
    last = f"{tries}{_ORDINALS.get(tries, 'th')}"
    return f", at the {last} try; first: {failures[0]}"


_ORDINALS = {2: "nd", 3: "rd"}


def _without(check: Check, needed: CheckResult) -> CheckResult:
    """Say that a check makes no sense without the one before it."""
    outcome: Outcome = "skipped" if needed.outcome == "skipped" else "not possible"
    became = "failed" if needed.outcome == "failed" else f"was {needed.outcome}"
    return CheckResult(check.what, outcome, f'needs "{needed.what}", which {became}')


def _reason(error: BaseException) -> str:
    if isinstance(error, SignalledError):
        return f"stopped by the signal {signal.Signals(error.number).name}"
    if isinstance(error.__cause__, EOFError):
        ended = sys.stdin.isatty()
        return "stopped by the technician (Ctrl-D)" if ended else "a question had no answer"
    if isinstance(error, UnderfeltError):
        return str(error)
    return "stopped by the technician (Ctrl-C)"


@contextmanager
def signals_as_interrupts() -> Iterator[None]:
    """Let a signal that ends the program end it as Ctrl-C does."""

    def stop(number: int, _frame: FrameType | None) -> None:
        raise SignalledError(number)

    before = {each: signal.signal(each, stop) for each in _SIGNALS}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let nobody interrupt the writing of what was done."""
    ignored = (*_SIGNALS, signal.SIGINT)
    before = {each: signal.signal(each, signal.SIG_IGN) for each in ignored}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
