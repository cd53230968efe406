"""What a pull makes of a journal that is not the one it has a copy of."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, cast

import pytest
from msgspec.structs import replace

from firmware.errors import JournalError
from firmware.journal.files import segment_files, snapshot_files
from firmware.maintenance.journal_files import JournalFolder
from firmware.maintenance.protocol import JournalFiles, JournalRead
from firmware.table.events import Decision
from firmware.table.state import TableState
from host_tools.connection.table_stream import TableStream
from host_tools.journal.pull import listed, pull_files
from tests.host_tools.test_journal_command import played, rewritten
from tests.journal.records import contents


class Target(NamedTuple):
    """Where a stream goes."""

    text: str = "sim:T1"


class Stream:
    """Stands where the connection to a table stands: answers from a folder."""

    def __init__(self, folder: Path, records: int) -> None:
        self.target = Target()
        self._folder = JournalFolder(folder)
        self._state = TableState(sequence=records)

    def ask(self, _kind: type, make: Callable[[int], JournalFiles | JournalRead]) -> object:
        """Answer as a table at rest does."""
        request = make(1)
        if isinstance(request, JournalFiles):
            return self._folder.listed(self._state, 1)
        return self._folder.piece(self._state, request)


@pytest.fixture(scope="module")
def events() -> list[Decision]:
    return played()


def pull(journal: Path, copy: Path, records: int) -> None:
    """Pull a journal into a folder."""
    stream = cast(TableStream, Stream(journal, records))
    pull_files(stream, listed(stream).files, copy, lambda _: None)


def test_a_copy_grows_with_its_journal(tmp_path: Path, events: list[Decision]) -> None:
    journal, copy = tmp_path / "journal", tmp_path / "copy"
    journal.mkdir()
    for records in (20, 30, len(events)):
        rewritten(journal, events[:records])
        pull(journal, copy, records)
        assert contents(copy).items() <= contents(journal).items()
        # A segment that was only begun holds nothing to pull.
        assert {path.name for _, path in segment_files(copy)} == {
            path.name for first, path in segment_files(journal) if first <= records
        }


@pytest.mark.parametrize("left", [20, -1])
def test_a_journal_that_goes_back_on_an_older_copy_is_not_pulled_over_it(
    tmp_path: Path, events: list[Decision], left: int
) -> None:
    journal, copy = tmp_path / "journal", tmp_path / "copy"
    journal.mkdir()
    rewritten(journal, events)
    pull(journal, copy, len(events))
    before = contents(copy)
    rewritten(journal, events[:left])
    assert snapshot_files(journal)
    with pytest.raises(JournalError, match="goes back on this copy"):
        pull(journal, copy, len(events[:left]))
    assert contents(copy) == before


@pytest.mark.parametrize("share", [0.0, 0.4, 0.8])
def test_a_copy_with_one_flipped_bit_is_called_damaged_at_its_record_and_not_another_journal(
    tmp_path: Path, events: list[Decision], share: float
) -> None:
    journal, copy = tmp_path / "journal", tmp_path / "copy"
    journal.mkdir()
    rewritten(journal, events)
    pull(journal, copy, len(events))
    _, path = segment_files(copy)[-1]
    data = bytearray(path.read_bytes())
    at = int(len(data) * share)
    at = data.index(b"{", at)
    data[at + 3] ^= 1
    path.write_bytes(data)
    with pytest.raises(JournalError) as told:
        pull(journal, copy, len(events))
    assert str(told.value).startswith(f"{path}: ")
    assert re.search(r"record \d+: its checksum is wrong|the header: ", str(told.value))
    assert "pull the journal again into an empty folder" in str(told.value)


def test_a_journal_that_was_made_anew_is_not_pulled_over_a_copy(
    tmp_path: Path, events: list[Decision]
) -> None:
    journal, copy = tmp_path / "journal", tmp_path / "copy"
    journal.mkdir()
    rewritten(journal, events)
    pull(journal, copy, len(events))
    before = contents(copy)
    changed = [*events[:-1], replace(events[-1], at_ms=events[-1].at_ms + 1)]
    rewritten(journal, changed)
    with pytest.raises(JournalError, match="goes back on this copy"):
        pull(journal, copy, len(changed))
    assert contents(copy) == before


def test_a_copy_that_others_could_read_is_closed_to_them(
    tmp_path: Path, events: list[Decision]
) -> None:
    journal, copy = tmp_path / "journal", tmp_path / "copy"
    journal.mkdir()
    rewritten(journal, events)
    pull(journal, copy, len(events))
    assert {path.stat().st_mode & 0o777 for path in copy.iterdir()} == {0o600}
    assert copy.stat().st_mode & 0o777 == 0o700
    for path in copy.iterdir():
        path.chmod(0o644)  # as pulled by an older version
    pull(journal, copy, len(events))
    assert {path.stat().st_mode & 0o777 for path in copy.iterdir()} == {0o600}
