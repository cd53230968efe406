"""Rounds that the last floor in a folder has left open: they are ended with the options that began them.

A table refuses a table file that was changed in the middle of its round. If one table of a floor were found
out only when others have begun rounds with the new option, no option would fit the folder any more. So all
are looked at before any begins.
"""

from collections.abc import Iterable
from pathlib import Path

from firmware.errors import JournalError
from firmware.journal.files import segment_files
from firmware.journal.reader import newest
from firmware.shell.folding import folded
from firmware.table.settings import TableSettings
from firmware.table.state import AT_REST

_OPTIONS = {"card_source": "--source", "game": "--game", "seats": "--seats"}


def changed_while_open(folder: Path, tables: Iterable[TableSettings]) -> str:
    """Say which table has an open round that was begun with other options; nothing if none has."""
    for wanted in tables:
        journal = folder / wanted.name
        try:
            table = folded(wanted, journal, newest(journal)).table if _is_there(journal) else None
        except JournalError:
            continue  # its table says so itself
        if table is None or table.state.phase in AT_REST or table.settings == wanted:
            continue
        begun = [
            f"{option} {getattr(table.settings, name)}"
            for name, option in _OPTIONS.items()
            if getattr(table.settings, name) != getattr(wanted, name)
        ]
        options = f"with {' '.join(begun)}" if begun else "by another version"
        return (
            f"{folder}: round {table.state.round.number} of table {wanted.name} is still open, and was "
            f"begun {options}: start it so until the round is over, or name another folder"
        )
    return ""


def _is_there(journal: Path) -> bool:
    return journal.is_dir() and bool(segment_files(journal))
