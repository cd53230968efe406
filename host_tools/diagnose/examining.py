"""Examines one table or several at once, and says what was found in the form that is wanted.

`table_stream.py` asks a table, `diagnosis.py` judges the answers, `not_running.py` examines the
files of one that does not run. How it looks is in `view.py` and `prometheus.py`; what goes to
support is in `bundle.py`.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from firmware.errors import BadInput
from firmware.journal.regular_files import replace_text
from firmware.maintenance.protocol import ReadVitals, VitalsRead
from firmware.maintenance.vitals import Vitals
from host_tools.connection.table_stream import TableStream, open_table
from host_tools.connection.targets import TargetError, parse_target
from host_tools.diagnose import bundle, prometheus, view
from host_tools.diagnose.diagnosis import Finding, exit_status, judge
from host_tools.diagnose.not_running import file_findings, local_findings
from host_tools.diagnose.reports import NOT_REACHABLE, DiagnosisReport
from host_tools.terminal import json_text, say, say_json

_TABLE_FILE = "table.toml"
_MOST_AT_ONCE = 16
Form = Literal["words", "json", "prometheus"]


class Asked(Struct, frozen=True):
    """What somebody wants to know."""

    targets: list[str]
    config: Path | None = None
    bundle_file: Path | None = None
    output: Path | None = None


def form_of(*, json: bool, prometheus: bool) -> Form:
    """Return the form of the answer."""
    if json and prometheus:
        raise BadInput("--json and --prometheus", "cannot be used together; choose one")
    return "json" if json else "prometheus" if prometheus else "words"


def examine(asked: Asked, form: Form) -> int:
    """Examine every table and say what was found; return the exit status."""
    targets = list(dict.fromkeys(asked.targets))
    _check(asked, targets, form)
    with ThreadPoolExecutor(min(len(targets), _MOST_AT_ONCE)) as several:
        reports = list(several.map(lambda each: _examined(each, asked), targets))
    if form == "prometheus":
        _answer(prometheus.text(reports), asked.output)
    elif form == "json":
        document = reports if len(reports) > 1 else reports[0]
        if asked.output is None:
            say_json(document, pretty=True)
        else:
            _answer(json_text(document, pretty=True) + "\n", asked.output)
    else:
        view.show(reports)
        if any(report.bundled for report in reports):
            say(f"Wrote {asked.bundle_file} for support.")
    return max(report.status for report in reports)


def _check(asked: Asked, targets: list[str], form: Form) -> None:
    """Refuse what does not go together, before any table is asked."""
    for option, given in (("--config", asked.config), ("--bundle", asked.bundle_file)):
        if given is not None and len(targets) > 1:
            raise BadInput(option, f"goes with one table, not with {len(targets)}; name one")
    if asked.output is not None and form == "words":
        raise BadInput("--output", "goes with --json or --prometheus; add one, or use '>'")
    for target in targets:
        # What is written wrong is told at once; what cannot be reached is a finding.
        try:
            parse_target(target)
        except TargetError:
            continue


def _answer(text: str, output: Path | None) -> None:
    if output is not None:
        replace_text(output, text)
        return
    for line in text.splitlines():
        say(line)


def _examined(target: str, asked: Asked) -> DiagnosisReport:
    """Examine one table, and pack what support needs, whether it runs or not."""
    config = asked.config or _own_config(target)
    try:
        with open_table(target) as table:
            report = _with_file(diagnosed(table), asked.config)
            return _packed(report, table, asked.bundle_file)
    except _NotPackedError as error:
        return _unreachable(target, error, config)
    except TargetError as error:
        report = _unreachable(target, error, config)
        if asked.bundle_file is not None:
            bundle.write_dead(asked.bundle_file, config, msgspec.json.encode(report))
            report = msgspec.structs.replace(report, bundled=True)
        return report


class _NotPackedError(TargetError):
    """A table answered, but not with what belongs into a bundle."""


def _packed(report: DiagnosisReport, table: TableStream, path: Path | None) -> DiagnosisReport:
    """Pack what a running table gives, if a file is named for it."""
    if path is None:
        return report
    try:
        bundle.write(path, table, msgspec.json.encode(report))
    except TargetError as error:
        raise _NotPackedError(f"{error}; there is no whole bundle") from None
    return msgspec.structs.replace(report, bundled=True)


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
    ahead_ms = facts.clock.now_ms - laptop_ms
    return DiagnosisReport(table.target.text, exit_status(findings), findings, facts, ahead_ms)


def _with_file(report: DiagnosisReport, config: Path | None) -> DiagnosisReport:
    """Add what is wrong with a table file that was named although the table runs."""
    if config is None:
        return report
    findings = [*report.findings, *file_findings(config)]
    return msgspec.structs.replace(report, findings=findings, status=exit_status(findings))


def _unreachable(text: str, error: TargetError, config: Path | None) -> DiagnosisReport:
    """Examine the files of a table that does not answer, if they are on this machine."""
    findings = [] if config is None else local_findings(config)
    reached = Finding("fault", str(error), _next_step(text, config))
    # Warnings of its files do not make a table that cannot be reached less of a problem.
    is_broken = any(each.severity == "fault" for each in findings)
    status = exit_status(findings) if is_broken else NOT_REACHABLE
    return DiagnosisReport(text, status, [*findings, reached])


def _own_config(text: str) -> Path | None:
    """Return the table file of a simulated table, which is on this machine."""
    try:
        folder = parse_target(text).folder
    except TargetError:
        return None
    return folder / _TABLE_FILE if folder is not None else None


def _next_step(text: str, config: Path | None) -> str:
    if text.startswith("sim:"):
        return "check the name, or see firmware.log in the simulated table's folder"
    if config is None:
        return (
            "check power and network; if the firmware is not running, run this on the table itself "
            "with --config /etc/underfelt/table.toml"
        )
    return "see the firmware's log ('journalctl -u underfelt-table' on a table)"
