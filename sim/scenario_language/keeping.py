"""What is left of a scenario's table for `play --keep`: its journal, its table file, its log.

The table is played in a folder of its own and copied from there when it has ended: a journal on a
small disk would be gone with the disk. It has every card and the staff of the table: only its owner
may read it, as a journal that was pulled.
"""

import shutil
from pathlib import Path

from firmware.errors import BadInput
from firmware.journal.regular_files import make_folder, open_to_read, open_to_write
from firmware.shell.command_line import file_words

_KEPT = ("*.journal", "*.snapshot", "table.toml", "board.toml", "firmware.log")


def keep_journal(journal: Path, table: Path, kept: Path) -> None:
    """Copy a table's journal and files; whatever else a scenario has made goes with its folder."""
    make_folder(kept)
    for folder in dict.fromkeys((table, journal)):
        for pattern in _KEPT:
            for file in folder.glob(pattern):
                with open_to_read(file) as read, open_to_write(kept / file.name) as written:
                    shutil.copyfileobj(read, written)


def kept_folder(root: Path, scenario: Path) -> Path:
    """Name the folder in which what is left of a scenario is kept; nothing is written over."""
    folder = root / scenario.stem
    number = 2
    while folder.exists():
        folder = root / f"{scenario.stem}-{number}"
        number += 1
    return folder


def check_folder(root: Path) -> None:
    """Say now, and not after the first scenario, that nothing can be kept there."""
    try:
        make_folder(root)
    except OSError as error:
        error.filename = str(root)
        raise BadInput("--keep", file_words(error)) from None
