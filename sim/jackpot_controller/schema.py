"""The database of the jackpot controller: its tables, opening it, and a link's settings.

SQLite with a write-ahead log and full sync: when a transaction returns, the disk has it.
One database holds the books of every link that one controller serves; a row belongs to a
link by its root topic. What is written into the tables is in `ledger.py`, `claims.py` and
`units.py`.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from firmware.errors import BadInput
from firmware.link.settings import Root
from firmware.rules.bounds import MOST_WORD_CHARACTERS
from firmware.rules.contract import MAX_CENTS
from firmware.rules.games import find_game
from sim.jackpot_controller.accounts import MAX_PARTS, PARTS_PER_CENT

_VERSION = 7
"""The `PRAGMA user_version` of books that this code can read."""

STAKE_LIMIT_CENTS = 1_000_000
"""Far above any jackpot bet; a link's own limit is a setting."""
MOST_RESET_CENTS = 10**12
"""Ten billion dollars: the books have room for the resets of hundreds of winners."""
MOST_METER_CENTS = MAX_PARTS // PARTS_PER_CENT
"""What the books can hold."""
WHOLE_STAKE_BASIS_POINTS = 10_000
_OF_THE_DISK = {
    *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL),
    *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT),
    *(sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH),
    *(sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB),
}
"""What SQLite says if it cannot read or write, whatever is to be written."""

_SCHEMA = """
CREATE TABLE link (
    root TEXT PRIMARY KEY,
    books TEXT NOT NULL,
    game TEXT NOT NULL,
    reset_cents INTEGER NOT NULL,
    rate_basis_points INTEGER NOT NULL,
    limit_cents INTEGER,
    straight_flush_share TEXT NOT NULL,
    stake_limit_cents INTEGER NOT NULL,
    meter_parts INTEGER NOT NULL CHECK (meter_parts >= 0),
    reserve_parts INTEGER NOT NULL DEFAULT 0,
    overflow_parts INTEGER NOT NULL DEFAULT 0 CHECK (overflow_parts >= 0),
    house_parts INTEGER NOT NULL DEFAULT 0,
    locked INTEGER NOT NULL DEFAULT 0,
    won_whole INTEGER NOT NULL DEFAULT 0,
    meter_sequence INTEGER NOT NULL DEFAULT 1,
    pending_sequence INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE TABLE obligation (
    root TEXT NOT NULL REFERENCES link,
    id TEXT NOT NULL,
    entered_at TEXT NOT NULL,
    document BLOB NOT NULL,
    PRIMARY KEY (root, id)
) STRICT;
CREATE TABLE contribution (
    root TEXT NOT NULL,
    id TEXT NOT NULL,
    unit TEXT NOT NULL,
    round INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    bet TEXT NOT NULL,
    stake_cents INTEGER NOT NULL,
    parts INTEGER NOT NULL,
    overflow_parts INTEGER NOT NULL,
    reversed_by TEXT,
    PRIMARY KEY (root, id),
    FOREIGN KEY (root, id) REFERENCES obligation
) STRICT;
CREATE INDEX contribution_of_seat ON contribution (root, unit, round, seat);
CREATE TABLE counted (
    root TEXT NOT NULL,
    unit TEXT NOT NULL,
    contributions INTEGER NOT NULL,
    contributed_cents INTEGER NOT NULL,
    PRIMARY KEY (root, unit)
) STRICT;
CREATE TABLE claim (
    root TEXT NOT NULL,
    id TEXT NOT NULL,
    table_name TEXT NOT NULL,
    unit TEXT NOT NULL,
    round INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    owner TEXT NOT NULL,
    tier TEXT NOT NULL,
    level TEXT NOT NULL,
    percent INTEGER,
    amount_cents INTEGER,
    dealt_at_ms INTEGER NOT NULL,
    entered_at TEXT NOT NULL,
    clock TEXT NOT NULL,
    state TEXT NOT NULL,
    verdict TEXT,
    paid_cents INTEGER,
    aside INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (root, id),
    FOREIGN KEY (root, id) REFERENCES obligation
) STRICT;
CREATE INDEX claim_undecided ON claim (root) WHERE state IN ('open', 'confirmed', 'paid');
CREATE INDEX claim_of_round ON claim (root, unit, round);
CREATE TABLE payment (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    root TEXT NOT NULL,
    id TEXT NOT NULL,
    paid_at TEXT NOT NULL,
    awarded_cents INTEGER,
    amount_cents INTEGER NOT NULL,
    from_meter_cents INTEGER NOT NULL,
    reset_cents INTEGER NOT NULL,
    house_parts INTEGER NOT NULL,
    meter_before_cents INTEGER NOT NULL,
    meter_after_cents INTEGER NOT NULL,
    rule TEXT NOT NULL,
    UNIQUE (root, id),
    FOREIGN KEY (root, id) REFERENCES claim
) STRICT;
CREATE TABLE withdrawal (
    number INTEGER PRIMARY KEY,
    root TEXT NOT NULL,
    id TEXT NOT NULL,
    verdict TEXT NOT NULL,
    at TEXT NOT NULL,
    staff TEXT NOT NULL,
    reason TEXT NOT NULL,
    was TEXT NOT NULL,
    amount_cents INTEGER NOT NULL DEFAULT 0,
    reset_cents INTEGER NOT NULL DEFAULT 0,
    house_parts INTEGER NOT NULL DEFAULT 0,
    refused TEXT NOT NULL DEFAULT '',
    UNIQUE (root, verdict, id),
    FOREIGN KEY (root, id) REFERENCES claim
) STRICT;
CREATE TABLE paid_round (
    root TEXT NOT NULL,
    unit TEXT NOT NULL,
    round INTEGER NOT NULL,
    report TEXT NOT NULL,
    PRIMARY KEY (root, unit, round)
) STRICT;
CREATE TABLE called_off (
    root TEXT NOT NULL,
    unit TEXT NOT NULL,
    round INTEGER NOT NULL,
    win TEXT NOT NULL,
    PRIMARY KEY (root, unit, round, win)
) STRICT;
CREATE TABLE opened_round (
    root TEXT NOT NULL,
    unit TEXT NOT NULL,
    round INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    received_at TEXT NOT NULL,
    PRIMARY KEY (root, unit, round)
) STRICT;
CREATE TABLE believed (
    root TEXT NOT NULL,
    id TEXT NOT NULL,
    staff TEXT NOT NULL,
    reason TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (root, id)
) STRICT;
CREATE TABLE void_round (
    root TEXT NOT NULL,
    unit TEXT NOT NULL,
    round INTEGER NOT NULL,
    report TEXT NOT NULL,
    PRIMARY KEY (root, unit, round)
) STRICT;
CREATE TABLE doubted_payment (
    root TEXT NOT NULL,
    id TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (root, id)
) STRICT;
CREATE TABLE overrule (
    root TEXT NOT NULL,
    claim TEXT NOT NULL,
    table_name TEXT NOT NULL,
    staff TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (root, claim, table_name)
) STRICT;
CREATE TABLE unit (
    root TEXT NOT NULL REFERENCES link,
    table_name TEXT NOT NULL,
    journal TEXT NOT NULL,
    opened_at TEXT NOT NULL,
    closed_at TEXT,
    closed_by TEXT,
    online INTEGER NOT NULL DEFAULT 0,
    status BLOB,
    PRIMARY KEY (root, table_name, journal)
) STRICT;
CREATE TABLE head (
    root TEXT NOT NULL,
    table_name TEXT NOT NULL,
    journal TEXT NOT NULL,
    record INTEGER NOT NULL,
    chain TEXT NOT NULL,
    boot TEXT NOT NULL,
    key TEXT NOT NULL,
    signature TEXT NOT NULL,
    heard_at TEXT NOT NULL,
    number INTEGER PRIMARY KEY
) STRICT;
CREATE INDEX head_of_journal ON head (root, table_name, journal, record);
CREATE TABLE unit_order (
    number INTEGER PRIMARY KEY,
    root TEXT NOT NULL,
    table_name TEXT NOT NULL,
    journal TEXT NOT NULL,
    boot TEXT NOT NULL,
    through INTEGER NOT NULL,
    staff TEXT NOT NULL,
    ordered_at TEXT NOT NULL,
    record INTEGER,
    last_head INTEGER,
    heard_at TEXT
) STRICT;
CREATE TABLE ordered_head (
    number INTEGER PRIMARY KEY,
    document BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX one_open_unit ON unit (root, table_name) WHERE closed_at IS NULL;
CREATE TABLE mismatch (
    root TEXT NOT NULL,
    table_name TEXT NOT NULL,
    journal TEXT NOT NULL,
    noticed_at TEXT NOT NULL,
    ended_at TEXT,
    text TEXT NOT NULL
) STRICT;
CREATE TABLE notice (
    root TEXT NOT NULL,
    table_name TEXT NOT NULL,
    kind TEXT NOT NULL,
    count INTEGER NOT NULL,
    last_at TEXT NOT NULL,
    last_text TEXT NOT NULL,
    PRIMARY KEY (root, table_name, kind)
) STRICT;
CREATE TABLE command (
    number INTEGER PRIMARY KEY,
    root TEXT NOT NULL REFERENCES link,
    kind TEXT NOT NULL,
    table_name TEXT NOT NULL,
    journal TEXT NOT NULL,
    staff TEXT NOT NULL,
    claim TEXT NOT NULL,
    reason TEXT NOT NULL,
    asked_at TEXT NOT NULL,
    done_at TEXT,
    result TEXT,
    payment TEXT NOT NULL DEFAULT ''
) STRICT;
"""


def _table(name: str) -> str:
    """Return the statement that creates a table."""
    return next(each for each in _SCHEMA.split(";\n") if each.startswith(f"CREATE TABLE {name} "))


def _index(name: str) -> str:
    """Return the statement that creates an index."""
    return next(each for each in _SCHEMA.split(";\n") if each.startswith(f"CREATE INDEX {name} "))


def _made_anew(name: str) -> tuple[str, ...]:
    """Return the statements that make a table anew, with everything that is in it."""
    kept = f"ALTER TABLE {name} RENAME TO old_{name}"
    filled = f"INSERT INTO {name} SELECT * FROM old_{name}"  # noqa: S608  # our own names
    return (kept, _table(name), filled, f"DROP TABLE old_{name}")


_UPGRADES = {
    2: (
        _table("withdrawal"),
        _table("paid_round"),
        "ALTER TABLE command ADD COLUMN claim TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE command ADD COLUMN reason TEXT NOT NULL DEFAULT ''",
    ),
    3: (
        *_made_anew("payment"),
        *_made_anew("withdrawal"),
        "ALTER TABLE command ADD COLUMN payment TEXT NOT NULL DEFAULT ''",
    ),
    4: (
        *(_table("head"), _index("head_of_journal")),
        *(_table("called_off"), _table("opened_round"), _table("believed")),
        f"ALTER TABLE link ADD COLUMN stake_limit_cents INTEGER NOT NULL DEFAULT {STAKE_LIMIT_CENTS}",
    ),
    5: (_table("unit_order"), _table("void_round"), _table("doubted_payment")),
    6: (_table("ordered_head"),),
}
"""What brings books of an older version up to the next one."""


class JackpotLinkSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a link, fixed for as long as its books are kept."""

    game: str
    reset_cents: int
    rate_basis_points: int
    limit_cents: int | None = None
    root: Annotated[Root, Meta(max_length=MOST_WORD_CHARACTERS)] = "underfelt"
    straight_flush_share: Literal["declining", "reset"] = "declining"
    stake_limit_cents: int = STAKE_LIMIT_CENTS
    """The highest stake on a jackpot bet that any table of the link takes."""

    @property
    def reset_parts(self) -> int:
        """What the meter starts from, in parts."""
        return self.reset_cents * PARTS_PER_CENT

    @property
    def limit_parts(self) -> int:
        """What the meter never exceeds, in parts; without a limit, what the books can hold."""
        return MAX_PARTS if self.limit_cents is None else self.limit_cents * PARTS_PER_CENT

    def check(self) -> None:
        """Refuse impossible settings."""
        find_game(self.game)
        _check_number("reset_cents", self.reset_cents, 0, MOST_RESET_CENTS)
        _check_number("rate_basis_points", self.rate_basis_points, 0, WHOLE_STAKE_BASIS_POINTS)
        if self.stake_limit_cents < 1:
            raise BadInput("stake_limit_cents", f"{self.stake_limit_cents} lets nobody bet")
        _check_number("stake_limit_cents", self.stake_limit_cents, 1, MAX_CENTS)
        if self.limit_cents is not None:
            # Below the reset value the meter could not start.
            _check_number("limit_cents", self.limit_cents, self.reset_cents, MOST_METER_CENTS)


def _check_number(field: str, number: int, least: int, most: int) -> None:
    if not least <= number <= most:
        raise BadInput(field, f"{number} is not a whole number from {least} to {most}")


def open_database(path: Path) -> sqlite3.Connection:
    """Open the database for writing, or create it."""
    _check_regular(path)
    # The module's autocommit, so that the only transactions are the explicit ones.
    database = sqlite3.connect(path, isolation_level=None)
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute("PRAGMA foreign_keys = ON")
        with transaction(database):
            _begin_or_check(database)
    except BaseException:
        database.close()
        raise
    return database


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open the database for reading, even while a controller is running."""
    if not path.exists():
        raise BadInput("database", f"{path} does not exist")
    _check_regular(path)
    database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    try:
        _check_version(database)
    except BaseException:
        database.close()
        raise
    return database


def _check_regular(path: Path) -> None:
    """Refuse a pipe, on which SQLite would wait for ever, and a folder or a device."""
    if path.exists() and not path.is_file():
        raise BadInput("database", f"{path} is not a file; name the file of the books")


def is_of_the_disk(error: Exception) -> bool:
    """Return whether the database could not be read or written, whatever it was asked."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in _OF_THE_DISK  # the rest tells more of the same


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Do everything or nothing; a commit returns when the disk has it."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise


def _begin_or_check(database: sqlite3.Connection) -> None:
    (tables,) = database.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if tables:
        _upgrade(database)
        _check_version(database)
        return
    # Not `executescript`, which would commit the transaction around it.
    for statement in _SCHEMA.split(";\n"):
        database.execute(statement)
    database.execute(f"PRAGMA user_version = {_VERSION}")


def _upgrade(database: sqlite3.Connection) -> None:
    """Bring older books up to date; nothing in them changes."""
    (version,) = database.execute("PRAGMA user_version").fetchone()
    while version in _UPGRADES:
        for statement in _UPGRADES[version]:
            database.execute(statement)
        version += 1
        database.execute(f"PRAGMA user_version = {version}")


def _check_version(database: sqlite3.Connection) -> None:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version in _UPGRADES:
        raise BadInput(
            "database",
            f"its books are version {version}, not {_VERSION}: `run` brings them up to date",
        )
    if version != _VERSION:
        raise BadInput(
            "database", f"its books are version {version}, not {_VERSION}: start new ones"
        )
