"""A table from its snapshot is the table that the whole journal folds into, at every point.

And where a snapshot cannot be used, the segments before it come to the same table, and it is
told. The walks are the table's own; the files are tested with the journal.
"""

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.errors import JournalError
from firmware.journal.reader import newest, records
from firmware.journal.seals import OwnKey, sealed
from firmware.journal.writer import Journal
from firmware.shell.folding import Folded, folded, restored, snapshot_of
from firmware.table.events import Decision
from firmware.table.settings import TableSettings
from firmware.table.table import Table
from tests.journal.records import contents, folder_in_memory, known_salt
from tests.table.playing import FLUSH, SETTINGS, at_reveal
from tests.table.walking import Deck, Move, Walker, decks, tables, walks

KEY = OwnKey(b"k" * 32)
often = settings(max_examples=1_000 if os.environ.get("SOAK") else 100, deadline=None)


def write(
    folder: Path,
    events: Sequence[Decision],
    at: TableSettings,
    segment_bytes: int,
    forge: Callable[[bytes], bytes] = lambda snapshot: snapshot,
) -> None:
    """Write a journal as the runtime does, ending a segment whenever it is long enough.

    `forge` changes each snapshot; whoever can do that makes its hash and the chain anew.
    """
    table = Table(at)
    with Journal(folder, segment_bytes=segment_bytes, salt=known_salt) as journal:
        for event in events:
            assert table.step(event).decided
            journal.append(event, table.state.sequence)
            if journal.rotation_is_due():
                first, id_ = table.state.sequence + 1, table.state.journal
                data = forge(sealed(KEY, snapshot_of(table), id_, first))
                assert journal.rotate(partial(bytes, data), id_) == ""


def recovered(folder: Path, at: TableSettings = SETTINGS) -> Folded:
    """Recover the table of a journal as a start does."""
    return folded(at, folder, newest(folder), KEY)


def whole_fold(folder: Path, at: TableSettings = SETTINGS) -> Table:
    """Recover the table of a journal from its very beginning."""
    return Table.recovered(at, (record.event for record in records(folder)))


@often
@given(walks, decks, tables)
def test_a_snapshot_holds_all_that_the_journal_can_restore(
    moves: list[Move], deck: Deck, at: TableSettings
) -> None:
    table = Walker(deck, at)
    fold = Table(at)
    read = 0
    for _ in table.walk(moves):
        for event in table.journal[read:]:
            assert fold.step(event).decided
        read = len(table.journal)
        again = restored(snapshot_of(table.table))
        # A field that is only observed, and not left out of a snapshot, makes these differ.
        assert again.state == fold.state
        assert again.settings == fold.settings
        assert again.resumed() == fold.resumed()


@often
@given(walks, decks, tables, st.integers(1, 4_000))
def test_a_start_from_the_newest_snapshot_comes_to_the_fold_of_the_whole_journal(
    moves: list[Move], deck: Deck, at: TableSettings, segment_bytes: int
) -> None:
    live = Walker(deck, at)
    list(live.walk(moves))
    with folder_in_memory() as folder:
        write(folder, live.journal, at, segment_bytes)
        found = recovered(folder, at)
        assert found.problems == ()
        assert found.table.state == whole_fold(folder, at).state
        assert found.table.settings == at


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write most of a round in several segments."""
    playing = at_reveal(FLUSH)
    playing.reveal()
    write(tmp_path, playing.journal, SETTINGS, 1_000)
    assert len(list(tmp_path.glob("*.snapshot"))) >= 3
    return tmp_path


def test_any_damage_of_snapshots_is_told_and_the_segments_before_make_up_for_it(
    folder: Path,
) -> None:
    expected = whole_fold(folder).state
    snapshots = sorted(folder.glob("*.snapshot"), reverse=True)
    for count, path in enumerate(snapshots, start=1):
        path.write_bytes(path.read_bytes()[:-1])
        found = recovered(folder)
        assert found.table.state == expected
        assert [problem.partition(":")[0] for problem in found.problems] == [
            str(damaged) for damaged in snapshots[:count]
        ]


def test_a_changed_byte_anywhere_in_the_newest_snapshot_is_told_and_made_up_for(
    folder: Path,
) -> None:
    expected = whole_fold(folder).state
    path = max(folder.glob("*.snapshot"))
    data = path.read_bytes()
    with path.open("r+b", buffering=0) as file:
        for place in range(0, len(data), 7):
            os.pwrite(file.fileno(), bytes([data[place] ^ 1]), place)
            found = recovered(folder)
            assert found.table.state == expected
            assert len(found.problems) == 1
            os.pwrite(file.fileno(), data[place : place + 1], place)
    assert recovered(folder).problems == ()


def test_a_missing_snapshot_is_told_and_made_up_for(folder: Path) -> None:
    expected = whole_fold(folder).state
    max(folder.glob("*.snapshot")).unlink()
    found = recovered(folder)
    assert found.table.state == expected
    (problem,) = found.problems
    assert "cannot be read: No such file or directory" in problem


def test_without_snapshot_and_without_the_segments_before_a_start_is_refused(
    folder: Path,
) -> None:
    *older, _ = sorted(folder.glob("*.journal"))
    for path in (*older, *folder.glob("*.snapshot")):
        path.unlink()
    left = contents(folder)
    with pytest.raises(JournalError, match="put back what was removed"):
        recovered(folder)
    assert contents(folder) == left


def test_a_snapshot_of_another_table_is_not_taken(folder: Path) -> None:
    with pytest.raises(JournalError, match="this journal belongs to table T1, not T2"):
        recovered(folder, replace(SETTINGS, name="T2"))


def test_a_snapshot_from_a_newer_firmware_is_not_taken_for_less_than_it_is() -> None:
    document = msgspec.json.decode(snapshot_of(Table(SETTINGS)))
    document["state"]["locks"] = ["seat 3"]
    with pytest.raises(JournalError, match="from a newer version"):
        restored(msgspec.json.encode(document))


def test_a_snapshot_from_an_older_firmware_is_taken_with_what_was_not_known_then() -> None:
    document = msgspec.json.decode(snapshot_of(Table(SETTINGS)))
    del document["state"]["last_frame"]
    assert restored(msgspec.json.encode(document)).state == Table(SETTINGS).state


@pytest.mark.parametrize("data", [b"", b"{}", b'{"settings":1,"state":{}}', b"\xff"])
def test_what_is_no_snapshot_is_one_sentence(data: bytes) -> None:
    with pytest.raises(JournalError, match="another version"):
        restored(data)


# A snapshot that somebody has forged: whole in itself, with its hash in a chain made anew


def owes_nothing(data: bytes) -> bytes:
    """Empty what a snapshot owes; without the key its seal no longer fits."""
    snapshot, _, seal = data.partition(b"\n")
    document = msgspec.json.decode(snapshot)
    document["state"]["owed"] = {}
    return msgspec.json.encode(document) + b"\n" + seal


def unsealed(data: bytes) -> bytes:
    """Leave the seal out, as an older firmware does."""
    return data.partition(b"\n")[0]


@pytest.mark.parametrize("others", [lambda data: data, unsealed])
def test_a_forged_newest_snapshot_is_told_and_what_is_owed_is_owed_still(
    tmp_path: Path, others: Callable[[bytes], bytes]
) -> None:
    playing = at_reveal(FLUSH)
    playing.reveal()
    count = 0

    def forge(data: bytes) -> bytes:
        nonlocal count
        count += 1
        return owes_nothing(data) if count == last else others(data)

    last = 0
    trial = tmp_path / "trial"
    trial.mkdir()
    write(trial, playing.journal, SETTINGS, 1_000, forge)
    last, count = count, 0
    journal = tmp_path / "journal"
    journal.mkdir()
    write(journal, playing.journal, SETTINGS, 1_000, forge)
    found = recovered(journal)
    assert found.table.state.owed == playing.state.owed
    (problem,) = found.problems
    assert "is not the table that the records before it give" in problem


def test_snapshots_of_an_older_firmware_are_believed_where_the_records_agree(
    tmp_path: Path,
) -> None:
    playing = at_reveal(FLUSH)
    playing.reveal()
    write(tmp_path, playing.journal, SETTINGS, 1_000, unsealed)
    found = recovered(tmp_path)
    assert found.problems == ()
    assert found.table.state == whole_fold(tmp_path).state
