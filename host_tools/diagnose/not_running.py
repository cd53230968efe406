"""Diagnoses a table that is not running, from its table file and journal on this machine.

The checks are those that the firmware makes before it starts (`firmware/settings/`) and
`underfelt journal verify`; the first that fails is why it does not start.
"""

from pathlib import Path

from firmware.errors import UnderfeltError
from firmware.journal.files import segment_files
from firmware.settings import machine_checks
from firmware.settings.table_file import load
from host_tools.diagnose.diagnosis import Finding
from host_tools.journal.verify import verify_journal


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


def _split(what: str, sentence: str, otherwise: str) -> Finding:
    """Split off the remedy at the end of a sentence, if there is one."""
    reason, _, remedy = sentence.rstrip(".").rpartition("; ")
    if not reason:
        return Finding("fault", f"{what}: {remedy}", otherwise)
    return Finding("fault", f"{what}: {reason}", remedy)
