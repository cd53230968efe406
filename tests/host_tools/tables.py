"""Running tables for the tests of the technician's tools: real processes, real commands."""

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from sim.broker import Broker, EmbeddedBroker
from sim.floor.floor import Floor
from sim.table.hardware import TableHardware
from tests.host_tools.command import Ran, run
from tests.sim.floors import one_table

HANG_S = 240
LOOK_S = 0.3

Play = Callable[[Floor, TableHardware], Awaitable[None]]


@pytest.fixture(autouse=True)
def own_runtime_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let this test find its own simulated tables, and nobody else's."""
    folder = tmp_path / "run"
    folder.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    return folder


@asynccontextmanager
async def a_table(folder: Path, broker: type[Broker] = EmbeddedBroker) -> AsyncIterator[Floor]:
    """Start a floor of one table, up and on its link."""
    async with one_table(folder / "floor", broker) as floor, asyncio.timeout(HANG_S):
        (table,) = floor.tables
        await table.until(lambda: table.screen.code == "idle")
        await table.until(lambda: table.screen.meter_cents is not None)
        yield floor


def with_a_table(folder: Path, play: Play) -> None:
    """Play with a table that is up."""

    async def played() -> None:
        async with a_table(folder) as floor:
            await play(floor, floor.tables[0])

    asyncio.run(played())


async def tool(*arguments: str, **environment: str) -> Ran:
    """Run the `underfelt` command while the simulator goes on."""
    found_in = os.environ["XDG_RUNTIME_DIR"]
    return await asyncio.to_thread(run, *arguments, XDG_RUNTIME_DIR=found_in, **environment)


async def diagnosed(wanted: str, *arguments: str) -> str:
    """Diagnose until the first line names what is wanted, and give that line."""
    line = ""
    while wanted not in line:
        ran = await tool("diagnose", *(arguments or ("sim:T1",)))
        line = ran.out.partition("\n")[0]
        await asyncio.sleep(LOOK_S)
    return line


def change_table_file(table: TableHardware, section: str, **values: object) -> None:
    """Set keys in the table file, for the next start."""
    path = table.folder / "table.toml"
    text = path.read_text(encoding="utf-8")
    lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items())
    for key in values:
        text = re.sub(rf"(\[{section}\][^\[]*?)^{key} = .*\n", r"\1", text, flags=re.MULTILINE)
    header = f"[{section}]\n"
    text = text.replace(header, header + lines) if header in text else f"{text}\n{header}{lines}"
    path.write_text(text, encoding="utf-8")


async def restarted(table: TableHardware, section: str, **values: object) -> None:
    """Start the firmware again with other settings."""
    await table.stop()
    change_table_file(table, section, **values)
    table.screen.code = ""
    await table.start()
    await table.until(lambda: bool(table.screen.code))


def facts(ran: Ran) -> dict[str, Any]:
    """Read what `diagnose --json` has found."""
    found: dict[str, Any] = json.loads(ran.out)
    return found
