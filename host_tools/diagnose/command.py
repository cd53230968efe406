"""`underfelt diagnose`: what is wrong with a table, in plain words, worst first.

`table_stream.py` asks the table, `diagnosis.py` judges the answers, `view.py` prints them;
`not_running.py` examines the files of a table that is not running.
"""

import time
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from msgspec import Struct

from firmware.maintenance.protocol import (
    ReadVitals,
    VitalsRead,
)
from firmware.maintenance.vitals import Vitals
from host_tools.connection.table_stream import TableStream, open_table
from host_tools.connection.target_option import TargetArgument
from host_tools.connection.targets import TargetError, parse_target
from host_tools.diagnose import bundle
from host_tools.diagnose.diagnosis import Finding, exit_status, judge
from host_tools.diagnose.not_running import local_findings
from host_tools.diagnose.view import show_report
from host_tools.terminal import say, say_json

NOT_REACHABLE = 3
_TABLE_FILE = "table.toml"


class DiagnosisReport(Struct, frozen=True):
    """The result of a diagnosis."""

    target: str
    status: int
    findings: list[Finding]
    facts: Vitals | None = None


def diagnose(
    target: TargetArgument,
    *,
    config: Annotated[
        Path | None,
        typer.Option(metavar="TABLE.TOML", help="The table file, for a table that is not running."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Answer in JSON.")] = False,
    bundle_file: Annotated[
        Path | None,
        typer.Option("--bundle", metavar="FILE", help="Put everything into one file for support."),
    ] = None,
) -> None:
    """Say what is wrong with a table, worst first, and what to do about it.

    Exit status: 0 nothing is wrong, 1 warnings, 2 faults, 3 the table cannot be reached.

    underfelt diagnose sim:T1

    underfelt diagnose ssh://pi@table7 --bundle table7.zip

    underfelt diagnose unix:/run/underfelt/maintenance.sock --config /etc/underfelt/table.toml
    """
    try:
        with open_table(target) as table:
            report = diagnosed(table)
            if bundle_file is not None:
                bundle.write(bundle_file, table, msgspec.json.encode(report))
    except TargetError as error:
        report = _unreachable(target, error, config)
    if json:
        say_json(report, pretty=True)
    else:
        show_report(report.findings, report.facts)
        if bundle_file is not None and report.facts is not None:
            say(f"Wrote {bundle_file} for support.")
    raise typer.Exit(report.status)


def diagnosed(table: TableStream) -> DiagnosisReport:
    """Examine a running table."""
    asked_ms = time.time_ns() // 1_000_000
    reply = table.ask(VitalsRead, lambda number: ReadVitals(number=number))
    # The table read its clock somewhere between the question and the answer.
    laptop_ms = (asked_ms + time.time_ns() // 1_000_000) // 2
    try:
        facts = msgspec.convert(reply.vitals, Vitals)
    except msgspec.ValidationError:
        raise table.other_version() from None
    findings = judge(facts, laptop_ms)
    return DiagnosisReport(table.target.text, exit_status(findings), findings, facts)


def _unreachable(text: str, error: TargetError, config: Path | None) -> DiagnosisReport:
    """Examine the files of a table that does not answer, if they are on this machine."""
    if config is None:
        folder = _folder(text)
        config = folder / _TABLE_FILE if folder is not None else None
    findings = [] if config is None or not config.exists() else local_findings(config)
    reached = Finding("fault", str(error), _next_step(text, config))
    return DiagnosisReport(text, exit_status(findings) or NOT_REACHABLE, [*findings, reached])


def _folder(text: str) -> Path | None:
    try:
        return parse_target(text).folder
    except TargetError:
        return None


def _next_step(text: str, config: Path | None) -> str:
    if text.startswith("sim:"):
        return "check the name, or see firmware.log in the simulated table's folder"
    if config is None:
        return (
            "check power and network; if the firmware is not running, run this on the table itself "
            "with --config /etc/underfelt/table.toml"
        )
    return "see the firmware's log ('journalctl -u underfelt-table' on a table)"
