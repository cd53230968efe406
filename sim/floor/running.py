"""Where a running simulated table is found by its name: a link to its folder.

`underfelt diagnose sim:T1` looks here. There is one folder per user, closed to others; of two
floors with the same names, the one that was started last is found.
"""

import os
from pathlib import Path
from tempfile import gettempdir


def links_folder() -> Path:
    """Return the folder of the links; `targets.simulated_tables_folder` in host_tools is the same."""
    given = os.environ.get("XDG_RUNTIME_DIR")
    if given:
        return Path(given) / "underfelt-sim"
    return Path(gettempdir()) / f"underfelt-sim-{os.getuid()}"


def announce(name: str, folder: Path) -> None:
    """Make a table known by its name."""
    links_folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    link = links_folder() / name
    waiting = link.with_name(f"{name}.{os.getpid()}")
    waiting.unlink(missing_ok=True)
    waiting.symlink_to(folder.resolve())
    waiting.replace(link)


def withdraw(name: str, folder: Path) -> None:
    """Remove a table, unless another one has taken its name."""
    link = links_folder() / name
    if link.is_symlink() and link.readlink() == folder.resolve():
        link.unlink()
