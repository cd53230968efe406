"""The `underfelt-sim` command: what developers and CI run instead of a table.

underfelt-sim floor      a floor of linked tables in the terminal, playing unattended
underfelt-sim rounds     rounds of all five games, with cards and rules only
underfelt-sim play       scenario files, on a real table
underfelt-sim jackpot    the stand-in for the casino's jackpot controller
"""

import argparse
import asyncio
import signal
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from rich.console import Console
from rich.live import Live

from firmware.errors import UnderfeltError
from firmware.rules.games import GAMES
from sim import rounds
from sim.broker import EmbeddedBroker, Mosquitto, mosquitto_path
from sim.emulator.hardware import emulated
from sim.floor.floor import Floor, FloorSettings
from sim.floor.view import floor_view, has_hands_up, round_line, save_picture
from sim.jackpot_controller import cli
from sim.scenario_language import player
from sim.table.hardware import TableHardware

_FRAMES_PER_S = 10


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
    sys.exit(status)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="underfelt-sim", description=(__doc__ or "").split("\n")[0]
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    floor = commands.add_parser("floor", help="a floor of linked tables, playing unattended")
    floor.add_argument("--tables", type=_tables, default=3, help="how many (default 3)")
    floor.add_argument("--seed", type=int, default=7, help="the same seed, the same rounds")
    floor.add_argument("--rounds", type=int, help="rounds at each table (default: unlimited)")
    floor.add_argument("--game", choices=tuple(GAMES), default="rws-multilink-stud")
    floor.add_argument("--source", choices=("shoe", "shuffler"), default="shoe")
    floor.add_argument("--pause", type=float, default=0.4, help="seconds between actions")
    floor.add_argument("--broker", choices=("embedded", "mosquitto"), default="embedded")
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
    commands.add_parser("jackpot", help="the jackpot controller (see 'jackpot --help')")
    return parser


def _tables(text: str) -> int:
    number = int(text)
    if not 1 <= number <= 8:  # noqa: PLR2004  # what a terminal can show
        raise argparse.ArgumentTypeError(f"{number} is not between 1 and 8")
    return number


def _floor(options: argparse.Namespace) -> int:
    if options.broker == "mosquitto" and mosquitto_path() is None:
        print("underfelt-sim: mosquitto is not installed; use --broker embedded", file=sys.stderr)
        return 2
    settings = FloorSettings(
        tables=options.tables,
        seed=options.seed,
        game=options.game,
        card_source=options.source,
        pause_s=options.pause,
        broker=Mosquitto if options.broker == "mosquitto" else EmbeddedBroker,
        hardware=emulated() if options.emulated else TableHardware,
    )
    with tempfile.TemporaryDirectory(prefix="underfelt-", ignore_cleanup_errors=True) as scratch:
        folder = options.folder or Path(scratch)
        return asyncio.run(_play(settings, folder.resolve(), options))


async def _play(settings: FloorSettings, folder: Path, options: argparse.Namespace) -> int:
    """Play until the rounds are done or Ctrl-C is pressed; then end every process."""
    console = Console()
    console.print(f"starting {settings.tables} tables, a jackpot controller and a broker …")
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
