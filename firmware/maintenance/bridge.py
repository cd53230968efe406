"""Joins the maintenance socket to standard streams, so that ssh can carry it.

`ssh user@table python -m firmware.maintenance.bridge /run/underfelt/maintenance.sock` is all
that a laptop needs: who may do so is decided by ssh, and nothing listens on the network.
"""

import os
import select
import socket
import sys

_CHUNK = 65_536


def join(path: str, source: int, sink: int) -> int:
    """Carry bytes both ways until one side ends; give the exit status."""
    with socket.socket(socket.AF_UNIX) as table:
        try:
            table.connect(path)
        except OSError as error:
            sys.stderr.write(f"{path}: the table does not answer: {error.strerror}\n")
            return 1
        while True:
            ready, _, _ = select.select([table.fileno(), source], [], [])
            if table.fileno() in ready:
                data = table.recv(_CHUNK)
                if not data:
                    return 0
                _write_all(sink, data)
            if source in ready:
                data = os.read(source, _CHUNK)
                if not data:
                    return 0
                table.sendall(data)


def _write_all(sink: int, data: bytes) -> None:
    while data:
        data = data[os.write(sink, data) :]


if __name__ == "__main__":
    sys.exit(join(sys.argv[1], sys.stdin.fileno(), sys.stdout.fileno()))
