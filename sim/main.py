"""The `underfelt-sim` command: what developers and CI run instead of a table.

Here is only the table of its sub-commands. Nothing of one is imported before it is asked for, so
that `--help` is quick: what adds its options is in a module that imports little, and what it does
may be in another. What users see when something is wrong is in `firmware/shell/command_line.py`.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple

from firmware.shell import command_line
from firmware.shell.command_line import Parser

NAME = "underfelt-sim"


class SubCommand(NamedTuple):
    """A sub-command: what it is in one line, and where its code is, as `module:function`."""

    name: str
    help: str
    options: str
    """Adds its options to a parser."""
    run: str
    """Does it, and returns the exit status."""
    examples: tuple[str, ...] = ()
    """What may be typed after it."""


COMMANDS = (
    SubCommand(
        "floor",
        "a floor of linked tables in the terminal, playing unattended",
        "sim.floor.options:add_floor_options",
        "sim.floor.command:run_floor",
        (
            "",
            "--tables 2 --seats 6 --source shuffler",
            "--game rws-holdem --game mbs-singapore-stud",
            "--royal T2:3",
            "--rounds 5 --folder /tmp/floor",
            "--broker mqtt://127.0.0.1:1883 --no-controller",
        ),
    ),
    SubCommand(
        "rounds",
        "rounds of all five games, with cards and rules only",
        "sim.rounds:add_round_options",
        "sim.rounds:run_rounds",
        ("", "--seed 8 --rounds 3"),
    ),
    SubCommand(
        "play",
        "play scenario files on a real table",
        "sim.scenario_language.player:add_scenario_options",
        "sim.scenario_language.player:run_scenarios",
        ("royal.table", "--check royal.table", "--language", ""),
    ),
    SubCommand(
        "hands",
        "coins, keys and cards at a running table, sentence by sentence",
        "sim.hands.command:add_hands_options",
        "sim.hands.command:run_hands",
        ("", "T1", "T1 coins 1 3", "T1 -f FILE"),
    ),
    SubCommand(
        "conformance",
        "check a jackpot controller against the contract",
        "sim.conformance.options:add_conformance_options",
        "sim.conformance.kit:run_conformance",
        ("--broker mqtt://127.0.0.1:1883", "--broker mqtt://127.0.0.1:1883 --only 3.2"),
    ),
)
JACKPOT = SubCommand(
    "jackpot",
    "the stand-in for the casino's jackpot controller",
    "",
    "sim.jackpot_controller.cli:main",
)
"""This one has sub-commands of its own, and a parser for them."""


def main(argv: Sequence[str] | None = None) -> None:
    """Run a command of the simulator."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    sys.exit(command_line.run(NAME, lambda: _run(arguments)))


def _run(arguments: Sequence[str]) -> int:
    known = {each.name: each for each in (*COMMANDS, JACKPOT)}
    chosen = known.get(arguments[0]) if arguments else None
    if chosen is None:
        _parser().parse_args(arguments)
        raise AssertionError("the parser takes no word that is no sub-command")
    if chosen is JACKPOT:
        return int(_found(chosen.run)(arguments[1:]))
    options = parser_of(chosen).parse_args(arguments[1:])
    return int(_found(chosen.run)(options))


def parser_of(command: SubCommand) -> Parser:
    """Return the parser of a sub-command."""
    parser = Parser(
        prog=f"{NAME} {command.name}", description=_sentence(command), examples=command.examples
    )
    _found("sim.arguments:take_options_once")(parser)
    _found(command.options)(parser)
    return parser


def _parser() -> Parser:
    """Return the parser of what is typed before a sub-command, or instead of one."""
    lines = "".join(f"  {each.name:<12} {each.help}\n" for each in (*COMMANDS, JACKPOT))
    parser = Parser(
        prog=NAME,
        description=f"What developers and CI run instead of a table.\n\ncommands:\n{lines}",
        examples=("floor", "floor --help", "play --language"),
    )
    parser.add_version()
    names = [each.name for each in (*COMMANDS, JACKPOT)]
    parser.add_argument("command", metavar="COMMAND", choices=names, help="one of these commands")
    return parser


def _sentence(command: SubCommand) -> str:
    return f"{command.help[0].upper()}{command.help[1:]}."


def _found(place: str) -> Any:  # noqa: ANN401  # a function by its name
    module, _, function = place.partition(":")
    return getattr(import_module(module), function)


if __name__ == "__main__":
    main()
