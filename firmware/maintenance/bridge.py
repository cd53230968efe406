"""Joins the maintenance socket to standard streams, so that ssh can carry it.

`ssh user@table underfelt-table-bridge` is all that a laptop needs: ssh decides who may, and
nothing listens on the network. The argument is the socket, if it is not in the usual place.
"""

import argparse
import os
import select
import socket
import sys
from collections.abc import Sequence

from firmware.maintenance import SOCKET

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
    parser = argparse.ArgumentParser(
        prog="underfelt-table-bridge",
        description="Join the maintenance socket of this table to standard input and output; "
        "'underfelt' runs it through ssh.",
    )
    parser.add_argument("socket", nargs="?", default=SOCKET, help=f"the socket, if not {SOCKET}")
    path = parser.parse_args(argv).socket
    sys.exit(join(path, sys.stdin.fileno(), sys.stdout.fileno()))


if __name__ == "__main__":
    main()
