"""The claims of one link as rows of the database.

What happens to a claim is in `claims.py`.
"""

import sqlite3
from datetime import datetime

from msgspec import UNSET, Struct

from firmware.protocol.obligations import Win, moment
from firmware.rules.contract import EnteredClaim


class ClaimRow(Struct, frozen=True, kw_only=True):
    """A claim in the books."""

    id: str
    table_name: str
    unit: str
    round: int
    seat: int
    owner: str
    tier: str
    level: str
    percent: int | None
    amount_cents: int | None
    dealt_at_ms: int
    entered_at: str
    clock: str
    state: str
    verdict: str | None
    paid_cents: int | None
    aside: int
    """Whether the house has overruled its table, so that it holds nothing up until its verdict."""

    @property
    def entered(self) -> EnteredClaim:
        """The claim as the contract has it."""
        return EnteredClaim(
            id=self.id,
            table=self.table_name,
            round=self.round,
            seat=self.seat,
            tier=self.tier,
            dealt_at=moment(self.dealt_at_ms),
            entered_at=datetime.fromisoformat(self.entered_at),
            percent=UNSET if self.percent is None else self.percent,
            amount=UNSET if self.amount_cents is None else self.amount_cents,
        )

    @property
    def major(self) -> bool:
        """Whether it locks the meter."""
        return self.level == "major"


_COLUMNS = ", ".join(ClaimRow.__struct_fields__)


class ClaimRows:
    """The rows of a link's claims."""

    def __init__(self, database: sqlite3.Connection, root: str) -> None:
        self._database = database
        self._root = root

    def insert(self, win: Win, unit: str, at: datetime) -> None:
        """Enter a new claim."""
        claim = win.claim
        self._database.execute(
            f"INSERT INTO claim (root, {_COLUMNS})"  # noqa: S608  # our own columns
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, 0)",
            (
                *(self._root, win.id, win.table, unit, win.round, win.seat),
                *(claim.on, claim.tier, claim.level, claim.percent, claim.amount),
                *(win.dealt_at_ms, at.isoformat(), win.clock),
                "confirmed" if win.final else "open",
            ),
        )

    def change(self, id_: str, **values: str | int | None) -> None:
        """Update a claim."""
        columns = ", ".join(f"{name} = ?" for name in values)
        self._database.execute(
            f"UPDATE claim SET {columns} WHERE root = ? AND id = ?",  # noqa: S608  # our own columns
            (*values.values(), self._root, id_),
        )

    def find(self, id_: str) -> ClaimRow | None:
        """Find a claim by the id of its win."""
        rows = self.where("id = ?", id_)
        return rows[0] if rows else None

    def waiting(self) -> list[ClaimRow]:
        """List the claims that hold the meter, in order of entry: majors alone do (I-31, I-43)."""
        return self.where(
            "state IN ('open', 'confirmed', 'paid') AND aside = 0 AND level = 'major'"
            " ORDER BY entered_at, id"
        )

    def undecided(self) -> list[ClaimRow]:
        """List all claims that may still be paid."""
        return self.where("state IN ('open', 'confirmed', 'paid')")

    def at_once(self) -> list[ClaimRow]:
        """List the minors that may be paid, in order of entry."""
        return self.where(
            "state IN ('open', 'confirmed', 'paid') AND state != 'open' AND level = 'minor'"
            " ORDER BY entered_at, id"
        )

    def aside(self) -> list[ClaimRow]:
        """List the claims that were overruled and still have no verdict."""
        return self.where(
            "state IN ('open', 'confirmed', 'paid') AND aside = 1 ORDER BY entered_at, id"
        )

    def to_judge(self) -> list[ClaimRow]:
        """List the claims that something may contradict: unpaid, paid otherwise, or reversed."""
        return self.where(
            "(state IN ('open', 'confirmed', 'paid')"
            " OR (state = 'awarded' AND paid_cents IS NOT NULL)"
            " OR (state IN ('awarded', 'booked') AND EXISTS (SELECT 1 FROM contribution AS made"
            " WHERE (made.root, made.unit, made.round, made.seat)"
            " = (claim.root, claim.unit, claim.round, claim.seat) AND reversed_by IS NOT NULL)))"
            " ORDER BY entered_at, id"
        )

    def of_round(self, unit: str, round_: int) -> list[ClaimRow]:
        """List the claims of one round of one unit."""
        return self.where("unit = ? AND round = ?", unit, round_)

    def last_entry(self) -> datetime | None:
        """Return the time of the newest entry."""
        (newest,) = self._database.execute(
            "SELECT max(entered_at) FROM claim WHERE root = ?", (self._root,)
        ).fetchone()
        return datetime.fromisoformat(newest) if newest else None

    def where(self, condition: str, *values: str | int) -> list[ClaimRow]:
        """List the claims that meet a condition."""
        found = self._database.execute(
            f"SELECT {_COLUMNS} FROM claim WHERE root = ? AND {condition}",  # noqa: S608  # our own words
            (self._root, *values),
        )
        names = ClaimRow.__struct_fields__
        return [ClaimRow(**dict(zip(names, row, strict=True))) for row in found.fetchall()]
