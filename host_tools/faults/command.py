"""`underfelt faults`: the catalogue in the terminal, whole or fault by fault."""

from difflib import get_close_matches
from typing import Annotated

import typer

from firmware.errors import BadInput
from host_tools.faults.entries import Entry, entries
from host_tools.terminal import say


def _complete(incomplete: str) -> list[str]:
    wanted = incomplete.lower()
    names = (name for entry in entries() for name in (entry.number, entry.name))
    return [name for name in names if name and name.lower().startswith(wanted)]


Asked = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="FAULT…",
        help="Its number or its name; all if none is given.",
        autocompletion=_complete,
    ),
]


def faults(asked: Asked = None) -> None:
    """Explain the faults of a table: what each means, what to check, and who clears it.

    underfelt faults

    underfelt faults F203

    underfelt faults sensor_stuck no_answer
    """
    known = entries()
    if not asked:
        for entry in known:
            say(f"{entry.number:5} {entry.name:20} {entry.what}")
        return
    for place, entry in enumerate([_found(word, known) for word in asked]):
        if place:
            say()
        _explain(entry)


def _found(word: str, known: list[Entry]) -> Entry:
    wanted = word.lower().replace("-", "_").replace(" ", "_")
    written = {name.lower(): name for each in known for name in (each.number, each.name) if name}
    names = {name.lower(): entry for entry in known for name in (entry.number, entry.name) if name}
    # A number is enough.
    for meant in (wanted, f"f{wanted}"):
        if meant in names:
            return names[meant]
    near = [written[each] for each in get_close_matches(wanted, names, n=2, cutoff=0.7)]
    hint = f"did you mean {' or '.join(near)}?" if near else "'underfelt faults' lists them all"
    raise BadInput("fault", f"there is no {word!r}; {hint}")


def _explain(entry: Entry) -> None:
    say(f"{entry.number} {entry.name}: {entry.what}".strip())
    for title, words in entry.facts():
        say(f"  {title:13} {words}")
