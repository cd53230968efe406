"""Writing a journal and reading it again: whole, after a torn write, in another process.

Damage that is no torn write is in `test_damage.py`, the end of a segment in
`test_rotation.py`; what records mean is the table's tests.
"""

import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.errors import JournalError
from firmware.journal.files import NOTICE
from firmware.journal.reader import newest, records
from firmware.journal.records import encode
from firmware.journal.writer import Journal
from firmware.rules.cards import CODES
from firmware.table.events import BetsOpened, CardDrawn, Decision
from tests.journal.records import (
    EVENTS,
    SALT,
    append_all,
    contents,
    events_in,
    folder_in_memory,
    histories,
    known_salt,
)

often = settings(max_examples=100, deadline=None)
versions = st.sampled_from([1, 2])

FIRST = "000000000001.journal"
FILES = {1: "journal.log", 2: FIRST}


# Round trips


@often
@given(histories, versions)
def test_what_is_written_is_read_again(events: list[Decision], version: int) -> None:
    with folder_in_memory() as folder:
        append_all(folder, events, write_version=version)
        read = list(records(folder))
        assert [record.event for record in read] == events
        assert [record.sequence for record in read] == [*range(1, len(events) + 1)]


@often
@given(histories, histories, versions)
def test_a_journal_goes_on_where_it_was_closed(
    events: list[Decision], later: list[Decision], version: int
) -> None:
    with folder_in_memory() as folder, folder_in_memory() as other:
        append_all(folder, events, write_version=version)
        append_all(folder, later, write_version=version)
        append_all(other, [*events, *later], write_version=version)
        assert contents(folder) == contents(other)
        assert events_in(folder) == [*events, *later]


def test_a_journal_that_is_not_there_is_empty_and_reading_does_not_begin_one(
    tmp_path: Path,
) -> None:
    assert newest(tmp_path) is None
    assert events_in(tmp_path) == []
    with Journal(tmp_path) as journal:
        assert journal.found is None
    assert contents(tmp_path) == {}


def test_a_record_is_one_line_of_text_that_begins_with_its_number(tmp_path: Path) -> None:
    append_all(tmp_path, EVENTS)
    header, *lines = (tmp_path / FIRST).read_text(encoding="utf-8").splitlines()
    assert header.startswith("underfelt-journal 2 ")
    assert [int(line.split(" ")[0]) for line in lines] == [*range(1, len(EVENTS) + 1)]
    event = f'{{"event":"journal_opened","at_ms":1,"table":"T1","journal":"fresh","salt":"{SALT}"}}'
    assert lines[0].endswith(f" {event}")


def test_every_record_has_a_salt_of_its_own_and_of_one_length(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        for sequence, event in enumerate(EVENTS, start=1):
            journal.append(event, sequence)
    lines = (tmp_path / FIRST).read_text(encoding="utf-8").splitlines()[1:]
    salts = [json.loads(line.split(" ", 3)[3])["salt"] for line in lines]
    assert len(set(salts)) == len(EVENTS)
    assert {len(salt) for salt in salts} == {16}


def test_no_card_is_found_by_trying_all_of_them_against_a_chain_that_left_the_table(
    tmp_path: Path,
) -> None:
    with Journal(tmp_path) as journal:
        journal.append(EVENTS[0], 1)
        before = journal.head[1]
        drawn = CardDrawn(at_ms=5, frame=1, card="As")
        journal.append(drawn, 2)
        chain = journal.head[1]
    tried = {encode(2, before, replace(drawn, card=card))[1] for card in CODES}
    assert chain not in tried
    assert encode(2, before, drawn)[1] in tried, "without the salt it would have been found"


def test_beside_segments_stands_a_notice_that_version_1_takes_for_no_record(
    tmp_path: Path,
) -> None:
    append_all(tmp_path, EVENTS)
    assert contents(tmp_path)["journal.log"] == NOTICE
    (tmp_path / "journal.log").unlink()
    append_all(tmp_path, EVENTS)
    assert contents(tmp_path)["journal.log"] == NOTICE


@pytest.mark.parametrize("after", range(len(EVENTS) + 1))
def test_a_tool_reads_on_after_the_record_that_it_had(tmp_path: Path, after: int) -> None:
    append_all(tmp_path, EVENTS, rotate_after=2)
    assert [record.event for record in records(tmp_path, after)] == EVENTS[after:]


# Torn writes


def _last_line(data: bytes) -> bytes:
    return data.removesuffix(b"\n").rpartition(b"\n")[2] + b"\n"


@pytest.mark.parametrize(
    ("version", "rotate_after"), [(1, 0), (2, 0), (2, 2), (2, 4)], ids=["1", "2", "2r2", "2r4"]
)
def test_a_write_torn_at_any_byte_is_cut_off_and_reported(
    tmp_path: Path, version: int, rotate_after: int
) -> None:
    append_all(tmp_path, EVENTS, rotate_after=rotate_after, write_version=version)
    whole = contents(tmp_path)
    name = FILES[1] if version == 1 else max(file for file in whole if file.endswith(".journal"))
    last = _last_line(whole[name])
    intact = whole[name].removesuffix(last)
    for kept in range(len(last)):
        (tmp_path / name).write_bytes(intact + last[:kept])
        segment = newest(tmp_path)
        assert segment is not None
        assert (segment.length, segment.torn_bytes) == (len(intact), kept)
        assert events_in(tmp_path) == EVENTS[:-1]
        append_all(tmp_path, EVENTS[-1:], write_version=version)
        assert contents(tmp_path) == whole


def test_a_torn_first_record_of_version_1_leaves_an_empty_journal(tmp_path: Path) -> None:
    append_all(tmp_path, EVENTS[:1], write_version=1)
    path = tmp_path / "journal.log"
    path.write_bytes(path.read_bytes()[:-1])
    with Journal(tmp_path, write_version=1) as journal:
        assert journal.torn_bytes > 0
        assert journal.found is not None
        assert journal.found.records == ()
    append_all(tmp_path, EVENTS, write_version=1)
    assert events_in(tmp_path) == EVENTS


def test_opening_a_torn_journal_changes_nothing_before_the_first_append(tmp_path: Path) -> None:
    append_all(tmp_path, EVENTS)
    path = tmp_path / FIRST
    path.write_bytes(path.read_bytes()[:-3])
    before = contents(tmp_path)
    with Journal(tmp_path) as journal:
        assert journal.torn_bytes > 0
    assert contents(tmp_path) == before


# On the disk


def test_a_record_is_in_the_file_when_append_returns(tmp_path: Path) -> None:
    append_all(tmp_path, EVENTS[:1])
    expected = contents(tmp_path)[FIRST]
    with Journal(tmp_path, salt=known_salt) as journal:
        assert journal.found is not None
        chain = journal.found.chain
        for sequence, event in enumerate(EVENTS, start=2):
            journal.append(event, sequence)
            line, chain = encode(sequence, chain, event, SALT)
            expected += line
            assert (tmp_path / FIRST).read_bytes() == expected


CHILD = """
import os, signal, sys
from pathlib import Path
from tests.journal.records import EVENTS, append_all
append_all(Path(sys.argv[1]), EVENTS, rotate_after=2)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_was_appended_survives_the_death_of_its_process(tmp_path: Path) -> None:
    child = subprocess.run([sys.executable, "-c", CHILD, str(tmp_path)], check=False)
    assert child.returncode == -signal.SIGKILL
    assert events_in(tmp_path) == EVENTS


class Syncs:
    """Stands in for a call that syncs, notes the size of a file at each, and can fail."""

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


@pytest.mark.parametrize("version", [1, 2])
def test_every_record_is_synced_once_after_it_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: int
) -> None:
    append_all(tmp_path, EVENTS[:1], write_version=version)
    path = tmp_path / FILES[version]
    syncs = Syncs(monkeypatch, "fdatasync", path)
    append_all(tmp_path, EVENTS, write_version=version)
    ends = [at + 1 for at, byte in enumerate(path.read_bytes()) if byte == ord("\n")]
    assert syncs.sizes == ends[-len(EVENTS) :]


def test_a_record_that_cannot_be_synced_is_an_error_and_the_last_that_is_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append_all(tmp_path, EVENTS[:1])
    with Journal(tmp_path) as journal:
        with monkeypatch.context() as patched:
            syncs = Syncs(patched, "fdatasync", tmp_path / FIRST)
            syncs.error = OSError(errno.EIO, "Input/output error")
            with pytest.raises(JournalError) as caught:
                journal.append(EVENTS[1], 2)
        assert str(caught.value) == f"{tmp_path / FIRST}: cannot be written: Input/output error"
        with pytest.raises(JournalError, match="restart"):
            journal.append(EVENTS[1], 2)


def test_a_record_that_was_written_in_part_is_an_error_and_a_torn_write_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append_all(tmp_path, EVENTS[:-2])
    with Journal(tmp_path) as journal, monkeypatch.context() as patched:
        journal.append(EVENTS[-2], len(EVENTS) - 1)
        write = os.write
        patched.setattr(os, "write", lambda file, data: write(file, data[:20]))
        with pytest.raises(JournalError) as caught:
            journal.append(EVENTS[-1], len(EVENTS))
    assert str(caught.value) == f"{tmp_path / FIRST}: the disk is full"
    with Journal(tmp_path) as journal:
        assert journal.torn_bytes == 20
    append_all(tmp_path, EVENTS[-1:])
    assert events_in(tmp_path) == EVENTS


# Refusals


@pytest.mark.parametrize("sequence", [0, 1, 3])
def test_a_table_that_is_at_another_record_is_refused(tmp_path: Path, sequence: int) -> None:
    append_all(tmp_path, EVENTS[:1])
    with Journal(tmp_path) as journal, pytest.raises(JournalError) as caught:
        journal.append(BetsOpened(at_ms=2, frame=1), sequence)
    assert str(caught.value) == (
        f"{tmp_path / FIRST}: the table is at record {sequence}, the journal at 2"
    )
    assert events_in(tmp_path) == EVENTS[:1]


def test_a_folder_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "nowhere"
    for attempt in (Journal, newest):
        with pytest.raises(JournalError) as caught:
            attempt(folder)
        assert str(caught.value) == (
            f"{folder}: the journal's folder cannot be opened: No such file or directory"
        )


def test_a_file_in_place_of_the_folder_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"")
    with pytest.raises(JournalError, match="cannot be opened: Not a directory"):
        Journal(path)


def test_a_folder_in_place_of_a_file_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / FIRST).mkdir()
    with pytest.raises(JournalError) as caught:
        Journal(tmp_path)
    assert str(caught.value) == f"{tmp_path / FIRST}: cannot be read: Is a directory"


@pytest.mark.parametrize("version", [1, 2])
def test_a_second_writer_is_refused_while_the_first_has_the_journal(
    tmp_path: Path, version: int
) -> None:
    append_all(tmp_path, EVENTS, write_version=version)
    refused = pytest.raises(JournalError, match="another process is writing this journal")
    with Journal(tmp_path), refused:
        Journal(tmp_path)
    append_all(tmp_path, EVENTS[1:], write_version=version)


@pytest.mark.parametrize("version", [1, 2])
def test_a_journal_that_has_grown_since_it_was_read_is_not_cut_short(
    tmp_path: Path, version: int
) -> None:
    append_all(tmp_path, EVENTS, write_version=version)
    path = tmp_path / FILES[version]
    with Journal(tmp_path, write_version=version) as journal:
        path.write_bytes(path.read_bytes() + b"of somebody who knows no lock\n")
        grown = contents(tmp_path)
        with pytest.raises(JournalError, match="another process"):
            journal.append(EVENTS[0], len(EVENTS) + 1)
    assert contents(tmp_path) == grown
