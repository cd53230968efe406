"""Which bytes of the journal may leave the table now.

A round under way has cards that lie face down, so everything from its first record on is
held back until it is over; so is a snapshot taken during it.
"""

import re
from pathlib import Path

from msgspec import Struct

from firmware.errors import JournalError
from firmware.journal.files import read_file, segment_files, snapshot_files
from firmware.maintenance.protocol import (
    JOURNAL_CHUNK,
    JournalFile,
    JournalListed,
    JournalPiece,
    JournalRead,
)
from firmware.table.state import AT_REST, TableState


def readable_through(state: TableState) -> int:
    """Return the last record that may be read: the last of all, or before the round."""
    return state.sequence if state.phase in AT_REST else state.round.first_record - 1


class JournalFolder(Struct):
    """The folder of a journal that is being written, as far as it may be read."""

    path: Path
    _cut: tuple[str, int, int] = ("", 0, 0)
    """Where the withheld round begins: segment, record, bytes before it; found once per round."""

    def listed(self, state: TableState, number: int) -> JournalListed:
        """List the files with the bytes that may be read of each."""
        through = readable_through(state)
        segments = segment_files(self.path)
        files = []
        for place, (first, path) in enumerate(segments):
            last = segments[place + 1][0] - 1 if place + 1 < len(segments) else state.sequence
            files.append(JournalFile(path.name, self._readable_bytes(path, first, last, through)))
        files += [
            JournalFile(path.name, path.stat().st_size)
            for first, path in snapshot_files(self.path)
            if first - 1 <= through
        ]
        held_back = through < state.sequence
        return JournalListed(number=number, files=tuple(files), held_back=held_back)

    def piece(self, state: TableState, request: JournalRead) -> JournalPiece:
        """Return a piece of a listed file."""
        known = {file.name: file.bytes for file in self.listed(state, request.number).files}
        if request.name not in known:
            raise JournalError("that is not a journal file that may be read now")
        length = max(0, min(JOURNAL_CHUNK, known[request.name] - request.offset))
        with (self.path / request.name).open("rb") as file:
            file.seek(request.offset)
            return JournalPiece(number=request.number, data=file.read(length))

    def _readable_bytes(self, path: Path, first: int, last: int, through: int) -> int:
        """Count the bytes of a segment up to and including a record."""
        if first > through:
            # Not even the header: it names the hash of a snapshot that is held back.
            return 0
        if last <= through:
            return path.stat().st_size
        if self._cut[:2] != (path.name, through):
            found = re.search(rb"^%d " % (through + 1), read_file(path), re.MULTILINE)
            self._cut = (path.name, through, found.start() if found else 0)
        return self._cut[2]
