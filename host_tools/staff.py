"""`underfelt staff`: prepares the staff entries of a table file."""

import getpass
import secrets
import sys

import typer

from firmware.errors import BadInput
from firmware.settings.staff import SALT_BYTES, hash_pin
from host_tools.terminal import print_help_alone

SHORTEST, LONGEST = 4, 8

app = typer.Typer()


@app.callback(invoke_without_command=True)
def staff(context: typer.Context) -> None:
    """Prepare staff entries of a table file."""
    print_help_alone(context)


@app.command("hash-pin")
def hash_pin_command() -> None:
    """Ask for a PIN without echoing it, and print its hash for the table file.

    When standard input is a pipe, the PIN is its first line.
    """
    pin = _asked() if sys.stdin.isatty() else sys.stdin.readline().strip()
    if not (pin.isascii() and pin.isdecimal() and SHORTEST <= len(pin) <= LONGEST):
        raise BadInput("PIN", f"must be {SHORTEST} to {LONGEST} digits, as keyed at the panel")
    typer.echo(f'pin = "{hash_pin(pin, secrets.token_bytes(SALT_BYTES))}"')


def _asked() -> str:
    pin = getpass.getpass("PIN: ")
    if getpass.getpass("Repeat the PIN: ") != pin:
        raise BadInput("PIN", "the two entries differ; try again")
    return pin
