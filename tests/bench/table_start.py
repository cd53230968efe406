"""Measures a table process from its spawning to the first prompt on the panel.

Beside it a process that only imports the libraries that the firmware stands on, and one
that imports all of the firmware and does nothing. Every process is started as the
simulator starts a table, and its memory is what the kernel says at that moment.
"""

import asyncio
import sys
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from firmware.link.mqtt import LinkSettings
from firmware.table.settings import TableSettings
from sim.broker import HOST, EmbeddedBroker
from sim.table.hardware import TableHardware
from tests.bench.watch import Watch, unplugged

ROUNDS = 15
LIBRARIES = "the libraries imported"
IMPORTS = {
    LIBRARIES: "asyncio, aiomqtt, gpiozero, serial, msgspec",
    "Underfelt imported": "sim.table.process",
}
TABLE = "Underfelt, first prompt shown"
_SETTINGS = TableSettings(
    name="T1",
    game="rws-multilink-stud",
    seats=7,
    ante_min_cents=2_500,
    ante_max_cents=100_000,
    jackpot_bet_cents=500,
)


class Cost(NamedTuple):
    """What a process has taken until it was ready."""

    seconds: float
    resident_bytes: int


async def costs(folder: Path) -> dict[str, list[Cost]]:
    """Start every kind of process once a round; each ends before the next begins."""
    measured: dict[str, list[Cost]] = {name: [] for name in (*IMPORTS, TABLE)}
    with EmbeddedBroker(folder) as broker:
        link = LinkSettings(host=HOST, port=broker.port)
        for number in range(-1, ROUNDS):
            for name, modules in IMPORTS.items():
                measured[name].append(await _imported(modules))
            measured[TABLE].append(await _prompted(link, folder / f"table{number}"))
    # The first round fills the caches.
    return {name: found[1:] for name, found in measured.items()}


async def _imported(modules: str) -> Cost:
    """Import something in a fresh process, which says so and waits."""
    statements = f"import sys, {modules}; print('ready', flush=True); sys.stdin.read()"
    started = perf_counter()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", statements),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        assert await process.stdout.readline() == b"ready\n"
        return Cost(perf_counter() - started, _resident_bytes(process.pid))
    finally:
        await process.communicate(b"")


async def _prompted(link: LinkSettings, folder: Path) -> Cost:
    """Start a table with a new journal, and wait for its first prompt."""
    table = TableHardware(_SETTINGS, link, folder)
    try:
        prompt = Watch(table).first(lambda: table.screen.code != "")
        started = perf_counter()
        await table.start()
        assert table.process is not None
        async with asyncio.timeout(30):
            seconds = await prompt - started
        return Cost(seconds, _resident_bytes(table.process.pid))
    finally:
        await unplugged(table)
        await table.close()


def _resident_bytes(process_id: int) -> int:
    status = Path(f"/proc/{process_id}/status").read_text(encoding="ascii")
    (line,) = [line for line in status.splitlines() if line.startswith("VmRSS:")]
    return int(line.split()[1]) * 1024
