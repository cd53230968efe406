"""Heads that a journal must have: from a controller's books, an older copy, or a note.

A head is the number of a record and its chain, which covers that record and all before it. Whoever
has a card in his hands can change records and make every chain anew; what was kept elsewhere he
cannot.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from msgspec import Struct

from firmware.errors import BadInput
from firmware.journal.reader import records
from host_tools.journal.copies import remedy_of_a_copy

_CHAIN_DIGITS = 64


class KeptHeads(Struct, frozen=True):
    """Heads of one journal, and who kept them."""

    keeper: str
    heads: dict[int, str]
    """The chain of each record."""


def kept_heads(against: Path | None, head: str, journal: str) -> KeptHeads:
    """Read the heads to compare a journal with."""
    heads: dict[int, str] = {}
    keepers = []
    if against is not None:
        heads |= _of_copy(against) if against.is_dir() else _of_books(against, journal)
        keepers.append(str(against))
    if head:
        record, chain = _noted(head)
        if heads.setdefault(record, chain) != chain:
            raise BadInput("--head", f"record {record} has another chain in {against}")
        keepers.append("--head")
    return KeptHeads(" and ".join(keepers), heads)


def _noted(head: str) -> tuple[int, str]:
    number, _, chain = head.partition(":")
    if not (number.isdecimal() and len(chain) == _CHAIN_DIGITS and chain.isalnum()):
        raise BadInput("--head", "is not a record and its chain, such as 4711:9f86d0…")
    return int(number), chain.lower()


def _of_copy(folder: Path) -> dict[int, str]:
    with remedy_of_a_copy(folder):
        heads = {record.sequence: record.chain for record in records(folder)}
    if not heads:
        raise BadInput("--against", f"{folder} holds no journal to compare with; name another")
    return heads


def _of_books(path: Path, journal: str) -> dict[int, str]:
    """Read the heads that a controller has kept of a journal; what it let go back, went back."""
    if not path.is_file():
        raise BadInput("--against", f"{path} is neither books nor a copy of a journal")
    heads: dict[int, str] = {}
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as books:
            rows = books.execute(
                "SELECT record, chain FROM head WHERE journal = ? ORDER BY number", (journal,)
            ).fetchall()
    except sqlite3.Error:
        raise BadInput("--against", f"{path} are no books with heads of journals") from None
    for record, chain in rows:
        heads = {each: kept for each, kept in heads.items() if each < record} | {record: chain}
    if not heads:
        raise BadInput("--against", f"{path} has no head of journal {journal}")
    return heads
