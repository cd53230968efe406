"""A journal that was changed: every kind of damage is noticed, and the record is named.

First one file of records, as version 1 has it and as every segment has after its header;
then folders of several segments. Only a torn last line is not damage; that is in
`test_journal.py`. Whole records missing at the very end cannot be noticed from the files
alone. Snapshots that are damaged while the table starts are in `tests/shell/test_folding.py`.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from firmware.errors import JournalError
from firmware.journal.files import KEEP_AND_BEGIN_ANEW
from firmware.journal.reader import newest, read_snapshot, records, segments
from firmware.journal.records import GENESIS, decode, encode
from firmware.journal.writer import Journal
from firmware.table.events import CoinSensed, Decision
from tests.journal.records import (
    EVENTS,
    append_all,
    contents,
    events_in,
    histories,
    journal_bytes,
    lines_of,
    write_contents,
)

often = settings(max_examples=100, deadline=None)

WHOLE = journal_bytes(EVENTS)
LINES = lines_of(WHOLE)
LAST_BYTE = len(WHOLE) - 1
PLACES = range(1, len(EVENTS) + 1)
TRICKY = b"\n\r\t 0+_x"
"""Bytes that parsers are lenient about."""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("damaged") / "journal.log"


def damage_in(path: Path, data: bytes) -> str:
    """Read a damaged journal of version 1 and give what is said about it, less the remedy."""
    path.write_bytes(data)
    with pytest.raises(JournalError) as caught:
        newest(path.parent)
    text = str(caught.value)
    assert "\n" not in text
    assert text.startswith(f"{path}: record ")
    assert text.endswith(f"; {KEEP_AND_BEGIN_ANEW}")
    return text.removeprefix(f"{path}: ").removesuffix(f"; {KEEP_AND_BEGIN_ANEW}")


def record_at(place: int, whole: bytes = WHOLE) -> int:
    """Tell in which record a byte of a journal is."""
    return whole[:place].count(b"\n") + 1


def others(byte: int) -> set[int]:
    """Choose what a byte is changed into: a neighbour, the other case, and what is tricky."""
    return {*TRICKY, byte ^ 1, byte ^ 0x20} - {byte}


def each_change(path: Path) -> Iterator[tuple[int, int, int]]:
    """Change every byte of a file in turn, in its place: where, what it was, what it is."""
    data = path.read_bytes()
    with path.open("r+b", buffering=0) as file:
        for place, byte in enumerate(data):
            for other in others(byte):
                os.pwrite(file.fileno(), bytes([other]), place)
                yield place, byte, other
            os.pwrite(file.fileno(), bytes([byte]), place)
    assert path.read_bytes() == data


@pytest.mark.parametrize("number", PLACES)
def test_any_changed_byte_is_noticed_in_its_record(path: Path, number: int) -> None:
    unnoticed = []
    path.write_bytes(WHOLE)
    for place, byte, other in each_change(path):
        if record_at(place) != number or place == LAST_BYTE:
            continue
        try:
            newest(path.parent)
        except JournalError as error:
            assert f" record {number}: " in str(error)  # noqa: PT017  # thousands of them
        else:
            unnoticed.append((place, chr(byte), chr(other)))
    assert unnoticed == []


def test_a_changed_last_newline_is_a_torn_write(path: Path) -> None:
    for other in others(ord("\n")):
        path.write_bytes(WHOLE[:-1] + bytes([other]))
        assert events_in(path.parent) == EVENTS[:-1]


@often
@given(histories, st.data())
def test_any_changed_byte_of_any_journal_is_noticed(
    path: Path, events: list[Decision], data: st.DataObject
) -> None:
    whole = journal_bytes(events)
    assume(len(whole) > 1)
    place = data.draw(st.integers(0, len(whole) - 2))
    other = data.draw(st.integers(0, 255).filter(lambda byte: byte != whole[place]))
    said = damage_in(path, whole[:place] + bytes([other]) + whole[place + 1 :])
    assert said.startswith(f"record {record_at(place, whole)}: ")


@pytest.mark.parametrize("number", PLACES[:-1])
def test_a_dropped_record_is_noticed_where_it_was(path: Path, number: int) -> None:
    data = b"".join(LINES[: number - 1] + LINES[number:])
    said = damage_in(path, data)
    assert said == f"record {number}: the record found here is number {number + 1}"


@pytest.mark.parametrize("number", PLACES)
def test_a_record_that_stands_twice_is_noticed(path: Path, number: int) -> None:
    data = b"".join(LINES[:number] + LINES[number - 1 :])
    said = damage_in(path, data)
    assert said == f"record {number + 1}: the record found here is number {number}"


@pytest.mark.parametrize("number", PLACES[:-1])
def test_swapped_records_are_noticed_at_the_first(path: Path, number: int) -> None:
    swapped = [LINES[number], LINES[number - 1]]
    data = b"".join(LINES[: number - 1] + swapped + LINES[number + 1 :])
    assert damage_in(path, data).startswith(f"record {number}: ")


@pytest.mark.parametrize("number", PLACES)
def test_an_empty_line_is_no_record(path: Path, number: int) -> None:
    data = b"".join([*LINES[: number - 1], b"\n", *LINES[number - 1 :]])
    assert damage_in(path, data) == f"record {number}: not a record"


# Forgeries, with a checksum that fits


@pytest.mark.parametrize("number", PLACES[:-1])
def test_a_record_that_was_exchanged_breaks_the_chain_after_it(path: Path, number: int) -> None:
    forged = journal_bytes([*EVENTS[: number - 1], CoinSensed(at_ms=9, seat=7, present=True)])
    data = forged + b"".join(LINES[number:])
    said = damage_in(path, data)
    assert said == f"record {number + 1}: the chain is broken; a record was changed"


def test_a_record_of_another_journal_breaks_the_chain(path: Path) -> None:
    line, _ = encode(2, GENESIS, EVENTS[1])
    said = damage_in(path, LINES[0] + line)
    assert said == "record 2: the chain is broken; a record was changed"


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b'{"event":"unheard_of","at_ms":1}', "unheard_of"),
        (b'{"event":"restarted"}', "at_ms"),
        (b'{"event":"meter_moved","at_ms":1,"meter_cents":1,"sequence":1}', "meter_moved"),
        (b'{"event":"hand_not_shown","at_ms":1,"frame":1,"seat":0}', "seat"),
        (b"{", "truncated"),
    ],
)
def test_a_whole_record_of_something_else_is_refused_in_its_place(
    path: Path, monkeypatch: pytest.MonkeyPatch, body: bytes, why: str
) -> None:
    class Encoder:
        """Writes what no table would."""

        def encode(self, _event: Decision) -> bytes:
            return body

    with monkeypatch.context() as patched:
        patched.setattr("firmware.journal.records._encoder", Encoder())
        line, _ = encode(1, GENESIS, EVENTS[0])
    said = damage_in(path, line)
    assert said.startswith("record 1: ")
    assert why in said


def test_a_good_line_is_read() -> None:
    line, chain = encode(1, GENESIS, EVENTS[0])
    record = decode(line.removesuffix(b"\n"), 1, GENESIS)
    assert (record.sequence, record.chain, record.event) == (1, chain, EVENTS[0])


# Several segments


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("segments")


@pytest.fixture
def whole(folder: Path) -> dict[str, bytes]:
    """Write five records in three segments."""
    write_contents(folder, {})
    append_all(folder, EVENTS, rotate_after=2)
    files = contents(folder)
    assert len(files) == 3 + 2 + 1
    return files


def verified(folder: Path) -> int:
    """Verify everything of a folder, and count what was torn."""
    torn_bytes = 0
    for segment in segments(folder):
        torn_bytes += segment.torn_bytes
        if segment.first != 1:
            read_snapshot(segment)
    return torn_bytes


def test_a_whole_folder_is_verified(folder: Path, whole: dict[str, bytes]) -> None:
    assert verified(folder) == 0
    assert contents(folder) == whole


@pytest.mark.parametrize(
    "name",
    [
        "000000000001.journal",
        "000000000003.journal",
        "000000000003.snapshot",
        "000000000005.journal",
        "000000000005.snapshot",
        "journal.log",
    ],
)
def test_any_changed_byte_of_any_file_is_noticed(
    folder: Path, whole: dict[str, bytes], name: str
) -> None:
    path, last_place = folder / name, len(whole[name]) - 1
    unnoticed = []
    for place, byte, other in each_change(path):
        try:
            torn_bytes = verified(folder)
        except JournalError as error:
            assert str(path) in str(error)  # noqa: PT017  # thousands of them
            continue
        last = name == "000000000005.journal" and place == last_place
        if not (last and torn_bytes > 0):
            unnoticed.append((place, chr(byte), chr(other)))
    assert unnoticed == []


@pytest.mark.parametrize("name", ["000000000001.journal", "000000000003.journal"])
def test_a_torn_end_of_any_but_the_newest_segment_is_damage(
    folder: Path, whole: dict[str, bytes], name: str
) -> None:
    for kept in range(len(whole[name])):
        (folder / name).write_bytes(whole[name][:kept])
        with pytest.raises(JournalError):
            verified(folder)


def test_a_start_notices_that_the_segment_before_does_not_end_where_the_newest_begins(
    folder: Path, whole: dict[str, bytes]
) -> None:
    before = whole["000000000003.journal"]
    last = lines_of(before)[-1]
    for damaged in (before.removesuffix(last), before[:-1], before[:-40], b""):
        (folder / "000000000003.journal").write_bytes(damaged)
        with pytest.raises(JournalError, match="does not follow the end of 000000000003"):
            Journal(folder)


@pytest.mark.parametrize("name", ["000000000001.journal", "000000000003.journal"])
def test_a_segment_that_is_missing_in_between_is_noticed(
    folder: Path, whole: dict[str, bytes], name: str
) -> None:
    (folder / name).unlink()
    if name == "000000000001.journal":
        # The oldest may go: that is retention, and what is left is whole.
        assert [record.event for record in records(folder)] == EVENTS[2:]
    else:
        with pytest.raises(JournalError, match="record 3: is missing"):
            verified(folder)
    assert name in whole


def test_a_segment_under_another_name_is_noticed(folder: Path, whole: dict[str, bytes]) -> None:
    del whole["000000000001.journal"], whole["000000000003.journal"]
    whole["000000000006.journal"] = whole.pop("000000000005.journal")
    write_contents(folder, whole)
    with pytest.raises(JournalError, match="begins with record 5, unlike its name"):
        newest(folder)


def test_a_segment_of_another_journal_is_noticed(folder: Path, whole: dict[str, bytes]) -> None:
    write_contents(folder, {})
    append_all(folder, [*EVENTS[:3], CoinSensed(at_ms=9, seat=7, present=True)], rotate_after=2)
    other = (folder / "000000000003.journal").read_bytes()
    write_contents(folder, whole | {"000000000003.journal": other})
    with pytest.raises(JournalError, match="does not follow"):
        verified(folder)


@pytest.mark.parametrize("left", [b"", b"underfelt-journal 2 "])
def test_an_empty_or_headless_segment_is_refused(
    folder: Path, whole: dict[str, bytes], left: bytes
) -> None:
    for name in ("000000000001.journal", "000000000005.journal"):
        write_contents(folder, whole | {name: left})
        with pytest.raises(JournalError, match=name):
            verified(folder)


def test_damage_is_left_as_it_is(folder: Path, whole: dict[str, bytes]) -> None:
    data = bytearray(whole["000000000005.journal"])
    data[-10] ^= 1
    damaged = whole | {"000000000005.journal": bytes(data), "half.tmp": b"left over"}
    write_contents(folder, damaged)
    with Journal(folder) as journal:
        # A start reads up to it, and says so (`test_damaged_end.py`).
        assert journal.damage
    assert contents(folder) == damaged
    with pytest.raises(JournalError, match="checksum is wrong"):
        newest(folder)


def test_a_notice_without_its_segments_does_not_begin_a_new_journal(
    folder: Path, whole: dict[str, bytes]
) -> None:
    write_contents(folder, {"journal.log": whole["journal.log"]})
    with pytest.raises(JournalError, match="segments of the journal are gone"):
        Journal(folder)


def test_a_journal_of_version_1_beside_segments_is_refused(
    folder: Path, whole: dict[str, bytes]
) -> None:
    write_contents(folder, whole | {"journal.log": WHOLE})
    with pytest.raises(JournalError, match="does not belong next to segments"):
        Journal(folder)
