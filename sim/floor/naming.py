"""The names of running tables: which there are, where each is, and one that is still free.

The names of a floor's tables are fixed (`running.py` makes them known); a scenario's table takes the
name of its file, with a number if another one plays it at the same time.
"""

import re
from pathlib import Path

from sim.floor.running import links_folder

_ODD = re.compile(r"[^A-Za-z0-9._-]+")


def running_names() -> list[str]:
    """List the names of the tables that run, those of scenarios too."""
    top = links_folder()
    links = top.iterdir() if top.is_dir() else ()
    return sorted(link.name for link in links if link.is_symlink() and link.is_dir())


def folder_of(name: str) -> Path:
    """Return the folder of a table that runs."""
    return (links_folder() / name).resolve()


def announce_free(wanted: str, folder: Path) -> str:
    """Make a table known by a name that nobody has, and return the name."""
    links_folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    base = _ODD.sub("-", wanted).strip("-.") or "table"
    number = 1
    while True:
        name = base if number == 1 else f"{base}-{number}"
        link = links_folder() / name
        if link.is_symlink() and not link.exists():
            # Left by a table that was killed: its folder is gone.
            link.unlink(missing_ok=True)
        try:
            link.symlink_to(folder.resolve())
        except FileExistsError:
            number += 1
        else:
            return name
