"""`underfelt staff`: prepares the staff entries of a table file."""

import json
import secrets
import sys
from typing import Annotated, get_args

import typer

from firmware.errors import BadInput
from firmware.protocol.fault_catalogue import Role
from firmware.settings import toml_file
from firmware.settings.staff import (
    EXAMPLE_PINS,
    LONG_PIN,
    NEED_LONG_PIN,
    NOBODY,
    SALT_BYTES,
    Staff,
    hash_pin,
)
from host_tools.terminal import ask_pin, print_help_alone, say

SHORTEST, LONGEST = 4, 8
_WORDS = {"number": "1 to 8 digits", "name": "a name of 1 to 64 characters"}

app = typer.Typer()


@app.callback(invoke_without_command=True)
def staff(context: typer.Context) -> None:
    """Prepare staff entries of a table file.

    underfelt staff entry 100 Rowan dealer
    """
    print_help_alone(context)


@app.command("hash-pin")
def hash_pin_command() -> None:
    """Ask for a PIN without echoing it, and print its hash for the table file.

    When standard input is a pipe, the PIN is its first line. The PIN of a pit supervisor or a shift
    manager has at least six digits.

    underfelt staff hash-pin
    """
    say(f'pin = "{_hashed(SHORTEST)}"')


@app.command("entry")
def entry_command(
    number: Annotated[str, typer.Argument(help="The staff number, 1 to 8 digits.")],
    name: Annotated[str, typer.Argument(help="The name, for the record.")],
    role: Annotated[str, typer.Argument(help=f"One of {', '.join(get_args(Role))}.")],
) -> None:
    """Print a whole staff entry for the table file; the PIN is asked for.

    A dealer needs one to sign on at the panel. The PIN of a pit supervisor or a shift manager has
    at least six digits.

    underfelt staff entry 100 Rowan dealer
    """
    shortest = LONG_PIN if role in NEED_LONG_PIN else SHORTEST
    fields = {"number": number, "name": name, "role": role, "pin": NOBODY}
    toml_file.fit("staff entry", fields, Staff, _WORDS)
    fields["pin"] = _hashed(shortest)
    say("[[staff]]")
    for key, value in fields.items():
        say(f"{key} = {json.dumps(value, ensure_ascii=False)}")


def _hashed(shortest: int) -> str:
    pin = _asked() if sys.stdin.isatty() else sys.stdin.readline().strip()
    if not (pin.isascii() and pin.isdecimal() and shortest <= len(pin) <= LONGEST):
        raise BadInput("PIN", f"must be {shortest} to {LONGEST} digits, as keyed at the panel")
    if pin in EXAMPLE_PINS:
        raise BadInput("PIN", "is one of the example file, which everybody knows; choose another")
    return hash_pin(pin, secrets.token_bytes(SALT_BYTES))


def _asked() -> str:
    pin = ask_pin()
    if ask_pin("Repeat the PIN") != pin:
        raise BadInput("PIN", "the two entries differ; try again")
    return pin
