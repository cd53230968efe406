"""One file for support: what was found, what is shown, the log, and the journal.

Only what the table tells anyone: no PIN, no key, and nothing of a round under way.
"""

import zipfile
from pathlib import Path

import msgspec

from firmware.journal.regular_files import open_to_write
from firmware.maintenance.protocol import Logged, LogLines, Show, Shown
from host_tools.connection.table_stream import TableStream
from host_tools.journal.pull import Pace, check_room, listed, pieces

_README = """What is in this file:

diagnosis.json   what is wrong, worst first, and the facts
public.json      the table as everyone around it saw it
log.txt          the last lines of the firmware's log
journal/         the journal, without a round under way; for 'underfelt journal verify'

The journal has the cards of all finished rounds, including folded hands.
"""


def write(path: Path, table: TableStream, report: bytes) -> None:
    """Ask a table for everything that may leave it, and put it into one file."""
    shown = table.ask(Shown, lambda number: Show(number=number))
    logged = table.ask(Logged, lambda number: LogLines(number=number))
    files = [file for file in listed(table).files if file.bytes]
    check_room(table, sum(file.bytes for file in files), path.parent)
    with open_to_write(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as bundle:
        bundle.writestr("README.txt", _README)
        bundle.writestr("diagnosis.json", msgspec.json.format(report))
        bundle.writestr("public.json", msgspec.json.format(msgspec.json.encode(shown.table)))
        bundle.writestr("log.txt", "".join(f"{line}\n" for line in logged.lines))
        pace = Pace(table)
        for each in files:
            with bundle.open(f"journal/{each.name}", "w", force_zip64=True) as copy:
                for data in pieces(table, each, pace):
                    copy.write(data)
