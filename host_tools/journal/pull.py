"""Fetches the journal of a table into a folder: only what is missing, then verified.

What answers may not be a table. Its files have the names of a journal's files and no others, it
is asked for as much as it has listed, and for no more than there is room for; it sends at some
pace, and what it sends goes into those files and through no link to others.
"""

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from firmware.errors import JournalError
from firmware.journal.files import MOST_BYTES, is_journal_name, segment_files
from firmware.journal.reader import records
from firmware.journal.regular_files import make_folder, open_to_append, open_to_read
from firmware.maintenance.protocol import (
    JOURNAL_CHUNK,
    JournalFile,
    JournalFiles,
    JournalListed,
    JournalPiece,
    JournalRead,
)
from host_tools.connection.table_stream import TableStream
from host_tools.connection.targets import TargetError
from host_tools.journal.copies import remedy_of_a_copy

_TAIL_BYTES = 4096
PATIENCE_S = 30.0
"""So long a table may be slow before its pace counts."""
LEAST_PACE = 4096
"""Bytes a second; the worst line to a table is better."""
Advance = Callable[[int], None]


class Pace:
    """How fast a table sends: one that gives a byte at a time would keep a laptop for ever."""

    def __init__(self, table: TableStream) -> None:
        self._where = table.target.text
        self._began_s = time.monotonic()
        self._bytes = 0

    def took(self, count: int) -> None:
        """Count what has come; give up on a table that sends too slowly."""
        self._bytes += count
        lasted_s = time.monotonic() - self._began_s
        if lasted_s > PATIENCE_S and self._bytes < LEAST_PACE * lasted_s:
            raise TargetError(
                f"{self._where}: sends less than {LEAST_PACE:,} bytes a second; try again over a "
                "better line"
            )


def listed(table: TableStream) -> JournalListed:
    """Ask for the files of the journal."""
    found = table.ask(JournalListed, lambda number: JournalFiles(number=number))
    names = [file.name for file in found.files]
    whole = all(0 <= file.bytes <= MOST_BYTES for file in found.files) and len(set(names)) == len(
        names
    )
    if not (whole and all(map(is_journal_name, names))):
        raise TargetError(
            f"{table.target.text}: lists files that are not those of a journal; nothing was fetched"
        )
    return found


def check_room(table: TableStream, wanted_bytes: int, folder: Path) -> None:
    """Refuse to fetch more than fits, whatever the table says that it has."""
    there = next(each for each in (folder, *folder.absolute().parents) if each.is_dir())
    if wanted_bytes > shutil.disk_usage(there).free:
        raise TargetError(
            f"{table.target.text}: {wanted_bytes:,} bytes do not fit into {there}; make room, or "
            "choose another folder"
        )


def pieces(table: TableStream, file: JournalFile, pace: Pace, offset: int = 0) -> Iterator[bytes]:
    """Yield a file of the journal from an offset on, piece by piece."""
    while offset < file.bytes:
        data = _piece(table, file.name, offset)
        pace.took(len(data))
        if not data:
            return
        if offset + len(data) > file.bytes:
            raise TargetError(
                f"{table.target.text}: sends more of {file.name} than it has; pull again"
            )
        yield data
        offset += len(data)
        if len(data) < JOURNAL_CHUNK and offset < file.bytes:
            raise TargetError(
                f"{table.target.text}: sends {file.name} in scraps, as no table does; try again, and "
                "find out what answers there if it goes on"
            )


def missing_bytes(files: tuple[JournalFile, ...], folder: Path) -> int:
    """Return how many bytes of the journal a folder lacks."""
    return sum(max(file.bytes - _size(folder / file.name), 0) for file in files)


def pull_files(
    table: TableStream, files: tuple[JournalFile, ...], folder: Path, progress: Advance
) -> None:
    """Fetch what a folder lacks; an interrupted pull resumes where it stopped."""
    check_room(table, missing_bytes(files, folder), folder)
    make_folder(folder)
    _check_same_journal(table, files, folder)
    _check_continues(table, files, folder)
    pace = Pace(table)
    for file in files:
        path = folder / file.name
        if not file.bytes:
            continue  # all of it belongs to a round under way
        if _size(path) > file.bytes:
            raise _goes_back(path, table)
        with open_to_append(path) as copy:
            for data in pieces(table, file, pace, copy.tell()):
                copy.write(data)
                progress(len(data))


def _piece(table: TableStream, name: str, offset: int) -> bytes:
    return table.ask(
        JournalPiece, lambda number: JournalRead(number=number, name=name, offset=offset)
    ).data


def _check_same_journal(table: TableStream, files: tuple[JournalFile, ...], folder: Path) -> None:
    """Refuse to mix two journals: the copy must match the table's."""
    for file in files:
        path = folder / file.name
        if not path.exists() or not file.bytes:
            continue
        begins = _piece(table, file.name, 0)
        with open_to_read(path) as copy:
            have = copy.read(len(begins))
        if not begins.startswith(have[: len(begins)]):
            _check_whole(folder)
            raise JournalError(
                f"{path}: is from another journal than the one on {table.target.text}; pull into "
                "another folder"
            )
        break


def _check_continues(table: TableStream, files: tuple[JournalFile, ...], folder: Path) -> None:
    """Refuse a journal that goes back on the copy: its end must still be on the table.

    The chain of the copy's last record covers everything before it.
    """
    copied = segment_files(folder)
    if not copied:
        return
    path = copied[-1][1]
    there = {file.name: file.bytes for file in files}
    size = _size(path)
    if there.get(path.name, 0) < size:
        raise _goes_back(path, table)
    at = max(0, size - _TAIL_BYTES)
    with open_to_read(path) as copy:
        copy.seek(at)
        have = copy.read()
    if not _piece(table, path.name, at).startswith(have):
        _check_whole(folder)
        raise _goes_back(path, table)


def _check_whole(folder: Path) -> None:
    """Say of a copy that differs where it is damaged; what is whole in itself differs otherwise."""
    with remedy_of_a_copy(folder):
        for _ in records(folder):
            pass


def _goes_back(path: Path, table: TableStream) -> JournalError:
    return JournalError(
        f"{path}: the journal on {table.target.text} goes back on this copy: records that it has "
        "are gone or changed there; keep both, and pull into another folder to compare them"
    )


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
