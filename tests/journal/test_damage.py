"""A journal that was changed: every kind of damage is noticed, and the record is named.

Only a torn last line is not damage; that is in `test_journal.py`. Whole records missing at
the very end cannot be noticed from the file alone.
"""

from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from firmware.errors import JournalError
from firmware.journal.reader import read
from firmware.journal.records import GENESIS, decode, encode
from firmware.table.events import CoinSensed, Decision
from tests.journal.records import EVENTS, histories, journal_bytes, lines_of

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
    """Read a damaged journal and give what is said about it."""
    path.write_bytes(data)
    with pytest.raises(JournalError) as caught:
        read(path)
    text = str(caught.value)
    assert "\n" not in text
    assert text.startswith(f"{path}: record ")
    return text.removeprefix(f"{path}: ")


def record_at(place: int, whole: bytes = WHOLE) -> int:
    """Tell in which record a byte of a journal is."""
    return whole[:place].count(b"\n") + 1


def others(byte: int) -> set[int]:
    """Choose what a byte is changed into: a neighbour, the other case, and what is tricky."""
    return {*TRICKY, byte ^ 1, byte ^ 0x20} - {byte}


@pytest.mark.parametrize("number", PLACES)
def test_any_changed_byte_is_noticed_in_its_record(path: Path, number: int) -> None:
    unnoticed = []
    for place, byte in enumerate(WHOLE):
        if record_at(place) != number or place == LAST_BYTE:
            continue
        for other in others(byte):
            path.write_bytes(WHOLE[:place] + bytes([other]) + WHOLE[place + 1 :])
            try:
                read(path)
            except JournalError as error:
                assert f" record {number}: " in str(error)  # noqa: PT017  # thousands of them
            else:
                unnoticed.append((place, chr(byte), chr(other)))
    assert unnoticed == []


def test_a_changed_last_newline_is_a_torn_write(path: Path) -> None:
    for other in others(ord("\n")):
        path.write_bytes(WHOLE[:-1] + bytes([other]))
        assert [record.event for record in read(path).records] == EVENTS[:-1]


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
