"""The `underfelt` command: its groups, and what a user sees when something is wrong.

Every failure is one sentence on standard error that names its cause, with exit status 2; a
traceback is a bug. The commands themselves are in the folders and files beside this one.
"""

import os
import sys
from io import TextIOWrapper

import typer

from firmware.errors import UnderfeltError
from host_tools import phases, staff
from host_tools.check import command as check_command
from host_tools.diagnose import command as diagnose_command
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
    except (KeyboardInterrupt, typer.Abort):
        status = 130
    except BrokenPipeError:
        # The reader has closed the pipe, as `head` does: stop quietly.
        status = _give_up_on_output(141)
    except OSError as error:
        status = _give_up_on_output(_complain(f"cannot read or write: {error.strerror}"))
    sys.exit(status)


def _give_up_on_output(status: int) -> int:
    """Keep Python from complaining once more when it flushes standard output at exit."""
    if sys.stdout is None:
        return status
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


def _complain(sentence: str) -> int:
    say(f"underfelt: {' '.join(sentence.split())}", err=True)
    return 2
