"""The options of `underfelt-sim floor`: what each of them takes, within which bounds.

What can be wrong with several of them together is found in `command.py`, which also runs the floor.
Little is imported here, so that `--help` is quick.
"""

import argparse
import re
from pathlib import Path

from firmware.rules.games import GAMES
from firmware.shell.command_line import shown
from sim.arguments import seconds, whole
from sim.link_options import add_tls_options

SOURCES = ("shoe", "shuffler", "manual", "angel-eye")
ROOT = "underfelt"
MOST_TABLES = 16
"""What a terminal can show."""
_USUAL_SEATS = 5
_LONGEST_PAUSE_S = 3600
_ROYAL = re.compile(r"T([1-9]\d?):([1-9]\d?)")


def add_floor_options(floor: argparse.ArgumentParser) -> None:
    """Add the options of `underfelt-sim floor`."""
    low = min(game.positions[0] for game in GAMES.values())
    high = max(game.positions[1] for game in GAMES.values())
    floor.add_argument(
        "--tables",
        type=whole(1, MOST_TABLES),
        help=f"how many tables, up to {MOST_TABLES} (default 3, or one for each --game)",
    )
    floor.add_argument(
        "--seats",
        type=whole(low, high),
        default=_USUAL_SEATS,
        help=f"seats at each table (default {_USUAL_SEATS})",
    )
    floor.add_argument(
        "--seed", type=whole(), default=7, help="the same seed deals the same rounds (default 7)"
    )
    floor.add_argument(
        "--rounds", type=whole(1), help="rounds to play at each table (default: no limit)"
    )
    floor.add_argument(
        "--game",
        action="append",
        choices=tuple(GAMES),
        metavar="GAME",
        help=f"one of {', '.join(GAMES)} (default rws-multilink-stud); may be given several times:"
        " the tables take the games in turn, and each game has its own link and jackpot",
    )
    floor.add_argument(
        "--source",
        choices=SOURCES,
        default="shoe",
        metavar="SOURCE",
        help=f"where the cards of every table come from: {', '.join(SOURCES)} (default shoe)",
    )
    floor.add_argument(
        "--royal",
        action="append",
        type=_royal,
        default=[],
        metavar="TABLE:SEAT",
        help="deal this seat a royal flush in the next round, such as T2:3; may be given several"
        " times: those of one table come in successive rounds",
    )
    floor.add_argument(
        "--pause",
        type=seconds(_LONGEST_PAUSE_S),
        default=0.4,
        help="seconds between actions (default 0.4)",
    )
    floor.add_argument(
        "--broker",
        action="append",
        metavar="BROKER",
        help="embedded (default), mosquitto, or the address of one that is already running:"
        " mqtt://host:port, or mqtts:// with --ca; of several addresses, the next is tried when"
        " one fails",
    )
    floor.add_argument(
        "--root", help=f"the root topic on a broker that is already running (default {ROOT})"
    )
    floor.add_argument(
        "--no-controller",
        action="store_true",
        help="start no jackpot controller: the broker already has one",
    )
    add_tls_options(floor)
    floor.add_argument("--emulated", action="store_true", help="run each table on an emulated Pi")
    floor.add_argument(
        "--folder",
        type=Path,
        help="keep journals and logs in this folder; a floor started there again continues",
    )
    floor.add_argument(
        "--picture", type=Path, help="save the view as an SVG file once hands lie face up"
    )


def _royal(given: str) -> tuple[int, int]:
    """Read which table and which seat is dealt a royal flush."""
    found = _ROYAL.fullmatch(given)
    if found is None:
        raise argparse.ArgumentTypeError(
            f"{shown(given)} is not a table and a seat, such as T2:3 (T1 to T{MOST_TABLES}, and a"
            " seat of --seats)"
        )
    return int(found[1]), int(found[2])
