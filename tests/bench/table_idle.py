"""Measures what a table process takes of a core while nothing happens.

Once with no round under way, and once with bets open, when every lamp blinks slowly. The
kernel's own count of the process's time is what is read.
"""

import asyncio
import os
from pathlib import Path
from time import perf_counter

from sim.table.hardware import TableHardware
from tests.bench.watch import one_table

SPAN_S = 10.0
SEATS = 5


async def shares(folder: Path) -> dict[str, float]:
    """Give the share of a core, from 0 to 1, by what the table shows."""
    async with one_table(folder, SEATS) as floor:
        (table,) = floor.tables
        await asyncio.sleep(1)
        dark = await _share(table)
        await table.press("OPEN")
        return {"no round under way": dark, "bets open, lamps blink": await _share(table)}


async def _share(table: TableHardware) -> float:
    assert table.process is not None
    before, started = _cpu_s(table.process.pid), perf_counter()
    await asyncio.sleep(SPAN_S)
    return (_cpu_s(table.process.pid) - before) / (perf_counter() - started)


def _cpu_s(process_id: int) -> float:
    """Give the seconds that a process has had of a core."""
    fields = Path(f"/proc/{process_id}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    user, system = int(fields[11]), int(fields[12])
    return (user + system) / os.sysconf("SC_CLK_TCK")
