"""The command line of the jackpot controller: `underfelt-sim jackpot …`.

run          serve one link, or several from a file
show         the books of a link, whether or not a controller is running
overrule     stop waiting for a table: a command of the house
close-unit   close a unit that another one replaces: a command of the house
accept-unit  let a unit go on whose journal lacks records: a command of the house
withdraw     withdraw a claim that a table cannot settle: a command of the house
enter-payment    enter what a table has paid and the books do not have: a command of the house
"""

import argparse
import asyncio
import logging
import signal
import sqlite3
import time
import tomllib
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from firmware.errors import BadInput
from firmware.journal.regular_files import MOST_SETTINGS_BYTES, read_regular
from firmware.link.tls import client_context
from sim.arguments import Parser, text
from sim.connection import link_settings
from sim.jackpot_controller.commands import (
    Command,
    CommandKind,
    hold_books,
    is_running,
    record_command,
    result,
)
from sim.jackpot_controller.controller import Controller
from sim.jackpot_controller.desk import LinkDesk
from sim.jackpot_controller.house_payments import HousePayment
from sim.jackpot_controller.options import (
    add_claim_options,
    add_giver_options,
    add_payment_options,
    add_run_options,
)
from sim.jackpot_controller.report import report
from sim.jackpot_controller.schema import (
    JackpotLinkSettings,
    open_database,
    open_to_read,
)
from sim.jackpot_controller.show import page
from sim.jackpot_controller.store import Store

_COMMAND_WAIT_S = 5.0
_log = logging.getLogger(__name__)


class _LinksFile(Struct, forbid_unknown_fields=True):
    """A file of links: one `[[link]]` table each."""

    link: Annotated[tuple[JackpotLinkSettings, ...], Meta(min_length=1)]


def main(argv: Sequence[str]) -> int:
    """Run a command of the jackpot controller; without a command, `run`."""
    arguments = list(argv)
    if arguments and arguments[0].startswith("--") and arguments[0] != "--help":
        arguments.insert(0, "run")
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        status: int = options.command(options)
    except BadInput as error:
        parser.error(str(error))
    except sqlite3.Error as error:
        parser.error(f"{options.database}: {error}")
    except OSError as error:
        parser.error(f"{error.filename or options.database}: {error.strerror}")
    return status


def _run(options: argparse.Namespace) -> int:
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", level=logging.INFO)
    links = _links(options)
    for link in links:
        link.check()
    connection = link_settings(options, options.broker, options.root)
    if connection.ca is not None:
        client_context(connection)
    status = 0
    with hold_books(options.database):
        database = open_database(options.database)
        try:
            controllers = [
                Controller(
                    LinkDesk(Store(database, link), auto_takeover=options.auto_takeover),
                    replace(connection, root=link.root),
                )
                for link in links
            ]
            asyncio.run(_until_stopped(controllers))
        except* sqlite3.Error as errors:
            # Nothing was answered that is not in the books: the tables will send it again.
            _log.critical("%s cannot be written: %s", options.database, _first(errors))
            status = 1
        finally:
            database.close()
    return status


def _first(errors: BaseExceptionGroup[sqlite3.Error]) -> BaseException:
    """Return the first error of a group, however deep."""
    error: BaseException = errors
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


async def _until_stopped(controllers: Sequence[Controller]) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with asyncio.TaskGroup() as tasks:
        for controller in controllers:
            tasks.create_task(controller.run(stop))


def _links(options: argparse.Namespace) -> Sequence[JackpotLinkSettings]:
    """Return the links of the file, or the one that the options describe."""
    needed = {
        "game": options.game,
        "reset_cents": options.reset_cents,
        "rate_basis_points": options.rate_basis_points,
    }
    if options.links is not None:
        if any(value is not None for value in needed.values()):
            raise BadInput(
                "--links", "describes the links; leave out the options for a single link"
            )
        return _links_of(options.links)
    for name, value in needed.items():
        if value is None:
            raise BadInput(f"--{name.replace('_', '-')}", "is missing (or give --links FILE)")
    return [
        JackpotLinkSettings(
            **needed,
            limit_cents=options.limit_cents,
            root=options.root,
            straight_flush_share=options.straight_flush_share,
            stake_limit_cents=options.stake_limit_cents,
        )
    ]


def _links_of(path: Path) -> Sequence[JackpotLinkSettings]:
    try:
        text = read_regular(path, MOST_SETTINGS_BYTES).decode()
        links = msgspec.convert(tomllib.loads(text), _LinksFile).link
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
        raise BadInput(str(path), str(error)) from None
    for link in links:
        try:
            link.check()
        except BadInput as error:
            raise BadInput(str(path), f"link {link.root}: {error}") from None
    if len({link.root for link in links}) != len(links):
        raise BadInput(str(path), "two links have the same root")
    return links


def _show(options: argparse.Namespace) -> int:
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


def _give(options: argparse.Namespace) -> int:
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


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="underfelt-sim jackpot", description="The stand-in jackpot controller.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    run = _command(commands, "run", "serve one link, or several from a file")
    add_run_options(run)
    run.set_defaults(command=_run)
    show = _command(commands, "show", "the books of the links")
    show.add_argument("--root", type=text(), help="one link (default: all)")
    show.add_argument("--json", action="store_true", help="for machines; a part is 1/10,000 cent")
    show.set_defaults(command=_show)
    overrule = _command(commands, "overrule", "stop waiting for a table")
    close = _command(commands, "close-unit", "close a unit that another one replaces")
    accept = _command(commands, "accept-unit", "let a refused unit go on from what the books have")
    withdraw = _command(commands, "withdraw", "withdraw a claim that a table cannot settle")
    enter = _command(commands, "enter-payment", "enter what a table has paid on a claim")
    add_payment_options(enter)
    believe = _command(commands, "believe", "believe a claim that something contradicts")
    for command in (withdraw, enter, believe):
        add_claim_options(command)
    for command in (overrule, close, accept):
        command.add_argument("--table", type=text(), required=True)
        command.set_defaults(claim="", reason="")
    kinds = (
        *((overrule, "overrule"), (close, "close-unit"), (accept, "accept-unit")),
        *((withdraw, "withdraw"), (enter, "enter-payment"), (believe, "believe")),
    )
    for command, name in kinds:
        add_giver_options(command)
        command.set_defaults(command=_give, kind=name, journal="")
    for command in (close, accept):
        command.add_argument(
            "--journal", type=text(), required=True, help="the unit, as `show` names it"
        )
    return parser


def _command(
    commands: "argparse._SubParsersAction[Parser]", name: str, help_text: str
) -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=help_text, description=help_text)
    command.add_argument("--database", type=Path, required=True, help="where the books are kept")
    return command
