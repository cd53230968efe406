"""The command `underfelt-sim jackpot run`: serves one link, or several from a file, until it is stopped.

What is typed after it is read in `cli.py`; what it does with a message is in `controller.py`.
"""

import argparse
import asyncio
import logging
import signal
import sqlite3
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from firmware.errors import BadInput
from firmware.journal.regular_files import MOST_SETTINGS_BYTES, read_regular
from firmware.link.tls import client_context
from firmware.shell.logs import in_utc
from sim.connection import link_settings
from sim.jackpot_controller.commands import hold_books
from sim.jackpot_controller.controller import Controller
from sim.jackpot_controller.desk import LinkDesk
from sim.jackpot_controller.schema import JackpotLinkSettings, open_database
from sim.jackpot_controller.store import Store

_log = logging.getLogger(__name__)


class _LinksFile(Struct, forbid_unknown_fields=True):
    """A file of links: one `[[link]]` table each."""

    link: Annotated[tuple[JackpotLinkSettings, ...], Meta(min_length=1)]


def run(options: argparse.Namespace) -> int:
    """Serve until SIGTERM or SIGINT; the status is 1 if the books cannot be written."""
    handler = logging.StreamHandler()
    handler.setFormatter(in_utc("%(asctime)s %(levelname)s %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
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
