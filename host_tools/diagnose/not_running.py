"""Diagnoses a table that is not running, from its table file and journal on this machine.

The checks are those that the firmware makes before it starts (`firmware/settings/`) and
`underfelt journal verify`; the first that fails is why it does not start. What support may have of
its files is here too: no hash of a PIN, and nothing of a round under way.
"""

import shutil
import subprocess
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from firmware.errors import JournalError, UnderfeltError
from firmware.journal.files import read_file, segment_files
from firmware.journal.reader import Segment, read_snapshot, segments, until_damage
from firmware.journal.regular_files import MOST_SETTINGS_BYTES, open_to_read, read_regular
from firmware.maintenance.journal_files import JournalFolder, readable_through
from firmware.protocol.fault_catalogue import FAULTS
from firmware.settings import machine_checks
from firmware.settings.table_file import load
from firmware.shell.folding import restored
from firmware.table.events import JournalOpened
from firmware.table.table import Table
from host_tools.diagnose.diagnosis import Finding, Severity
from host_tools.journal.verify import verify_journal
from host_tools.terminal import counted

_SIMULATED_LOG = "firmware.log"
_LOG_BYTES = 100_000
_LOG_S = 20


class DeadTable(Struct, frozen=True):
    """What support may have of a table that does not run."""

    folder: Path = Path()
    """The journal's."""
    journal: tuple[tuple[str, int], ...] = ()
    """Its files, and how much of each."""
    damaged: tuple[str, int] | None = None
    """The first file with damage in it, and how much of it may leave the table."""
    left_out: str = ""
    """What of the journal is left out because of damage, in a sentence."""
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
    return journal_findings(Path(file.journal))


def journal_findings(folder: Path) -> list[Finding]:
    """Return what is wrong with a journal."""
    try:
        if not segment_files(folder):
            return []
        result = verify_journal(folder)
    except UnderfeltError as error:
        return [_split("The firmware does not start", str(error), "check the journal folder")]
    if result.sound:
        return _torn_off(result.torn_bytes)
    return [_split("The journal is damaged", result.problem, "start with an empty folder")]


def _torn_off(torn_bytes: int) -> list[Finding]:
    """Return what the next start will say of a last record that is not whole."""
    if not torn_bytes:
        return []
    fault = FAULTS["journal_torn"]
    what = f"The last record of the journal is cut off or damaged ({counted(torn_bytes, 'byte')})"
    return [Finding("warning", f"{what}: the next start will tell {fault.number}", fault.remedy)]


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
        found = readable(folder)
    except (UnderfeltError, OSError):
        found = DeadTable()
    return replace(found, table_file=_without_pins(path), log=_log(path.parent / _SIMULATED_LOG))


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


def readable(folder: Path) -> DeadTable:
    """List what of a journal may leave the table: nothing of a round under way, nor after damage."""
    table, damaged = _folded(folder)
    if table is None or not table.state.sequence:
        return DeadTable(folder)
    files = JournalFolder(folder).listed(table.state, 0).files
    broken = "" if damaged is None else damaged.path.name
    whole = tuple((file.name, file.bytes) for file in files if file.bytes and file.name != broken)
    if damaged is None:
        return DeadTable(folder, whole)
    through = readable_through(table.state)
    sentence = (
        f"The journal is damaged: {broken}: {damaged.damage}. "
        f"journal-damaged/ has its records up to {through}; the rest is left out, because what "
        "follows damage cannot be read and a round under way has cards that lie face down."
    )
    return DeadTable(folder, whole, (broken, _bytes_through(damaged, through)), sentence)


def _bytes_through(segment: Segment, record: int) -> int:
    """Count the bytes of a segment up to and including a record."""
    withheld = segment.last - record
    if record < segment.first:
        return 0
    data = read_file(segment.path)[: segment.length]
    return len(b"".join(data.splitlines(keepends=True)[: -withheld or None]))


def _folded(folder: Path) -> tuple[Table | None, Segment | None]:
    """Fold a journal up to damage; return what came of it, and the segment with damage in it."""
    table: Table | None = None
    after = 0
    try:
        for segment in segments(folder):
            table = table or _begun(segment)
            after = segment.first
            if not _fold(table, segment):
                break
    except JournalError:
        first, path = next(each for each in segment_files(folder) if each[0] > after)
        with suppress(JournalError):
            damaged = until_damage(first, path)
            if damaged.damage:
                table = table or _begun(damaged)
                _fold(table, damaged)
                return table, damaged
    return table, None


def _fold(table: Table, segment: Segment) -> bool:
    return all(table.fold(record.event) for record in segment.records)


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
