"""Orders of the house to let a refused unit go on although its journal lacks records.

An order is for one start of a unit, with the key and the head that it had when the house gave it: a
start is named where anybody can read it. It is in the books before it is said to be carried out, and is
repeated to that start until it has been heard. It stays there: whoever compares the journal with
its heads must know from which record on it is another one, and on whose order.
"""

import sqlite3
from datetime import datetime

import msgspec
from msgspec import Struct

from firmware.protocol.messages import SignedHead
from sim.jackpot_controller.schema import transaction

Unit = tuple[str, str]
"""A table and its journal."""


class UnitOrder(Struct, frozen=True):
    """An order of the house to let a unit go on."""

    number: int
    boot: str
    through: int
    """The last record that the books know of the journal."""
    by: str
    head: SignedHead
    """What the start had shown."""

    def is_for(self, boot: str, head: SignedHead) -> bool:
        """Return whether a start, with a head that it has signed, is the one that is meant."""
        meant = self.head
        if boot != self.boot or head.key != meant.key or head.record < meant.record:
            return False
        return head.record > meant.record or head.chain == meant.chain


class UnitOrders:
    """The orders of a link that were not heard yet."""

    def __init__(self, database: sqlite3.Connection, root: str) -> None:
        self._database = database
        self._root = root
        self._unheard: dict[Unit, UnitOrder] = {}
        rows = database.execute(
            "SELECT table_name, journal, number, boot, through, staff, head.document"
            " FROM unit_order JOIN ordered_head AS head USING (number)"
            " WHERE root = ? AND heard_at IS NULL ORDER BY number",
            (root,),
        )
        for table, journal, number, boot, through, by, document in rows:
            head = msgspec.json.decode(document, type=SignedHead)
            self._unheard[table, journal] = UnitOrder(number, boot, through, by, head)

    def of(self, unit: Unit) -> UnitOrder | None:
        """Return the order that a unit has not heard yet."""
        return self._unheard.get(unit)

    def give(
        self, unit: Unit, refused: tuple[str, SignedHead], through: int, by: str, at: datetime
    ) -> UnitOrder:
        """Write an order into the books: for a start with the head that it has shown."""
        boot, head = refused
        with transaction(self._database):
            row = self._database.execute(
                "INSERT INTO unit_order (root, table_name, journal, boot, through, staff, ordered_at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING number",
                (self._root, *unit, boot, through, by, at.isoformat()),
            ).fetchone()
            self._database.execute(
                "INSERT INTO ordered_head VALUES (?, ?)", (row[0], msgspec.json.encode(head))
            )
        self.lapse(unit)
        order = self._unheard[unit] = UnitOrder(row[0], boot, through, by, head)
        return order

    def heard(self, unit: Unit, at: datetime) -> None:
        """Note that the order is in its unit's journal, after which record, and which heads were before.

        It is part of the transaction that makes the unit's head the known one.
        """
        order = self._unheard.pop(unit)
        self._database.execute(
            "UPDATE unit_order SET record = ?, last_head ="
            " (SELECT ifnull(max(number), 0) FROM head), heard_at = ? WHERE number = ?",
            (order.head.record, at.isoformat(), order.number),
        )

    def lapse(self, unit: Unit) -> None:
        """Let nobody follow an order any more that was not heard; that it was given stays there."""
        order = self._unheard.pop(unit, None)
        if order is not None:
            with transaction(self._database):
                self._database.execute("DELETE FROM ordered_head WHERE number = ?", (order.number,))
