"""A sync that failed: what the system still shows may not be on the disk, and is not believed.

The disk is modelled as Linux treats it. What a sync has reached is there for good. After a sync
that failed, the pages written before it count as clean: they are still read from memory, but no
later sync writes them.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.errors import JournalError
from firmware.journal.reader import records
from firmware.journal.writer import Journal
from firmware.table.events import Restarted
from tests.journal.records import EVENTS, append_all, events_in


class Disk:
    """What a power cut would leave of the files in a folder."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.fails = False
        self._folder = folder
        self._kept = {self._inode(path): path.read_bytes() for path in folder.iterdir()}
        self._dirty: dict[int, list[tuple[int, bytes]]] = {}
        self._write = os.write
        monkeypatch.setattr(os, "write", self._written)
        for name in ("fsync", "fdatasync"):
            monkeypatch.setattr(os, name, self._syncing(getattr(os, name)))

    def _inode(self, path: Path) -> int:
        return path.stat().st_ino

    def _written(self, descriptor: int, data: bytes) -> int:
        at = os.lseek(descriptor, 0, os.SEEK_CUR)
        count = self._write(descriptor, data)
        self._dirty.setdefault(os.fstat(descriptor).st_ino, []).append((at, data[:count]))
        return count

    def _syncing(self, sync: Callable[[int], None]) -> Callable[[int], None]:
        def synced(descriptor: int) -> None:
            inode = os.fstat(descriptor).st_ino
            pages = self._dirty.pop(inode, [])
            if self.fails:
                raise OSError(5, "Input/output error")
            sync(descriptor)
            kept = bytearray(self._kept.get(inode, b""))
            for at, data in pages:
                kept.extend(bytes(max(0, at + len(data) - len(kept))))
                kept[at : at + len(data)] = data
            self._kept[inode] = bytes(kept)

        return synced

    def power_cut(self) -> None:
        """Forget everything that is only in memory."""
        for path in self._folder.iterdir():
            path.write_bytes(self._kept.get(self._inode(path), b""))


@pytest.mark.parametrize("version", [1, 2])
def test_what_a_start_believes_after_a_failed_sync_survives_the_next_power_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: int
) -> None:
    append_all(tmp_path, EVENTS[:3], write_version=version)
    disk = Disk(tmp_path, monkeypatch)
    with Journal(tmp_path, write_version=version) as journal:
        journal.append(EVENTS[3], 4)
        disk.fails = True
        with pytest.raises(JournalError, match="Input/output error"):
            journal.append(EVENTS[4], 5)
    disk.fails = False
    with Journal(tmp_path, write_version=version) as journal:
        assert journal.found is not None
        believed = [record.event for record in journal.found.records]
        assert believed == EVENTS  # the system still shows it
        started = Restarted(at_ms=9)
        journal.append(started, 6)
    disk.power_cut()
    assert [record.event for record in records(tmp_path)] == [*believed, started]


def test_a_start_on_a_disk_that_still_fails_believes_nothing_and_leaves_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append_all(tmp_path, EVENTS)
    disk = Disk(tmp_path, monkeypatch)
    disk.fails = True
    with Journal(tmp_path) as journal, pytest.raises(JournalError, match="Input/output error"):
        journal.append(Restarted(at_ms=9), 6)
    disk.power_cut()
    assert events_in(tmp_path) == EVENTS
