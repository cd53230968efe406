r"""The header of a segment, version 2: the first line of its file.

    underfelt-journal 2 <crc32> <chain> <header as JSON>\n

`chain` is the SHA-256 of the chain of the segment before, the words in front and the
header; the first record builds on it, so the header, and through it the snapshot that the
segment begins from, cannot be changed without breaking every record after it. A file
without such a line is in version 1. Records are in `records.py`.
"""

import hashlib
import zlib

import msgspec

from firmware.errors import JournalError

JOURNAL_VERSION = 2
_MAGIC = b"underfelt-journal "


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a segment says about itself."""

    journal: str
    """The random id of the journal."""
    first: int
    """The number of the first record."""
    before: str
    """The chain at the end of the segment before."""
    snapshot: str = ""
    """The SHA-256 of the snapshot; the first segment has none."""

    @property
    def chain(self) -> str:
        """The chain that the first record builds on."""
        return _chain(self.before, msgspec.json.encode(self))


_decoder = msgspec.json.Decoder(Header)


def encode_header(header: Header) -> bytes:
    """Write a header as its line."""
    rest = f"{header.chain} ".encode() + msgspec.json.encode(header)
    return b"%s%d %08x %s\n" % (_MAGIC, JOURNAL_VERSION, zlib.crc32(rest), rest)


def has_header(data: bytes) -> bool:
    """Return whether a file is in version 2, or newer, by how it begins."""
    return data.startswith(_MAGIC)


def decode_header(line: bytes) -> Header:
    """Read and verify a header; the line has lost its newline."""
    version, _, checked = line.removeprefix(_MAGIC).partition(b" ")
    if version.isdigit() and version != b"%d" % JOURNAL_VERSION:
        raise JournalError(
            f"is in version {version.decode()} of the format, but this firmware knows only "
            f"versions 1 and {JOURNAL_VERSION}; install the firmware that wrote it"
        )
    crc, _, rest = checked.partition(b" ")
    if version != b"%d" % JOURNAL_VERSION or crc != b"%08x" % zlib.crc32(rest):
        raise JournalError("the header: its checksum is wrong")
    try:
        header = _decoder.decode(rest.partition(b" ")[2])
    except msgspec.DecodeError as error:
        raise JournalError(f"the header: {error}") from None
    # Compared as it is written, so that no byte can change unnoticed.
    if encode_header(header) != line + b"\n":
        raise JournalError("the header: the chain is broken; the header was changed")
    return header


def snapshot_hash(snapshot: bytes) -> str:
    """Return what a header says about its snapshot."""
    return hashlib.sha256(snapshot).hexdigest()


def _chain(before: str, body: bytes) -> str:
    return hashlib.sha256(
        f"{before} {_MAGIC.decode()}{JOURNAL_VERSION} ".encode() + body
    ).hexdigest()
