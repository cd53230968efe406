"""The commands of the house: `underfelt-sim jackpot show`, `overrule`, `withdraw` and the others.

They read the books, or write an order into them, which the controller carries out. What is typed
after them is read in `cli.py`.
"""

import argparse
import sqlite3
import time
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from firmware.errors import BadInput
from sim.jackpot_controller.commands import (
    Command,
    CommandKind,
    is_running,
    record_command,
    result,
)
from sim.jackpot_controller.house_payments import HousePayment
from sim.jackpot_controller.report import report
from sim.jackpot_controller.schema import open_database, open_to_read
from sim.jackpot_controller.show import page

_COMMAND_WAIT_S = 5.0


def show(options: argparse.Namespace) -> int:
    """Print the books of the links."""
    database = open_to_read(options.database)
    try:
        here = is_running(options.database)
        reports = [report(database, root, running=here) for root in _roots(database, options.root)]
    finally:
        database.close()
    if options.json:
        print(msgspec.json.format(msgspec.json.encode(reports)).decode())
    else:
        print("\n\n".join(page(each) for each in reports))
    return 0


def give(options: argparse.Namespace) -> int:
    """Write an order of the house into the books, and print what came of it."""
    open_to_read(options.database).close()
    database = open_database(options.database)
    try:
        roots = _roots(database, options.root)
        if len(roots) != 1:
            raise BadInput("--root", f"say which link: {', '.join(roots)}")
        kind: CommandKind = options.kind
        by, reason = options.by, options.reason
        table = options.table or options.claim.partition(".")[0]
        paid = _payment(options) if kind == "enter-payment" else None
        command = Command(roots[0], kind, table, options.journal, by, options.claim, reason, paid)
        number = record_command(database, command, datetime.now(UTC))
        return _told(database, number, options.database)
    finally:
        database.close()


def _payment(options: argparse.Namespace) -> HousePayment:
    return HousePayment(
        options.paid_cents, options.round, options.seat, options.tier or "", options.owner
    )


def _told(database: sqlite3.Connection, number: int, path: Path) -> int:
    """Wait until a command is carried out, and print the result."""
    if not is_running(path):
        print("recorded; the controller is not running, and will carry it out when it starts")
        return 0
    give_up_at = time.monotonic() + _COMMAND_WAIT_S
    text = result(database, number)
    while text is None and time.monotonic() < give_up_at:
        time.sleep(0.05)
        text = result(database, number)
    print(text or "recorded; the controller has not carried it out yet, see show")
    return 1 if text is not None and text.startswith("refused") else 0


def _roots(database: sqlite3.Connection, wanted: str | None) -> list[str]:
    if wanted is not None:
        return [wanted]
    return [root for (root,) in database.execute("SELECT root FROM link ORDER BY root")]
