"""Where a running simulated table is found by its name, and which folders a floor holds.

`underfelt diagnose sim:T1` looks here. There is one folder per user, closed to others, with a folder
for each name; in it is a link for each table of that name, to the table's own folder. Of several that
run, the one that was started last is found. A table runs as long as its floor holds the lock in the
table's folder: the kernel lets go of it however the floor ends, so that no death leaves a name behind.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir

from firmware.errors import BadInput

LOCK_FILE = "floor.lock"
_LOOKED_AT_S = 2.0
"""Longer than anybody who looks whether a floor runs holds the lock."""


def links_folder() -> Path:
    """Return the folder of the links; `targets.simulated_tables_folder` in host_tools is the same."""
    given = os.environ.get("XDG_RUNTIME_DIR")
    if given:
        return Path(given) / "underfelt-sim"
    return Path(gettempdir()) / f"underfelt-sim-{os.getuid()}"


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold a folder for this floor alone."""
    with (folder / LOCK_FILE).open("ab") as lock:
        give_up_at = time.monotonic() + _LOOKED_AT_S
        while not _locked(lock.fileno()):
            if time.monotonic() > give_up_at:
                reason = f"another floor is playing in {folder}; end it, or name another folder"
                raise BadInput("--folder", reason)
            time.sleep(0.01)
        yield


@contextmanager
def announced(name: str, folder: Path) -> Iterator[None]:
    """Make a table known by its name, for as long as this floor runs."""
    with held(folder):
        place = _folder_of(name, folder.resolve())
        link = place / f"{time.time_ns():020}-{os.getpid()}"
        link.symlink_to(folder.resolve())
        try:
            yield
        finally:
            link.unlink(missing_ok=True)


def _folder_of(name: str, held_folder: Path) -> Path:
    """Return the folder of a name, and remove what floors that were killed have left."""
    top = links_folder()
    top.mkdir(mode=0o700, parents=True, exist_ok=True)
    place = top / name
    if place.is_symlink():
        place.unlink()  # as an older simulator made it
    place.mkdir(exist_ok=True)
    for each in [each for each in top.iterdir() if each.is_symlink() or each.is_dir()]:
        # Whoever makes a link holds its folder already. The folder of a name stays: another floor
        # may be about to use it.
        links = [each] if each.is_symlink() else each.iterdir()
        for link in links:
            is_old = link.resolve() == held_folder or not is_held(link)
            if link.is_symlink() and is_old:
                link.unlink(missing_ok=True)
    return place


def is_held(folder: Path) -> bool:
    """Return whether a floor that is alive holds a folder; `targets.is_held` in host_tools is the same."""
    try:
        with (folder / LOCK_FILE).open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        pass
    return False


def _locked(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
