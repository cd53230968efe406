"""The `underfelt-sim` command: what developers and CI run instead of a table.

underfelt-sim floor      a floor of linked tables in the terminal, playing unattended
underfelt-sim rounds     rounds of all five games, with cards and rules only
underfelt-sim play       scenario files, on a real table
underfelt-sim hands      coins, keys and cards at a running table, sentence by sentence
underfelt-sim jackpot    the stand-in for the casino's jackpot controller
underfelt-sim conformance    tables that check any jackpot controller against the contract
"""

import argparse
import asyncio
import os
import signal
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from rich.console import Console
from rich.live import Live

from firmware.errors import BadInput, UnderfeltError
from firmware.link.settings import LinkSettings
from firmware.link.tls import client_context
from firmware.rules.games import GAMES
from sim import rounds
from sim.arguments import Parser, seconds, whole
from sim.broker import Broker, EmbeddedBroker, Mosquitto, mosquitto_path
from sim.conformance.kit import add_conformance_options, run_conformance
from sim.connection import add_tls_options, link_settings, named
from sim.emulator.hardware import emulated
from sim.floor.floor import ROOT, Floor, FloorSettings
from sim.floor.view import floor_view, has_hands_up, round_line, save_picture
from sim.hands.command import add_hands_options, run_hands
from sim.jackpot_controller import cli
from sim.scenario_language import player
from sim.table.hardware import TableHardware

_FRAMES_PER_S = 10
_ANSWERS_S = 5.0
_MOST_TABLES = 8
"""What a terminal can show."""
_LONGEST_PAUSE_S = 3600


def main(argv: Sequence[str] | None = None) -> None:
    """Run a command of the simulator."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    if arguments[:1] == ["jackpot"]:
        sys.exit(cli.main(arguments[1:]))
    options = _parser().parse_args(arguments)
    try:
        status = options.run(options)
    except UnderfeltError as error:
        print(f"underfelt-sim: {error}", file=sys.stderr)
        status = 1
    except OSError as error:
        if error.filename is None:
            raise
        print(f"underfelt-sim: {error.filename}: {error.strerror}", file=sys.stderr)
        status = 1
    sys.exit(status)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="underfelt-sim", description=(__doc__ or "").split("\n")[0])
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    floor = commands.add_parser("floor", help="a floor of linked tables, playing unattended")
    floor.add_argument(
        "--tables", type=whole(1, _MOST_TABLES), default=3, help="how many (default 3)"
    )
    floor.add_argument("--seed", type=whole(), default=7, help="the same seed, the same rounds")
    floor.add_argument("--rounds", type=whole(1), help="rounds at each table (default: unlimited)")
    floor.add_argument("--game", choices=tuple(GAMES), default="rws-multilink-stud")
    floor.add_argument("--source", choices=("shoe", "shuffler"), default="shoe")
    floor.add_argument(
        "--pause", type=seconds(_LONGEST_PAUSE_S), default=0.4, help="seconds between actions"
    )
    floor.add_argument(
        "--broker",
        action="append",
        metavar="BROKER",
        help="embedded (default), mosquitto, or one that runs already: mqtt://host:port, or"
        " mqtts:// with --ca; of several the next is tried when one fails",
    )
    floor.add_argument("--root", default=ROOT, help="the root topic, on a broker that runs already")
    floor.add_argument(
        "--no-controller", action="store_true", help="there is a jackpot controller already"
    )
    add_tls_options(floor)
    floor.add_argument("--emulated", action="store_true", help="each table on an emulated Pi")
    floor.add_argument("--folder", type=Path, help="where journals and logs are kept")
    floor.add_argument("--picture", type=Path, help="save the view as an SVG, hands face up")
    floor.set_defaults(run=_floor)
    cards = commands.add_parser(
        "rounds", help="rounds of all five games, with cards and rules only"
    )
    rounds.add_round_options(cards)
    cards.set_defaults(run=rounds.run_rounds)
    scenarios = commands.add_parser("play", help="play scenario files on a real table")
    player.add_scenario_options(scenarios)
    scenarios.set_defaults(run=player.run_scenarios)
    hands = commands.add_parser("hands", help="say what hands do at a running table")
    add_hands_options(hands)
    hands.set_defaults(run=run_hands)
    conformance = commands.add_parser(
        "conformance", help="check a jackpot controller against the contract"
    )
    add_conformance_options(conformance)
    conformance.set_defaults(run=run_conformance)
    commands.add_parser("jackpot", help="the jackpot controller (see 'jackpot --help')")
    return parser


def _floor(options: argparse.Namespace) -> int:
    try:
        _check_places(options)
        broker, link = _broker(options)
    except BadInput as error:
        print(f"underfelt-sim: {error}", file=sys.stderr)
        return 2
    settings = FloorSettings(
        tables=options.tables,
        seed=options.seed,
        game=options.game,
        card_source=options.source,
        pause_s=options.pause,
        broker=broker,
        link=link,
        controller=not options.no_controller,
        hardware=emulated() if options.emulated else TableHardware,
    )
    with tempfile.TemporaryDirectory(prefix="underfelt-", ignore_cleanup_errors=True) as scratch:
        folder = options.folder or Path(scratch)
        return asyncio.run(_play(settings, folder.resolve(), options))


def _check_places(options: argparse.Namespace) -> None:
    """Say now, and not after the first round, that something cannot be kept where it should be."""
    try:
        if options.folder is not None:
            options.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput("--folder", f"{options.folder}: {error.strerror}") from None
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
    if given == ["mosquitto"]:
        if mosquitto_path() is None:
            raise BadInput("--broker", "mosquitto is not installed; use embedded")
        return Mosquitto, None
    if given == ["embedded"]:
        if options.no_controller:
            raise BadInput("--no-controller", "needs the --broker at which the controller is")
        return EmbeddedBroker, None
    link = link_settings(options, given, options.root)
    for number in range(1, options.tables + 1):
        # What is wrong with a certificate is said now, and not in a table's log.
        if link.ca is not None:
            client_context(named(link, f"T{number}"), f"T{number}")
    return EmbeddedBroker, link


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
    """Play until the rounds are done or Ctrl-C is pressed; then end every process."""
    console = Console()
    others = "" if settings.link else " and a broker"
    others = f", a jackpot controller{others}" if settings.controller else others
    if settings.link is not None:
        await _check_answered(settings.link)
    tables = "1 table" if settings.tables == 1 else f"{settings.tables} tables"
    console.print(f"starting {tables}{others} …")
    async with Floor(folder, settings) as floor:
        playing = asyncio.create_task(floor.play(options.rounds))
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, playing.cancel)
        with suppress(asyncio.CancelledError):
            await (_watch if console.is_terminal else _tell)(console, floor, playing, options)
            await playing
    console.print("all processes have ended")
    return 0


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
    told = [0] * len(floor.dealers)
    while not playing.done():
        await asyncio.wait([playing], timeout=1 / _FRAMES_PER_S)
        _take_picture(floor, options)
        for place, dealer in enumerate(floor.dealers):
            if dealer.rounds_played > told[place]:
                told[place] = dealer.rounds_played
                console.print(round_line(dealer), soft_wrap=True)


def _take_picture(floor: Floor, options: argparse.Namespace) -> None:
    if options.picture and has_hands_up(floor):
        save_picture(floor, options.picture)
        options.picture = None


if __name__ == "__main__":
    main()
