"""Which bytes of the journal may leave the table now.

A round under way has cards that lie face down, so everything from its first record on is
held back until it is over; so is a snapshot that was taken in it.
"""

import re
from pathlib import Path

from firmware.errors import JournalError
from firmware.journal.files import segment_files, snapshot_files
from firmware.maintenance.protocol import (
    JOURNAL_CHUNK,
    JournalFile,
    JournalListed,
    JournalPiece,
    JournalRead,
)
from firmware.table.state import TableState

_AT_REST = frozenset({"idle", "closed", "service", "betting"})


def readable_through(state: TableState) -> int:
    """Give the last record that may be read: all of them, or those before the round."""
    return state.sequence if state.phase in _AT_REST else state.round.first_record - 1


def listed(folder: Path, state: TableState, number: int) -> JournalListed:
    """List the files of the journal with the bytes that may be read of each."""
    through = readable_through(state)
    files = [
        JournalFile(path.name, _readable_bytes(path, first, through))
        for first, path in segment_files(folder)
    ]
    files += [
        JournalFile(path.name, path.stat().st_size)
        for first, path in snapshot_files(folder)
        if first - 1 <= through
    ]
    held_back = through < state.sequence
    return JournalListed(number=number, files=tuple(files), held_back=held_back)


def piece(folder: Path, state: TableState, request: JournalRead) -> JournalPiece:
    """Give a piece of a file that is listed."""
    known = {file.name: file.bytes for file in listed(folder, state, request.number).files}
    if request.name not in known:
        raise JournalError(f"{request.name}: is no file of this journal that may be read now")
    length = max(0, min(JOURNAL_CHUNK, known[request.name] - request.offset))
    with (folder / request.name).open("rb") as file:
        file.seek(request.offset)
        return JournalPiece(number=request.number, data=file.read(length))


def _readable_bytes(path: Path, first: int, through: int) -> int:
    """Count the bytes of a segment up to and with a record."""
    data = path.read_bytes()
    if first > through:
        # Not even the header: it names the hash of a snapshot that is held back.
        return 0
    found = re.search(rb"^%d " % (through + 1), data, re.MULTILINE)
    return found.start() if found else data.rfind(b"\n") + 1
