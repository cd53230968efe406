r"""The format of a journal record, the same in versions 1 and 2: one line of text.

    <sequence> <crc32> <chain> <event as JSON>\n

`sequence` counts from 1 without gaps. `chain` is the SHA-256 of the chain before it,
the sequence and the event: changing, dropping or reordering a record breaks every chain
after it. The first record of a segment builds on the chain of the segment's header, in
version 1 on zeros. `crc32` covers the rest of the line and tells a slip from a forgery. The
first record is the `journal_opened` event with the random id of the journal.

The event has a salt of its own. Chains leave the table while cards lie face down (`shell/heads.py`),
and without it whoever knows the rest of a record could try all 52 cards.

A line is text, so that any tool can read a journal; the event is what `table/events.py`
defines. Files are handled in `writer.py` and `reader.py`.
"""

import hashlib
import zlib

import msgspec

from firmware.errors import JournalError
from firmware.table.events import AnyDecision, Decision

GENESIS = "0" * 64
_decoder = msgspec.json.Decoder(AnyDecision)
_encoder = msgspec.json.Encoder()


class DamagedError(JournalError):
    """A record that was not written as it is; any other error is about its meaning."""


class Record(msgspec.Struct, frozen=True):
    """One record, read and verified."""

    sequence: int
    chain: str
    event: AnyDecision


def encode(sequence: int, chain_before: str, event: Decision, salt: str = "") -> tuple[bytes, str]:
    """Write a record as its line, and return the chain that the next one builds on."""
    body = _encoder.encode(event)
    if salt:
        # One more field, which a reader of events ignores.
        body = b'%s,"salt":"%s"}' % (body[:-1], salt.encode())
    chain = _chain(chain_before, sequence, body)
    rest = f"{chain} ".encode() + body
    return f"{sequence} {zlib.crc32(rest):08x} ".encode() + rest + b"\n", chain


def decode(line: bytes, sequence: int, chain_before: str) -> Record:
    """Read and verify the record that must be here; the line has lost its newline."""
    try:
        number, crc, rest = line.split(b" ", 2)
        chain, body = rest.split(b" ", 1)
    except ValueError:
        raise DamagedError(f"record {sequence}: not a record") from None
    # Compared as they are written, so that no byte can change unnoticed.
    if crc != b"%08x" % zlib.crc32(rest):
        raise DamagedError(f"record {sequence}: its checksum is wrong")
    if number != b"%d" % sequence:
        found = number.decode("ascii", "replace")
        raise DamagedError(f"record {sequence}: the record found here is number {found}")
    if chain.decode(errors="replace") != _chain(chain_before, sequence, body):
        raise DamagedError(f"record {sequence}: the chain is broken; a record was changed")
    try:
        return Record(sequence, chain.decode(), _decoder.decode(body))
    except msgspec.DecodeError as error:
        raise JournalError(f"record {sequence}: {error}") from None


def is_record(line: bytes, sequence: int, chain: str) -> bool:
    """Return, without the records before it, whether a line has this number and chain."""
    number, _, checked = line.partition(b" ")
    crc, _, rest = checked.partition(b" ")
    fits = crc == b"%08x" % zlib.crc32(rest)
    return fits and number == b"%d" % sequence and rest.startswith(f"{chain} ".encode())


def _chain(before: str, sequence: int, body: bytes) -> str:
    return hashlib.sha256(f"{before} {sequence} ".encode() + body).hexdigest()
