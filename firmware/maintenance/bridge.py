"""Joins the maintenance socket to standard streams, so that ssh can carry it.

`ssh user@table underfelt-table-bridge` is all that a laptop needs: ssh decides who may, and
nothing listens on the network. The argument is the socket, if it is not in the usual place.
"""

import os
import select
import socket
import sys
from collections.abc import Sequence

from firmware.maintenance import SOCKET
from firmware.shell import command_line

_NAME = "underfelt-table-bridge"
_INPUT, _OUTPUT = 0, 1
_CHUNK = 65_536
_WORDS = {
    "FileNotFoundError": "the table's firmware is not running; see 'systemctl status underfelt-table'",
    "ConnectionRefusedError": "the table's firmware has stopped",
    "PermissionError": "permission denied; add this user to the group underfelt",
}


def join(path: str, source: int, sink: int) -> int:
    """Carry bytes both ways until the table ends the stream; return the exit status."""
    with socket.socket(socket.AF_UNIX) as table:
        try:
            table.connect(path)
        except OSError as error:
            words = _WORDS.get(type(error).__name__, error.strerror or str(error))
            sys.stderr.write(f"{path}: {words}\n")
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
