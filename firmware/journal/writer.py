"""Appends records to a journal; when `append` returns, the record is on the disk.

The order of things is the point: a decision is here before any of its effects leaves.
Rotation and retention come with the whole journal; here it is one file.
"""

import fcntl
import os
from pathlib import Path
from types import TracebackType
from typing import Self

from firmware.errors import JournalError
from firmware.journal.reader import Journal
from firmware.journal.records import encode
from firmware.table.events import Decision


class JournalWriter:
    """The open end of a journal."""

    def __init__(self, path: Path, journal: Journal) -> None:
        """Open the file after the last whole record, cutting off what was torn."""
        self._path = path
        self._sequence = len(journal.records)
        self._chain = journal.chain
        new = not path.exists()
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o640)
            # Two writers would break the chain; the lock ends with the process, however.
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _check_unchanged(self._file, path, journal)
            os.ftruncate(self._file, journal.length)
            os.lseek(self._file, 0, os.SEEK_END)
            os.fsync(self._file)
            if new:
                _sync_folder(path.parent)
        except BlockingIOError:
            os.close(self._file)
            raise JournalError(f"{path}: another process is writing this journal") from None
        except OSError as error:
            raise JournalError(f"{path}: cannot be opened: {error.strerror}") from None

    def append(self, event: Decision, sequence: int) -> None:
        """Write a record and wait until it is on the disk; `sequence` is the table's count."""
        if sequence != self._sequence + 1:
            raise JournalError(
                f"{self._path}: the table is at record {sequence}, "
                f"the journal at {self._sequence + 1}"
            )
        line, chain = encode(sequence, self._chain, event)
        try:
            written = os.write(self._file, line)
            if written != len(line):
                raise JournalError(f"{self._path}: the disk is full")
            os.fdatasync(self._file)
        except OSError as error:
            raise JournalError(f"{self._path}: cannot be written: {error.strerror}") from None
        self._sequence, self._chain = sequence, chain

    def close(self) -> None:
        """Close the file; everything appended is on the disk already."""
        os.close(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _check_unchanged(descriptor: int, path: Path, journal: Journal) -> None:
    """Make sure that nobody has written since the journal was read: it would be cut off."""
    if os.fstat(descriptor).st_size != journal.length + journal.torn_bytes:
        os.close(descriptor)
        raise JournalError(f"{path}: was written by another process; start again")


def _sync_folder(folder: Path) -> None:
    """Make the name of a new file as durable as its contents."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
