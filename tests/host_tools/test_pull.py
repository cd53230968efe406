"""What a pull makes of a journal that is not the one it has a copy of."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest
from msgspec.structs import replace

from firmware.errors import JournalError
from firmware.journal.files import segment_files, snapshot_files
from firmware.maintenance.journal_files import JournalFolder
from firmware.maintenance.protocol import JournalFiles, JournalRead, Show, Shown
from firmware.table.events import Decision
from firmware.table.public import public
from firmware.table.state import Phase, TableState
from host_tools.connection.table_stream import RefusedError, TableStream
from host_tools.journal import fetch
from host_tools.journal.pull import listed, pull_files
from tests.host_tools.test_journal_command import played, rewritten
from tests.journal.records import contents
from tests.table.playing import SETTINGS


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


# Marking what was exported


def pulled_with_mark(
    phase: Phase, tmp_path: Path, events: list[Decision], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pull the journal of a table in some phase with --mark, where nobody can be asked for a PIN."""
    journal = tmp_path / "journal"
    journal.mkdir()
    rewritten(journal, events)

    class Playing(Stream):
        def ask(self, kind: type, make: Callable[[int], Any]) -> object:
            if isinstance(make(1), Show):
                state = TableState(phase=phase)
                return Shown(number=1, table=public(SETTINGS, state))
            return super().ask(kind, make)

    @contextmanager
    def opened(_target: str) -> Iterator[TableStream]:
        yield cast(TableStream, Playing(journal, len(events)))

    def asked() -> str:
        raise AssertionError("the PIN was asked for")

    monkeypatch.setattr(fetch, "open_table", opened)
    monkeypatch.setattr(fetch, "ask_pin", asked)
    monkeypatch.delenv("UNDERFELT_PIN", raising=False)
    fetch.pull("sim:T1", tmp_path / "copy", mark=True, staff="400")


@pytest.mark.parametrize(
    ("phase", "remedy"),
    [
        ("settling", "the table is not closed; finish the round, press CLOSETABLE on the panel"),
        ("idle", "the table is not closed; finish the round, press CLOSETABLE on the panel"),
        ("service", "a technician is at work on the table; pull again with --mark"),
    ],
)
def test_a_table_that_is_not_closed_is_not_marked_and_the_copy_is_told_before_any_pin(  # noqa: PLR0913  # fixtures
    tmp_path: Path,
    events: list[Decision],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *,
    phase: Phase,
    remedy: str,
) -> None:
    with pytest.raises(RefusedError, match=f"sim:T1: nothing was marked as exported: {remedy}"):
        pulled_with_mark(phase, tmp_path, events, monkeypatch)
    told = capsys.readouterr().out
    assert re.match(r"Fetched [0-9,]+ new bytes\.\n", told)
    assert "are intact" in told


def test_a_closed_table_is_marked_by_pin(
    tmp_path: Path, events: list[Decision], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(AssertionError, match="the PIN was asked for"):
        pulled_with_mark("closed", tmp_path, events, monkeypatch)
