"""Which table a command is for, and how to reach it: `sim:`, `unix:` or `ssh://`.

Every connection is a socket that carries `firmware/maintenance/protocol.py`: the table's own,
or one whose other end is the ssh that runs the bridge on the table. What is said on it is in
`table_stream.py`. Every failure is one sentence that names the target.
"""

import fcntl
import os
import re
import socket
import subprocess
from contextlib import suppress
from pathlib import Path
from tempfile import gettempdir
from typing import Literal

from msgspec import Struct

from firmware.errors import UnderfeltError
from firmware.maintenance import SOCKET
from firmware.shell.command_line import in_order, nearest_name

BRIDGE = "PATH=$PATH:/opt/underfelt/bin exec underfelt-table-bridge"
CONNECT_S = 10
_SSH = re.compile(
    r"ssh://(?:([A-Za-z0-9_][A-Za-z0-9_.-]*)@)?([A-Za-z0-9][A-Za-z0-9.:-]*?)(?::(\d+))?/?"
)
_FORMS = "sim:NAME, unix:PATH or ssh://USER@HOST"


class TargetError(UnderfeltError):
    """A table cannot be reached."""


class UnknownTargetError(UnderfeltError):
    """What was typed is not the address of a table."""


class TableTarget(Struct, frozen=True):
    """One table: its address as typed, and where that leads."""

    text: str
    kind: Literal["sim", "unix", "ssh"]
    path: Path | None = None
    """The socket."""
    folder: Path | None = None
    """The folder of a simulated table."""
    ssh: tuple[str, ...] = ()
    """The arguments of ssh."""


class Connection(Struct):
    """A socket to a table, and the ssh that holds its other end, if there is one."""

    target: TableTarget
    socket: socket.socket
    process: subprocess.Popen[bytes] | None = None

    def close(self) -> None:
        """Hang up, and wake any thread that is waiting on the socket."""
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        if self.process is not None:
            self.process.terminate()
            self.process.wait()

    def last_words(self) -> str:
        """Return the last line that ssh printed, if it has ended."""
        if self.process is None or self.process.stderr is None:
            return ""
        try:
            self.process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            return ""
        said = (self.process.stderr.read() or b"").decode(errors="replace").strip().splitlines()
        return said[-1].strip() if said else f"ssh ended with status {self.process.returncode}"


def simulated_tables_folder() -> Path:
    """Return the folder of links to running tables; `sim/floor/running.py` makes them."""
    given = os.environ.get("XDG_RUNTIME_DIR")
    if given:
        return Path(given) / "underfelt-sim"
    return Path(gettempdir()) / f"underfelt-sim-{os.getuid()}"


def running_tables() -> list[str]:
    """List the simulated tables that are running."""
    folder = simulated_tables_folder()
    if not folder.is_dir() or folder.stat().st_uid != os.getuid():
        return []
    return in_order(place.name for place in folder.iterdir() if _running(place) is not None)


def _running(place: Path) -> Path | None:
    """Return the folder of the table of a name that was started last and still runs."""
    links = sorted(place.iterdir(), reverse=True) if place.is_dir() else []
    return next((link.resolve() for link in links if link.is_symlink() and is_held(link)), None)


def is_held(folder: Path) -> bool:
    """Return whether a floor that is alive holds a table; `running.is_held` in sim is the same."""
    try:
        with (folder / "floor.lock").open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        pass
    return False


def parse_target(text: str) -> TableTarget:
    """Parse a target; the error says how one is written."""
    kind, _, rest = text.partition(":")
    if kind == "sim" and rest.strip(":/. "):
        return _simulated(text, rest)
    if kind == "unix" and rest:
        return TableTarget(text, "unix", Path(rest))
    if kind == "ssh":
        matched = _SSH.fullmatch(text)
        if matched is None:
            raise UnknownTargetError(f"{text}: write it as ssh://user@host or ssh://user@host:port")
        user, host, port = matched.groups()
        address = f"{user}@{host}" if user else host
        return TableTarget(text, "ssh", ssh=(*(("-p", port) if port else ()), address, BRIDGE))
    if kind in {"sim", "unix"}:
        wanted = (
            "the name of a table, as sim:T1" if kind == "sim" else "a path, as unix:/run/table.sock"
        )
        raise UnknownTargetError(f"{text!a} names no table; write {wanted}")
    if not text.strip():
        raise UnknownTargetError(f"{text!a} is not a table; write {_FORMS}")
    meant = f"did you mean sim:{text}?" if text in running_tables() else f"write {_FORMS}"
    raise UnknownTargetError(f"{text}: is not a table; {meant}")


def _simulated(text: str, name: str) -> TableTarget:
    names = running_tables()
    folder = _running(simulated_tables_folder() / name) if name in names else None
    if folder is not None:
        return TableTarget(text, "sim", folder / Path(SOCKET).name, folder)
    if not names:
        raise TargetError(f"{text}: no simulated table is running; start some: underfelt-sim floor")
    near = nearest_name(name, names)
    meant = f"did you mean sim:{near}? " if near else ""
    raise TargetError(f"{text}: no such table; {meant}running: {', '.join(names)}")


def connect(target: TableTarget) -> Connection:
    """Connect to a table."""
    return _by_ssh(target) if target.kind == "ssh" else _by_socket(target)


def _by_socket(target: TableTarget) -> Connection:
    way = socket.socket(socket.AF_UNIX)
    way.settimeout(CONNECT_S)
    try:
        way.connect(str(target.path))
    except OSError as error:
        way.close()
        raise TargetError(f"{target.text}: {why_not(error, target)}") from None
    return Connection(target, way)


def why_not(error: OSError, target: TableTarget) -> str:
    """Say why a socket cannot be opened."""
    if isinstance(error, FileNotFoundError):
        return f"the table's firmware is not running: {target.path} does not exist"
    if isinstance(error, ConnectionRefusedError):
        return "the table's firmware is not running: its socket exists, but nothing answers"
    if isinstance(error, PermissionError):
        return "this user may not open it; add the user to the group underfelt, or use sudo"
    if isinstance(error, TimeoutError):
        return "the table does not answer; its firmware has hung"
    return f"cannot be opened: {(error.strerror or str(error)).lower()}"


def _by_ssh(target: TableTarget) -> Connection:
    ours, theirs = socket.socketpair()
    options = ("-T", "-o", f"ConnectTimeout={CONNECT_S}")
    command = ["ssh", *options, *target.ssh]
    end = theirs.fileno()
    try:
        process = subprocess.Popen(  # noqa: S603  # `parse_target` has checked every word of it
            command, stdin=end, stdout=end, stderr=subprocess.PIPE
        )
    except FileNotFoundError:
        ours.close()
        raise TargetError(f"{target.text}: ssh is not installed on this laptop") from None
    finally:
        theirs.close()
    return Connection(target, ours, process)
