"""The options of `underfelt-sim conformance`: what each of them takes, within which bounds.

The checks themselves are imported only where a paragraph of theirs is named.
"""

import argparse
import re
import shlex
import shutil
from collections.abc import Sequence

from firmware.rules.bounds import MOST_CHARACTERS
from firmware.shell.command_line import shown
from sim.arguments import seconds, text
from sim.link_options import add_tls_options

_TABLE = re.compile("[A-Za-z0-9_-]{1,32}")
_TABLES = 3
"""What the checks play with."""
_LONGEST_PATIENCE_S = 600


def add_conformance_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "--broker", action="append", required=True, metavar="URL", help="mqtt:// or mqtts://"
    )
    add_tls_options(parser)
    parser.add_argument("--root", default="underfelt", help="the root topic")
    parser.add_argument(
        "--tables",
        type=_names,
        default="K1,K2,K3",
        help="three names for the tables (default K1,K2,K3)",
    )
    parser.add_argument(
        "--patience", type=seconds(_LONGEST_PATIENCE_S), default=5.0, help="seconds for an answer"
    )
    parser.add_argument(
        "--only", type=_paragraph, help="only checks that cite this paragraph, such as 3.2"
    )
    parser.add_argument(
        "--restart",
        type=_shell_words,
        help="a command that kills the controller and starts it again, for par. 4.1 and 7.7",
    )
    parser.add_argument(
        "--accept-unit",
        type=_shell_words,
        help="a command that lets a refused unit go on, with {table} and {journal}, for par. 7.11",
    )


def _names(given: str) -> Sequence[str]:
    names = given.split(",")
    known = all(_TABLE.fullmatch(name) for name in names)
    if not known or len(names) != _TABLES or len(set(names)) != _TABLES:
        raise argparse.ArgumentTypeError(
            f"needs three names of letters, digits, - and _, such as K1,K2,K3, not {shown(given)}"
        )
    return names


def _paragraph(given: str) -> str:
    from sim.conformance.kit import CHECKS, WATCHED  # noqa: PLC0415  # they take long to import

    cited = {each for check in CHECKS for each in check.paragraphs.split(", ")}
    if given not in cited | WATCHED.keys():
        raise argparse.ArgumentTypeError(
            f"no check cites {shown(given)}; cited are {', '.join(sorted(cited | WATCHED.keys(), key=_in_order))}"
        )
    return given


def _in_order(paragraph: str) -> list[int]:
    return [int(number) for number in re.findall("[0-9]+", paragraph)]


def _shell_words(given: str) -> str:
    """Take a command that can be split into words as a shell does, and whose program there is."""
    command = text(MOST_CHARACTERS)(given)
    try:
        program = shlex.split(command)[:1]
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{shown(given)} is no command: {error}") from None
    if not program or shutil.which(program[0]) is None:
        raise argparse.ArgumentTypeError(f"{shown(given)} begins with no program that can be run")
    return command
