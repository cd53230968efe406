"""Where a running simulated table is found by its name: a link to its folder.

`underfelt diagnose sim:T1` looks here. There is one folder per user, closed to others; of two
floors with the same names, the one that was started last is found.
"""

import os
from pathlib import Path
from tempfile import gettempdir


def runtime_folder() -> Path:
    """Give the folder of the links; `host_tools/connection/targets.py` has the same rule."""
    given = os.environ.get("XDG_RUNTIME_DIR")
    if given:
        return Path(given) / "underfelt-sim"
    return Path(gettempdir()) / f"underfelt-sim-{os.getuid()}"


def announce(name: str, folder: Path) -> None:
    """Make a table known by its name."""
    runtime_folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    link = runtime_folder() / name
    waiting = link.with_name(f"{name}.{os.getpid()}")
    waiting.unlink(missing_ok=True)
    waiting.symlink_to(folder.resolve())
    waiting.replace(link)


def withdraw(name: str, folder: Path) -> None:
    """Remove a table, unless another one has taken its name."""
    link = runtime_folder() / name
    if link.is_symlink() and link.readlink() == folder.resolve():
        link.unlink()
