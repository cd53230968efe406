"""Joins the maintenance socket to standard streams, so that ssh can carry it.

`ssh user@table underfelt-table-bridge` is all that a laptop needs: ssh decides who may, and
nothing listens on the network. The argument is the socket, if it is not in the usual place.
"""

import os
import select
import socket
import stat
import sys
from collections.abc import Sequence

from firmware.maintenance import SOCKET
from firmware.shell import command_line

_NAME = "underfelt-table-bridge"
_INPUT, _OUTPUT = 0, 1
_CHUNK = 65_536
_NOT_RUNNING = "the table's firmware is not running; see 'systemctl status underfelt-table'"
_WORDS = {
    "ConnectionRefusedError": "the table's firmware has stopped; see 'systemctl status underfelt-table'",
    "PermissionError": "permission denied; add this user to the group underfelt",
}


def join(path: str, source: int, sink: int) -> int:
    """Carry bytes both ways until the table ends the stream; return the exit status."""
    with socket.socket(socket.AF_UNIX) as table:
        try:
            table.connect(path)
        except OSError as error:
            command_line.complain(_NAME, f"{path}: {_why_not(path, error)}")
            return 1
        listening: list[int] = [table.fileno(), source]
        while True:
            ready, _, _ = select.select(listening, [], [])
            try:
                if table.fileno() in ready:
                    data = table.recv(_CHUNK)
                    if not data:
                        return 0
                    _write_all(sink, data)
                if source in ready:
                    data = os.read(source, _CHUNK)
                    if data:
                        table.sendall(data)
                    else:
                        # There are no more requests; pending answers still come through.
                        table.shutdown(socket.SHUT_WR)
                        listening.remove(source)
            except (BrokenPipeError, ConnectionResetError):
                return 0


def _why_not(path: str, error: OSError) -> str:
    """Say why there is no table at a path: it does not run, or the path is another's."""
    if isinstance(error, FileNotFoundError):
        wrong = "there is no such socket; correct the name, or start the table's firmware"
        return _NOT_RUNNING if path == SOCKET else wrong
    if isinstance(error, ConnectionRefusedError | NotADirectoryError) and not _is_socket(path):
        return "is not a socket; name the maintenance socket of a table"
    return _WORDS.get(type(error).__name__, error.strerror or str(error))


def _is_socket(path: str) -> bool:
    try:
        return stat.S_ISSOCK(os.stat(path).st_mode)  # noqa: PTH116  # pathlib is slow to import
    except OSError:
        return False


def _write_all(sink: int, data: bytes) -> None:
    while data:
        data = data[os.write(sink, data) :]


def main(argv: Sequence[str] | None = None) -> None:
    """Be the command that ssh runs on a table."""
    sys.exit(command_line.run(_NAME, lambda: _run(argv)))


def _run(argv: Sequence[str] | None) -> int:
    return join(parser().parse_args(argv).socket, _INPUT, _OUTPUT)


def parser() -> command_line.Parser:
    """Return what reads the command line."""
    reads = command_line.Parser(
        prog=_NAME,
        description="Join the maintenance socket of this table to standard input and output;\n"
        "'underfelt' runs it through ssh.",
        examples=("", "/run/underfelt/maintenance.sock"),
    )
    reads.add_version()
    reads.add_argument("socket", nargs="?", default=SOCKET, help=f"the socket, if not {SOCKET}")
    return reads


if __name__ == "__main__":
    main()
