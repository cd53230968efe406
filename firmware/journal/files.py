"""The files in a journal's folder: their names, and how each is written whole or not at all.

    000000000001.journal    a segment, named by the number of its first record
    000000004711.journal    the next one
    000000004711.snapshot   the table as it was before record 4711
    000000004711.damaged-N  a segment as it was found damaged from record N on, kept for the auditor
    exported                the last record that an auditor has
    journal.log             version 1: the only file; next to segments: a notice to that version

Their contents are in `records.py` and `headers.py`; `FORMAT.md` is the full description.
"""

import os
import re
from pathlib import Path

from firmware.errors import JournalError
from firmware.journal.regular_files import read_regular

VERSION_1_FILE = "journal.log"
NOTICE = (
    b"This journal goes on in version 2, in the files beside this one; "
    b"a firmware that knows version 1 alone must not begin anew here.\n"
)
"""The text of `journal.log` once there are segments: version 1 refuses it."""
MOST_BYTES = 64 << 20
"""Far more than any file of a journal has: a segment ends at 1 MiB, and a snapshot is smaller."""
KEEP_AND_BEGIN_ANEW = (
    "stop the table, keep this folder for the auditor, and start with an empty one"
)
"""What to do about damage."""

_SEGMENT = re.compile(r"([0-9]{12})\.journal")
_SNAPSHOT = re.compile(r"([0-9]{12})\.snapshot")
_HALF_WRITTEN = ".tmp"


def segment_path(folder: Path, first: int) -> Path:
    """Name the segment that begins with a record."""
    return folder / f"{first:012}.journal"


def snapshot_path(folder: Path, first: int) -> Path:
    """Name the snapshot that the segment with this first record begins from."""
    return folder / f"{first:012}.snapshot"


def damaged_path(folder: Path, first: int, record: int) -> Path:
    """Name the copy that is kept of a segment which is damaged from a record on."""
    return folder / f"{first:012}.damaged-{record}"


def segment_files(folder: Path) -> list[tuple[int, Path]]:
    """List the segments by their first record, oldest first; version 1 is a single one."""
    found = _numbered(folder, _SEGMENT)
    old = folder / VERSION_1_FILE
    if not old.exists():
        return found
    _check_regular(old)
    if is_notice(old):
        if not found:
            raise JournalError(
                f"{folder}: the segments of the journal are gone; put them back, or remove "
                f"{VERSION_1_FILE} to begin a new journal"
            )
        return found
    if found:
        raise JournalError(f"{old}: does not belong next to segments; {KEEP_AND_BEGIN_ANEW}")
    return [(1, old)]


def snapshot_files(folder: Path) -> list[tuple[int, Path]]:
    """List the snapshots by the first record after them, oldest first."""
    return _numbered(folder, _SNAPSHOT)


def is_journal_name(name: str) -> bool:
    """Return whether a file of a journal can be called so; a tool takes no other from a table."""
    return name == VERSION_1_FILE or any(each.fullmatch(name) for each in (_SEGMENT, _SNAPSHOT))


def _numbered(folder: Path, pattern: re.Pattern[str]) -> list[tuple[int, Path]]:
    try:
        names = [path.name for path in folder.iterdir()]
    except OSError as error:
        raise JournalError(
            f"{folder}: the journal's folder cannot be opened: {error.strerror}"
        ) from None
    matched = ((pattern.fullmatch(name), folder / name) for name in names)
    found = sorted((int(match[1]), path) for match, path in matched if match)
    for _, path in found:
        _check_regular(path)
    return found


def _check_regular(path: Path) -> None:
    """Refuse a pipe or a device, whose reading may never end."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise JournalError(f"{path}: is not a file; remove it from the journal's folder")


def is_notice(path: Path) -> bool:
    """Return whether a `journal.log` is only the notice that the journal continues elsewhere."""
    return path.is_file() and path.stat().st_size == len(NOTICE) and read_file(path) == NOTICE


def read_file(path: Path) -> bytes:
    """Read a whole file of the journal."""
    _check_regular(path)
    try:
        return read_regular(path, MOST_BYTES)
    except OSError as error:
        raise JournalError(f"{path}: cannot be read: {error.strerror}") from None


def put(path: Path, data: bytes) -> int:
    """Put a file in place, on the disk and read back; return it open for appending.

    Whatever happens on the way, the file is there with all of its data or not at all. For
    the name itself to be on the disk, call `sync_folder` afterwards.
    """
    temporary = path.with_name(path.name + _HALF_WRITTEN)
    descriptor = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o640)
    try:
        _write_and_read_back(descriptor, path, data)
        temporary.rename(path)
    except (OSError, JournalError):
        os.close(descriptor)
        temporary.unlink(missing_ok=True)
        raise
    return descriptor


def _write_and_read_back(descriptor: int, path: Path, data: bytes) -> None:
    if os.write(descriptor, data) != len(data):
        raise JournalError(f"{path}: the disk is full")
    os.fsync(descriptor)
    # This reads from the disk, if the system drops its own copy.
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    if os.pread(descriptor, len(data) + 1, 0) != data:
        raise JournalError(
            f"{path}: the disk does not keep what is written to it; replace the card"
        )


def put_closed(path: Path, data: bytes) -> None:
    """Put a file in its place that nothing is appended to."""
    os.close(put(path, data))


def sync_folder(descriptor: int) -> None:
    """Make names as durable as the contents of the files."""
    os.fsync(descriptor)


def remove_leftovers(folder: Path, newest: int) -> None:
    """Remove what a power cut left of a rotation: partial files, a snapshot without segment."""
    for path in folder.glob(f"*{_HALF_WRITTEN}"):
        path.unlink()
    for first, path in snapshot_files(folder):
        if first > newest:
            path.unlink()
