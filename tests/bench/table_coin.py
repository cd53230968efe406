"""Measures a coin from the sensor's pin to the lamp and to the panel, with bets open.

The lamp of an empty spot blinks slowly, 800 ms dark at a time, and a sensed coin lights
it at once. So coins are placed while all lamps have just gone dark, one after the other,
and a lamp that is lit before the dark is over was lit by its coin. Beside it gpiozero
alone, over the same kind of socket, and what the debouncing and the journal take.
"""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from firmware.devices.lamp_patterns import PATTERNS
from sim.table.boards import FIRST_LAMP_PIN, FIRST_SENSOR_PIN
from sim.table.hardware import TableHardware
from tests.bench.watch import Watch, appended, one_table

ROUNDS = 35
SEATS = 7
_, _DARK_MS = PATTERNS["slow_blink"]


class Seen(NamedTuple):
    """The seconds that one round took, by what was measured."""

    bare: float
    lamp: float
    prompt: float
    append: float


async def sightings(folder: Path) -> list[Seen]:
    """Place coins until enough have been seen."""
    async with one_table(folder, SEATS) as floor, _bare_pins(folder / "bare.sock") as bare:
        (table,) = floor.tables
        await table.press("OPEN")
        found: list[Seen] = []
        while len(found) <= ROUNDS:
            found += await _one_dark(table, bare)
        return found[1 : ROUNDS + 1]


async def _one_dark(table: TableHardware, bare: "BarePins") -> list[Seen]:
    """Place a coin on every spot while the lamps are dark, and lift them all again."""
    watch, found = Watch(table), []
    await table.until(lambda: all(lamp.lit for lamp in table.lamps.values()))
    await table.until(lambda: not any(lamp.lit for lamp in table.lamps.values()))
    dark_at = perf_counter()
    for seat, _ in table.spots:
        in_bare = await bare.seconds()
        in_append = appended(table.folder / "bare.log")
        started, lamp_at, prompt_at = await _placed(table, watch, seat)
        # A lamp goes dark up to three ticks before all are seen dark.
        if lamp_at - dark_at < (_DARK_MS - 200) / 1000:
            found.append(Seen(in_bare, lamp_at - started, prompt_at - started, in_append))
    for seat, _ in table.spots:
        table.lift_chip(seat)
    await table.until(lambda: _chips(table).endswith(" none."))
    return found


async def _placed(table: TableHardware, watch: Watch, seat: int) -> tuple[float, float, float]:
    """Place a coin beside those of the seats before; give when, and when lamp and panel saw it."""
    sensed = ", ".join(map(str, range(1, seat + 1)))
    lamp = watch.first(lambda: table.lamps[seat, "jackpot"].lit)
    prompt = watch.first(lambda: _chips(table).endswith(f" {sensed}."))
    started = perf_counter()
    table.place_chip(seat)
    return started, await lamp, await prompt


def _chips(table: TableHardware) -> str:
    return table.screen.lines[-1]


class BarePins:
    """The far end of the process in `bare_pins.py`."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def ready(self) -> None:
        """Wait for the flash with which the process begins."""
        await self._lamp_is(1)
        await self._lamp_is(0)

    async def seconds(self) -> float:
        """Drive the sensor, wait for the lamp, and let go of both."""
        started = perf_counter()
        self._drive(1)
        await self._lamp_is(1)
        seconds = perf_counter() - started
        self._drive(0)
        await self._lamp_is(0)
        return seconds

    def _drive(self, level: int) -> None:
        self._writer.write(b"pin %d %d\n" % (FIRST_SENSOR_PIN, level))

    async def _lamp_is(self, level: int) -> None:
        assert await self._reader.readline() == b"lamp %d %d\n" % (FIRST_LAMP_PIN, level)


@asynccontextmanager
async def _bare_pins(path: Path) -> AsyncIterator[BarePins]:
    """Run the bare process, and end it."""
    connected: asyncio.Future[BarePins] = asyncio.get_running_loop().create_future()

    def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"pin %d 0\ngo\n" % FIRST_SENSOR_PIN)
        connected.set_result(BarePins(reader, writer))

    server = await asyncio.start_unix_server(connect, path)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.bench.bare_pins", str(path)
    )
    try:
        bare = await connected
        await bare.ready()
        yield bare
    finally:
        server.close()
        process.terminate()
        await process.wait()
