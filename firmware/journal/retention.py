r"""Which segments may be removed: old ones that an auditor has, with nothing still owed.

The mark of what was exported is a file of one line next to the segments,

    <sequence> <crc32> <journal>\n

written once an auditor has the records. A mark that is missing, damaged or from another
journal does not count, so nothing is removed.
"""

import os
import zlib
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from firmware.errors import JournalError
from firmware.journal.files import (
    put_closed,
    read_file,
    segment_files,
    snapshot_files,
    sync_folder,
)

EXPORTED_FILE = "exported"
KEEP_SEGMENTS = 8


def mark_exported(folder: Path, journal: str, through: int) -> None:
    """Note that an auditor has every record through this one."""
    rest = f"{through} {journal}".encode()
    line = b"%d %08x %s\n" % (through, zlib.crc32(rest), journal.encode())
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        put_closed(folder / EXPORTED_FILE, line)
        sync_folder(descriptor)
    except OSError as error:
        raise JournalError(f"{folder}: cannot be marked: {error.strerror}") from None
    finally:
        os.close(descriptor)


def exported_through(folder: Path, journal: str) -> int:
    """Return the last record of a journal that an auditor has; 0 if nothing says so."""
    path = folder / EXPORTED_FILE
    if not path.exists():
        return 0
    number, _, rest = read_file(path).partition(b" ")
    through = int(number) if number.isdigit() else 0
    crc = zlib.crc32(f"{through} {journal}".encode())
    expected = b"%d %08x %s\n" % (through, crc, journal.encode())
    return through if number + b" " + rest == expected else 0


def retain(
    folder: Path,
    *,
    keep_segments: int = KEEP_SEGMENTS,
    exported_through: int,
    owed_since: int | None,
) -> Sequence[Path]:
    """Remove the oldest segments that are no longer needed, and return which.

    `owed_since` is the record of the oldest obligation, or None when nothing is owed. The
    newest `keep_segments` stay, at least one. Oldest first, so that a power cut leaves no gap.
    """
    files = segment_files(folder)
    needed_from = min(exported_through + 1, owed_since or exported_through + 1)
    removed: list[Path] = []
    spare = max(len(files) - max(keep_segments, 1), 0)
    for (_, path), (next_first, _) in list(pairwise(files))[:spare]:
        if next_first > needed_from:
            break
        snapshots = [snapshot for first, snapshot in snapshot_files(folder) if first < next_first]
        for gone in (path, *snapshots):
            _remove(gone)
            removed.append(gone)
    return tuple(removed)


def _remove(path: Path) -> None:
    try:
        path.unlink()
    except OSError as error:
        raise JournalError(f"{path}: cannot be removed: {error.strerror}") from None
