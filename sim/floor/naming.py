"""The names of running tables: which there are, where each is, and one that is still free.

A name leads to one table for as long as it runs. A floor's tables are T1, T2 and so on, and a scenario's
table takes the name of its file; if somebody else has a name already, the newcomers' names get a number,
those of a floor all the same one. `running.py` makes names known.
"""

import fcntl
import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path

from firmware.shell.command_line import in_order
from sim.floor.running import announced, is_held, links_folder

_ODD = re.compile(r"[^A-Za-z0-9._-]+")
_LOCK = ".names"


def running_names() -> list[str]:
    """List the names of the tables that run, those of scenarios too."""
    top = links_folder()
    places = top.iterdir() if top.is_dir() else ()
    return in_order(place.name for place in places if _living(place))


def folder_of(name: str) -> Path:
    """Return the folder of a table that runs: of several, the one that was started last."""
    living = _living(links_folder() / name)
    return living[-1].resolve() if living else links_folder() / name


@contextmanager
def announced_freely(wanted: Mapping[str, Path]) -> Iterator[list[str]]:
    """Make tables known by names that nobody has: those that are wanted, or with one number behind all."""
    bases = {_ODD.sub("-", name).strip("-.") or "table": folder for name, folder in wanted.items()}
    with ExitStack() as stack:
        links_folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        with (links_folder() / _LOCK).open("ab") as lock:
            # Two that begin at once do not get the same name.
            fcntl.flock(lock, fcntl.LOCK_EX)
            taken = {*running_names()}
            for number in count(1):
                names = [base if number == 1 else f"{base}-{number}" for base in bases]
                if taken.isdisjoint(names):
                    break
            for name, folder in zip(names, bases.values(), strict=True):
                stack.enter_context(announced(name, folder))
        yield names


def _living(place: Path) -> list[Path]:
    """List the links of a name whose tables run, oldest first."""
    links = place.iterdir() if place.is_dir() and not place.is_symlink() else ()
    return sorted(link for link in links if is_held(link))
