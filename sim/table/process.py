"""A table process of the simulator: the firmware's own `main`, with simulated pins.

python -m sim.table.process <socket of the pins> [--clock-ahead-s N] <arguments of underfelt-table…>

`--clock-ahead-s` sets only this process's clock wrong, as a table's clock can be.
"""

import sys
import time
from pathlib import Path

from firmware.__main__ import main
from sim.table.pins import SimFactory


def _set_clock(ahead_s: int) -> None:
    right_ns = time.time_ns
    time.time_ns = lambda: right_ns() + ahead_s * 1_000_000_000


if __name__ == "__main__":
    socket_path, *arguments = sys.argv[1:]
    if arguments[:1] == ["--clock-ahead-s"]:
        _set_clock(int(arguments[1]))
        del arguments[:2]
    sys.exit(main(arguments, pin_factory=SimFactory(Path(socket_path))))
