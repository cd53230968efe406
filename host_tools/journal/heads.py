"""Heads that a journal must have: from a controller's books, an older copy, or a note.

A head is the number of a record and its chain, which covers that record and all before it. Whoever
has a card in his hands can change records and make every chain anew; what was kept elsewhere he
cannot.
"""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from firmware.errors import BadInput
from firmware.journal.reader import Segment, read_snapshot, segments
from firmware.rules.bounds import MOST_RECORD
from firmware.shell.folding import restored
from firmware.table.events import JournalOpened
from host_tools.journal.copies import remedy_of_a_copy

_CHAIN = re.compile("[0-9a-fA-F]{64}")
NOTED = "the record noted with --head"


class LetGoOn(Struct, frozen=True):
    """An order of the house: a unit goes on although its journal lacks records of these heads."""

    by: str
    at: str
    through: int
    """The last record that the controller knew."""
    record: int
    """The last record of the unit that it has accepted."""
    heads: dict[int, str]
    """The chain of each record that the controller had heard of before that."""


class Kept(NamedTuple):
    """A journal by its own words: its id, and the table that wrote it."""

    journal: str
    table: str


class KeptHeads(Struct, frozen=True):
    """Heads of one journal, and who kept them."""

    keeper: str
    heads: dict[int, str]
    """The chain of each record."""
    of: Kept | None = None
    """The journal of a copy; books are only asked for the journal that is compared."""
    let_go_on: tuple[LetGoOn, ...] = ()
    """The orders before which other heads were kept, oldest first."""


def kept_heads(against: Path | None, head: str, journal: str) -> KeptHeads:
    """Read the heads to compare a journal with."""
    heads: dict[int, str] = {}
    orders: tuple[LetGoOn, ...] = ()
    keepers = []
    of = None
    if against is not None and against.is_dir():
        heads, of = _of_copy(against)
        keepers.append(str(against))
    elif against is not None:
        heads, orders = _of_books(against, journal)
        keepers.append(str(against))
    if head:
        record, chain = _noted(head)
        if heads.setdefault(record, chain) != chain:
            raise BadInput("--head", f"record {record} has another chain in {against}")
        keepers.append(NOTED)
    return KeptHeads(" and ".join(keepers), heads, of, orders)


def _noted(head: str) -> tuple[int, str]:
    number, _, chain = head.partition(":")
    numbered = number.isascii() and number.isdecimal() and len(number) <= len(str(MOST_RECORD))
    if not (numbered and _CHAIN.fullmatch(chain)):
        raise BadInput("--head", "is not a record and its chain, such as 4711:9f86d0…")
    if int(number) == 0:
        raise BadInput("--head", "there is no record 0: a journal begins with record 1")
    return int(number), chain.lower()


def _of_copy(folder: Path) -> tuple[dict[int, str], Kept | None]:
    """Read the heads of a copy, and whose journal it says that it is."""
    with remedy_of_a_copy(folder):
        of = None
        heads: dict[int, str] = {}
        for segment in segments(folder):
            of = of or _whose(segment)
            heads |= {record.sequence: record.chain for record in segment.records}
    if not heads:
        raise BadInput("--against", f"{folder} holds no journal to compare with; name another")
    return heads, of


def _whose(segment: Segment) -> Kept | None:
    opened = segment.records[0].event if segment.first == 1 and segment.records else None
    if isinstance(opened, JournalOpened):
        return Kept(opened.journal, opened.table)
    if segment.first == 1:
        return None
    table = restored(read_snapshot(segment))
    return Kept(table.state.journal, table.settings.name)


def _of_books(path: Path, journal: str) -> tuple[dict[int, str], tuple[LetGoOn, ...]]:
    """Read the heads that a controller has kept of a journal, and by whose order it went back."""
    if not path.is_file():
        raise BadInput(
            "--against",
            f"{path} is neither a database with heads of journals nor a copy of a journal",
        )
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as books:
            rows: list[tuple[int, int, str]] = books.execute(
                "SELECT number, record, chain FROM head WHERE journal = ? ORDER BY number",
                (journal,),
            ).fetchall()
            orders = _orders(books, journal)
    except sqlite3.Error:
        raise BadInput("--against", f"{path} is not a database with heads of journals") from None
    if not rows:
        raise BadInput("--against", f"{path} has no head of journal {journal}")
    let_go_on, begun = [], 0
    for last_head, by, at, through, accepted in orders:
        before = {record: chain for number, record, chain in rows if begun < number <= last_head}
        let_go_on.append(LetGoOn(by, at, through, accepted, before))
        begun = last_head
    return {record: chain for number, record, chain in rows if number > begun}, tuple(let_go_on)


def _orders(books: sqlite3.Connection, journal: str) -> list[tuple[int, str, str, int, int]]:
    """Read the orders that a unit of the journal has followed; older books have none."""
    kept = books.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'unit_order'").fetchone()
    if kept == (0,):
        return []
    return books.execute(
        "SELECT last_head, staff, ordered_at, through, record FROM unit_order"
        " WHERE journal = ? AND record IS NOT NULL ORDER BY number",
        (journal,),
    ).fetchall()
