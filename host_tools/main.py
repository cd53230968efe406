"""The `underfelt` command: its groups, and what a user sees when something is wrong.

Whatever goes wrong is one sentence on standard error that names the thing, and exit
status 2; a traceback is a bug. The commands themselves are in the files beside this.
"""

import os
import sys

import typer

from firmware.errors import UnderfeltError
from host_tools import rules_command

app = typer.Typer(
    help="Check, diagnose and prove what an Underfelt table does.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.add_typer(rules_command.app, name="rules")


@app.callback()
def underfelt() -> None:
    """Keep `underfelt` a group of commands."""


def main() -> None:
    """Run the command and turn whatever goes wrong into one sentence."""
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
        # The reader of a pipe has gone, as `head` does: stop quietly, and keep Python from
        # complaining once more when it flushes standard output at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 141
    sys.exit(status)


def _complain(sentence: str) -> int:
    typer.echo(f"underfelt: {' '.join(sentence.split())}", err=True)
    return 2
