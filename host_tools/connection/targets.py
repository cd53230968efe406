"""Which table a command is for, and how to reach it: `sim:`, `unix:` or `ssh://`.

Every connection is a socket that carries `firmware/maintenance/protocol.py`: the table's own,
or one whose other end is the ssh that runs the bridge on the table. What is said on it is in
`table_stream.py`. Every failure is one sentence that names the target.
"""

import os
import re
import socket
import subprocess
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from tempfile import gettempdir
from typing import Literal

from msgspec import Struct

from firmware.errors import UnderfeltError

SOCKET_FILE = "maintenance.sock"
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


class Target(Struct, frozen=True):
    """One table: its address as typed, and where that leads."""

    text: str
    kind: Literal["sim", "unix", "ssh"]
    path: Path | None = None
    """The socket."""
    folder: Path | None = None
    """The folder of a simulated table."""
    ssh: tuple[str, ...] = ()
    """The arguments of ssh."""


class Way(Struct):
    """A socket to a table, and the ssh that holds its other end, if there is one."""

    target: Target
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
        said = self.process.stderr.read().decode(errors="replace").strip().splitlines()
        return said[-1].strip() if said else f"ssh ended with status {self.process.returncode}"


def runtime_folder() -> Path:
    """Give the folder in which running simulated tables are found (`sim/floor/running.py`)."""
    given = os.environ.get("XDG_RUNTIME_DIR")
    if given:
        return Path(given) / "underfelt-sim"
    return Path(gettempdir()) / f"underfelt-sim-{os.getuid()}"


def running() -> list[str]:
    """List the simulated tables that are running."""
    folder = runtime_folder()
    if not folder.is_dir() or folder.stat().st_uid != os.getuid():
        return []
    return sorted(link.name for link in folder.iterdir() if link.is_symlink() and link.is_dir())


def find(text: str) -> Target:
    """Parse a target; the error says how one is written."""
    kind, _, rest = text.partition(":")
    if kind == "sim" and rest:
        return _simulated(text, rest)
    if kind == "unix" and rest:
        return Target(text, "unix", Path(rest))
    if kind == "ssh":
        matched = _SSH.fullmatch(text)
        if matched is None:
            raise UnknownTargetError(f"{text}: write it as ssh://user@host or ssh://user@host:port")
        user, host, port = matched.groups()
        address = f"{user}@{host}" if user else host
        return Target(text, "ssh", ssh=(*(("-p", port) if port else ()), address, BRIDGE))
    meant = f"did you mean sim:{text}?" if text in running() else f"write {_FORMS}"
    raise UnknownTargetError(f"{text}: is not a table; {meant}")


def _simulated(text: str, name: str) -> Target:
    names = running()
    if name in names:
        folder = (runtime_folder() / name).resolve()
        return Target(text, "sim", folder / SOCKET_FILE, folder)
    if not names:
        raise TargetError(f"{text}: no simulated table is running; start some: underfelt-sim floor")
    close = get_close_matches(name, names, 1, 0.3)
    meant = f"did you mean sim:{close[0]}? " if close else ""
    raise TargetError(f"{text}: no such table; {meant}running: {', '.join(names)}")


def connect(target: Target) -> Way:
    """Connect to a table."""
    return _by_ssh(target) if target.kind == "ssh" else _by_socket(target)


def _by_socket(target: Target) -> Way:
    way = socket.socket(socket.AF_UNIX)
    way.settimeout(CONNECT_S)
    try:
        way.connect(str(target.path))
    except OSError as error:
        way.close()
        raise TargetError(f"{target.text}: {_why(error, target)}") from None
    return Way(target, way)


def _why(error: OSError, target: Target) -> str:
    if isinstance(error, FileNotFoundError):
        return f"the table's firmware is not running: {target.path} does not exist"
    if isinstance(error, ConnectionRefusedError):
        return "the table's firmware is not running: its socket exists, but nothing answers"
    if isinstance(error, PermissionError):
        return "this user may not open it; add the user to the group underfelt, or use sudo"
    if isinstance(error, TimeoutError):
        return "the table does not answer; its firmware has hung"
    return f"cannot be opened: {(error.strerror or str(error)).lower()}"


def _by_ssh(target: Target) -> Way:
    ours, theirs = socket.socketpair()
    options = ("-T", "-o", f"ConnectTimeout={CONNECT_S}")
    command = ["ssh", *options, *target.ssh]
    end = theirs.fileno()
    try:
        process = subprocess.Popen(  # noqa: S603  # `find` has checked every word of it
            command, stdin=end, stdout=end, stderr=subprocess.PIPE
        )
    except FileNotFoundError:
        ours.close()
        raise TargetError(f"{target.text}: ssh is not installed on this laptop") from None
    finally:
        theirs.close()
    return Way(target, ours, process)
