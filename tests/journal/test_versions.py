"""Two versions of the format: the older is read, gone on with, left, and gone back to.

`VersionOne` is a reader and writer of version 1 by itself: what the firmware before this one
makes of a folder.
"""

import hashlib
import zlib
from functools import partial
from pathlib import Path

import msgspec
import pytest

from firmware.errors import JournalError
from firmware.journal.headers import Header, decode_header, encode_header
from firmware.journal.reader import newest, segments
from firmware.journal.records import GENESIS
from firmware.journal.writer import Journal
from firmware.table.events import Decision
from tests.journal.records import (
    EVENTS,
    append_all,
    contents,
    events_in,
    salted,
    snapshot_after,
)


class VersionOne:
    """The whole of version 1, written out."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "journal.log"
        self.bodies: list[bytes] = []
        self._chain = GENESIS
        for line in self._path.read_bytes().splitlines() if self._path.exists() else []:
            number, crc, rest = line.split(b" ", 2)
            chain, body = rest.split(b" ", 1)
            assert (int(number), int(crc, 16)) == (len(self.bodies) + 1, zlib.crc32(rest))
            assert chain.decode() == self._next_chain(body)
            self.bodies.append(body)
            self._chain = chain.decode()

    def _next_chain(self, body: bytes) -> str:
        text = f"{self._chain} {len(self.bodies) + 1} ".encode() + body
        return hashlib.sha256(text).hexdigest()

    def append(self, event: Decision) -> None:
        """Write a record."""
        body = msgspec.json.encode(event)
        rest = self._next_chain(body).encode() + b" " + body
        self.bodies.append(body)
        self._chain = rest[:64].decode()
        with self._path.open("ab") as file:
            file.write(b"%d %08x %s\n" % (len(self.bodies), zlib.crc32(rest), rest))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write three records with version 1."""
    old = VersionOne(tmp_path)
    for event in EVENTS[:3]:
        old.append(event)
    return tmp_path


def migrate(folder: Path) -> None:
    """Go on in version 2 from what is there."""
    with Journal(folder) as journal:
        assert journal.rotation_is_due()
        assert journal.rotate(partial(snapshot_after, 3), "fresh") == ""
        assert not journal.rotation_is_due()


def test_version_1_is_read(folder: Path) -> None:
    assert events_in(folder) == EVENTS[:3]
    (segment,) = segments(folder)
    assert (segment.version, segment.first, segment.last) == (1, 1, 3)


def test_version_1_is_gone_on_with_and_the_firmware_before_takes_over_again(folder: Path) -> None:
    append_all(folder, EVENTS[3:4], write_version=1)
    old = VersionOne(folder)
    assert old.bodies[:3] == [msgspec.json.encode(event) for event in EVENTS[:3]]
    assert old.bodies[3:] == [salted(EVENTS[3])]
    old.append(EVENTS[4])
    assert events_in(folder) == EVENTS
    assert [*contents(folder)] == ["journal.log"]


def test_version_1_is_never_ended_as_long_as_it_is_to_be_written(folder: Path) -> None:
    with Journal(folder, write_version=1, segment_bytes=1) as journal:
        journal.append(EVENTS[3], 4)
        assert not journal.rotation_is_due()


def test_a_new_journal_can_be_begun_in_version_1(tmp_path: Path) -> None:
    append_all(tmp_path, EVENTS, write_version=1)
    assert VersionOne(tmp_path).bodies == [salted(event) for event in EVENTS]


def test_left_by_a_rotation_version_1_becomes_the_first_segment_as_it_is(folder: Path) -> None:
    before = contents(folder)["journal.log"]
    migrate(folder)
    append_all(folder, EVENTS[3:])
    assert contents(folder)["000000000001.journal"] == before
    assert [segment.version for segment in segments(folder)] == [1, 2]
    assert events_in(folder) == EVENTS


def test_the_firmware_before_refuses_what_has_left_its_version(folder: Path) -> None:
    migrate(folder)
    with pytest.raises(ValueError, match="invalid literal"):
        VersionOne(folder)


def test_a_torn_end_of_version_1_is_cut_off_before_it_is_left(folder: Path) -> None:
    whole = contents(folder)["journal.log"]
    (folder / "journal.log").write_bytes(whole + b"4 torn")
    migrate(folder)
    assert contents(folder)["000000000001.journal"] == whole
    assert events_in(folder) == EVENTS[:3]


def test_version_2_is_not_left_again(folder: Path) -> None:
    migrate(folder)
    append_all(folder, EVENTS[3:], write_version=1)
    assert [segment.version for segment in segments(folder)] == [1, 2]
    assert events_in(folder) == EVENTS


def test_version_2_without_a_name_for_it_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="version 3 of the format is not known"):
        Journal(tmp_path, write_version=3)
    assert contents(tmp_path) == {}


@pytest.mark.parametrize("version", [b"3", b"17", b"1"])
def test_an_unknown_version_is_refused_in_one_sentence(tmp_path: Path, version: bytes) -> None:
    append_all(tmp_path, EVENTS)
    path = tmp_path / "000000000001.journal"
    data = path.read_bytes().replace(b"underfelt-journal 2 ", b"underfelt-journal %s " % version)
    path.write_bytes(data)
    with pytest.raises(JournalError) as caught:
        newest(tmp_path)
    said = str(caught.value)
    assert f"{path}: is in version {version.decode()} of the format" in said
    assert "\n" not in said
    assert path.read_bytes() == data


def test_a_header_is_written_and_read_again() -> None:
    header = Header(journal="fresh", first=7, before=GENESIS, snapshot="0" * 64)
    line = encode_header(header)
    assert decode_header(line.removesuffix(b"\n")) == header
    assert line.count(b"\n") == 1
