"""Which commands `underfelt` has, and how one is loaded: only when it is chosen.

Importing every command takes several times as long as most of them run, so the list of commands
is a table here (a test compares it with the commands' own words). Help is plain text: a technician
reads it over ssh, and drawing boxes takes longer than all else. What a command does is in its own
folder.
"""

import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption
from typer.main import get_command as built

_EXAMPLE = re.compile(r"(?:[A-Z_]+=\S+ |.*\| )?underfelt [a-z].*")
_TYPE = re.compile(r"(?<=[\w…]) <[a-z\[\]]+>", re.IGNORECASE)


FAILED = 2
"""The exit status of a failure; the contract of `underfelt rules` names it."""
NOT_CARRIED_OUT = 64
"""The same of a command whose 2 says something else (EX_USAGE of sysexits.h)."""


class LazyCommand(NamedTuple):
    """Where a command is, and its first sentence."""

    module: str
    attribute: str
    help: str
    failed: int = FAILED
    """The exit status when the command was not carried out."""


COMMANDS = {
    "check": LazyCommand(
        "host_tools.check.command", "check", "Check a table file and show the wiring."
    ),
    "diagnose": LazyCommand(
        "host_tools.diagnose.command",
        "diagnose",
        "Say what is wrong with tables, worst first, and what to do about it.",
        NOT_CARRIED_OUT,
    ),
    "faults": LazyCommand(
        "host_tools.faults.command",
        "faults",
        "Explain the faults of a table: what each means, what to check, and who clears it.",
    ),
    "log": LazyCommand("host_tools.log.command", "log", "Show the log of a table, or follow it."),
    "test": LazyCommand(
        "host_tools.guided_test.command",
        "guided",
        "Test every part of a closed table, step by step.",
    ),
    "board": LazyCommand(
        "host_tools.board.command", "app", "Show a spot board, or put a new program on it."
    ),
    "watch": LazyCommand(
        "host_tools.watch.command",
        "watch",
        "Watch tables live: phase, spots, lamps, face-up cards, prompts, link, meter, faults.",
    ),
    "journal": LazyCommand(
        "host_tools.journal.command",
        "app",
        "Fetch, verify, show, replay and export the journal of a table, and print its slips.",
    ),
    "staff": LazyCommand("host_tools.staff", "app", "Prepare staff entries of a table file."),
    "rules": LazyCommand("host_tools.rules.command", "app", "Ask the rules of the five games."),
    "phases": LazyCommand(
        "host_tools.phases",
        "phases",
        "Show which events are possible in which phase of a table.",
    ),
}
"""Every command, in the order in which a technician meets them."""


class ToolCommand(TyperCommand):
    """A command whose help says nothing of the types of a program."""

    def get_help(self, ctx: Any) -> str:  # noqa: ANN401  # typer does not publish its type
        """Return the help in plain words."""
        return _in_words(super().get_help(ctx))


class ToolGroup(TyperGroup):
    """A group of commands, with the same help."""

    def get_help(self, ctx: Any) -> str:  # noqa: ANN401  # typer does not publish its type
        """Return the help in plain words."""
        return _in_words(super().get_help(ctx))


class LazyGroup(ToolGroup):
    """The group of all commands: each is imported when it is looked for by its whole name."""

    def __init__(self, **attributes: Any) -> None:  # noqa: ANN401  # as typer has them
        super().__init__(**attributes)
        # Stand-ins, for whoever only lists: the help, the completion, a name that is nearly right.
        for name, each in COMMANDS.items():
            self.commands[name] = ToolCommand(name=name, short_help=each.help)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401  # the same
        """Find the command that was chosen, and load it."""
        name = args[0]
        if name in COMMANDS:
            self.commands[name] = loaded(name)
        return super().resolve_command(ctx, args)


def failure_status(arguments: list[str]) -> int:
    """Return the exit status of a command line that was not carried out."""
    name = next((each for each in arguments if not each.startswith("-")), "")
    return COMMANDS[name].failed if name in COMMANDS else FAILED


def command_path(arguments: list[str]) -> str:
    """Return the command that a command line begins with, as far as there is such a one."""
    names = [each for each in arguments if not each.startswith("-")]
    if not names or names[0] not in COMMANDS:
        return "underfelt"
    group = loaded(names[0])
    within = isinstance(group, TyperGroup) and len(names) > 1 and names[1] in group.commands
    return " ".join(("underfelt", *names[: 2 if within else 1]))


def loaded(name: str) -> TyperCommand | TyperGroup:
    """Import a command, and give its help its form."""
    where = COMMANDS[name]
    found = getattr(import_module(where.module), where.attribute)
    # With a callback it is a group, whatever is in it.
    parent = typer.Typer(rich_markup_mode=None, add_completion=False, callback=_nothing)
    if isinstance(found, typer.Typer):
        for info in found.registered_commands:
            info.cls = ToolCommand
        parent.add_typer(found, name=name, cls=ToolGroup)
    else:
        parent.command(name, cls=ToolCommand)(found)
    return next(_given_form(built(parent)))


def _nothing() -> None:
    pass


def _given_form(command: object) -> Iterator[TyperCommand | TyperGroup]:
    """Yield the commands of a group, with theirs, and give each its form."""
    for each in command.commands.values() if isinstance(command, TyperGroup) else ():
        if isinstance(each, TyperCommand | TyperGroup):
            list(_given_form(each))
            _give_form(each)
            yield each


def _give_form(command: TyperCommand | TyperGroup) -> None:
    """Put the examples at the end of a help, each on its line, and name what an option takes."""
    paragraphs = (command.help or "").split("\n\n")
    examples = [each for each in paragraphs if _EXAMPLE.fullmatch(" ".join(each.split()))]
    command.short_help = " ".join(paragraphs[0].split())
    command.help = "\n\n".join(each for each in paragraphs if each not in examples)
    if examples:
        lines = (f"  {' '.join(each.split())}" for each in examples)
        command.epilog = "\n".join(("\b", "Examples:", *lines))
    for param in command.params:
        is_switch = isinstance(param, TyperOption) and param.is_flag
        if param.metavar is None and not is_switch:
            param.metavar = param.opts[0].lstrip("-").upper()


def _in_words(text: str) -> str:
    """Return a help without braces in its usage and without types; columns stay as they are."""
    usage, rest = text.split("\n", 1)
    usage = usage.replace("{", "").replace("}", "").replace("…...", "…").replace("…]...", "…]")
    return "\n".join((usage, _TYPE.sub(lambda found: " " * len(found[0]), rest)))
