"""Orders of the house to let a refused unit go on although its journal lacks records.

An order is for one start of a unit. It is in the books before it is said to be carried out, and is
repeated to that start until it has been heard. It stays there: whoever compares the journal with
its heads must know from which record on it is another one, and on whose order.
"""

import sqlite3
from datetime import datetime

from msgspec import Struct

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


class UnitOrders:
    """The orders of a link that were not heard yet."""

    def __init__(self, database: sqlite3.Connection, root: str) -> None:
        self._database = database
        self._root = root
        self._unheard: dict[Unit, UnitOrder] = {}
        rows = database.execute(
            "SELECT table_name, journal, number, boot, through, staff FROM unit_order"
            " WHERE root = ? AND heard_at IS NULL ORDER BY number",
            (root,),
        )
        for table, journal, *order in rows:
            self._unheard[table, journal] = UnitOrder(*order)

    def of(self, unit: Unit) -> UnitOrder | None:
        """Return the order that a unit has not heard yet."""
        return self._unheard.get(unit)

    def give(self, unit: Unit, boot: str, through: int, by: str, at: datetime) -> UnitOrder:
        """Write an order into the books."""
        with transaction(self._database):
            row = self._database.execute(
                "INSERT INTO unit_order (root, table_name, journal, boot, through, staff, ordered_at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING number",
                (self._root, *unit, boot, through, by, at.isoformat()),
            ).fetchone()
        order = self._unheard[unit] = UnitOrder(row[0], boot, through, by)
        return order

    def accepted(self, order: UnitOrder, record: int) -> None:
        """Note with which record the unit goes on, and which heads were before that."""
        with transaction(self._database):
            self._database.execute(
                "UPDATE unit_order SET record = ?, last_head ="
                " (SELECT ifnull(max(number), 0) FROM head) WHERE number = ? AND record IS NULL",
                (record, order.number),
            )

    def heard(self, unit: Unit, at: datetime) -> None:
        """Note that the unit has heard its order: it need not be told again."""
        order = self._unheard.pop(unit)
        with transaction(self._database):
            self._database.execute(
                "UPDATE unit_order SET heard_at = ? WHERE number = ?",
                (at.isoformat(), order.number),
            )
