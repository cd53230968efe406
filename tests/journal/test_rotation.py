"""The end of a segment: what a rotation leaves, and what a cut at any moment of it leaves.

The disk of these tests forgets: at a cut, what was not synced is gone or half there, and a
name that was not synced may be the old one again.
"""

import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Literal, get_args

import pytest

from firmware.errors import JournalError
from firmware.journal import files
from firmware.journal.headers import decode_header, snapshot_hash
from firmware.journal.reader import newest, read_snapshot, segments, starts
from firmware.journal.regular_files import read_regular
from firmware.journal.writer import Journal
from firmware.table.events import Decision
from tests.journal.records import EVENTS, append_all, contents, events_in, snapshot_after

SECOND = "000000000004.journal"
SNAPSHOT = "000000000004.snapshot"
Names = Literal["kept", "lost", "oldest lost"]


def test_a_segment_begins_with_a_header_that_names_what_is_before_it(tmp_path: Path) -> None:
    append_all(tmp_path, EVENTS, rotate_after=3)
    first, second = segments(tmp_path)
    header = decode_header((tmp_path / SECOND).read_bytes().partition(b"\n")[0])
    assert (header.journal, header.first) == ("fresh", 4)
    assert header.before == first.chain
    assert header.snapshot == snapshot_hash(snapshot_after(3))
    assert read_snapshot(second) == snapshot_after(3)
    assert events_in(tmp_path) == EVENTS


def test_a_header_that_was_changed_with_care_breaks_the_chain(tmp_path: Path) -> None:
    """Its checksum is right again, as a forger would see to it; its chain is not."""
    append_all(tmp_path, EVENTS, rotate_after=3)
    line = (tmp_path / SECOND).read_bytes().partition(b"\n")[0]
    magic, version, _crc, rest = line.split(b" ", 3)
    forged = rest.replace(snapshot_hash(snapshot_after(3)).encode(), b"0" * 64)
    assert forged != rest
    checked = b" ".join([magic, version, b"%08x" % zlib.crc32(forged), forged])
    with pytest.raises(JournalError, match="the chain is broken"):
        decode_header(checked)


def test_a_rotation_is_due_when_the_segment_is_long_enough(tmp_path: Path) -> None:
    append_all(tmp_path, EVENTS)
    length = (tmp_path / "000000000001.journal").stat().st_size
    for segment_bytes, due in ((length + 1, False), (length, True)):
        with Journal(tmp_path, segment_bytes=segment_bytes) as journal:
            assert journal.rotation_is_due() is due


def test_a_segment_without_a_record_is_never_ended(tmp_path: Path) -> None:
    with Journal(tmp_path, segment_bytes=1) as journal:
        assert not journal.rotation_is_due()
        journal.append(EVENTS[0], 1)
        assert journal.rotation_is_due()
        assert journal.rotate(partial(snapshot_after, 1), "fresh") == ""
        assert not journal.rotation_is_due()


def test_a_start_reads_the_newest_segment_and_its_snapshot_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append_all(tmp_path, EVENTS, rotate_after=2)
    whole: list[str] = []

    def noted(path: Path, most_bytes: int) -> bytes:
        whole.append(path.name)
        return read_regular(path, most_bytes)

    monkeypatch.setattr(files, "read_regular", noted)
    last = newest(tmp_path)
    assert last is not None
    start = next(starts(tmp_path, last))
    assert (start.snapshot, [r.event for r in start.records]) == (snapshot_after(4), EVENTS[4:])
    assert {*whole} - {"journal.log"} == {"000000000005.journal", "000000000005.snapshot"}


@pytest.mark.parametrize("write_version", [1, 2])
def test_nobody_else_on_the_machine_reads_or_writes_what_holds_the_cards(
    tmp_path: Path, write_version: int
) -> None:
    before = os.umask(0)
    try:
        append_all(tmp_path, EVENTS[:2], write_version=write_version)
        if write_version == 2:
            append_all(tmp_path, EVENTS[2:], rotate_after=3)
    finally:
        os.umask(before)
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o640}


# Failures that are no cut


def test_a_disk_without_room_for_a_snapshot_leaves_the_segment_going_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(tmp_path, segment_bytes=400) as journal:
        for sequence, event in enumerate(EVENTS[:3], start=1):
            journal.append(event, sequence)
        assert journal.rotation_is_due()
        with monkeypatch.context() as patched:
            patched.setattr(os, "write", lambda _file, data: len(data) - 1)
            problem = journal.rotate(partial(snapshot_after, 3), "fresh")
        assert "stays in use" in problem
        assert "the disk is full" in problem
        assert not journal.rotation_is_due()
        journal.append(EVENTS[3], 4)
        assert journal.rotation_is_due()
        assert journal.rotate(partial(snapshot_after, 4), "fresh") == ""
        journal.append(EVENTS[4], 5)
    assert events_in(tmp_path) == EVENTS
    assert not list(tmp_path.glob("*.tmp"))


def test_a_snapshot_that_is_read_back_otherwise_is_not_begun_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append_all(tmp_path, EVENTS[:-1])
    with Journal(tmp_path) as journal:
        journal.append(EVENTS[-1], len(EVENTS))
        monkeypatch.setattr(os, "pread", lambda _file, length, _at: b"?" * length)
        problem = journal.rotate(partial(snapshot_after, 5), "fresh")
    assert "does not keep what is written" in problem
    assert "000000000006.journal" not in contents(tmp_path)


def test_a_snapshot_that_cannot_be_taken_leaves_the_segment_going_on(tmp_path: Path) -> None:
    def fail() -> bytes:
        raise JournalError("the snapshot of the table is not the table")

    append_all(tmp_path, EVENTS[:4])
    with Journal(tmp_path) as journal:
        assert "not the table" in journal.rotate(fail, "fresh")
        journal.append(EVENTS[4], 5)
    assert events_in(tmp_path) == EVENTS


def test_once_the_new_segment_has_its_name_there_is_no_way_back_to_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append_all(tmp_path, EVENTS[:3])
    with Journal(tmp_path) as journal:
        fsync = os.fsync

        def fail_once_it_is_there(descriptor: int) -> None:
            if (tmp_path / SECOND).exists():
                raise OSError(5, "Input/output error")
            fsync(descriptor)

        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", fail_once_it_is_there)
            with pytest.raises(JournalError, match="restart"):
                journal.rotate(partial(snapshot_after, 3), "fresh")
        with pytest.raises(JournalError, match="restart"):
            journal.append(EVENTS[3], 4)
    append_all(tmp_path, EVENTS[3:])
    assert events_in(tmp_path) == EVENTS


# Cuts


class Cut(BaseException):
    """The power goes."""


class ForgetfulDisk:
    """Counts what is done to the disk, cuts the power before one of these, and forgets."""

    def __init__(self, folder: Path, cut_before: int) -> None:
        self._folder = folder
        self._left = cut_before
        self._unsynced: set[Path] = set()
        self._renamed: list[tuple[Path, Path]] = []

    def _count(self) -> None:
        if self._left == 0:
            raise Cut
        self._left -= 1

    @contextmanager
    def inserted(self) -> Iterator[None]:
        """Stand between the journal and the disk."""
        write, fsync, fdatasync, rename = os.write, os.fsync, os.fdatasync, Path.rename

        def path_of(descriptor: int) -> Path:
            return Path(f"/proc/self/fd/{descriptor}").readlink()

        def noted_write(descriptor: int, data: bytes) -> int:
            self._count()
            self._unsynced.add(path_of(descriptor))
            return write(descriptor, data)

        def noted_sync(sync: Callable[[int], None], descriptor: int) -> None:
            self._count()
            sync(descriptor)
            self._unsynced.discard(path_of(descriptor))
            if path_of(descriptor) == self._folder:
                self._renamed.clear()

        def noted_rename(path: Path, target: Path) -> Path:
            self._count()
            self._renamed.append((path, target))
            assert path not in self._unsynced, "a name must not be there before the contents"
            return rename(path, target)

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(os, "write", noted_write)
            patched.setattr(os, "fsync", partial(noted_sync, fsync))
            patched.setattr(os, "fdatasync", partial(noted_sync, fdatasync))
            patched.setattr(Path, "rename", noted_rename)
            yield

    def forget(self, names: Names) -> None:
        """Lose half of what was written and, perhaps, the names that were not synced.

        A folder keeps no order among them: the newer one may be there without the older one.
        """
        for path in self._unsynced:
            data = path.read_bytes()
            path.write_bytes(data[: len(data) - 20])
        lost = {"kept": 0, "lost": len(self._renamed), "oldest lost": 1}[names]
        for path, target in reversed(self._renamed[:lost]):
            target.rename(path)


def _played(folder: Path, said: list[int]) -> None:
    """Append, rotate and append again, telling what was acknowledged on the way."""
    found = newest(folder)
    with Journal(folder) as journal:
        first = (found.last if found else 0) + 1
        for sequence, event in enumerate(EVENTS[first - 1 :], start=first):
            journal.append(event, sequence)
            said.append(sequence)
            if sequence in {1, 3}:
                journal.rotate(partial(snapshot_after, sequence), "fresh")


def _recovered(folder: Path) -> list[Decision]:
    """Read as a start does: a snapshot, which stands for what is before it, and what follows."""
    last = newest(folder)
    if last is None:
        return []
    problems = []
    for start in starts(folder, last):
        if start.problem:
            problems.append(start.problem)
            continue
        before = start.segments[0].first - 1
        if start.snapshot is not None:
            assert start.snapshot == snapshot_after(before)
        assert problems == [], "no cut may cost a snapshot"
        return EVENTS[:before] + [record.event for record in start.records]
    raise AssertionError("no place to start from")


@pytest.mark.parametrize("names", get_args(Names))
@pytest.mark.parametrize("write_version", [1, 2])
def test_a_cut_at_any_moment_loses_nothing_that_was_acknowledged(
    tmp_path: Path, write_version: int, names: Names
) -> None:
    for cut_before in range(1_000):
        folder = tmp_path / str(cut_before)
        folder.mkdir()
        append_all(folder, EVENTS[:2] if write_version == 1 else [], write_version=write_version)
        disk, said = ForgetfulDisk(folder, cut_before), [0]
        try:
            with disk.inserted():
                _played(folder, said)
        except Cut:
            disk.forget(names)
        else:
            assert cut_before > 20
            return
        recovered = _recovered(folder)
        assert recovered == EVENTS[: len(recovered)]
        assert len(recovered) in {said[-1], said[-1] + 1, 2}
        assert len(recovered) >= said[-1]
        # And the journal goes on from there, with nothing left over.
        _played(folder, said)
        assert events_in(folder) == EVENTS
        assert not list(folder.glob("*.tmp"))
        sound = [read_snapshot(s) for s in segments(folder) if s.first != 1]
        assert len(list(folder.glob("*.snapshot"))) == len(sound)
    raise AssertionError("the play does not come to its end")
