"""The `underfelt` command as a user types it, and what he sees when something is wrong.

Every failure is one sentence on standard error that names its cause (`command_line.py` of the
firmware's shell); a traceback is a bug. The exit status is 2, unless the command has another use for
that (`commands.py`). Nothing is imported here that only a command needs.
"""

import os
import re
import sys
from typing import Annotated

import typer

from firmware.errors import UnderfeltError
from firmware.protocol.version import VERSION
from firmware.shell import command_line
from host_tools.commands import LazyGroup, command_path, failure_status
from host_tools.completion import complete_in_bash, is_asked_by_bash
from host_tools.plain_text import print_help_alone, say

_NO_ANSWER = "a question had no answer, since standard input has ended: run it at a terminal"
app = typer.Typer(cls=LazyGroup, rich_markup_mode=None, pretty_exceptions_enable=False)


def _show_version(wanted: bool) -> None:  # noqa: FBT001  # typer calls it
    if wanted:
        say(f"underfelt {VERSION}")
        raise typer.Exit


Version = Annotated[
    bool,
    typer.Option(
        "--version", is_eager=True, callback=_show_version, help="Show the version and exit."
    ),
]


@app.callback(invoke_without_command=True)
def underfelt(context: typer.Context, *, version: Version = False) -> None:
    """Check, diagnose, test and audit Underfelt tables.

    Each command has its own help, with examples: underfelt diagnose --help
    """
    if not version:
        print_help_alone(context)
    if os.environ.get("TZ"):
        _check_zone()


def _check_zone() -> None:
    """Say that times are in UTC, if the system does not know the zone that TZ names."""
    from host_tools.journal.times import take_utc, unknown_zone  # noqa: PLC0415  # needed if TZ is set

    zone = unknown_zone()
    if zone:
        take_utc()
        say(f"TZ: this system has no time zone {zone!r}; times are told in UTC", err=True)


def run() -> int:
    """Run the command; report any failure in one sentence, and return the exit status."""
    return command_line.run("underfelt", _run, failed=failure_status(sys.argv[1:]))


def _run() -> int:
    if is_asked_by_bash():
        complete_in_bash(app)
    try:
        return int(app(standalone_mode=False) or 0)
    except SystemExit as ended:
        # The library ends with 1 when nobody reads what is printed: that would be a finding.
        if isinstance(ended.__context__, BrokenPipeError):
            raise ended.__context__ from None
        raise
    except typer.TyperException as error:
        sentence = f"{_mistake(error.format_message())} (see '{_helping(error)} --help')"
        raise UnderfeltError(sentence) from None
    except typer.Abort as error:
        # At a terminal it was Ctrl-D, which means what Ctrl-C does.
        if isinstance(error.__cause__ or error.__context__, EOFError) and not sys.stdin.isatty():
            helping = command_path(sys.argv[1:])
            raise UnderfeltError(f"{_NO_ANSWER} (see '{helping} --help')") from None
        raise KeyboardInterrupt from None


def _helping(error: typer.TyperException) -> str:
    """Return the command whose help says how it is done right."""
    context = getattr(error, "ctx", None)
    return context.command_path if context is not None else command_path(sys.argv[1:])


_MISTAKES = (
    (r"Input should be a valid integer.*", "must be a whole number"),
    (r"Input should be greater than or equal to (\S+)", r"must be \1 or more"),
    (r"Input should be less than or equal to (\S+)", r"must be \1 or less"),
    (r"Input should be a valid (\w+).*", r"must be a \1"),
    (r"Value error, ", ""),
    (r"^Invalid value for '(.*?)'(?: / '.*?')?: ", r"\1: "),
    (r"^Got unexpected extra argument\(s\) \((.*)\)$", r"\1: is more than this command takes"),
)
"""How the libraries that read a command line put a mistake, and how a technician does."""


def _mistake(sentence: str) -> str:
    for theirs, ours in _MISTAKES:
        sentence = re.sub(theirs, ours, sentence)
    return sentence.rstrip(".")
