"""`underfelt test`: the guided test of a table, as a technician calls it."""

import errno
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.progress import Progress
from rich.text import Text

from firmware.errors import BadInput, UnderfeltError
from firmware.maintenance.protocol import ReadVitals, VitalsRead
from firmware.maintenance.vitals import Vitals
from firmware.shell import command_line
from host_tools import typing_shown
from host_tools.connection.table_stream import TableStream, open_table
from host_tools.connection.target_option import TargetArgument
from host_tools.connection.targets import parse_target
from host_tools.guided_test.checks import NotTestedError, Operator, Workplace
from host_tools.guided_test.operators import INTRODUCTION, HumanOperator, is_answered
from host_tools.guided_test.plan import Check, chosen, plan
from host_tools.guided_test.report_file import SIMULATED, ReportFile
from host_tools.guided_test.results import BAD, CheckResult, Technician, TestReport
from host_tools.guided_test.runner import GuidedTest, SignalledError, signals_as_interrupts
from host_tools.guided_test.simulated_hands import SimulatedHands
from host_tools.terminal import Terminal, ask_before_pin, ask_pin, say, sentence

_STYLES = {"passed": "green", "failed": "bold red", "not possible": "red", "skipped": "yellow"}
_MOST_SEATS = 7
_PARTS = (
    "spots, lamps, sensors, a seat (seat 3), panel, sign, cards, key, cover, lamp enable, power"
)


def _complete_part(incomplete: str) -> list[str]:
    """List what is known without asking a table; a seat is completed by its number."""
    words = [part for part in _PARTS.split(", ") if not part.startswith("a seat")]
    seats = [f"seat {number}" for number in range(1, _MOST_SEATS + 1)]
    return [each for each in (*words, *seats) if each.startswith(incomplete.lower())]


def guided(  # noqa: PLR0913  # one parameter for each option
    target: TargetArgument,
    *,
    staff: Annotated[
        str, typer.Option(help="The technician's number; asked for if it is left out.")
    ] = "",
    pin: Annotated[
        str, typer.Option(help="The PIN; asked for if it is left out.", envvar="UNDERFELT_PIN")
    ] = "",
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PART",
            help=f"Test only this; give it once for each: {_PARTS}.",
            autocompletion=_complete_part,
        ),
    ] = None,
    skip: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PART",
            help="Leave this out; parts as --only.",
            autocompletion=_complete_part,
        ),
    ] = None,
    auto: Annotated[
        bool, typer.Option("--auto", help="Let the simulator's hands do it (sim: tables only).")
    ] = False,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the report to this file: .html or .json."),
    ] = None,
) -> None:
    """Test every part of a closed table, step by step.

    Spots and lamps, panel, sign, card source, key, cover, lamp enable and power-good. The
    table must be closed (CLOSETABLE at the panel); --auto does that too. A check that fails
    can be tried again, failed or skipped. Ctrl-C ends the test; the report has what was done.

    Exit status: 0 nothing was found wrong, 1 a check failed or was not possible, 2 the test could
    not be done or the table was lost; 129, 130, 143 stopped: terminal closed, Ctrl-C, terminated.

    underfelt test ssh://pi@table7 --report table7.html

    underfelt test ssh://pi@table7 --only "seat 3" --only panel

    UNDERFELT_PIN=654321 underfelt test sim:T1 --staff 400 --auto
    """
    file = ReportFile(report)
    who = Technician(staff, pin)
    if not sys.stdin.isatty():
        who = _identified(who)  # nobody can be asked later either: say so before anything is done
    try:
        with (
            signals_as_interrupts(),
            _operator(target, auto=auto) as operator,
            open_table(target) as table,
        ):
            work = Workplace(table, operator)
            kept = _tested(work, who, file, (only or [], skip or []), auto=auto)
    except SignalledError as stopped:
        raise typer.Exit(128 + stopped.number) from None
    _sum_up(kept)
    file.tell()
    raise typer.Exit(0 if kept.passed else 1)


def _identified(who: Technician) -> Technician:
    staff = who.staff or ask_before_pin("Staff number:")
    pin = who.pin or ask_pin()
    typing_shown.show()
    return Technician(staff, pin)


@contextmanager
def _operator(target: str, *, auto: bool) -> Iterator[Operator]:
    if not auto:
        yield HumanOperator()
        return
    folder = parse_target(target).folder
    if folder is None:
        raise BadInput("--auto", f"{target} is not a simulated table; leave out --auto to be asked")
    hands = SimulatedHands(folder)
    try:
        hands.close_table()
        yield hands
    finally:
        hands.leave()
        hands.close()


def _tested(
    work: Workplace,
    who: Technician,
    file: ReportFile,
    words: tuple[list[str], list[str]],
    *,
    auto: bool,
) -> TestReport:
    """Test a table; whatever ends the test, say what came of it."""
    vitals = vitals_of(work.table)
    checks = _planned(work, vitals, words)
    if not auto:
        _check_answered(checks, work.table.target.text)
    test = GuidedTest(work, _identified(who), vitals, simulated_hands=auto)
    last: list[TestReport] = []

    def keep(report: TestReport) -> None:
        last[:] = [report]
        file.keep(report)

    if not auto:
        say(INTRODUCTION)
    try:
        with _told(checks, auto=auto) as tell:
            return test.run(checks, tell, keep)
    except (UnderfeltError, KeyboardInterrupt, typer.Abort):
        if isinstance(work.operator, SimulatedHands):
            _put_back(work.operator, work.table.target.text)
        if last:
            _tell_the_end(last[0], file)
        raise


def _tell_the_end(report: TestReport, file: ReportFile) -> None:
    """Say what was done before the test was stopped; a terminal that is gone changes nothing."""
    try:
        _sum_up(report)
        file.tell()
    except OSError as error:
        if error.errno != errno.EIO:
            raise
        command_line.give_up_on_output()


def _put_back(hands: SimulatedHands, target: str) -> None:
    """Have the cover closed before service mode ends, so that it leaves no fault.

    The stream of the test may wait for an answer, so another one looks.
    """
    hands.put_back()
    with suppress(UnderfeltError), open_table(target) as other:
        looking = Workplace(other, hands)
        looking.waited(lambda shown: shown.switches.get("cover") is not False)


def _planned(work: Workplace, vitals: Vitals, words: tuple[list[str], list[str]]) -> list[Check]:
    shown = work.shown()
    checks = chosen(plan(shown, vitals), *words)
    if all(check.left_out or check.do is None for check in checks):
        raise NotTestedError("there is nothing left to test; change --only and --skip")
    if shown.table.phase not in {"closed", "service"}:
        raise NotTestedError(
            f"{work.table.target.text}: the table is not closed: finish the round and press "
            "CLOSETABLE on the panel"
        )
    return checks


def _check_answered(checks: list[Check], target: str) -> None:
    """Refuse a test that would ask where nobody answers, before anything is begun."""
    asked = [check.what for check in checks if check.asks and check.do and not check.left_out]
    if asked and not is_answered():
        auto = ", or add --auto" if parse_target(target).folder is not None else ""
        raise NotTestedError(
            f"{target}: nothing was begun: {asked[0]!r} asks what you see, and standard input has no "
            f"answers: run it at a terminal{auto} (see 'underfelt test --help')"
        )


def vitals_of(table: TableStream) -> Vitals:
    """Ask a table for what it has."""
    reply = table.ask(VitalsRead, lambda number: ReadVitals(number=number))
    try:
        return msgspec.convert(reply.vitals, Vitals)
    except msgspec.ValidationError:
        raise table.other_version() from None


@contextmanager
def _told(checks: list[Check], *, auto: bool) -> Iterator["_Teller"]:
    """Print each result; simulated hands are followed by a bar."""
    console = Terminal()
    total = sum(not check.left_out for check in checks)
    with Progress(
        console=console, transient=True, disable=not auto or not console.is_terminal
    ) as progress:
        task = progress.add_task("testing", total=total)
        yield _Teller(console, lambda: progress.advance(task))


class _Teller:
    """Prints results as they come."""

    def __init__(self, console: Terminal, advance: Callable[[], None]) -> None:
        self._console = console
        self._advance = advance

    def __call__(self, check: CheckResult) -> None:
        mark = check.outcome.upper() if check.outcome in BAD else check.outcome
        style = _STYLES.get(check.outcome, "dim")
        line = Text.assemble((mark, style), f"  {check.what}: {check.detail}")
        self._console.print(line, soft_wrap=True)
        self._advance()


def _sum_up(report: TestReport) -> None:
    console = Terminal(soft_wrap=True)
    if report.simulated_hands:
        console.print(Text(SIMULATED))
    if report.stopped:
        console.print(
            Text(sentence(f"The test is incomplete: {report.stopped}"), style="bold yellow")
        )
    style = "bold" if report.passed else "bold red"
    console.print(Text(f"Table {report.table}: {report.verdict}.", style=style))
