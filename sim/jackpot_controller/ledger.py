"""The money of one link on disk: its accounts, contributions, reversals and their totals.

Every method that writes expects a transaction around it, which `store.py` opens: an
obligation and everything that follows from it are written together or not at all.
"""

import secrets
import sqlite3

from msgspec import Struct
from msgspec.structs import asdict, astuple

from firmware.errors import BadInput
from firmware.protocol.obligations import Contribution, Reversal
from sim.jackpot_controller.accounts import Accounts
from sim.jackpot_controller.checks import TooEarly
from sim.jackpot_controller.schema import JackpotLinkSettings

_ACCOUNTS = ", ".join(Accounts.__struct_fields__)
_SETTINGS = "game, reset_cents, rate_basis_points, limit_cents, root, straight_flush_share, stake_limit_cents"


class LedgerTotals(Struct, frozen=True):
    """The totals of the books."""

    contributions: int
    stakes_cents: int
    contributed_parts: int
    reversals: int
    reversed_parts: int
    awards: int
    """How many claims were paid, by award or by the table itself."""
    awarded_cents: int
    """What was paid on them, fixed amounts included."""
    from_meter_cents: int
    """The part of it that the meter had to pay, plus any excess over a fixed amount."""
    resets_cents: int
    """What the house put into the meter: at the start, and after each reset."""


class Counted(Struct, frozen=True):
    """What one journal has contributed, less what it has reversed."""

    contributions: int
    contributed_cents: int


class Ledger:
    """The accounts of a link, and what went into them."""

    def __init__(self, database: sqlite3.Connection, settings: JackpotLinkSettings) -> None:
        self._database = database
        self.settings = settings

    @classmethod
    def of(cls, database: sqlite3.Connection, root: str) -> "Ledger":
        """Find the books of a link by its root, with their original settings."""
        row = database.execute(f"SELECT {_SETTINGS} FROM link WHERE root = ?", (root,)).fetchone()  # noqa: S608  # our own columns
        if row is None:
            raise BadInput("root", f"this database has no link {root!r}")
        return cls(database, JackpotLinkSettings(*row))

    def begin_or_compare(self) -> None:
        """Start the books; existing books with other settings are refused."""
        wanted = self.settings
        self._database.execute(
            f"INSERT INTO link ({_SETTINGS}, books, meter_parts)"  # noqa: S608  # our own columns
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (*astuple(wanted), secrets.token_hex(8), wanted.reset_parts),
        )
        found = Ledger.of(self._database, wanted.root).settings
        for field, begun_with in asdict(found).items():
            if getattr(wanted, field) != begun_with:
                raise BadInput(field, f"the books of this link were started with {begun_with}")

    def accounts(self) -> Accounts:
        """Read the accounts."""
        row = self._row(f"SELECT {_ACCOUNTS} FROM link WHERE root = ?")  # noqa: S608  # our own columns
        meter, reserve, overflow, house, locked, won_whole = row
        return Accounts(meter, reserve, overflow, house, bool(locked), won_whole)

    def save(self, accounts: Accounts, *, displayed: bool = False) -> None:
        """Write the accounts; a meter that displays a new value gets the next sequence."""
        accounts.check()
        moved = displayed or accounts.meter_cents != self.accounts().meter_cents
        values = ", ".join(f"{field} = ?" for field in Accounts.__struct_fields__)
        self._database.execute(
            f"UPDATE link SET {values}, meter_sequence = meter_sequence + ? WHERE root = ?",  # noqa: S608  # our own columns
            (*astuple(accounts), moved, self.settings.root),
        )

    def contribute(self, contribution: Contribution, journal: str) -> None:
        """Add a contribution, if a bet can be that high."""
        if contribution.stake_cents > self.settings.stake_limit_cents:
            raise BadInput(
                "stake_cents",
                f"{contribution.stake_cents} is above {self.settings.stake_limit_cents},"
                " the highest jackpot bet of this link",
            )
        self._check_first(contribution, unit_of(contribution.table, journal))
        parts = contribution.stake_cents * self.settings.rate_basis_points
        before = self.accounts()
        after = before.contribute(parts, self.settings.limit_parts)
        self.save(after)
        self._count(unit_of(contribution.table, journal), 1, contribution.stake_cents)
        self._database.execute(
            "INSERT INTO contribution VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)",
            (
                *(self.settings.root, contribution.id, unit_of(contribution.table, journal)),
                *(contribution.round, contribution.seat, contribution.bet),
                *(contribution.stake_cents, parts, after.overflow_parts - before.overflow_parts),
            ),
        )

    def _check_first(self, contribution: Contribution, unit: str) -> None:
        """Refuse a second contribution of a spot in one round, unless the first one is reversed."""
        standing = self._database.execute(
            "SELECT id FROM contribution WHERE root = ? AND unit = ? AND round = ? AND seat = ?"
            " AND bet = ? AND reversed_by IS NULL",
            (self.settings.root, unit, contribution.round, contribution.seat, contribution.bet),
        ).fetchone()
        if standing is not None:
            # Its reversal may be on the way.
            raise TooEarly(
                "seat",
                f"{contribution.seat} has already contributed on {contribution.bet} in round"
                f" {contribution.round}, as {standing[0]}",
            )

    def reverse(self, reversal: Reversal) -> None:
        """Reverse one contribution in full."""
        root, id_ = self.settings.root, reversal.contribution
        row = self._database.execute(
            "SELECT unit, round, seat, stake_cents, parts, overflow_parts, reversed_by"
            " FROM contribution WHERE root = ? AND id = ?",
            (root, id_),
        ).fetchone()
        if row is None:
            raise TooEarly("contribution", f"{id_!r} is not in the books", id_)
        unit, round_, seat, stake_cents, parts, overflow_parts, reversed_by = row
        if unit.split(".")[0] != reversal.table:
            raise BadInput("contribution", f"{id_!r} is another table's")
        if (round_, seat, stake_cents) != (reversal.round, reversal.seat, reversal.stake_cents):
            raise BadInput("contribution", f"{id_!r} has another round, seat or stake")
        if reversed_by is not None:
            raise BadInput("contribution", f"{id_!r} was reversed by {reversed_by}")
        self._database.execute(
            "UPDATE contribution SET reversed_by = ? WHERE root = ? AND id = ?",
            (reversal.id, root, id_),
        )
        self._count(unit, -1, -stake_cents)
        self.save(self.accounts().reverse(parts, overflow_parts, self.settings.limit_parts))

    def stake_cents(self, unit: str, round_: int, seat: int, bet: str) -> int | None:
        """Return the stake on a jackpot bet, if it was contributed and not reversed."""
        row = self._database.execute(
            "SELECT sum(stake_cents) FROM contribution WHERE root = ? AND unit = ?"
            " AND round = ? AND seat = ? AND bet = ? AND reversed_by IS NULL",
            (self.settings.root, unit, round_, seat, bet),
        ).fetchone()
        return None if row[0] is None else int(row[0])

    def counted(self, unit: str) -> Counted:
        """Return what a unit has contributed, to compare with the table's own count."""
        row = self._database.execute(
            "SELECT contributions, contributed_cents FROM counted WHERE root = ? AND unit = ?",
            (self.settings.root, unit),
        ).fetchone()
        return Counted(*row) if row else Counted(0, 0)

    def _count(self, unit: str, contributions: int, cents: int) -> None:
        """Keep a running count, so that not every status has to sum up years of contributions."""
        self._database.execute(
            "INSERT INTO counted VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
            " contributions = contributions + excluded.contributions,"
            " contributed_cents = contributed_cents + excluded.contributed_cents",
            (self.settings.root, unit, contributions, cents),
        )

    def totals(self) -> LedgerTotals:
        """Add up the books."""
        added = self._row(
            "SELECT count(*), ifnull(sum(stake_cents), 0), ifnull(sum(parts), 0),"
            " count(reversed_by), ifnull(sum(parts) FILTER (WHERE reversed_by IS NOT NULL), 0)"
            " FROM contribution WHERE root = ?"
        )
        paid = self._row(
            "SELECT count(*), ifnull(sum(amount_cents), 0), ifnull(sum(from_meter_cents), 0),"
            " ifnull(sum(reset_cents), 0) FROM payment WHERE root = ?"
            # The row of an award that was taken back stays, with nothing in it.
            " AND (SELECT state FROM claim WHERE root = payment.root AND id = payment.id)"
            " != 'withdrawn'"
        )
        return LedgerTotals(*added, *paid[:-1], self.settings.reset_cents + paid[-1])  # type: ignore[call-arg]  # one column a field

    @property
    def sequences(self) -> tuple[int, int]:
        """The sequences of the meter and of what is pending, as they were last published."""
        meter, pending = self._row(
            "SELECT meter_sequence, pending_sequence FROM link WHERE root = ?"
        )
        return meter, pending

    def pending_changed(self) -> None:
        """Count a change to what is pending."""
        self._database.execute(
            "UPDATE link SET pending_sequence = pending_sequence + 1 WHERE root = ?",
            (self.settings.root,),
        )

    @property
    def books(self) -> str:
        """The random id of these books."""
        return str(self._row("SELECT books FROM link WHERE root = ?")[0])

    def _row(self, query: str) -> tuple[int, ...]:
        row: tuple[int, ...] = self._database.execute(query, (self.settings.root,)).fetchone()
        return row


def unit_of(table: str, journal: str) -> str:
    """Return the name of a unit: one journal of one table."""
    return f"{table}.{journal}"
