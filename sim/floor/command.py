"""The command `underfelt-sim floor`: checks its options, plays a floor, and shows it in the terminal.

Options are checked before anything is started. What a floor is made of is in `floor.py`, how it is
drawn in `view.py`, what single options take in `options.py`.
"""

import argparse
import asyncio
import os
import signal
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from rich.console import Console
from rich.live import Live

from firmware.errors import BadInput
from firmware.link.settings import LinkSettings
from firmware.link.tls import client_context
from firmware.rules.games import GAMES
from firmware.shell.command_line import TYPED_WRONG, complain, file_words
from sim.broker import Broker, EmbeddedBroker, Mosquitto, mosquitto_path
from sim.connection import link_settings, named
from sim.emulator.hardware import emulated
from sim.emulator.steps import BuildError
from sim.floor.floor import Floor, FloorSettings
from sim.floor.options import ROOT
from sim.floor.running import held
from sim.floor.view import floor_view, has_hands_up, round_lines, save_picture
from sim.spot_board.interpreter import find
from sim.table.boards import is_on_spot_board, most_seats
from sim.table.hardware import TableHardware

_FRAMES_PER_S = 10
_ANSWERS_S = 5.0
_USUAL_TABLES = 3
_USUAL_GAME = "rws-multilink-stud"
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Control-C, a polite end, and a terminal that was closed."""


def run_floor(options: argparse.Namespace) -> int:
    """Play, and show it, until the rounds are done or somebody ends it."""
    try:
        return _run(options)
    except BadInput as error:
        complain("underfelt-sim floor", str(error))
        return TYPED_WRONG


def _run(options: argparse.Namespace) -> int:
    _check_tables(options)
    _check_places(options)
    settings = _settings(options)
    with tempfile.TemporaryDirectory(prefix="underfelt-", ignore_cleanup_errors=True) as scratch:
        folder = options.folder or Path(scratch)
        return asyncio.run(_play(settings, folder.resolve(), options))


def _settings(options: argparse.Namespace) -> FloorSettings:

    broker, link = _broker(options)
    return FloorSettings(
        tables=options.tables,
        seed=options.seed,
        seats=options.seats,
        games=tuple(options.game),
        card_source=options.source,
        royals=tuple(options.royal),
        pause_s=options.pause,
        broker=broker,
        link=link,
        controller=not options.no_controller,
        hardware=emulated() if options.emulated else TableHardware,
    )


# What can be wrong with the options together


def _check_tables(options: argparse.Namespace) -> None:
    """Check the tables, their games and seats; fill in what was not said."""
    games = options.game = list(dict.fromkeys(options.game or [_USUAL_GAME]))
    options.tables = options.tables or max(_USUAL_TABLES, len(games))
    if len(games) > options.tables:
        words = f"{len(games)} games need {len(games)} tables, but --tables is {options.tables}"
        raise BadInput("--game", f"{words}; give --tables {len(games)}, or fewer games")
    for name in games:
        _check_seats(name, options.seats)
        _check_spot_board(name, options)
    if options.emulated and options.source == "angel-eye":
        raise BadInput("--source", "the emulated Pi has no angel-eye; use shoe, shuffler or manual")
    for table, seat in options.royal:
        if table > options.tables or seat > options.seats:
            known = f"T1 to T{options.tables} and seats 1 to {options.seats}"
            raise BadInput("--royal", f"there is no T{table}:{seat}; there are {known}")


def _check_seats(name: str, seats: int) -> None:
    """Check that a game has so many positions, and a board so many spots."""
    game = GAMES[name]
    low, high = game.positions
    most = min(high, most_seats(game))
    if not low <= seats <= most:
        known = f"{low} or {most}" if most == low + 1 else f"{low} to {most}"
        raise BadInput("--seats", f"{name} has {known} seats here, not {seats}")


def _check_spot_board(name: str, options: argparse.Namespace) -> None:
    """Find the interpreter of a spot board, if the game needs one for so many seats."""
    if not is_on_spot_board(GAMES[name], options.seats):
        return
    words = f"{name} with {options.seats} seats is played on a spot board"
    if options.emulated:
        raise BadInput(
            "--emulated", f"{words}, which the emulated Pi does not have; use fewer seats"
        )
    try:
        find()
    except BuildError as error:
        raise BadInput("--seats", f"{words}, but {error}; use fewer seats") from None


def _check_places(options: argparse.Namespace) -> None:
    """Say now, and not after the first round, that something cannot be kept where it should be."""
    try:
        if options.folder is not None:
            options.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        error.filename = str(options.folder)
        raise BadInput("--folder", file_words(error)) from None
    if options.folder is not None and not os.access(options.folder, os.W_OK | os.X_OK):
        raise BadInput("--folder", f"{options.folder} cannot be written; name a folder of yours")
    picture = options.picture
    if picture is not None and not _can_be_written(picture):
        raise BadInput(
            "--picture", f"{picture} cannot be written; name a file in a folder of yours"
        )


def _can_be_written(file: Path) -> bool:
    folder = file.parent
    return folder.is_dir() and os.access(folder, os.W_OK) and not file.is_dir()


def _broker(options: argparse.Namespace) -> tuple[type[Broker], LinkSettings | None]:
    """Return which broker to start, or the link to those that run already."""
    given = options.broker or ["embedded"]
    if given in (["embedded"], ["mosquitto"]):
        _check_own_broker(options)
    if given == ["mosquitto"]:
        if mosquitto_path() is None:
            raise BadInput("--broker", "mosquitto is not installed; use embedded")
        return Mosquitto, None
    if given == ["embedded"]:
        if options.no_controller:
            raise BadInput("--no-controller", "needs the --broker at which the controller is")
        return EmbeddedBroker, None
    return EmbeddedBroker, _running_broker(options, given)


def _check_own_broker(options: argparse.Namespace) -> None:
    """Refuse what only a broker that runs already has."""
    for name in ("ca", "certificate", "key", "root"):
        if getattr(options, name) is not None:
            raise BadInput(
                f"--{name}", "is for a broker that runs already; name it too: --broker mqtt://…"
            )


def _running_broker(options: argparse.Namespace, given: Sequence[str]) -> LinkSettings:
    """Return the link to brokers that run already; what is wrong with it is said now."""
    link = link_settings(options, given, options.root or ROOT)
    for number in range(1, options.tables + 1):
        # And not in a table's log.
        if link.ca is not None:
            client_context(named(link, f"T{number}"), f"T{number}")
    return link


# The terminal


async def _check_answered(link: LinkSettings) -> None:
    """Say now, and not in the tables' logs, that no broker answers."""
    for broker in link.brokers:
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(_ANSWERS_S):
                _, writer = await asyncio.open_connection(broker.host, broker.port)
            writer.close()
            return
    where = ", ".join(map(str, link.brokers))
    raise BadInput("--broker", f"no broker answers at {where}; start one, or correct the address")


async def _play(settings: FloorSettings, folder: Path, options: argparse.Namespace) -> int:
    """Play until the rounds are done or somebody ends it; then end every process."""
    console = Console()
    if settings.link is not None:
        await _check_answered(settings.link)
    with held(folder):
        pass  # refused before anything is said to start
    console.print(f"starting {_parts(settings)} …")
    _cancel_on_signals()
    with suppress(asyncio.CancelledError):
        async with Floor(folder, settings) as floor:
            if words := _renamed(floor):
                console.print(words, soft_wrap=True)
            playing = asyncio.create_task(floor.play(options.rounds))
            try:
                await (_watch if console.is_terminal else _tell)(console, floor, playing, options)
                await playing
            finally:
                playing.cancel()
    console.print("all processes have ended")
    return 0


def _parts(settings: FloorSettings) -> str:
    """Name what is started."""
    tables = "1 table" if settings.tables == 1 else f"{settings.tables} tables"
    others = "" if settings.link else " and a broker"
    return tables + (f", a jackpot controller{others}" if settings.controller else others)


def _renamed(floor: Floor) -> str:
    """Say by which names the tables are found, if another floor has those that they are called by."""
    others = [f"{table} is sim:{name}" for table, name in floor.names.items() if name != table]
    return f"another floor has tables of these names; here {', '.join(others)}" if others else ""


def _cancel_on_signals() -> None:
    """Let the first signal end the floor in order, and the next one at once."""
    task, loop = asyncio.current_task(), asyncio.get_running_loop()

    def end() -> None:
        for number in _ENDING:
            loop.remove_signal_handler(number)
        if task is not None:
            task.cancel()

    for number in _ENDING:
        loop.add_signal_handler(number, end)


async def _watch(
    console: Console, floor: Floor, playing: asyncio.Task[None], options: argparse.Namespace
) -> None:
    """Keep drawing the floor while it plays."""
    with Live(console=console, auto_refresh=False) as live:
        while not playing.done():
            await asyncio.wait([playing], timeout=1 / _FRAMES_PER_S)
            live.update(floor_view(floor, console.size), refresh=True)
            _take_picture(floor, options)


async def _tell(
    console: Console, floor: Floor, playing: asyncio.Task[None], options: argparse.Namespace
) -> None:
    """Print one line per round, when there is no terminal to draw on."""
    while not playing.done():
        await asyncio.wait([playing], timeout=1 / _FRAMES_PER_S)
        _take_picture(floor, options)
        for line in round_lines(floor):
            console.print(line, soft_wrap=True)


def _take_picture(floor: Floor, options: argparse.Namespace) -> None:

    if options.picture and has_hands_up(floor):
        save_picture(floor, options.picture)
        options.picture = None
