"""The command line of the jackpot controller: `underfelt-sim jackpot …`.

run          serve one link, or several from a file
show         the books of a link, whether or not a controller is running
overrule     stop waiting for a table: a command of the house
close-unit   close a unit that another one replaces: a command of the house
accept-unit  let a unit go on whose journal lacks records: a command of the house
withdraw     withdraw a claim that a table cannot settle: a command of the house
enter-payment    enter what a table has paid and the books do not have: a command of the house

Here is what is typed; `serving.py` and `house.py` do it, and are imported only then.
"""

import argparse
import sqlite3
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from firmware.errors import BadInput
from firmware.shell.command_line import TYPED_WRONG, Parser, complain, file_words
from sim.arguments import text
from sim.jackpot_controller.options import (
    add_claim_options,
    add_giver_options,
    add_payment_options,
    add_run_options,
)

_BROKER = "--database jackpot.db --broker mqtt://127.0.0.1:1883"
_CLAIM = "--database jackpot.db --claim T1.9f2c41d07a3be865.3.1 --by 4711 --reason"
_UNIT = "--database jackpot.db --table T3 --journal c7730a9e15d2f4b8 --by 4711"
EXAMPLES = {
    "run": (
        f"{_BROKER} --game rws-holdem --reset-cents 10000000 --rate-basis-points 5000",
        f"{_BROKER} --links links.toml",
    ),
    "show": ("--database jackpot.db", "--database jackpot.db --json"),
    "overrule": ("--database jackpot.db --table T3 --by 4711",),
    "close-unit": (_UNIT,),
    "accept-unit": (_UNIT,),
    "withdraw": (f"{_CLAIM} 'table burnt out'",),
    "enter-payment": (f"{_CLAIM} 'paid by hand' --paid-cents 10000000",),
    "believe": (f"{_CLAIM} 'seen on the camera'",),
}


def main(argv: Sequence[str]) -> int:
    """Run a command of the jackpot controller; without a command, `run`."""
    arguments = list(argv)
    if arguments and arguments[0].startswith("--") and arguments[0] != "--help":
        arguments.insert(0, "run")
    options = parser().parse_args(arguments)
    module, _, function = options.command.partition(":")
    run = getattr(import_module(f"sim.jackpot_controller.{module}"), function)
    try:
        return int(run(options))
    except BadInput as error:
        sentence = f"{error}; see '{options.parser.prog} --help'"
    except sqlite3.Error as error:
        sentence = f"{options.database}: {error}; name the file of the books"
    except OSError as error:
        if error.filename is None:
            raise  # of a stream
        sentence = file_words(error)
    complain(options.parser.prog, sentence)
    sys.exit(TYPED_WRONG)


def parser() -> argparse.ArgumentParser:
    """Return what reads the command line."""
    whole = Parser(
        prog="underfelt-sim jackpot",
        description="The stand-in jackpot controller; without a command, run.",
        examples=("run --help", "show --database jackpot.db"),
    )
    commands = whole.add_subparsers(required=True, metavar="COMMAND")
    run = _command(commands, "run", "serve one link, or several from a file")
    add_run_options(run)
    run.set_defaults(command="serving:run")
    show = _command(commands, "show", "the books of the links")
    show.add_argument("--root", type=text(), help="one link (default: all)")
    show.add_argument("--json", action="store_true", help="for machines; a part is 1/10,000 cent")
    show.set_defaults(command="house:show")
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
        command.set_defaults(command="house:give", kind=name, journal="")
    for command in (close, accept):
        command.add_argument(
            "--journal", type=text(), required=True, help="the unit, as `show` names it"
        )
    return whole


def _command(
    commands: "argparse._SubParsersAction[Parser]", name: str, help_text: str
) -> argparse.ArgumentParser:
    description = f"{help_text[0].upper()}{help_text[1:]}."
    command = commands.add_parser(
        name, help=help_text, description=description, examples=EXAMPLES[name]
    )
    command.add_argument("--database", type=Path, required=True, help="where the books are kept")
    command.set_defaults(parser=command)
    return command
