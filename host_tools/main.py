"""The `underfelt` command: its entry, and what a user sees when something is wrong.

Every failure is one sentence on standard error that names its cause; a traceback is a bug. The
exit status is 2, unless the command has another use for that (`commands.py`). Nothing is imported
here that only a command needs.
"""

import errno
import os
import re
import sys
from io import TextIOWrapper
from typing import Annotated

import typer

from firmware.errors import UnderfeltError
from firmware.protocol.version import VERSION
from host_tools.commands import LazyGroup, command_path, failure_status
from host_tools.completion import complete_in_bash, is_asked_by_bash
from host_tools.plain_text import print_help_alone, say

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


def main() -> None:
    """Run the command; report any failure in one sentence."""
    _replace_what_cannot_be_shown()
    if is_asked_by_bash():
        complete_in_bash(app)
    try:
        status = app(standalone_mode=False)
        sys.stdout.flush()
    except UnderfeltError as error:
        status = _complain(str(error))
    except typer.TyperException as error:
        status = _complain(f"{_mistake(error.format_message())} (see '{_helping(error)} --help')")
    except (KeyboardInterrupt, typer.Abort) as error:
        status = _stopped(error)
    except BrokenPipeError:
        # The reader has closed the pipe, as `head` does: stop quietly.
        status = _give_up_on_output(141)
    except OSError as error:
        status = _give_up_on_output(_complain(_file_words(error)))
    sys.exit(status)


def _replace_what_cannot_be_shown() -> None:
    """Let a terminal that cannot show a suit or a line show a question mark instead."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


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
    return sentence


def _stopped(error: BaseException) -> int:
    """End quietly if somebody wanted that; say so if there was nobody to answer a question."""
    if isinstance(error.__cause__ or error.__context__, EOFError):
        return _complain("a question had no answer: give it as an option (see --help)")
    return 130


_FILE_WORDS = {
    errno.ENOENT: "there is no such folder; make it, or correct the name",
    errno.EEXIST: "is a file, but a folder is needed; choose another name",
    errno.ENOTDIR: "a part of it is a file, but a folder is needed; choose another name",
    errno.EISDIR: "is a folder; name a file",
    errno.EACCES: "this user may not open it; choose another place",
    errno.EPERM: "this user may not open it; choose another place",
    errno.EROFS: "nothing can be written there; choose another place",
    errno.ENOSPC: "its disk is full; make room, or choose another place",
}


def _file_words(error: OSError) -> str:
    """Say what is wrong with which file, and what to do."""
    told = str(error.strerror or error)
    words = f"{told[:1].lower()}{told[1:]}; choose another"
    if error.filename is not None:
        return f"{os.fsdecode(error.filename)}: {_FILE_WORDS.get(error.errno or 0, words)}"
    if error.errno == errno.ENOENT:
        # Only asking where we are fails so, and names nothing.
        return "the folder that you are in is gone; change to another ('cd')"
    # Whatever opens a file names it (`firmware/journal/regular_files.py`).
    return f"standard output: {_FILE_WORDS.get(error.errno or 0, words)}"


def _give_up_on_output(status: int) -> int:
    """Keep Python from complaining once more when it flushes standard output at exit."""
    if sys.stdout is None:
        return status
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


def _complain(sentence: str) -> int:
    say(f"underfelt: {' '.join(sentence.split())}", err=True)
    return failure_status(sys.argv[1:])
