"""Which unit speaks for a table, the tables' statuses, and whether their counts agree.

A unit is one journal of one table. The first that speaks is registered; a second one is
refused while the first is online, and needs the house's order (`close-unit`), or automatic
takeover, when the first is offline. A closed unit stays closed: what it sent before is
answered as before, anything new from it is refused. Whether a unit's journal continues the one that
the books know is in `heads.py`. The newest status of each unit is kept;
the broker sends it again after a restart, so the copy on disk is only for `show` and is saved
now and then.
"""

import sqlite3
from datetime import datetime

import msgspec
from msgspec.structs import replace

from firmware.errors import BadInput
from firmware.protocol.messages import GoesOn, HeadAsked, Mismatch, TableStatus
from sim.jackpot_controller.heads import Heads, Judged
from sim.jackpot_controller.ledger import Ledger, unit_of
from sim.jackpot_controller.order import TableStatuses
from sim.jackpot_controller.schema import transaction
from sim.jackpot_controller.unit_orders import UnitOrder

_MAX_GAME = 32
"""How much of a game's name is repeated, since anybody may have made it up."""


class Units:
    """The units of the tables of a link."""

    def __init__(
        self, database: sqlite3.Connection, ledger: Ledger, *, auto_takeover: bool = False
    ) -> None:
        self._database = database
        self._ledger = ledger
        self._auto_takeover = auto_takeover
        self._game = ledger.settings.game
        self._root = ledger.settings.root
        self._statuses: dict[tuple[str, str], TableStatus] = {}
        self._heads = Heads(database, self._root)
        self._unwritten: set[tuple[str, str]] = set()
        self._other_games: dict[str, dict[str, str]] = {}
        self._load()

    @property
    def statuses(self) -> TableStatuses:
        """The newest status of each table; None before its first."""
        return {table: self._statuses.get((table, unit)) for table, unit in self._open.items()}

    def admit(self, table: str, journal: str, at: datetime) -> str | None:
        """Let a unit speak for its table, or return why it may not."""
        other_game = self._other_games.get(table, {}).get(journal)
        if other_game is not None:
            return f"it plays {other_game!r}, and this link is for {self._game} only"
        current = self._open.get(table)
        if current == journal:
            return None
        if self.is_closed(table, journal):
            return "this unit is closed: it was replaced or taken off the link"
        if current is not None:
            if self._is_online(table, current):
                return f"another unit of table {table} is on the link: {current}"
            if not self._auto_takeover:
                return f"unit {current} of table {table} must be closed first"
        self._register(table, journal, at)
        return None

    def heard(self, status: TableStatus, at: datetime, *, retained: bool = False) -> Judged:
        """Take a status: keep it, or return why its unit may not, or not yet, speak for the table.

        One that the broker has retained proves nothing about who is on the link now.
        """
        key = status.table, status.journal
        if status.game not in {"", self._game}:
            self._other_games[status.table] = {status.journal: status.game[:_MAX_GAME]}
        else:
            self._other_games.pop(status.table, None)
        judged = self._judged(status, at, retained=retained)
        if judged.known_is_gone:
            self._is_gone(key)
        if not judged.accepted:
            return judged
        self._keep(key, status)
        return judged

    def _keep(self, key: tuple[str, str], status: TableStatus) -> None:
        self._statuses[key] = status
        self._unwritten.add(key)
        if status.online != self._online[key]:
            # Whether a unit may be replaced after a restart depends on this.
            self._online[key] = status.online
            self.write()

    def _is_gone(self, key: tuple[str, str]) -> None:
        """Note that a unit is offline, as its last will would have said."""
        last = self._statuses.get(key)
        if last is not None:
            self._keep(key, replace(last, online=False))
            return
        self._online[key] = False
        with transaction(self._database):
            self._database.execute(
                "UPDATE unit SET online = 0 WHERE root = ? AND table_name = ? AND journal = ?",
                (self._root, *key),
            )

    def _judged(self, status: TableStatus, at: datetime, *, retained: bool) -> Judged:
        """Judge whether a status is from the unit that speaks for its table."""
        key = status.table, status.journal
        if status.online:
            reason = self.admit(*key, at)
            if reason is not None:
                return Judged(refusal=reason)
            online = self._is_online(*key)
            return self._heads.judge(status, at, known_is_online=online, retained=retained)
        # The farewell of any other unit, or start of it, takes nobody off the link.
        speaks = self._open.get(status.table) == status.journal
        if not speaks:
            return Judged()
        return self._heads.judge_farewell(status, at, is_online=self._is_online(*key))

    def goes_on(self, table: str, journal: str, through: int, by: str) -> GoesOn:
        """Say from where a unit goes on that lacks records of its journal: the house lets it."""
        counted = self._ledger.counted(unit_of(table, journal))
        return GoesOn(
            through=through,
            round=self._last_round(table, journal),
            contributions=counted.contributions,
            contributed_cents=counted.contributed_cents,
            by=by,
        )

    def _last_round(self, table: str, journal: str) -> int:
        """Return the last round of a unit that anything in the books is about."""
        (found,) = self._database.execute(
            "SELECT max(json_extract(document, '$.round')) FROM obligation"
            " WHERE root = ? AND id >= ? AND id < ?",
            (self._root, f"{table}.{journal}.", f"{table}.{journal}/"),
        ).fetchone()
        return int(found or 0)

    def accept(self, table: str, journal: str, staff: str, at: datetime) -> UnitOrder:
        """Let a refused unit go on from what the books have; the house has ordered it."""
        if self.is_closed(table, journal):
            raise BadInput("journal", f"unit {journal} is closed: its box needs a new journal")
        if self._open.get(table) != journal:
            raise BadInput("journal", f"table {table} has no unit {journal}")
        if self._is_online(table, journal):
            raise BadInput("journal", f"another unit with journal {journal} is on the link")
        return self._heads.accept(table, journal, staff, at)

    def asked_again(self, at: datetime) -> list[tuple[str, HeadAsked]]:
        """Ask starts once more of which it is not known whether they are there, by table."""
        for key in self._heads.gone(at):
            self._is_gone(key)
        return self._heads.asked_again(at)

    def is_closed(self, table: str, journal: str) -> bool:
        """Return whether a unit was closed: it stays so."""
        return (table, journal) in self._closed

    def start_of(self, table: str, journal: str) -> str:
        """Return the start of a unit that speaks for its table."""
        return self._heads.start_of(table, journal)

    def close(self, table: str, journal: str, staff: str, at: datetime) -> None:
        """Close a unit for good; the table is off the link until another one speaks."""
        if self.is_closed(table, journal):
            raise BadInput("journal", f"unit {journal} of table {table} is closed already")
        if self._open.get(table) != journal:
            raise BadInput("journal", f"table {table} has no unit {journal}")
        with transaction(self._database):
            self._close_row(table, journal, staff, at)
        del self._open[table]
        self._closed.add((table, journal))

    def write(self) -> None:
        """Save the new statuses, for `show`, and the heads of the journals."""
        self._heads.write()
        if not self._unwritten:
            return
        with transaction(self._database):
            for table, journal in self._unwritten:
                status = self._statuses[table, journal]
                self._database.execute(
                    "UPDATE unit SET status = ?, online = ?"
                    " WHERE root = ? AND table_name = ? AND journal = ?",
                    (msgspec.json.encode(status), status.online, self._root, table, journal),
                )
        self._unwritten.clear()

    def reconcile(self, status: TableStatus, at: datetime) -> tuple[Mismatch | None, bool]:
        """Compare a table's count with the books; return the difference, and whether it is news.

        A broker with too much to do may deliver what a table said before a power cut after
        what it has said since: a status that was overtaken says nothing about the books. That is
        told by the record in its head, which is signed; a time can be anything.
        """
        if self._heads.was_overtaken(status):
            return None, False
        counted = self._ledger.counted(unit_of(status.table, status.journal))
        theirs = status.contributions, status.contributed_cents
        key = self._root, status.table, status.journal
        noted = self._database.execute(
            "SELECT text FROM mismatch WHERE root = ? AND table_name = ? AND journal = ?"
            " AND ended_at IS NULL",
            key,
        ).fetchone()
        if theirs == (counted.contributions, counted.contributed_cents):
            if noted:
                self._end_mismatch(key, at)
            return None, noted is not None
        text = (
            f"the table counts {theirs[0]} contributions of {theirs[1]} cents,"
            f" the books have {counted.contributions} of {counted.contributed_cents}"
        )
        news = noted is None or noted[0] != text
        if news:
            self._end_mismatch(key, at)
            with transaction(self._database):
                self._database.execute(
                    "INSERT INTO mismatch VALUES (?, ?, ?, ?, NULL, ?)",
                    (*key, at.isoformat(), text),
                )
        answer = Mismatch(
            journal=status.journal,
            contributions=counted.contributions,
            contributed_cents=counted.contributed_cents,
        )
        return answer, news

    def _end_mismatch(self, key: tuple[str, str, str], at: datetime) -> None:
        with transaction(self._database):
            self._database.execute(
                "UPDATE mismatch SET ended_at = ? WHERE root = ? AND table_name = ?"
                " AND journal = ? AND ended_at IS NULL",
                (at.isoformat(), *key),
            )

    def _load(self) -> None:
        rows = self._database.execute(
            "SELECT table_name, journal, closed_at, online FROM unit WHERE root = ?", (self._root,)
        ).fetchall()
        self._open = {table: journal for table, journal, closed_at, _ in rows if closed_at is None}
        self._closed = {(table, journal) for table, journal, closed_at, _ in rows if closed_at}
        self._online = {(table, journal): bool(online) for table, journal, _, online in rows}

    def _is_online(self, table: str, journal: str) -> bool:
        """Return whether a unit is online: by its status or, before its first, by the books."""
        status = self._statuses.get((table, journal))
        return self._online[table, journal] if status is None else status.online

    def _register(self, table: str, journal: str, at: datetime) -> None:
        with transaction(self._database):
            current = self._open.get(table)
            if current is not None:
                self._close_row(table, current, "automatic takeover", at)
                self._closed.add((table, current))
            self._database.execute(
                "INSERT INTO unit (root, table_name, journal, opened_at) VALUES (?, ?, ?, ?)",
                (self._root, table, journal, at.isoformat()),
            )
        self._open[table] = journal
        self._online[table, journal] = False

    def _close_row(self, table: str, journal: str, staff: str, at: datetime) -> None:
        self._database.execute(
            "UPDATE unit SET closed_at = ?, closed_by = ?"
            " WHERE root = ? AND table_name = ? AND journal = ?",
            (at.isoformat(), staff, self._root, table, journal),
        )
