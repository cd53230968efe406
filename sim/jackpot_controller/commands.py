"""What the house commands the controller to do, through the database.

A command is written into the books with a name and a time. A running controller carries it
out within a second; otherwise the next one does when it starts. The row stays: it is the
record of who ordered what. A lock on a file beside the database tells whether a controller is
running, and keeps a second one off the same books.
"""

import fcntl
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from firmware.errors import BadInput
from firmware.rules.bounds import MOST_CHARACTERS, MOST_WORD_CHARACTERS, Word
from firmware.rules.documents import decode
from sim.arguments import problem_of_text
from sim.jackpot_controller.desk import LinkDesk, Outgoing
from sim.jackpot_controller.house_payments import HousePayment
from sim.jackpot_controller.schema import is_of_the_disk, transaction
from sim.jackpot_controller.withdrawals import Order, house_order

CommandKind = Literal[
    "overrule", "close-unit", "accept-unit", "withdraw", "enter-payment", "believe"
]
MOST_REASON_CHARACTERS = 1_000
"""A paragraph; `show` prints it."""
Name = Annotated[str, Meta(min_length=1, max_length=MOST_WORD_CHARACTERS)]
Reason = Annotated[str, Meta(max_length=MOST_REASON_CHARACTERS)]
_READ = "root, kind, table_name AS 'table', journal, staff, claim, reason, payment"
_SHOWN_CHARACTERS = 200
_log = logging.getLogger(__name__)


class Command(Struct, frozen=True):
    """One command of the house, from the command line or out of the database."""

    root: Name
    kind: CommandKind
    table: Name
    journal: Word
    staff: Name
    claim: Word = ""
    reason: Reason = ""
    payment: HousePayment | None = None


_decoder = msgspec.json.Decoder(Command)


def record_command(database: sqlite3.Connection, command: Command, at: datetime) -> int:
    """Record a command for the controller; return its number."""
    _checked(msgspec.structs.asdict(command))
    known = database.execute(
        "SELECT count(*) FROM unit WHERE root = ? AND table_name = ?", (command.root, command.table)
    ).fetchone()
    if known == (0,):
        raise BadInput("table", f"link {command.root!r} has no table {command.table!r}")
    if command.claim and not command.reason:
        raise BadInput("reason", "say why: it is kept in the books")
    with transaction(database):
        row = database.execute(
            "INSERT INTO command (root, kind, table_name, journal, staff, claim, reason, asked_at,"
            " payment) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number",
            (
                command.root,
                command.kind,
                command.table,
                command.journal,
                command.staff,
                command.claim,
                command.reason,
                at.isoformat(),
                "" if command.payment is None else msgspec.json.encode(command.payment).decode(),
            ),
        ).fetchone()
    return int(row[0])


def result(database: sqlite3.Connection, number: int) -> str | None:
    """Return the result of a command; None until it is carried out."""
    (text,) = database.execute("SELECT result FROM command WHERE number = ?", (number,)).fetchone()
    return None if text is None else str(text)


def run_commands(desk: LinkDesk, at: datetime) -> list[Outgoing]:
    """Carry out the pending commands of a link, oldest first."""
    database = desk.store.database
    numbers = database.execute(
        "SELECT number FROM command WHERE root = ? AND done_at IS NULL ORDER BY number",
        (desk.store.settings.root,),
    ).fetchall()
    said: list[Outgoing] = []
    for (number,) in numbers:
        try:
            said += _carry_out(desk, _read(database, number), at)
            text = "carried out"
        except BadInput as error:
            text = f"refused: {error}"
        except Exception as error:  # a command must neither end the controller nor stay for ever
            if is_of_the_disk(error):
                raise
            _log.exception("command %s of the house cannot be carried out", number)
            text = f"refused: it cannot be carried out: {type(error).__name__}: {error}"
            text = text[:_SHOWN_CHARACTERS]
        with transaction(database):
            database.execute(
                "UPDATE command SET done_at = ?, result = ? WHERE number = ?",
                (at.isoformat(), text, number),
            )
    return said


def _read(database: sqlite3.Connection, number: int) -> Command:
    """Read a command; anybody may have written it, with anything in it."""
    found = database.execute(f"SELECT {_READ} FROM command WHERE number = ?", (number,))  # noqa: S608  # our own columns
    names = [column[0] for column in found.description]
    fields = dict(zip(names, found.fetchone(), strict=True))
    return _checked({**fields, "payment": msgspec.Raw(fields["payment"].encode() or b"null")})


def _checked(fields: dict[str, object]) -> Command:
    """Make a command of its fields, if they are within the bounds of one."""
    for name, value in fields.items():
        problem = problem_of_text(value, MOST_CHARACTERS) if isinstance(value, str) else ""
        if problem:
            raise BadInput(name, problem)
    try:
        document = msgspec.json.encode(fields)
    except OverflowError:
        raise BadInput("payment", "no number of it can be so large") from None
    return decode(_decoder, document)


def _carry_out(desk: LinkDesk, command: Command, at: datetime) -> list[Outgoing]:
    statuses = desk.units.statuses
    if command.kind in {"withdraw", "believe"}:
        by, why = command.staff, command.reason
        carry_out = desk.store.withdraw if command.kind == "withdraw" else desk.store.believe
        return desk.said(carry_out(command.claim, by, why, statuses, at))
    if command.payment is not None:
        order = Order(house_order(command.claim), command.staff, command.reason, at)
        applied = desk.store.enter_payment(command.claim, command.payment, order, statuses)
        return desk.said(applied)
    if command.kind == "overrule":
        if not desk.store.accounts.locked:
            raise BadInput("table", "nothing is pending, so there is nothing to overrule")
        return desk.said(desk.store.overrule(command.table, command.staff, statuses, at))
    if command.kind == "accept-unit":
        return desk.accept(command.table, command.journal, command.staff, at)
    desk.units.close(command.table, command.journal, command.staff, at)
    return desk.said(desk.store.review(desk.units.statuses, at))


@contextmanager
def hold_books(database: Path) -> Iterator[None]:
    """Hold the books for one controller; a second one is refused."""
    with _lock_path(database).open("ab") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadInput("database", f"{database} is in use by another controller") from None
        yield


def is_running(database: Path) -> bool:
    """Return whether a controller holds these books."""
    try:
        with _lock_path(database).open("rb") as held:
            fcntl.flock(held, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except FileNotFoundError:
        return False
    return False


def _lock_path(database: Path) -> Path:
    return database.with_name(f"{database.name}.running")
