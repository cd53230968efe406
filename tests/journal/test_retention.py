"""Old segments go when an auditor has them and nothing in them is owed; never otherwise."""

from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.journal.reader import newest, records, segments, starts
from firmware.journal.retention import exported_through, mark_exported, retain
from tests.journal.records import (
    EVENTS,
    append_all,
    contents,
    events_in,
    folder_in_memory,
    snapshot_after,
)

often = settings(max_examples=150, deadline=None)

HISTORY = [*EVENTS, *EVENTS[1:], *EVENTS[1:]]
LAST = len(HISTORY)


@often
@given(
    rotate_after=st.integers(1, LAST),
    keep_segments=st.integers(0, 6),
    exported=st.integers(0, LAST + 2),
    owed_since=st.none() | st.integers(1, LAST),
)
def test_nothing_that_is_owed_or_not_exported_is_ever_removed(
    rotate_after: int, keep_segments: int, exported: int, owed_since: int | None
) -> None:
    with folder_in_memory() as folder:
        append_all(folder, HISTORY, rotate_after=rotate_after)
        before = list(segments(folder))
        removed = retain(
            folder,
            keep_segments=keep_segments,
            exported_through=exported,
            owed_since=owed_since,
        )
        left = list(segments(folder))
        gone = [segment for segment in before if segment.path in removed]
        assert before == gone + left
        assert len(left) >= min(max(keep_segments, 1), len(before))
        assert all(segment.last <= exported for segment in gone)
        assert all(owed_since is None or segment.last < owed_since for segment in gone)
        # As much as may go has gone, and what is left can be started from.
        may_go = len(left) > max(keep_segments, 1) and left[0].last <= exported
        assert not may_go or (owed_since is not None and left[0].last >= owed_since)
        assert [r.event for r in records(folder)] == HISTORY[left[0].first - 1 :]
        assert next(starts(folder, left[-1])).problem == ""


def test_the_snapshot_of_the_oldest_segment_that_is_left_stays(tmp_path: Path) -> None:
    append_all(tmp_path, EVENTS, rotate_after=2)
    retain(tmp_path, keep_segments=2, exported_through=5, owed_since=None)
    assert [*contents(tmp_path)] == [
        "000000000003.journal",
        "000000000003.snapshot",
        "000000000005.journal",
        "000000000005.snapshot",
        "journal.log",
    ]
    (tmp_path / "000000000005.snapshot").unlink()
    last = newest(tmp_path)
    assert last is not None
    broken, usable = islice(starts(tmp_path, last), 2)
    assert "000000000005.snapshot" in broken.problem
    assert usable.snapshot == snapshot_after(2)
    assert [record.event for record in usable.records] == EVENTS[2:]


def test_a_journal_of_one_segment_stays(tmp_path: Path) -> None:
    append_all(tmp_path, EVENTS)
    assert retain(tmp_path, keep_segments=0, exported_through=99, owed_since=None) == ()
    assert events_in(tmp_path) == EVENTS


# The mark


def test_without_a_mark_nothing_was_exported(tmp_path: Path) -> None:
    assert exported_through(tmp_path, "fresh") == 0


def test_a_mark_is_read_again_and_only_for_its_own_journal(tmp_path: Path) -> None:
    mark_exported(tmp_path, "fresh", 17)
    assert exported_through(tmp_path, "fresh") == 17
    assert exported_through(tmp_path, "other") == 0
    mark_exported(tmp_path, "fresh", 18)
    assert exported_through(tmp_path, "fresh") == 18
    assert [*contents(tmp_path)] == ["exported"]


def test_a_damaged_mark_counts_for_nothing(tmp_path: Path) -> None:
    mark_exported(tmp_path, "fresh", 17)
    path = tmp_path / "exported"
    data = path.read_bytes()
    for place in range(len(data)):
        for bit in range(8):
            flipped = bytes([data[place] ^ 1 << bit])
            path.write_bytes(data[:place] + flipped + data[place + 1 :])
            assert exported_through(tmp_path, "fresh") == 0
    for length in range(len(data)):
        path.write_bytes(data[:length])
        assert exported_through(tmp_path, "fresh") == 0


@pytest.mark.parametrize("line", [b"", b"\n", b"17\n", b"-1 0 fresh\n", b"\xb2 0 fresh\n"])
def test_a_mark_that_is_no_mark_counts_for_nothing(tmp_path: Path, line: bytes) -> None:
    (tmp_path / "exported").write_bytes(line)
    assert exported_through(tmp_path, "fresh") == 0
