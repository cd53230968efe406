"""What was dropped, rejected or refused, counted by table for `show`.

The counts are kept in memory and saved now and then: a peer that sends nonsense must not be
able to keep the disk busy. A controller that is killed may lose the last of them.
"""

import sqlite3
from datetime import datetime

from msgspec import Struct

from sim.jackpot_controller.schema import transaction

_MAX_TABLES = 1_000
_MAX_TEXT = 300


class _Noticed(Struct):
    count: int = 0
    at: str = ""
    text: str = ""


class Notices:
    """The complaints of a link."""

    def __init__(self, database: sqlite3.Connection, root: str) -> None:
        self._database = database
        self._root = root
        self._unwritten: dict[tuple[str, str], _Noticed] = {}

    def add(self, table: str, kind: str, text: str, at: datetime) -> None:
        """Count one more."""
        if len(self._unwritten) >= _MAX_TABLES:
            table = "?"
        noticed = self._unwritten.setdefault((table, kind), _Noticed())
        noticed.count += 1
        noticed.at, noticed.text = at.isoformat(), text[:_MAX_TEXT]

    def write(self) -> None:
        """Save the counts."""
        if not self._unwritten:
            return
        with transaction(self._database):
            for (table, kind), noticed in self._unwritten.items():
                self._database.execute(
                    "INSERT INTO notice VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
                    " count = count + excluded.count, last_at = excluded.last_at,"
                    " last_text = excluded.last_text",
                    (self._root, table, kind, noticed.count, noticed.at, noticed.text),
                )
        self._unwritten.clear()
