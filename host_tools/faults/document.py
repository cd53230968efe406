"""Writes the catalogue of faults, `hw/faults.md`: `make docs`."""

from pathlib import Path

from firmware.journal.regular_files import write_text
from host_tools.faults.entries import Entry, entries

FILE = Path(__file__).parents[2] / "hw" / "faults.md"
_BEGINNING = """\
# The faults of a table

The panel shows a fault with its number, `underfelt diagnose` with its place and since when.
`underfelt faults F203` explains one. A fault that somebody clears stays through every restart: choose it with
MENU at the panel (or key `CLEAR`), turn the key, and give staff number and PIN. Who clears what has not been
mended yet sees it come back. `make docs` writes this page from the code.
"""
_LINK = """
## Why the jackpot link is down

The table says so by itself, and goes on by itself once it is up again.
"""


def document() -> str:
    """Return the whole page."""
    faults = [entry for entry in entries() if entry.number]
    problems = [entry for entry in entries() if not entry.number]
    head = "| fault | what it means | what to check | meanwhile | cleared by |\n|---|---|---|---|---|\n"
    link_head = "| name | what it means | what to check |\n|---|---|---|\n"
    fault_rows = "".join(map(_fault_row, faults))
    link_rows = "".join(map(_link_row, problems))
    return f"{_BEGINNING}\n{head}{fault_rows}{_LINK}\n{link_head}{link_rows}"


def _fault_row(entry: Entry) -> str:
    name = f"**{entry.number}** {entry.what} (`{entry.name}`)"
    return f"| {name} | {entry.means} | {entry.check} | {entry.stops} | {entry.cleared_by} |\n"


def _link_row(entry: Entry) -> str:
    return f"| `{entry.name}` | {entry.means} | {entry.check} |\n"


if __name__ == "__main__":
    write_text(FILE, document())
