"""The books of the jackpot controller: an SQLite database, one transaction an obligation.

Whatever a table says it owes is entered once, together with what it does to the meter;
the same id again changes nothing and gets the same answer. When `apply` returns, the
disk has it. The meter is kept in parts of 1/10,000 cent, because a contribution is its
stake times a rate in basis points: nothing is ever rounded on the way in, and an award
takes whole cents and leaves the fraction where it is.

A claim is awarded as soon as it is entered: nothing locks the meter here, and nobody
confirms a win. How messages arrive and leave is in `controller.py`.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from firmware.errors import BadInput
from firmware.rules.award import award
from firmware.rules.contract import MAX_CENTS, Award, Claims, EnteredClaim, Meter
from firmware.rules.games import find_game
from firmware.table.outbox import AnyObligation, Contribution, Win

PARTS_PER_CENT = 10_000
"""A basis point of a cent is the smallest step that the meter can make."""

_MAX_PARTS = 2**63 - 1
"""What SQLite can hold in a column; 9.2 trillion dollars."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_decoder: msgspec.json.Decoder[AnyObligation] = msgspec.json.Decoder(AnyObligation)
_encoder = msgspec.json.Encoder()

_SCHEMA = """
CREATE TABLE IF NOT EXISTS link (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    game TEXT NOT NULL,
    reset_cents INTEGER NOT NULL,
    rate_basis_points INTEGER NOT NULL,
    meter_parts INTEGER NOT NULL CHECK (meter_parts >= 0),
    meter_sequence INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS obligation (
    id TEXT PRIMARY KEY,
    entered_at TEXT NOT NULL,
    document BLOB NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS contribution (
    id TEXT PRIMARY KEY REFERENCES obligation,
    stake_cents INTEGER NOT NULL,
    parts INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS award (
    id TEXT PRIMARY KEY REFERENCES obligation,
    amount_cents INTEGER NOT NULL,
    meter_before_cents INTEGER NOT NULL,
    meter_after_cents INTEGER NOT NULL,
    rule TEXT NOT NULL
) STRICT;
"""


class LinkSettings(Struct, frozen=True):
    """What a link is for as long as its books are kept."""

    game: str
    reset_cents: int
    rate_basis_points: int


class Applied(Struct, frozen=True, kw_only=True):
    """The answer to an obligation: it is committed; `award_cents` is what a win is paid."""

    id: str
    award_cents: int | None
    meter_moved: bool


class Totals(Struct, frozen=True):
    """Everything in the books, added up."""

    contributions: int
    stakes_cents: int
    contributed_parts: int
    awards: int
    awarded_cents: int
    lowered_cents: int
    """What the awards took from the meter, less what its resets put back."""


class Store:
    """The open books; one connection, one user."""

    def __init__(self, database: sqlite3.Connection, settings: LinkSettings) -> None:
        self._database = database
        self.settings = settings

    @classmethod
    def open(cls, path: Path, settings: LinkSettings) -> Self:
        """Open the books of a link, or begin them; books of another link are refused."""
        _check_settings(settings)
        # Autocommit of the module, so that the only transactions are those that stand here.
        database = sqlite3.connect(path, isolation_level=None)
        try:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = FULL")
            database.execute("PRAGMA foreign_keys = ON")
            database.executescript(_SCHEMA)
            store = cls(database, settings)
            store._begin_or_compare()
        except BaseException:
            database.close()
            raise
        return store

    def apply(self, obligation: AnyObligation, entered_at: datetime) -> Applied:
        """Enter an obligation with everything that follows from it, or find it entered."""
        with self._transaction():
            known = self._known(obligation)
            if known is not None:
                return known
            self._database.execute(
                "INSERT INTO obligation VALUES (?, ?, ?)",
                (obligation.id, entered_at.isoformat(), _encoder.encode(obligation)),
            )
            if isinstance(obligation, Contribution):
                return self._contribute(obligation)
            if isinstance(obligation, Win):
                return self._award(obligation, entered_at)
            return Applied(id=obligation.id, award_cents=None, meter_moved=False)

    @property
    def meter_cents(self) -> int:
        """The meter as displayed: whole cents."""
        return self.meter_parts // PARTS_PER_CENT

    @property
    def meter_parts(self) -> int:
        """The meter to the last part of a cent."""
        return self._number("SELECT meter_parts FROM link")

    @property
    def meter_sequence(self) -> int:
        """The count of changes of the displayed meter, and of awards."""
        return self._number("SELECT meter_sequence FROM link")

    def totals(self) -> Totals:
        """Add up the books."""
        contributions = self._database.execute(
            "SELECT count(*), ifnull(sum(stake_cents), 0), ifnull(sum(parts), 0) FROM contribution"
        ).fetchone()
        awards = self._database.execute(
            "SELECT count(*), ifnull(sum(amount_cents), 0),"
            " ifnull(sum(meter_before_cents - meter_after_cents), 0) FROM award"
        ).fetchone()
        return Totals(*contributions, *awards)

    def close(self) -> None:
        """Close the database; everything applied is on the disk already."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _begin_or_compare(self) -> None:
        wanted = self.settings
        with self._transaction():
            self._database.execute(
                "INSERT INTO link VALUES (1, ?, ?, ?, ? * ?, 1) ON CONFLICT DO NOTHING",
                (*astuple(wanted), wanted.reset_cents, PARTS_PER_CENT),
            )
            row = self._database.execute("SELECT game, reset_cents, rate_basis_points FROM link")
            found = LinkSettings(*row.fetchone())
        for field in LinkSettings.__struct_fields__:
            if getattr(found, field) != getattr(wanted, field):
                begun_with = getattr(found, field)
                raise BadInput(field, f"the books of this database were begun with {begun_with}")

    def _known(self, obligation: AnyObligation) -> Applied | None:
        row = self._database.execute(
            "SELECT document, amount_cents FROM obligation LEFT JOIN award USING (id) WHERE id = ?",
            (obligation.id,),
        ).fetchone()
        if row is None:
            return None
        document, award_cents = row
        # To acknowledge something else under this id would be to lose it.
        if _decoder.decode(document) != obligation:
            raise BadInput("id", f"{obligation.id!r} stands for something else in the books")
        return Applied(id=obligation.id, award_cents=award_cents, meter_moved=False)

    def _contribute(self, contribution: Contribution) -> Applied:
        stake_cents = contribution.stake_cents
        if not 0 <= stake_cents <= MAX_CENTS:
            raise BadInput("stake_cents", f"{stake_cents} is no stake")
        parts = stake_cents * self.settings.rate_basis_points
        before_parts = self.meter_parts
        if before_parts + parts > _MAX_PARTS:
            raise BadInput("stake_cents", "the meter cannot hold this contribution")
        self._database.execute(
            "INSERT INTO contribution VALUES (?, ?, ?)", (contribution.id, stake_cents, parts)
        )
        moved = (before_parts + parts) // PARTS_PER_CENT != before_parts // PARTS_PER_CENT
        self._set_meter(before_parts + parts, displayed=moved)
        return Applied(id=contribution.id, award_cents=None, meter_moved=moved)

    def _award(self, win: Win, entered_at: datetime) -> Applied:
        cents, fraction_parts = divmod(self.meter_parts, PARTS_PER_CENT)
        paid = self._paid(_entered(win, entered_at), cents)
        self._database.execute(
            "INSERT INTO award VALUES (?, ?, ?, ?, ?)",
            (win.id, paid.amount, paid.meter_before, paid.meter_after, paid.rule),
        )
        self._set_meter(paid.meter_after * PARTS_PER_CENT + fraction_parts, displayed=True)
        return Applied(id=win.id, award_cents=paid.amount, meter_moved=True)

    def _paid(self, claim: EnteredClaim, meter_cents: int) -> Award:
        meter = Meter(value=meter_cents, reset=self.settings.reset_cents)
        (paid,) = award(Claims(game=self.settings.game, meter=meter, claims=(claim,))).awards
        return paid

    def _set_meter(self, meter_parts: int, *, displayed: bool) -> None:
        """Move the meter; a change that can be seen outside has the next sequence."""
        self._database.execute(
            "UPDATE link SET meter_parts = ?, meter_sequence = meter_sequence + ?",
            (meter_parts, displayed),
        )

    def _number(self, query: str) -> int:
        (number,) = self._database.execute(query).fetchone()
        return int(number)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Do everything or nothing; a commit returns when the disk has it."""
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._database.execute("COMMIT")
        except BaseException:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            raise


def _check_settings(settings: LinkSettings) -> None:
    find_game(settings.game)
    if not 0 <= settings.reset_cents <= _MAX_PARTS // PARTS_PER_CENT:
        raise BadInput("reset_cents", f"{settings.reset_cents} is no value for a meter")
    if not 0 <= settings.rate_basis_points <= 10_000:  # noqa: PLR2004  # the whole stake
        raise BadInput("rate_basis_points", f"{settings.rate_basis_points} is not 0 to 10000")


def _entered(win: Win, entered_at: datetime) -> EnteredClaim:
    """Enter a claim: I-32. It comes from outside, so the contract checks it again."""
    claim = win.claim
    if claim.seat != win.seat:
        raise BadInput("claim.seat", f"is {claim.seat}, but the win is seat {win.seat}'s")
    try:
        dealt_at = _EPOCH + timedelta(milliseconds=win.dealt_at_ms)
    except OverflowError:
        raise BadInput("dealt_at_ms", f"{win.dealt_at_ms} is no time") from None
    fields = {
        **msgspec.to_builtins(claim),
        "id": win.id,
        "table": win.table,
        "round": win.round,
        "dealt_at": dealt_at,
        "entered_at": entered_at,
    }
    try:
        return msgspec.convert(fields, EnteredClaim)
    except msgspec.ValidationError as error:
        raise BadInput("claim", str(error)) from None
