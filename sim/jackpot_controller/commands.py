"""What the house commands the controller to do, through the database.

A command is written into the books with a name and a time. A running controller carries it
out within a second; otherwise the next one does when it starts. The row stays: it is the
record of who ordered what. A lock on a file beside the database tells whether a controller is
running, and keeps a second one off the same books.
"""

import fcntl
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from firmware.errors import BadInput
from sim.jackpot_controller.desk import LinkDesk, Outgoing
from sim.jackpot_controller.house_payments import HousePayment
from sim.jackpot_controller.schema import transaction
from sim.jackpot_controller.withdrawals import Order, house_order

CommandKind = Literal[
    "overrule", "close-unit", "accept-unit", "withdraw", "enter-payment", "believe"
]


class Command(Struct, frozen=True):
    """One command of the house."""

    root: str
    kind: CommandKind
    table: str
    journal: str
    staff: str
    claim: str = ""
    reason: str = ""
    payment: HousePayment | None = None


def record_command(database: sqlite3.Connection, command: Command, at: datetime) -> int:
    """Record a command for the controller; return its number."""
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
    rows = database.execute(
        "SELECT number, root, kind, table_name, journal, staff, claim, reason, payment"
        " FROM command"
        " WHERE root = ? AND done_at IS NULL ORDER BY number",
        (desk.store.settings.root,),
    ).fetchall()
    said: list[Outgoing] = []
    for number, *fields, payment in rows:
        paid = msgspec.json.decode(payment, type=HousePayment) if payment else None
        try:
            said += _carry_out(desk, replace(Command(*fields), payment=paid), at)
            text = "carried out"
        except BadInput as error:
            text = f"refused: {error}"
        with transaction(database):
            database.execute(
                "UPDATE command SET done_at = ?, result = ? WHERE number = ?",
                (at.isoformat(), text, number),
            )
    return said


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
