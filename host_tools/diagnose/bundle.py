"""One file for support: what was found, what is shown, the log, and the journal.

Only what the table tells anyone: no PIN, no key, and nothing of a round under way. Of a table
that does not answer it is what its files on this machine have of that (`not_running.py`).
"""

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from firmware.journal.regular_files import naming, open_to_read, open_to_write
from firmware.maintenance.protocol import Logged, LogLines, Show, Shown
from host_tools.connection.table_stream import TableStream
from host_tools.diagnose.not_running import DeadTable, dead_table
from host_tools.journal.pull import Pace, check_room, listed, pieces

_README = """What is in this file:

diagnosis.json   what is wrong, worst first, and the facts
public.json      the table as everyone around it saw it
log.txt          the last lines of the firmware's log
journal/         the journal, without a round under way; for 'underfelt journal verify'
journal-damaged/ of a damaged journal the first file with damage in it, as far as that can be read
table.json       what the table file says, without staff and PINs

Of a table that does not answer there is what its files have: without --config, on another machine
than the table, the diagnosis alone.

The journal has the cards of all finished rounds, including folded hands.
"""


def write(path: Path, table: TableStream, report: bytes) -> None:
    """Ask a table for everything that may leave it, and put it into one file."""
    shown = table.ask(Shown, lambda number: Show(number=number))
    logged = table.ask(Logged, lambda number: LogLines(number=number))
    files = [file for file in listed(table).files if file.bytes]
    check_room(table, sum(file.bytes for file in files), path.parent)
    with _begun(path, report) as bundle:
        bundle.writestr("public.json", msgspec.json.format(msgspec.json.encode(shown.table)))
        bundle.writestr("log.txt", "".join(f"{line}\n" for line in logged.lines))
        pace = Pace(table)
        for each in files:
            with bundle.open(f"journal/{each.name}", "w", force_zip64=True) as copy:
                for data in pieces(table, each, pace):
                    copy.write(data)


def write_dead(path: Path, config: Path | None, report: bytes) -> None:
    """Put what is on this machine of a table that does not answer into one file."""
    found = dead_table(config) if config is not None else DeadTable()
    with _begun(path, report, found.left_out) as bundle:
        if found.table_file:
            bundle.writestr("table.json", msgspec.json.format(found.table_file))
        if found.log:
            bundle.writestr("log.txt", found.log)
        for name, size in found.journal:
            with open_to_read(found.folder / name) as file:
                bundle.writestr(f"journal/{name}", file.read(size))
        if found.damaged is not None:
            name, size = found.damaged
            with open_to_read(found.folder / name) as file:
                bundle.writestr(f"journal-damaged/{name}", file.read(size))


@contextmanager
def _begun(path: Path, report: bytes, left_out: str = "") -> Iterator[zipfile.ZipFile]:
    with (
        naming(path),
        open_to_write(path) as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as bundle,
    ):
        bundle.writestr("README.txt", f"{_README}\n{left_out}\n" if left_out else _README)
        bundle.writestr("diagnosis.json", msgspec.json.format(report))
        yield bundle
