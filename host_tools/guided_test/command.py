"""`underfelt test`: the guided test of a table, and its report."""

import html
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress
from rich.text import Text

from firmware.errors import BadInput
from firmware.journal.regular_files import write_text
from host_tools.connection.table_stream import TableStream, open_table
from host_tools.connection.target_option import TargetArgument
from host_tools.connection.targets import parse_target
from host_tools.diagnose.diagnosis import when
from host_tools.guided_test.checks import (
    CheckResult,
    Operator,
    Technician,
    TestReport,
    number_of_checks,
    run_checks,
)
from host_tools.guided_test.operators import HumanOperator, SimulatedHands
from host_tools.terminal import Terminal, ask_pin, json_text, say

_FORMATS = (".html", ".json")


def guided(
    target: TargetArgument,
    *,
    staff: Annotated[str, typer.Option(help="The technician's number.", prompt="Staff number")],
    pin: Annotated[
        str, typer.Option(help="The PIN; asked for if it is left out.", envvar="UNDERFELT_PIN")
    ] = "",
    auto: Annotated[
        bool, typer.Option("--auto", help="Let the simulator's hands do it (sim: tables only).")
    ] = False,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the report to this file: .html or .json."),
    ] = None,
) -> None:
    """Test spots, lamps, panel, sign and card source of a closed table, step by step.

    The table must be closed (CLOSETABLE at the panel); --auto does that too. The exit
    status is 1 if a check fails.

    underfelt test ssh://pi@table7 --report table7.html

    UNDERFELT_PIN=654321 underfelt test sim:T1 --staff 400 --auto
    """
    if report is not None and report.suffix not in _FORMATS:
        raise BadInput("--report", f"{report} is neither .html nor .json")
    pin = pin or ask_pin()
    console = Terminal()
    with _operator(target, auto=auto) as operator, open_table(target) as table:
        kept = _tested(console, table, Technician(staff, pin), operator, auto=auto)
    failed = sum(not check.passed for check in kept.checks)
    total = len(kept.checks)
    verdict = f"all {total} checks passed" if not failed else f"{failed} of {total} checks failed"
    console.print(Text(f"Table {kept.table}: {verdict}.", style="bold red" if failed else "bold"))
    if report is not None:
        write_text(report, _html(kept) if report.suffix == ".html" else _json(kept))
        say(f"Wrote the report to {report}.")
    raise typer.Exit(1 if failed else 0)


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
        hands.open_table()
        hands.close()


def _tested(
    console: Terminal, table: TableStream, who: Technician, operator: Operator, *, auto: bool
) -> TestReport:
    with Progress(
        console=console, transient=True, disable=not auto or not console.is_terminal
    ) as progress:
        task = progress.add_task("testing", total=number_of_checks(table))

        def tell(check: CheckResult) -> None:
            mark = ("passed", "green") if check.passed else ("FAILED", "bold red")
            console.print(Text.assemble(mark, f"  {check.what}: {check.detail}"))
            progress.advance(task)

        return run_checks(table, who, operator, tell)


def _json(report: TestReport) -> str:
    return json_text(report, pretty=True) + "\n"


def _html(report: TestReport) -> str:
    rows = "\n".join(
        f"<tr class={'passed' if check.passed else 'failed'}><td>{when(check.at_ms)}</td>"
        f"<td>{html.escape(check.what)}</td>"
        f"<td>{'passed' if check.passed else 'FAILED'}</td>"
        f"<td>{html.escape(check.detail)}</td></tr>"
        for check in report.checks
    )
    passed = "All checks passed." if report.passed else "Some checks failed."
    facts = html.escape(
        f"{report.game}, firmware {report.version}, journal {report.journal}, tested by number "
        f"{report.technician} through {report.target}, {when(report.began_ms)}"
    )
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Test of table {html.escape(report.table)}</title>
<style>
body {{ font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }}
table {{ border-collapse: collapse; width: 100% }}
td {{ border-bottom: 1px solid #ddd; padding: .3rem .6rem }}
.passed td:nth-child(3) {{ color: #17692f }}
.failed td {{ background: #fde8e8 }}
.failed td:nth-child(3) {{ color: #a40e26; font-weight: bold }}
</style></head><body>
<h1>Test of table {html.escape(report.table)}</h1>
<p><strong>{passed}</strong> {facts}.</p>
<table>
{rows}
</table>
</body></html>
"""
