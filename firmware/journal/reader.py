"""Reads a journal from disk, verifying every record.

A last line without its newline is a write that the power cut off: it was never
acknowledged to anyone, so it is left out and reported. Anything else that does not fit
is damage, and an error; nothing is repaired here.
"""

from pathlib import Path

from msgspec import Struct

from firmware.errors import JournalError
from firmware.journal.records import GENESIS, Record, decode


class Journal(Struct, frozen=True):
    """What was read: the records, where they end in the file, and what was torn off after."""

    records: tuple[Record, ...]
    length: int
    torn_bytes: int

    @property
    def chain(self) -> str:
        """The chain that the next record builds on."""
        return self.records[-1].chain if self.records else GENESIS


def read(path: Path) -> Journal:
    """Read and verify a whole journal; a file that is not there is an empty one."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        data = b""
    except OSError as error:
        raise JournalError(f"{path}: cannot be read: {error.strerror}") from None
    length = data.rfind(b"\n") + 1
    records: list[Record] = []
    chain = GENESIS
    for sequence, line in enumerate(data[:length].split(b"\n")[:-1], start=1):
        try:
            record = decode(line, sequence, chain)
        except JournalError as error:
            raise JournalError(f"{path}: {error}") from None
        records.append(record)
        chain = record.chain
    return Journal(tuple(records), length, len(data) - length)
