"""What the tests of the emulated Pi share: a floor of one emulated table, and its measurements."""

import asyncio
import os
import shutil
import subprocess
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import cast

from sim.broker import EmbeddedBroker, Mosquitto, mosquitto_path
from sim.emulator.build import MachineParts
from sim.emulator.hardware import EmulatedHardware
from sim.floor.floor import Floor, FloorSettings
from tests.sim.floors import SEATS

BOOTED_WITHIN_S = 600.0
"""A limit, not a measure: the machine is slow, and it shares the cores with other tests."""
MEASURED: list[str] = []
"""What was measured, in sentences, told after the tests."""


@asynccontextmanager
async def emulated_table(
    folder: Path, parts: MachineParts, game: str
) -> AsyncIterator[tuple[Floor, EmulatedHardware]]:
    """Start a floor of one emulated table, and wait until it is in play."""
    settings = FloorSettings(
        tables=1,
        seats=SEATS,
        game=game,
        broker=EmbeddedBroker if mosquitto_path() is None else Mosquitto,
        hardware=partial(EmulatedHardware, parts=parts),
    )
    async with Floor(folder, settings) as floor:
        table = cast("EmulatedHardware", floor.tables[0])
        MEASURED.append(f"{game}: from power on to a table in play in {await in_play(table)}")
        yield floor, table


async def in_play(table: EmulatedHardware) -> str:
    """Wait until the table shows a prompt and the meter; tell how long that took."""
    table.screen.code, table.screen.meter_cents = "", None
    started, worked_s = time.monotonic(), cpu_s(table)
    async with asyncio.timeout(BOOTED_WITHIN_S):
        await table.until(lambda: table.screen.code != "")
        await table.until(lambda: table.screen.meter_cents is not None)
    took_s = time.monotonic() - started
    return f"{took_s:.1f} s ({cpu_s(table) - worked_s:.1f} s of processor time)"


def cpu_s(table: EmulatedHardware) -> float:
    """Give the processor time that the emulated machine has taken of this one."""
    assert table.process is not None
    fields = Path(f"/proc/{table.process.pid}/stat").read_text(encoding="ascii").split()
    return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")


def fsck_after_a_cut(image: Path) -> int:
    """Let a copy of a disk take up its own journal, as a start does, and check it whole."""
    copy = image.with_suffix(".copy")
    shutil.copy(image, copy)
    e2fsck("-p", copy)
    return fsck(copy)


def fsck(image: Path) -> int:
    """Check every part of a disk and change nothing; 0 if there is no error on it."""
    return e2fsck("-fn", image)


def e2fsck(how: str, image: Path) -> int:
    """Run ext4's own check on a disk, and give its status."""
    return subprocess.run(["/sbin/e2fsck", how, str(image)], check=False).returncode
