"""Diagnoses a table that is not running, from its table file and journal on this machine.

The checks are those that the firmware makes before it starts (`firmware/settings/`) and
`underfelt journal verify`; the first that fails is why it does not start. What support may have of
its files is here too: no hash of a PIN, and nothing of a round under way.
"""

import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from firmware.errors import JournalError, UnderfeltError
from firmware.journal.files import segment_files
from firmware.journal.reader import Segment, read_snapshot, segments
from firmware.journal.regular_files import MOST_SETTINGS_BYTES, open_to_read, read_regular
from firmware.maintenance.journal_files import JournalFolder
from firmware.settings import machine_checks
from firmware.settings.table_file import load
from firmware.shell.folding import restored
from firmware.table.events import JournalOpened
from firmware.table.state import TableState
from firmware.table.table import Table
from host_tools.diagnose.diagnosis import Finding, Severity
from host_tools.journal.verify import verify_journal

_SIMULATED_LOG = "firmware.log"
_LOG_BYTES = 100_000
_LOG_S = 20


class DeadTable(Struct, frozen=True):
    """What support may have of a table that does not run."""

    folder: Path = Path()
    """The journal's."""
    journal: tuple[tuple[str, int], ...] = ()
    """Its files, and how much of each."""
    table_file: bytes = b""
    """The table file as JSON, without its staff."""
    log: str = ""


def local_findings(path: Path) -> list[Finding]:
    """Return why a table does not start: nothing if its file and journal are good."""
    try:
        file = load(path)
        machine_checks.check_before_start(path, file)
    except UnderfeltError as error:
        return [_split("The firmware does not start", str(error), "correct the table file")]
    folder = Path(file.journal)
    try:
        if not segment_files(folder):
            return []
        result = verify_journal(folder)
    except UnderfeltError as error:
        return [_split("The firmware does not start", str(error), "check the journal folder")]
    if result.sound:
        return []
    return [_split("The journal is damaged", result.problem, "start with an empty folder")]


def file_findings(path: Path) -> list[Finding]:
    """Return what would keep a running table from its next start with this table file."""
    try:
        machine_checks.check_before_start(path, load(path))
    except UnderfeltError as error:
        what = "The table runs, but would not start again with this table file"
        return [_split(what, str(error), "correct the table file", "warning")]
    return []


def dead_table(path: Path) -> DeadTable:
    """Collect what support may have of a table's files; what cannot be read is left out."""
    try:
        folder = Path(load(path).journal)
        journal = _readable(folder)
    except (UnderfeltError, OSError):
        folder, journal = Path(), ()
    return DeadTable(folder, journal, _without_pins(path), _log(path.parent / _SIMULATED_LOG))


def _without_pins(path: Path) -> bytes:
    """Return what a table file says, without staff: nothing if it cannot be taken apart."""
    try:
        read = tomllib.loads(read_regular(path, MOST_SETTINGS_BYTES).decode())
    except (OSError, ValueError, RecursionError):
        return b""
    read.pop("staff", None)
    return msgspec.json.encode(_left(read))


def _left(value: Any) -> Any:  # noqa: ANN401  # any TOML document
    """Return a part of a table file without anything that is named a PIN, wherever it was put."""
    if isinstance(value, dict):
        return {key: _left(each) for key, each in value.items() if key != "pin"}
    return [_left(each) for each in value] if isinstance(value, list) else value


def _readable(folder: Path) -> tuple[tuple[str, int], ...]:
    """List what may leave the table, up to damage: the rest may have cards that lie face down."""
    state = _state_before_damage(folder)
    if state is None:
        return ()
    files = JournalFolder(folder).listed(state, 0).files
    return tuple((file.name, file.bytes) for file in files if file.bytes)


def _state_before_damage(folder: Path) -> TableState | None:
    """Fold the journal up to the first segment with something wrong in it."""
    table: Table | None = None
    try:
        for segment in segments(folder):
            if table is None:
                table = _begun(segment)
            if not all(table.fold(record.event) for record in segment.records):
                break
    except JournalError:
        pass
    return table.state if table is not None and table.state.sequence else None


def _begun(segment: Segment) -> Table:
    opened = segment.records[0].event if segment.records else None
    if isinstance(opened, JournalOpened) and opened.settings is not None:
        return Table(opened.settings)
    return restored(read_snapshot(segment))


def _log(simulated: Path) -> str:
    """Return the end of the firmware's log: a simulated table's file, or what journald has."""
    if simulated.is_file():
        with open_to_read(simulated) as file:
            file.seek(max(simulated.stat().st_size - _LOG_BYTES, 0))
            return file.read(_LOG_BYTES).decode(errors="replace")
    journalctl = shutil.which("journalctl")
    if journalctl is None:
        return ""
    command = [journalctl, "--unit", "underfelt-table", "--lines", "500", "--no-pager"]
    try:
        ran = subprocess.run(command, capture_output=True, check=False, timeout=_LOG_S)  # noqa: S603  # our own words
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return ran.stdout.decode(errors="replace")


def _split(what: str, sentence: str, otherwise: str, severity: Severity = "fault") -> Finding:
    """Split off the remedy at the end of a sentence, if there is one."""
    reason, _, remedy = sentence.rstrip(".").rpartition("; ")
    if not reason:
        return Finding(severity, f"{what}: {remedy}", otherwise)
    return Finding(severity, f"{what}: {reason}", remedy)
