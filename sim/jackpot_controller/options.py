"""The options of `underfelt-sim jackpot`: what each of them takes, within which bounds."""

import argparse
from pathlib import Path

from firmware.rules.bounds import MOST_WHOLE
from firmware.rules.contract import MAX_CENTS
from firmware.shell.command_line import shown
from sim.arguments import text, whole
from sim.jackpot_controller.checks import is_id
from sim.jackpot_controller.commands import MOST_REASON_CHARACTERS
from sim.jackpot_controller.schema import (
    MOST_METER_CENTS,
    MOST_RESET_CENTS,
    STAKE_LIMIT_CENTS,
    WHOLE_STAKE_BASIS_POINTS,
)
from sim.link_options import add_tls_options


def add_run_options(run: argparse.ArgumentParser) -> None:
    """Add the options of `run`: brokers, and one link or a file of links."""
    run.add_argument(
        "--broker",
        action="append",
        required=True,
        metavar="URL",
        help="mqtt://host:port, or mqtts:// with --ca; several are tried in turn",
    )
    add_tls_options(run)
    run.add_argument("--links", type=Path, help="a TOML file of several links")
    run.add_argument("--game", type=text(), help="the game of all tables on the link")
    run.add_argument(
        "--reset-cents", type=whole(0, MOST_RESET_CENTS), help="what the meter starts from"
    )
    run.add_argument(
        "--rate-basis-points",
        type=whole(0, WHOLE_STAKE_BASIS_POINTS),
        help="the part of a stake that goes to the meter",
    )
    run.add_argument(
        "--limit-cents",
        type=whole(0, MOST_METER_CENTS),
        help="what the meter never exceeds (default: none)",
    )
    run.add_argument(
        "--stake-limit-cents",
        type=whole(1, MAX_CENTS),
        default=STAKE_LIMIT_CENTS,
        help="the highest jackpot bet",
    )
    run.add_argument("--root", type=_topic_level, default="underfelt", help="the root topic")
    run.add_argument(
        "--straight-flush-share", choices=("declining", "reset"), default="declining", help="I-4"
    )
    run.add_argument(
        "--auto-takeover", action="store_true", help="let a new unit replace one that is offline"
    )


def add_giver_options(command: argparse.ArgumentParser) -> None:
    """Add who gives a command, and for which link."""
    nobody = "needs the name or number of the person who gives the command"
    command.add_argument(
        "--by",
        type=text(blank=nobody),
        required=True,
        metavar="STAFF",
        help="who gives the command",
    )
    command.add_argument("--root", type=text(), help="the link (default: the only one)")


def add_claim_options(command: argparse.ArgumentParser) -> None:
    """Add which claim a command is about, and why it is given."""
    command.add_argument(
        "--claim", type=_claim, required=True, help="the claim, as `show` names it"
    )
    why = text(MOST_REASON_CHARACTERS, blank="say why: it is kept in the books")
    command.add_argument("--reason", type=why, required=True, help="why, for the books")
    command.set_defaults(table="")


def add_payment_options(enter: argparse.ArgumentParser) -> None:
    """Add what was paid, and what describes a claim that the books do not have."""
    enter.add_argument(
        "--paid-cents", type=whole(0, MAX_CENTS), required=True, help="what was paid"
    )
    enter.add_argument(
        "--round", type=whole(0, MOST_WHOLE), help="of a claim that the books do not have"
    )
    enter.add_argument("--seat", type=whole(1, MOST_WHOLE), help="of such a claim")
    enter.add_argument(
        "--tier",
        type=text(),
        help="of such a claim, as `underfelt rules games` names it",
    )
    enter.add_argument("--owner", choices=("player", "dealer", "community"), default="player")


def _claim(given: str) -> str:
    if not is_id(given):
        raise argparse.ArgumentTypeError(
            f"{shown(given)} is not a claim: name its table, journal and two numbers, as `show` does"
        )
    return given


def _topic_level(given: str) -> str:
    root = text()(given)
    if root.startswith("$") or set(root) & set("+#\0"):
        raise argparse.ArgumentTypeError(f"{shown(root)} cannot begin a topic")
    return root
