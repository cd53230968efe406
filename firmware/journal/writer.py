"""Appends records to a journal; when `append` returns, the record is on the disk.

The order is the point: a decision is here before any of its effects leaves. An append is one
write and one `fdatasync`. Disk space is not allocated in advance: a sync would cost a third
less, but a torn write could then leave its end without its beginning, and nobody could tell
it from damage.

When a segment is long enough it is ended by a rotation: a snapshot of the table, then a
new segment that begins from it. A power cut at any point leaves either the old segment as
the newest, or the new one complete with its snapshot.
"""

import fcntl
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from firmware.errors import JournalError
from firmware.journal.files import (
    NOTICE,
    VERSION_1_FILE,
    damaged_path,
    put,
    put_closed,
    read_file,
    remove_leftovers,
    segment_path,
    snapshot_path,
    sync_folder,
)
from firmware.journal.headers import JOURNAL_VERSION, Header, encode_header, snapshot_hash
from firmware.journal.reader import Segment, before_damage
from firmware.journal.records import GENESIS, encode
from firmware.table.events import Decision, JournalOpened

SEGMENT_BYTES = 1 << 20
"""The size at which a segment ends: some five thousand records, the most a start folds."""
_SALT_BYTES = 12


def random_salt() -> str:
    """Make what nobody can guess, always of the same length."""
    return secrets.token_urlsafe(_SALT_BYTES)


class Journal:
    """The open end of a journal. Opening reads; the first append is the first change."""

    def __init__(
        self,
        folder: Path,
        *,
        write_version: int = JOURNAL_VERSION,
        segment_bytes: int = SEGMENT_BYTES,
        salt: Callable[[], str] = random_salt,
    ) -> None:
        """Take the journal for this process, and read its newest segment.

        With `write_version` 1, a journal that is new or in version 1 stays in version 1, so
        that the previous firmware can take over again. Version 2 is never left.
        """
        if write_version not in {1, JOURNAL_VERSION}:
            raise JournalError(f"{folder}: version {write_version} of the format is not known")
        self.folder = folder
        self._write_version = write_version
        self._segment_bytes = segment_bytes
        self._salt = salt
        self._file: int | None = None
        self._failed = False
        self._lock = _locked(folder)
        try:
            self.found = before_damage(folder)
        except BaseException:
            os.close(self._lock)
            raise
        self._go_on_from(self.found)

    def _go_on_from(self, found: Segment | None) -> None:
        if found is None:
            is_old = self._write_version == 1
            path = self.folder / VERSION_1_FILE if is_old else segment_path(self.folder, 1)
            header = None if is_old else Header("", first=1, before=GENESIS)
            found = Segment(path, 1, header, (), 0)
        self._path, self._version, self._first = found.path, found.version, found.first
        self._sequence, self._chain, self._length = found.last, found.chain, found.length
        self._head = found.head_chain
        self.torn_bytes = found.torn_bytes
        """How much the first append cuts off: of an unfinished write, or of damage."""
        self.damage = found.damage
        """What is wrong with what is cut off, if it is no unfinished write: it is kept aside."""
        self._rotate_at = 0 if self._version == 1 else self._segment_bytes

    @property
    def head(self) -> tuple[int, str]:
        """The number of the last record, and its chain."""
        return self._sequence, self._head

    def rotation_is_due(self) -> bool:
        """Whether the segment is long enough, or in a version that is to be left."""
        stays = self._version == self._write_version == 1
        return not stays and self._length >= self._rotate_at and self._sequence >= self._first

    def append(self, event: Decision, sequence: int) -> None:
        """Write a record and wait until it is on the disk; `sequence` is the table's count."""
        if self._failed:
            raise JournalError(f"{self._path}: a write has failed; restart")
        if sequence != self._sequence + 1:
            raise JournalError(
                f"{self._path}: the table is at record {sequence}, "
                f"the journal at {self._sequence + 1}"
            )
        try:
            if self._length == 0 and self._version != 1:
                self._begin(event)
            else:
                self._write(event, sequence)
        except OSError as error:
            raise JournalError(f"{self._path}: cannot be written: {error.strerror}") from None

    def _write(self, event: Decision, sequence: int) -> None:
        file = self._file if self._file is not None else self._opened()
        line, chain = encode(sequence, self._chain, event, self._salt())
        # After a failure nobody knows what is on the disk, so nothing more is tried.
        self._failed = True
        if os.write(file, line) != len(line):
            raise JournalError(f"{self._path}: the disk is full")
        os.fdatasync(file)
        self._failed = False
        self._sequence, self._chain, self._head = sequence, chain, chain
        self._length += len(line)

    def _begin(self, event: Decision) -> None:
        """Begin the first segment, with its first record in it."""
        journal = event.journal if isinstance(event, JournalOpened) else ""
        header = Header(journal=journal, first=1, before=GENESIS)
        line, chain = encode(1, header.chain, event, self._salt())
        self._start_segment(header, line, chain)

    def _start_segment(self, header: Header, records: bytes, chain: str) -> None:
        """Put a segment in place and continue in it; `records` are its first ones."""
        path, data = segment_path(self.folder, header.first), encode_header(header) + records
        file = put(path, data)
        # From here on there is no going back to the old segment.
        self._failed = True
        sync_folder(self._lock)
        if self._file is not None:
            os.close(self._file)
        self._file, self._path, self._version = file, path, JOURNAL_VERSION
        self._first, self._length, self._chain = header.first, len(data), chain
        self._sequence = header.first - 1 + records.count(b"\n")
        self._head = chain if records else self._head
        self._rotate_at = self._segment_bytes
        self._keep_older_firmware_out()
        self._failed = False

    def rotate(self, take_snapshot: Callable[[], bytes], journal: str) -> str:
        """End the segment and begin the next one, from a snapshot of the table as it is now.

        Returns nothing, or why it was not possible; then the old segment stays in use, and the
        rotation is due again when it has grown some more.
        """
        first = self._sequence + 1
        try:
            snapshot = take_snapshot()
            header = Header(journal, first, self._chain, snapshot_hash(snapshot))
            if self._file is None:
                self._opened()
            if self._version == 1:
                self._leave_version_1()
            put_closed(snapshot_path(self.folder, first), snapshot)
            sync_folder(self._lock)
            self._start_segment(header, b"", header.chain)
        except (OSError, JournalError) as error:
            if self._failed:
                raise JournalError(f"{self._path}: cannot be closed: {error}; restart") from None
            self._rotate_at = self._length + self._segment_bytes // 8
            return f"{self._path}: cannot be closed and stays in use: {error}"
        return ""

    def _leave_version_1(self) -> None:
        """Turn the only file into the first segment; version 1 must no longer find it."""
        path = segment_path(self.folder, 1)
        if self._path != path:
            self._path.rename(path)
            self._path = path
            sync_folder(self._lock)
        self._keep_older_firmware_out()

    def _keep_older_firmware_out(self) -> None:
        notice = self.folder / VERSION_1_FILE
        if not notice.exists():
            put_closed(notice, NOTICE)
            sync_folder(self._lock)

    def _opened(self) -> int:
        """Write the newest segment anew, up to its last whole record, and open it after that.

        It was read from the system's memory. After a sync that failed the disk may not have all
        of that, and a later sync does not repair it: what is believed is written and synced here.
        """
        with self._held() as held:
            self._check_unchanged(held)
            remove_leftovers(self.folder, self._first)
            data = read_file(self._path)
            if self.damage:
                put_closed(damaged_path(self.folder, self._first, self._sequence + 1), data)
            file = put(self._path, data[: self._length])
        try:
            _lock(file, self._path)
            sync_folder(self._lock)
            if self._version != 1:
                self._keep_older_firmware_out()
        except BaseException:
            os.close(file)
            raise
        self.found = None  # anything that needed to read it has done so
        self._file = file
        return file

    def _check_unchanged(self, file: int) -> None:
        """Check that nobody has written since the journal was read: it would be cut off."""
        if os.fstat(file).st_size != self._length + self.torn_bytes:
            raise JournalError(f"{self._path}: was written by another process; restart")

    @contextmanager
    def _held(self) -> Iterator[int]:
        """Open the newest segment locked, as version 1 does, which knows no other lock."""
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o640)
        try:
            _lock(file, self._path)
            yield file
        finally:
            os.close(file)

    def close(self) -> None:
        """Close the journal; everything appended is already on the disk."""
        for descriptor in (self._file, self._lock):
            if descriptor is not None:
                os.close(descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _locked(folder: Path) -> int:
    """Lock a folder: two writers would break the chain. The lock ends with the process."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise JournalError(
            f"{folder}: the journal's folder cannot be opened: {error.strerror}"
        ) from None
    try:
        _lock(descriptor, folder)
    except JournalError:
        os.close(descriptor)
        raise
    return descriptor


def _lock(descriptor: int, path: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise JournalError(f"{path}: another process is writing this journal") from None
