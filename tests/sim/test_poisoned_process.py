"""A bug in a handler, in the real process: the table stays up, is locked, is cleared, plays on."""

import asyncio
from pathlib import Path

import pytest

from firmware.journal.reader import records
from firmware.table.events import FaultNoticed
from sim.broker import EmbeddedBroker
from sim.table.hardware import TableHardware
from sim.table.table_file import TECHNICIAN
from tests.sim.floors import one_table

POISON = Path(__file__).parent / "poison"


def shows(table: TableHardware, words: str) -> bool:
    """Tell whether the panel shows these words."""
    return any(words in line for line in table.screen.lines)


async def until_shown(table: TableHardware, words: str) -> None:
    """Wait until the panel shows these words."""
    await table.until(lambda: shows(table, words))


async def until_ready(table: TableHardware) -> None:
    """Wait until the table is idle and on its link."""
    await table.until(lambda: table.screen.meter_cents is not None)
    await table.until(lambda: table.screen.code == "idle" and not shows(table, "link is down"))


def test_a_key_that_the_program_fails_on_locks_the_table_until_a_technician_clears_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(POISON))

    async def play() -> None:
        async with one_table(tmp_path, EmbeddedBroker) as floor, asyncio.timeout(120):
            (table,) = floor.tables
            await until_ready(table)
            await table.press("NEW 2")
            await until_shown(table, "F407")
            assert table.screen.code == "idle"  # not what the handler had made of it
            await table.press("OPEN")
            await table.until(lambda: "F407" in table.screen.refusal)
            assert table.process is not None
            assert table.process.returncode is None

            # The plug is pulled; a mended program finds the fault, and it still locks.
            await table.kill()
            monkeypatch.delenv("PYTHONPATH")
            await table.start()
            await until_ready(table)
            assert shows(table, "F407")
            await table.press("OPEN")
            await table.until(lambda: "F407" in table.screen.refusal)

            await table.press("CLEAR program_failed panel")
            await table.authority(TECHNICIAN)
            await table.until(lambda: not shows(table, "F407"))
            await table.press("NEW 2")
            await table.press("OPEN")
            await table.until(lambda: table.screen.code == "betting")

    asyncio.run(play())
    (folder,) = tmp_path.glob("T*")
    log = (folder / "firmware.log").read_text(encoding="utf-8")
    assert "raise LookupError" in log
    assert "seat 2" not in log
    faults = [record.event for record in records(folder) if isinstance(record.event, FaultNoticed)]
    (fault,) = [event for event in faults if event.code == "program_failed"]
    assert fault.detail.startswith("new player: LookupError at sitecustomize.py:")
