"""`underfelt phases`: prints which events are possible in which phase, and why others are not.

It is read from `firmware.table.phases`, which the firmware itself obeys; nothing about
phases is repeated here. A letter marks an event that is not possible; the reasons are below.
"""

from string import ascii_lowercase
from typing import Annotated, get_args

import typer
from rich import box
from rich.table import Table

from firmware.table.events import Event
from firmware.table.phases import DOING, IN_EVERY_PHASE, pairs
from firmware.table.state import Phase
from host_tools.rules.tables import print_tables
from host_tools.terminal import say

POSSIBLE = "●"
_LETTERS = dict(zip(get_args(Phase), ascii_lowercase, strict=False))
"""One letter per phase: what is going on in it is why an event is not possible."""

ExplainEvents = Annotated[
    bool,
    typer.Option("--explain", help="Print the dealer's sentence for each event that is refused."),
]


def phases(*, explain: ExplainEvents = False) -> None:
    """Show which events are possible in which phase of a table.

    underfelt phases --explain
    """
    if explain:
        for sentence in explained():
            say(sentence)
        return
    print_tables(phases_table())
    for line in footnotes():
        say(line)


def phases_table() -> Table:
    """Return events by phase: a dot means possible, a letter refers to a reason."""
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
    """Return what each letter means."""
    return [
        f"{POSSIBLE} possible: handled, or refused for what it says",
        *(f"{_LETTERS[phase]} not possible in {phase}: {DOING[phase]}" for phase in DOING),
    ]


def explained() -> list[str]:
    """Return every refusal as the dealer would read it, by phase."""
    refused = [(phase, kind, reason) for phase, kind, reason in pairs() if reason]
    refused.sort(key=lambda pair: get_args(Phase).index(pair[0]))
    always = ", ".join(name_of(kind) for kind in IN_EVERY_PHASE)
    return [
        f"possible in every phase: {always}",
        *(f"{phase}, {name_of(kind)}: {reason}" for phase, kind, reason in refused),
    ]


def name_of(kind: type[Event]) -> str:
    """Return the name of an event in the journal, in words."""
    return str(kind.__struct_config__.tag).replace("_", " ")
