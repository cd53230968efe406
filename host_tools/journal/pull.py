"""Fetches the journal of a table into a folder: only what is missing, then verified."""

from collections.abc import Callable, Iterator
from pathlib import Path

from firmware.errors import JournalError
from firmware.maintenance.protocol import (
    JournalFile,
    JournalFiles,
    JournalListed,
    JournalPiece,
    JournalRead,
)
from host_tools.connection.table_stream import TableStream

Advance = Callable[[int], None]


def listed(table: TableStream) -> JournalListed:
    """Ask for the files of the journal."""
    return table.ask(JournalListed, lambda number: JournalFiles(number=number))


def pieces(table: TableStream) -> Iterator[tuple[str, bytes]]:
    """Yield every file of the journal, complete."""
    for file in listed(table).files:
        if file.bytes:
            yield file.name, b"".join(_rest(table, file, 0))


def missing_bytes(files: tuple[JournalFile, ...], folder: Path) -> int:
    """Return how many bytes of the journal a folder lacks."""
    return sum(max(file.bytes - _size(folder / file.name), 0) for file in files)


def pull_files(
    table: TableStream, files: tuple[JournalFile, ...], folder: Path, progress: Advance
) -> None:
    """Fetch what a folder lacks; an interrupted pull resumes where it stopped."""
    folder.mkdir(parents=True, exist_ok=True)
    _check_same_journal(table, files, folder)
    for file in files:
        path = folder / file.name
        if not file.bytes:
            continue  # all of it belongs to a round under way
        if _size(path) > file.bytes:
            raise JournalError(
                f"{path}: is longer than on the table, so it is from another table; pull into "
                "another folder"
            )
        with path.open("ab") as copy:
            for data in _rest(table, file, copy.tell()):
                copy.write(data)
                progress(len(data))


def _rest(table: TableStream, file: JournalFile, offset: int) -> Iterator[bytes]:
    while offset < file.bytes:
        data = _piece(table, file.name, offset)
        if not data:
            return
        yield data
        offset += len(data)


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
        with path.open("rb") as copy:
            have = copy.read(len(begins))
        if not begins.startswith(have[: len(begins)]):
            raise JournalError(
                f"{path}: is from another journal than the one on {table.target.text}; pull into "
                "another folder"
            )
        return


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
