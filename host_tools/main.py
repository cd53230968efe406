"""The `underfelt` command: its groups, and what a user sees when something is wrong.

Every failure is one sentence on standard error that names its cause, with exit status 2; a
traceback is a bug. The commands themselves are in the folders and files beside this one.
"""

import errno
import os
import sys
from io import TextIOWrapper

import typer

from firmware.errors import UnderfeltError
from host_tools import phases, staff
from host_tools.check import command as check_command
from host_tools.diagnose import command as diagnose_command
from host_tools.faults import command as faults_command
from host_tools.guided_test import command as test_command
from host_tools.journal import command as journal_command
from host_tools.rules import command as rules_command
from host_tools.terminal import print_help_alone, say
from host_tools.watch import command as watch_command

app = typer.Typer(pretty_exceptions_enable=False)
app.command()(check_command.check)
app.command()(diagnose_command.diagnose)
app.command("test")(test_command.guided)
app.command()(watch_command.watch)
app.add_typer(rules_command.app, name="rules")
app.add_typer(staff.app, name="staff")
app.add_typer(journal_command.app, name="journal")
app.command()(phases.phases)
app.command()(faults_command.faults)


@app.callback(invoke_without_command=True)
def underfelt(context: typer.Context) -> None:
    """Check, diagnose, test and audit an Underfelt table."""
    print_help_alone(context)


def main() -> None:
    """Run the command; report any failure in one sentence."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A terminal that cannot show a suit or a line shows a question mark instead.
            stream.reconfigure(errors="replace")
    try:
        status = app(standalone_mode=False)
        sys.stdout.flush()
    except UnderfeltError as error:
        status = _complain(str(error))
    except typer.TyperException as error:
        status = _complain(f"{error.format_message()} (see 'underfelt --help')")
    except (KeyboardInterrupt, typer.Abort) as error:
        status = _stopped(error)
    except BrokenPipeError:
        # The reader has closed the pipe, as `head` does: stop quietly.
        status = _give_up_on_output(141)
    except OSError as error:
        status = _give_up_on_output(_complain(_file_words(error)))
    sys.exit(status)


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
}


def _file_words(error: OSError) -> str:
    """Say what is wrong with which file, and what to do."""
    if error.filename is None:
        return f"cannot read or write: {error.strerror}"
    told = str(error.strerror)
    words = f"{told[:1].lower()}{told[1:]}; choose another"
    return f"{os.fsdecode(error.filename)}: {_FILE_WORDS.get(error.errno or 0, words)}"


def _give_up_on_output(status: int) -> int:
    """Keep Python from complaining once more when it flushes standard output at exit."""
    if sys.stdout is None:
        return status
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


def _complain(sentence: str) -> int:
    say(f"underfelt: {' '.join(sentence.split())}", err=True)
    return 2
