"""Runs a table and notes to the microsecond when its hardware shows something.

Beside it the one cost that no table can avoid, since a decision is on the disk before
it is seen: a line appended to a file and synchronised.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from time import perf_counter

from sim.broker import Broker, EmbeddedBroker
from sim.floor.floor import Floor, FloorSettings
from sim.table.hardware import TableHardware

_LINE = b"x" * 159 + b"\n"
"""As long as a record of the journal."""


class Watch:
    """Looks at the hardware whenever it changes."""

    def __init__(self, table: TableHardware) -> None:
        self._awaited: list[tuple[Callable[[], bool], asyncio.Future[float]]] = []
        table.on_change = self._look

    def first(self, wanted: Callable[[], bool]) -> asyncio.Future[float]:
        """Promise the time of the first change after which the hardware shows what is wanted."""
        seen: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._awaited.append((wanted, seen))
        return seen

    def _look(self) -> None:
        now = perf_counter()
        for wanted, seen in self._awaited:
            if wanted():
                seen.set_result(now)
        self._awaited = [(wanted, seen) for wanted, seen in self._awaited if not seen.done()]


@asynccontextmanager
async def one_table(
    folder: Path, seats: int, broker: type[Broker] = EmbeddedBroker
) -> AsyncIterator[Floor]:
    """Run a floor of one table, on its link; at the end its plug is pulled."""
    settings = FloorSettings(tables=1, seats=seats, broker=broker)
    async with asyncio.timeout(60), Floor(folder, settings) as floor:
        (table,) = floor.tables
        try:
            await table.until(lambda: table.screen.meter_cents is not None)
            yield floor
        finally:
            await unplugged(table)


async def unplugged(table: TableHardware) -> None:
    """End a table process, also one that has ended by itself."""
    with suppress(ProcessLookupError):
        await table.kill()


def appended(path: Path) -> float:
    """Give the seconds that a line takes to the disk."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o640)
    try:
        started = perf_counter()
        os.write(file, _LINE)
        os.fdatasync(file)
        return perf_counter() - started
    finally:
        os.close(file)
