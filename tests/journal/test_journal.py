"""Writing a journal and reading it again: whole, after a torn write, in another process.

Damage that is no torn write is in `test_damage.py`; what records mean is the table's tests.
"""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings

from firmware.errors import JournalError
from firmware.journal.reader import read
from firmware.journal.records import encode
from firmware.journal.writer import JournalWriter
from firmware.table.events import BetsOpened, Decision
from tests.journal.records import EVENTS, histories, journal_bytes, lines_of

often = settings(max_examples=100, deadline=None)


def append_all(path: Path, events: list[Decision]) -> None:
    """Open the journal, append events after what it has, and close it."""
    journal = read(path)
    with JournalWriter(path, journal) as end:
        for sequence, event in enumerate(events, start=len(journal.records) + 1):
            end.append(event, sequence)


def events_in(path: Path) -> list[Decision]:
    return [record.event for record in read(path).records]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.log"


# Round trips


@often
@given(histories)
def test_what_is_written_is_read_again(events: list[Decision]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "journal.log")
        append_all(path, events)
        journal = read(path)
        assert [record.event for record in journal.records] == events
        assert [record.sequence for record in journal.records] == [*range(1, len(events) + 1)]
        assert (journal.length, journal.torn_bytes) == (path.stat().st_size, 0)


@often
@given(histories, histories)
def test_a_journal_goes_on_where_it_was_closed(
    events: list[Decision], later: list[Decision]
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "journal.log")
        append_all(path, events)
        append_all(path, later)
        assert path.read_bytes() == journal_bytes([*events, *later])
        assert events_in(path) == [*events, *later]


def test_a_journal_that_is_not_there_is_empty(path: Path) -> None:
    journal = read(path)
    assert (journal.records, journal.length, journal.torn_bytes) == ((), 0, 0)
    assert not path.exists()


def test_a_record_is_one_line_of_text_that_begins_with_its_number(path: Path) -> None:
    append_all(path, EVENTS)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [int(line.split(" ")[0]) for line in lines] == [*range(1, len(EVENTS) + 1)]
    assert lines[0].endswith(' {"event":"journal_opened","at_ms":1,"table":"T1","journal":"fresh"}')


# Torn writes

LAST = lines_of(journal_bytes(EVENTS))[-1]


@pytest.mark.parametrize("kept", range(len(LAST)))
def test_a_write_torn_at_any_byte_is_cut_off_and_reported(path: Path, kept: int) -> None:
    whole = journal_bytes(EVENTS)
    intact = whole[: -len(LAST)]
    path.write_bytes(intact + LAST[:kept])
    journal = read(path)
    assert [record.event for record in journal.records] == EVENTS[:-1]
    assert (journal.length, journal.torn_bytes) == (len(intact), kept)
    append_all(path, EVENTS[-1:])
    assert path.read_bytes() == whole


def test_a_torn_first_record_leaves_an_empty_journal(path: Path) -> None:
    path.write_bytes(journal_bytes(EVENTS[:1])[:-1])
    journal = read(path)
    assert journal.records == ()
    assert journal.torn_bytes > 0
    append_all(path, EVENTS)
    assert events_in(path) == EVENTS


# On the disk


def test_a_record_is_in_the_file_when_append_returns(path: Path) -> None:
    expected = b""
    with JournalWriter(path, read(path)) as end, path.open("rb", buffering=0) as other:
        chain = read(path).chain
        for sequence, event in enumerate(EVENTS, start=1):
            end.append(event, sequence)
            line, chain = encode(sequence, chain, event)
            expected += line
            other.seek(0)
            assert other.read() == expected


CHILD = """
import os, signal, sys
from pathlib import Path
from firmware.journal.reader import read
from firmware.journal.writer import JournalWriter
from tests.journal.records import EVENTS
path = Path(sys.argv[1])
end = JournalWriter(path, read(path))
for sequence, event in enumerate(EVENTS, start=1):
    end.append(event, sequence)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_was_appended_survives_the_death_of_its_process(path: Path) -> None:
    child = subprocess.run([sys.executable, "-c", CHILD, str(path)], check=False)
    assert child.returncode == -signal.SIGKILL
    assert events_in(path) == EVENTS


class Syncs:
    """Stands in for a call that syncs, notes the size of the file at each, and can fail."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, name: str, path: Path) -> None:
        self.sizes: list[int] = []
        self.error: OSError | None = None
        self._path = path
        monkeypatch.setattr(os, name, self)

    def __call__(self, _descriptor: int) -> None:
        """Sync nothing."""
        if self.error is not None:
            raise self.error
        self.sizes.append(self._path.stat().st_size)


def test_every_record_is_synced_after_it_was_written(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    syncs = Syncs(monkeypatch, "fdatasync", path)
    append_all(path, EVENTS)
    sizes = [len(journal_bytes(EVENTS[: count + 1])) for count in range(len(EVENTS))]
    assert syncs.sizes == sizes


def test_a_new_journal_is_synced_with_its_folder_and_an_old_one_alone(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    syncs = Syncs(monkeypatch, "fsync", path)
    append_all(path, EVENTS)
    assert len(syncs.sizes) == 2
    append_all(path, EVENTS)
    assert len(syncs.sizes) == 3


def test_a_record_that_cannot_be_synced_is_an_error(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    syncs = Syncs(monkeypatch, "fdatasync", path)
    syncs.error = OSError(errno.EIO, "Input/output error")
    with pytest.raises(JournalError) as caught:
        append_all(path, EVENTS)
    assert str(caught.value) == f"{path}: cannot be written: Input/output error"


def test_a_record_that_was_written_in_part_is_an_error_and_a_torn_write_later(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append_all(path, EVENTS[:-1])
    with monkeypatch.context() as patched:
        write = os.write
        patched.setattr(os, "write", lambda file, data: write(file, data[:20]))
        with pytest.raises(JournalError) as caught:
            append_all(path, EVENTS[-1:])
    assert str(caught.value) == f"{path}: the disk is full"
    assert read(path).torn_bytes == 20
    append_all(path, EVENTS[-1:])
    assert events_in(path) == EVENTS


# Refusals


@pytest.mark.parametrize("sequence", [0, 1, 3])
def test_a_table_that_is_at_another_record_is_refused(path: Path, sequence: int) -> None:
    append_all(path, EVENTS[:1])
    with JournalWriter(path, read(path)) as end, pytest.raises(JournalError) as caught:
        end.append(BetsOpened(at_ms=2, frame=1), sequence)
    assert str(caught.value) == f"{path}: the table is at record {sequence}, the journal at 2"
    assert events_in(path) == EVENTS[:1]


def test_a_folder_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "journal.log"
    with pytest.raises(JournalError) as caught:
        JournalWriter(path, read(path))
    assert str(caught.value) == f"{path}: cannot be opened: No such file or directory"


def test_a_folder_in_place_of_the_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(JournalError) as caught:
        read(tmp_path)
    assert str(caught.value) == f"{tmp_path}: cannot be read: Is a directory"


def test_a_file_in_place_of_the_folder_is_one_sentence(path: Path) -> None:
    path.write_bytes(b"")
    with pytest.raises(JournalError) as caught:
        read(path / "journal.log")
    assert str(caught.value) == f"{path}/journal.log: cannot be read: Not a directory"


def test_a_journal_that_has_grown_since_it_was_read_is_not_cut_short(tmp_path: Path) -> None:
    path = tmp_path / "journal.log"
    stale = read(path)
    with JournalWriter(path, stale) as end:
        end.append(EVENTS[0], 1)
    with pytest.raises(JournalError, match="another process"):
        JournalWriter(path, stale)
    assert len(read(path).records) == 1
