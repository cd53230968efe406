"""Everything that `underfelt-sim jackpot show` shows, whether or not a controller is running.

What a claim waits for is worked out again from the statuses in the books, which are at most
a second old. A part is 1/10,000 cent. `show.py` formats it for a terminal.
"""

import sqlite3

import msgspec
from msgspec import Struct

from firmware.protocol.messages import TableStatus
from firmware.protocol.obligations import moment
from firmware.rules.words import money, spaced
from sim.jackpot_controller.claims import ClaimBook
from sim.jackpot_controller.ledger import Ledger, LedgerTotals

LAST_HITS = 25


class Hit(Struct, frozen=True):
    """A claim that was paid."""

    paid_at: str
    table: str
    seat: int
    tier: str
    level: str
    amount_cents: int
    awarded_cents: int | None
    """None if the table paid it before the controller knew of it."""
    house_parts: int
    rule: str
    id: str
    state: str


class PendingReport(Struct, frozen=True):
    """A pending claim, and what it waits for."""

    id: str
    table: str
    seat: int
    tier: str
    dealt_at: str
    clock: str
    waits_for: tuple[str, ...]


class TableReport(Struct, frozen=True):
    """A table, by its newest status."""

    table: str
    journal: str
    online: bool
    phase: str
    round: int
    owed: int
    contributions: int
    contributed_cents: int
    """By the controller's own count."""
    closed_units: int


class LinkReport(Struct, frozen=True, kw_only=True):
    """One link."""

    root: str
    game: str
    books: str
    running: bool
    locked: bool
    meter_cents: int
    reserve_parts: int
    overflow_parts: int
    house_parts: int
    base_cents: int
    limit_cents: int | None
    rate_basis_points: int
    hits: int
    totals: LedgerTotals
    last_hits: tuple[Hit, ...]
    withdrawals: tuple[str, ...]
    pending: tuple[PendingReport, ...]
    set_aside: tuple[str, ...]
    doubted: tuple[str, ...]
    tables: tuple[TableReport, ...]
    mismatches: tuple[str, ...]
    refused: tuple[str, ...]
    commands: tuple[str, ...]


def report(database: sqlite3.Connection, root: str, *, running: bool) -> LinkReport:
    """Read the books of one link, all at one moment."""
    database.execute("BEGIN")
    try:
        return _report(database, root, running=running)
    finally:
        database.execute("ROLLBACK")


def _report(database: sqlite3.Connection, root: str, *, running: bool) -> LinkReport:
    ledger = Ledger.of(database, root)
    accounts, totals, settings = ledger.accounts(), ledger.totals(), ledger.settings
    return LinkReport(
        root=root,
        game=settings.game,
        books=ledger.books,
        running=running,
        locked=accounts.locked,
        meter_cents=accounts.meter_cents,
        reserve_parts=accounts.reserve_parts,
        overflow_parts=accounts.overflow_parts,
        house_parts=accounts.house_parts,
        base_cents=settings.reset_cents,
        limit_cents=settings.limit_cents,
        rate_basis_points=settings.rate_basis_points,
        hits=totals.awards,
        totals=totals,
        last_hits=_last_hits(database, root),
        withdrawals=_withdrawals(database, root),
        pending=_pending(database, ledger),
        set_aside=tuple(row.id for row in ClaimBook(database, ledger).rows.aside()),
        doubted=_doubted(ClaimBook(database, ledger)),
        tables=_tables(database, root),
        mismatches=_mismatches(database, root),
        refused=_refused(database, root),
        commands=_commands(database, root),
    )


def _last_hits(database: sqlite3.Connection, root: str) -> tuple[Hit, ...]:
    rows = database.execute(
        "SELECT paid_at, table_name, seat, tier, level, payment.amount_cents, awarded_cents,"
        " payment.house_parts, rule, id, state"
        " FROM payment JOIN claim USING (root, id) WHERE root = ? ORDER BY number DESC LIMIT ?",
        (root, LAST_HITS),
    )
    return tuple(Hit(*row) for row in rows)


def _withdrawals(database: sqlite3.Connection, root: str) -> tuple[str, ...]:
    rows = database.execute(
        "SELECT at, id, was, withdrawal.amount_cents, withdrawal.reset_cents,"
        " withdrawal.house_parts, staff, reason, refused FROM withdrawal"
        " WHERE root = ? ORDER BY number DESC LIMIT ?",
        (root, LAST_HITS),
    )
    return tuple(_withdrawn(*row) for row in rows)


def _withdrawn(  # noqa: PLR0913, PLR0917  # the columns of a withdrawal
    at: str,
    claim: str,
    was: str,
    amount_cents: int,
    reset_cents: int,
    house_parts: int,
    staff: str,
    reason: str,
    refused: str,
) -> str:
    """Say who withdrew a claim, why, and what became of its award."""
    back = f", {money(amount_cents)} taken back" if was == "awarded" and not refused else ""
    back += f", {money(reset_cents)} of reset given back" if reset_cents else ""
    back += f", {house_parts} parts borne by the house" if house_parts else ""
    told = f"NOT ACCEPTED, {refused}" if refused else f"was {was}{back}"
    return f"{at[:19]} {claim} by {staff or 'the dealer'}: {reason or 'no reason'}; {told}"


def _pending(database: sqlite3.Connection, ledger: Ledger) -> tuple[PendingReport, ...]:
    book = ClaimBook(database, ledger)
    rows = database.execute(
        "SELECT table_name, status FROM unit WHERE root = ? AND closed_at IS NULL",
        (ledger.settings.root,),
    )
    statuses = {
        table: None if status is None else msgspec.json.decode(status, type=TableStatus)
        for table, status in rows
    }
    waits = book.decision(statuses).waits
    return tuple(
        PendingReport(
            row.id,
            row.table_name,
            row.seat,
            row.tier,
            moment(row.dealt_at_ms).isoformat(timespec="milliseconds"),
            row.clock,
            waits.get(row.id, ("the controller to pay it",)),
        )
        for row in book.rows.waiting()
    )


def _doubted(book: ClaimBook) -> tuple[str, ...]:
    """List what the house has to believe or withdraw."""
    doubts = ((row, book.doubts.about(row)) for row in book.rows.to_judge())
    return tuple(
        f"{row.id} ({row.table_name} seat {row.seat} {spaced(row.tier)}): {doubt}"
        for row, doubt in doubts
        if doubt
    )


def _tables(database: sqlite3.Connection, root: str) -> tuple[TableReport, ...]:
    rows = database.execute(
        "SELECT table_name, journal, status, ifnull(contributions, 0),"
        " ifnull(contributed_cents, 0), (SELECT count(*) FROM unit AS old WHERE old.root = unit.root"
        " AND old.table_name = unit.table_name AND old.closed_at IS NOT NULL)"
        " FROM unit LEFT JOIN counted ON counted.root = unit.root"
        " AND counted.unit = table_name || '.' || journal"
        " WHERE unit.root = ? AND closed_at IS NULL ORDER BY table_name",
        (root,),
    )
    tables = []
    for name, journal, document, contributions, cents, closed in rows:
        status = TableStatus(table=name, journal=journal, online=False)
        if document is not None:
            status = msgspec.json.decode(document, type=TableStatus)
        where = (status.online, status.phase, status.round, status.owed)
        tables.append(TableReport(name, journal, *where, contributions, cents, closed))
    return tuple(tables)


def _mismatches(database: sqlite3.Connection, root: str) -> tuple[str, ...]:
    rows = database.execute(
        "SELECT table_name, journal, noticed_at, text FROM mismatch"
        " WHERE root = ? AND ended_at IS NULL ORDER BY noticed_at",
        (root,),
    )
    return tuple(f"{table} unit {unit} since {at}: {text}" for table, unit, at, text in rows)


def _refused(database: sqlite3.Connection, root: str) -> tuple[str, ...]:
    rows = database.execute(
        "SELECT table_name, kind, count, last_at, last_text FROM notice WHERE root = ?"
        " ORDER BY table_name, kind",
        (root,),
    )
    return tuple(
        f"{table} {kind}: {count}, last at {at}: {text}" for table, kind, count, at, text in rows
    )


def _commands(database: sqlite3.Connection, root: str) -> tuple[str, ...]:
    rows = database.execute(
        "SELECT asked_at, kind, table_name, journal || claim, staff, reason,"
        " ifnull(result, 'not carried out yet')"
        " FROM command WHERE root = ? ORDER BY number DESC LIMIT 10",
        (root,),
    )
    return tuple(
        " ".join(f"{at[:19]}: {kind} {table} {what} by {staff}: {reason} {result}".split())
        for at, kind, table, what, staff, reason, result in (
            (*row[:5], f"{row[5]}:" if row[5] else "", row[6]) for row in rows
        )
    )
