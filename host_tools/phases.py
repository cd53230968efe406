"""`underfelt phases`: prints which event is possible in which phase of a table, and why not.

The table is `firmware.table.phases`, as the firmware itself obeys it; nothing about
phases is known here. Every blank has a letter, and every letter a reason below it.
"""

from string import ascii_lowercase
from typing import Annotated, get_args

import typer
from rich import box
from rich.table import Table

from firmware.table.events import Event
from firmware.table.phases import DOING, IN_EVERY_PHASE, pairs
from firmware.table.state import Phase
from host_tools.rules.tables import show

POSSIBLE = "●"
_LETTERS = dict(zip(get_args(Phase), ascii_lowercase, strict=False))
"""One letter a phase: what goes on in it is why an event is not possible."""

Explain = Annotated[
    bool, typer.Option("--explain", help="Write the sentence that the dealer reads for each blank.")
]


def phases(*, explain: Explain = False) -> None:
    """Show which event is possible in which phase of a table.

    underfelt phases --explain
    """
    if explain:
        for sentence in explained():
            typer.echo(sentence)
        return
    show(phases_table())
    for line in footnotes():
        typer.echo(line)


def phases_table() -> Table:
    """Set phases against events: a dot is possible, a letter stands for a reason."""
    table = Table("event", box=box.SIMPLE_HEAD, title="What is possible when")
    for phase in get_args(Phase):
        table.add_column(phase, justify="center")
    cells: dict[type[Event], list[str]] = {}
    for phase, kind, reason in pairs():
        cells.setdefault(kind, []).append(_LETTERS[phase] if reason else POSSIBLE)
    for kind, row in cells.items():
        table.add_row(name_of(kind), *row)
    return table


def footnotes() -> list[str]:
    """Say what each letter means."""
    return [
        f"{POSSIBLE} possible: handled, or refused by what it says",
        *(f"{_LETTERS[phase]} not possible in {phase}: {DOING[phase]}" for phase in DOING),
    ]


def explained() -> list[str]:
    """Write every blank as the dealer would read it, by phase."""
    refused = [(phase, kind, reason) for phase, kind, reason in pairs() if reason]
    refused.sort(key=lambda pair: get_args(Phase).index(pair[0]))
    always = ", ".join(name_of(kind) for kind in IN_EVERY_PHASE)
    return [
        f"possible in every phase: {always}",
        *(f"{phase}, {name_of(kind)}: {reason}" for phase, kind, reason in refused),
    ]


def name_of(kind: type[Event]) -> str:
    """Name an event as the journal does, in words."""
    return str(kind.__struct_config__.tag).replace("_", " ")
