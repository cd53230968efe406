"""Damage at the end of the newest segment: a start reads up to it, keeps it, and says what it lacks.

A start that refused would lock the table out for ever; what is missing the jackpot controller knows.
"""

from hashlib import sha256
from pathlib import Path
from zlib import crc32

import pytest

from firmware.errors import JournalError
from firmware.journal.files import damaged_path, segment_path
from firmware.journal.reader import before_damage, records
from firmware.journal.records import encode
from firmware.journal.writer import Journal
from firmware.shell.inbox import Arrival
from firmware.shell.runtime import Runtime
from firmware.table.effects import ShowRefusal
from firmware.table.events import BetsOpened, CoinSensed, FaultNoticed, Restarted
from tests.journal.records import EVENTS, append_all, contents, events_in
from tests.table.playing import SETTINGS


def damaged(path: Path, record: int) -> bytes:
    """Change a byte of a record of the first segment, and give what the file is then."""
    lines = path.read_bytes().split(b"\n")
    lines[record] = lines[record][:-2] + b"?}"
    path.write_bytes(b"\n".join(lines))
    return path.read_bytes()


@pytest.mark.parametrize("rotate_after", [0, 2])
def test_a_start_goes_on_after_the_last_record_before_the_damage_and_keeps_the_rest(
    tmp_path: Path, rotate_after: int
) -> None:
    append_all(tmp_path, EVENTS, rotate_after=rotate_after)
    append_all(tmp_path, [CoinSensed(at_ms=9, seat=2, present=True)])
    first = 5 if rotate_after else 1
    path = segment_path(tmp_path, first)
    lost = 5
    damaged(path, 5 - first + 1)
    found = damaged(path, 6 - first + 1)  # the last two records
    segment = before_damage(tmp_path)
    assert segment is not None
    assert segment.last == lost - 1
    assert segment.damage.startswith("records 5 to 6 cannot be read")
    with pytest.raises(JournalError, match="checksum is wrong"):
        list(records(tmp_path))  # for a tool it is damage
    with Journal(tmp_path) as journal:
        assert journal.damage == segment.damage
        journal.append(Restarted(at_ms=10), lost)
    assert [*events_in(tmp_path)][-1] == Restarted(at_ms=10)
    assert damaged_path(tmp_path, first, lost).read_bytes() == found


@pytest.mark.parametrize("record", [2, 3, 5])
def test_damage_that_a_whole_record_follows_is_not_the_end_and_is_refused(
    tmp_path: Path, record: int
) -> None:
    append_all(tmp_path, EVENTS)
    append_all(tmp_path, [CoinSensed(at_ms=9, seat=2, present=True)])
    path = segment_path(tmp_path, 1)
    damaged(path, record)
    before = contents(tmp_path)
    follows = (
        f"record {record}: its checksum is wrong, and whole records follow it, up to 6; stop the"
    )
    with pytest.raises(JournalError, match=follows) as refused:
        Journal(tmp_path)
    assert str(refused.value).startswith(str(path))
    assert contents(tmp_path) == before


def test_a_whole_record_after_one_that_is_missing_is_not_the_end(tmp_path: Path) -> None:
    append_all(tmp_path, EVENTS)
    path = segment_path(tmp_path, 1)
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([*lines[:4], lines[5], b""]))
    with pytest.raises(JournalError, match="record found here is number 5, and whole records"):
        Journal(tmp_path)


def test_a_record_that_only_a_newer_firmware_understands_is_not_damage(tmp_path: Path) -> None:
    append_all(tmp_path, EVENTS)
    path = segment_path(tmp_path, 1)
    *_, last = records(tmp_path)
    line, _ = encode(6, last.chain, CoinSensed(at_ms=9, seat=2, present=True))
    body = line.split(b" ", 3)[3].removesuffix(b"\n").replace(b"coin_sensed", b"coin_smelled")
    path.write_bytes(path.read_bytes() + _line(6, last.chain, body))
    before = contents(tmp_path)
    with pytest.raises(JournalError, match="coin_smelled"):
        Journal(tmp_path)
    assert contents(tmp_path) == before


def test_a_first_record_that_is_damaged_is_refused(tmp_path: Path) -> None:
    append_all(tmp_path, EVENTS[:1])
    damaged(segment_path(tmp_path, 1), 1)
    with pytest.raises(JournalError, match="record 1: is damaged; stop the table"):
        Journal(tmp_path)


def test_a_table_with_a_damaged_end_says_what_is_missing_and_takes_no_round(tmp_path: Path) -> None:
    runtime = Runtime(SETTINGS, tmp_path)
    for number in range(1, 6):
        event = CoinSensed(at_ms=number, seat=number % 5 + 1, present=True)
        runtime.handle(Arrival(event))
    runtime.close()
    last = runtime.table.state.sequence
    for record in range(4, last + 1):
        damaged(segment_path(tmp_path, 1), record)
    again = Runtime(SETTINGS, tmp_path)
    fault = again.table.state.faults["journal_damaged"]
    assert fault.detail == f"records 4 to {last} cannot be read (record 4: its checksum is wrong)"
    (refusal,) = again.handle(Arrival(BetsOpened(at_ms=9, frame=1))).effects
    assert isinstance(refusal, ShowRefusal)
    assert "F408" in refusal.reason
    assert isinstance([*records(tmp_path)][-1].event, FaultNoticed)
    again.close()


def _line(sequence: int, chain_before: str, body: bytes) -> bytes:
    """Write a record of any event, whole."""
    chain = sha256(f"{chain_before} {sequence} ".encode() + body).hexdigest()
    rest = f"{chain} ".encode() + body
    return f"{sequence} {crc32(rest):08x} ".encode() + rest + b"\n"
