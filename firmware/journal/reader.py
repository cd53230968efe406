"""Reads a journal from disk, verifying every record.

For a start: the newest segment and where it begins from (`starts`), so that a start does
not grow with the age of the journal. For tools: every segment or record of a folder, from
the oldest on (`segments`, `records`).

A last line without its newline, in the newest segment, is a write that the power cut off:
it was never acknowledged to anyone, so it is left out and reported. Anything else wrong is
damage, and an error; nothing is repaired here. Only a start reads past it: to the last record
before damage at the end of the newest segment (`before_damage`), and says what it had to leave.
Damage that a whole record follows is not at the end: that record may be a payment, and unwinding it
would have it paid again.
"""

import os
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from firmware.errors import JournalError
from firmware.journal.files import (
    KEEP_AND_BEGIN_ANEW,
    VERSION_1_FILE,
    read_file,
    segment_files,
    snapshot_path,
)
from firmware.journal.headers import Header, decode_header, has_header, snapshot_hash
from firmware.journal.records import GENESIS, DamagedError, Record, decode, is_record
from firmware.journal.regular_files import open_to_read

_TAIL_BYTES = 1 << 20
"""Longer than any record."""


class Segment(Struct, frozen=True):
    """One file, read and verified: its records, where they end, what was torn off after."""

    path: Path
    first: int
    header: Header | None
    """None in version 1."""
    records: tuple[Record, ...]
    length: int
    torn_bytes: int = 0
    """What follows the last record: an unfinished write or, with `damage`, anything."""
    damage: str = ""
    """What is wrong after the last record, if that was no unfinished write."""

    @property
    def version(self) -> int:
        """The version of the format that the file is in."""
        return 1 if self.header is None else 2

    @property
    def last(self) -> int:
        """The number of the last record; one less than the first where there is none yet."""
        return self.first + len(self.records) - 1

    @property
    def before(self) -> str:
        """The chain that the segment builds on."""
        return GENESIS if self.header is None else self.header.before

    @property
    def chain(self) -> str:
        """The chain that the next record builds on."""
        if self.records:
            return self.records[-1].chain
        return GENESIS if self.header is None else self.header.chain

    @property
    def head_chain(self) -> str:
        """The chain of the last record, here or in the segment before."""
        return self.records[-1].chain if self.records else self.before


class Start(Struct, frozen=True):
    """A place from which the state can be folded: a snapshot, or the very beginning."""

    segments: tuple[Segment, ...]
    """What comes after the snapshot, oldest first."""
    snapshot: bytes | None = None
    """None for the very beginning."""
    problem: str = ""
    """Why a snapshot that should be there is not: this is not a place to start from."""
    is_oldest: bool = False
    """Whether there is nothing before it."""

    @property
    def records(self) -> Iterator[Record]:
        """Everything to be folded after the snapshot."""
        return (record for segment in self.segments for record in segment.records)


def newest(folder: Path) -> Segment | None:
    """Read the newest segment of a journal; a folder without any is a new journal."""
    files = segment_files(folder)
    if not files:
        return None
    segment = _read(*files[-1], is_newest=True)
    if len(files) > 1:
        _check_end(files[-2][1], segment)
    return segment


def before_damage(folder: Path) -> Segment | None:
    """Read the newest segment as far as it is whole; what is after that, `damage` says.

    Damage that whole records follow is refused like any other.
    """
    try:
        return newest(folder)
    except DamagedError:
        segment = _before_damage(*segment_files(folder)[-1])
    if len(segment_files(folder)) > 1:
        _check_end(segment_files(folder)[-2][1], segment)
    return segment


def _before_damage(first: int, path: Path) -> Segment:
    data = read_file(path)
    header = _header(first, data.partition(b"\n")[0]) if _is_headed(first, data) else None
    at = 0 if header is None else data.index(b"\n") + 1
    lines = data[at:].split(b"\n")[:-1]
    read: list[Record] = []
    try:
        for record in _records(lines, first, header):
            read.append(record)  # noqa: PERF402  # what was read before the damage counts
    except DamagedError as error:
        damage = _missing_words(first + len(read), lines[len(read) :], error)
        _check_is_end(path, first + len(read), lines[len(read) :], error)
    if first == 1 and not read:
        raise JournalError(f"{path}: record 1: is damaged; {KEEP_AND_BEGIN_ANEW}")
    length = at + sum(len(line) + 1 for line in lines[: len(read)])
    return Segment(path, first, header, tuple(read), length, len(data) - length, damage)


def until_damage(first: int, path: Path) -> Segment:
    """Read a segment up to its first record that is not whole, whatever follows.

    For whoever looks at it: a table does not start from that.
    """
    data = read_file(path)
    header = _header(first, data.partition(b"\n")[0]) if _is_headed(first, data) else None
    at = 0 if header is None else data.find(b"\n") + 1
    lines = data[at:].split(b"\n")[:-1]
    read: list[Record] = []
    damage = ""
    try:
        for record in _records(lines, first, header):
            read.append(record)  # noqa: PERF402  # what was read before the damage counts
    except JournalError as error:
        damage = str(error)
    length = at + sum(len(line) + 1 for line in lines[: len(read)])
    return Segment(path, first, header, tuple(read), length, len(data) - length, damage)


def _check_is_end(path: Path, record: int, lines: list[bytes], error: JournalError) -> None:
    """Refuse damage at a record that whole records follow: then it is not the end."""
    whole = [number for line in lines if (number := _whole_number(line)) > record]
    if whole:
        raise DamagedError(
            f"{path}: {error}, and whole records follow it, up to {max(whole)}; {KEEP_AND_BEGIN_ANEW}"
        )


def _whole_number(line: bytes) -> int:
    """Return the number of a line that its own checksum shows to be whole; 0 if it does not."""
    number, _, checked = line.partition(b" ")
    crc, _, rest = checked.partition(b" ")
    is_whole = number.isdigit() and crc == b"%08x" % zlib.crc32(rest)
    return int(number) if is_whole else 0


def _missing_words(record: int, lines: list[bytes], error: JournalError) -> str:
    """Say which records cannot be read, as far as what is left of them tells."""
    last = record + len(lines) - 1
    which = f"record {record}" if last == record else f"records {record} to {last}"
    return f"{which} cannot be read ({error})"


def starts(folder: Path, last: Segment) -> Iterator[Start]:
    """Yield the places to start from, best first: the newest snapshot, then older ones."""
    chosen = [last]
    older = [file for file in segment_files(folder) if file[0] < last.first]
    while chosen[0].first != 1:
        yield _start(chosen, is_oldest=not older)
        if not older:
            raise JournalError(
                f"{chosen[0].path}: neither the snapshot before it nor the segments before it "
                f"can be used; put back what was removed from the folder, or {KEEP_AND_BEGIN_ANEW}"
            )
        segment = _read(*older.pop(), is_newest=False)
        _check_follows(segment, chosen[0])
        chosen.insert(0, segment)
    yield Start(tuple(chosen), is_oldest=True)


def segments(folder: Path) -> Iterator[Segment]:
    """Read and verify every segment, oldest first."""
    return _in_order(segment_files(folder))


def records(folder: Path, after: int = 0) -> Iterator[Record]:
    """Read and verify every record with a number above `after`, oldest first.

    Segments that end before that are skipped unread.
    """
    files = segment_files(folder)
    while len(files) > 1 and files[1][0] <= after + 1:
        del files[0]
    for segment in _in_order(files):
        yield from (record for record in segment.records if record.sequence > after)


def chain_at(folder: Path, record: int) -> str:
    """Return the chain of one record as it is written; empty if the journal does not have it."""
    for first, path in reversed(segment_files(folder)):
        if first <= record:
            found = re.search(
                rb"^%d [0-9a-f]{8} ([0-9a-f]{64}) " % record, read_file(path), re.MULTILINE
            )
            return found[1].decode() if found else ""
    return ""


def _in_order(files: list[tuple[int, Path]]) -> Iterator[Segment]:
    before: Segment | None = None
    for first, path in files:
        segment = _read(first, path, is_newest=path == files[-1][1])
        if before is not None:
            _check_follows(before, segment)
        yield segment
        before = segment


def read_snapshot(segment: Segment) -> bytes:
    """Read the snapshot that a segment begins from, verified by the segment's header."""
    return _snapshot(segment.path, segment.header)


def snapshots(folder: Path) -> Iterator[tuple[int, bytes]]:
    """Yield every usable snapshot, newest first, with the first record after it.

    Of each segment only the header is read, which says what the snapshot must be.
    """
    for first, path in reversed(segment_files(folder)):
        try:
            with open_to_read(path) as file:
                header = _header(first, file.readline(_TAIL_BYTES).removesuffix(b"\n"))
            yield first, _snapshot(path, header)
        except (OSError, JournalError):
            continue


def _snapshot(path: Path, header: Header | None) -> bytes:
    first = header.first if header else 1
    beside = snapshot_path(path.parent, first)
    data = read_file(beside)
    if header is None or snapshot_hash(data) != header.snapshot:
        raise JournalError(f"{beside}: is damaged: its hash is not the one in {path.name}")
    return data


def _start(chosen: list[Segment], *, is_oldest: bool) -> Start:
    try:
        return Start(tuple(chosen), read_snapshot(chosen[0]), is_oldest=is_oldest)
    except JournalError as error:
        return Start(tuple(chosen), problem=str(error), is_oldest=is_oldest)


def _read(first: int, path: Path, *, is_newest: bool) -> Segment:
    data = read_file(path)
    length = data.rfind(b"\n") + 1
    lines = data[:length].split(b"\n")[:-1]
    try:
        header = _header(first, lines[0] if lines else data) if _is_headed(first, data) else None
        read = tuple(_records(lines if header is None else lines[1:], first, header))
        _check_begun(path, first, read)
    except JournalError as error:
        raise type(error)(f"{path}: {error}; {KEEP_AND_BEGIN_ANEW}") from None
    torn_bytes = len(data) - length
    if torn_bytes and not is_newest:
        raise JournalError(
            f"{path}: record {first + len(read)}: is cut off, but another segment follows; "
            f"{KEEP_AND_BEGIN_ANEW}"
        )
    return Segment(path, first, header, read, length, torn_bytes)


def _is_headed(first: int, data: bytes) -> bool:
    return first != 1 or has_header(data)


def _header(first: int, line: bytes) -> Header:
    if not has_header(line):
        raise JournalError("the header: is missing")
    header = decode_header(line)
    if header.first != first:
        raise JournalError(f"the header: begins with record {header.first}, unlike its name")
    return header


def _records(lines: list[bytes], first: int, header: Header | None) -> Iterator[Record]:
    chain = GENESIS if header is None else header.chain
    for sequence, line in enumerate(lines, start=first):
        record = decode(line, sequence, chain)
        yield record
        chain = record.chain


def _check_begun(path: Path, first: int, read: tuple[Record, ...]) -> None:
    """Refuse a first segment without a record: it is created with one in it."""
    if not read and first == 1 and path.name != VERSION_1_FILE:
        raise JournalError("record 1: is missing")


def _check_follows(before: Segment, segment: Segment) -> None:
    if segment.first != before.last + 1:
        raise JournalError(
            f"{segment.path}: record {before.last + 1}: is missing before it; {KEEP_AND_BEGIN_ANEW}"
        )
    if segment.before != before.chain:
        raise _does_not_follow(before.path, segment)


def _check_end(path: Path, segment: Segment) -> None:
    """Check, without reading all of it, that the segment before ends where this one begins."""
    try:
        with open_to_read(path) as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL_BYTES))
            lines = file.read().split(b"\n")
    except OSError as error:
        raise JournalError(f"{path}: cannot be read: {error.strerror}") from None
    *_, line, after = lines if len(lines) > 1 else (b"", *lines)
    if after or not is_record(line, segment.first - 1, segment.before):
        raise _does_not_follow(path, segment)


def _does_not_follow(path: Path, segment: Segment) -> JournalError:
    return JournalError(
        f"{segment.path}: record {segment.first}: does not follow the end of {path.name}; "
        f"{KEEP_AND_BEGIN_ANEW}"
    )
