"""A table with a maintenance socket, without its process: the parts that the tests look at."""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from firmware.maintenance.access import Access
from firmware.maintenance.journal_files import JournalFolder
from firmware.maintenance.server import MaintenanceServer
from firmware.maintenance.vitals import Vitals
from firmware.settings.staff import Staff
from firmware.shell.clock import now_ms
from firmware.shell.inbox import Arrival
from firmware.shell.runtime import Runtime
from firmware.table.events import Event, TableClosed
from tests.sim.floors import SETTINGS

PIN = "4321"
_HASH = f"scrypt${'0' * 32}${'0' * 64}"
TECHNICIAN = Staff(number="400", name="T", role="technician", pin=_HASH)
DEALER = Staff(number="100", name="D", role="dealer", pin=_HASH)


class Bench:
    """A runtime with its journal, and what maintenance has done to lamps and texts."""

    def __init__(self, folder: Path) -> None:
        self.runtime = Runtime(SETTINGS, folder)
        self.path = folder / "maintenance.sock"
        self.done: list[str] = []
        self.frames = 0
        self.switches = {"cover": True, "key": False}
        self.access = Access(
            table=self.runtime.table,
            journal=JournalFolder(folder),
            version="0",
            now_ms=now_ms,
            put=self.put,
            identify=self.verify,
            vitals=lambda: Vitals(table="T1"),
            log_lines=lambda: ("a line",),
            test_lamp=lambda seat, bet, pattern: self.done.append(f"lamp {seat} {bet} {pattern}"),
            test_text=self.test_text,
            remove_exported=lambda: None,
            restore=lambda: self.done.append("restored"),
            switch_levels=lambda: self.switches,
            enable_lamps=self.enable_lamps,
        )
        self.server = MaintenanceServer(self.access, str(self.path))

    def put(self, event: Event, afterwards: Callable[[], None] | None = None) -> None:
        """Be the inbox and the runtime in one."""
        self.runtime.handle(Arrival(event, afterwards))
        self.server.happened(event)

    def verify(self, number: str, pin: str) -> Staff | None:
        """Know two people."""
        people = {each.number: each for each in (TECHNICIAN, DEALER)}
        return people.get(number) if pin == PIN else None

    def test_text(self, device: str, text: str) -> bool:
        """Have a panel and a sign."""
        self.done.append(f"text {device} {text}")
        return device in {"panel", "sign"}

    def enable_lamps(self, given: bool) -> bool:  # noqa: FBT001  # given or withheld
        """Have a lamp enable."""
        self.done.append(f"lamps {'enabled' if given else 'disabled'}")
        return True

    def close_table(self) -> None:
        """Press CLOSETABLE."""
        self.frames += 1
        self.put(TableClosed(at_ms=now_ms(), frame=self.frames))

    @property
    def phase(self) -> str:
        """Where the table stands."""
        return self.runtime.table.state.phase


class Peer:
    """Somebody at the other end of a stream."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.replies: deque[dict[str, Any]] = deque()

    async def ask(self, request: str, **fields: object) -> dict[str, Any]:
        """Ask something in JSON and read one reply."""
        return await self.say(json.dumps({"request": request, "number": 1, **fields}).encode())

    async def say(self, line: bytes) -> dict[str, Any]:
        """Send a line of bytes and read one reply."""
        self.writer.write(line + b"\n")
        return await self.hear()

    async def hear(self) -> dict[str, Any]:
        """Read one reply."""
        line = await self.reader.readline()
        assert line, "the stream has ended"
        reply: dict[str, Any] = json.loads(line)
        return reply

    async def is_ended(self) -> bool:
        """Tell whether the table has hung up, after whatever it still said."""
        try:
            while await self.reader.readline():
                pass
        except ConnectionError:
            pass
        return True


@asynccontextmanager
async def served(folder: Path) -> AsyncIterator[Bench]:
    """Serve a table on its socket."""
    bench = Bench(folder)
    serving = asyncio.create_task(bench.server.run())
    try:
        async with asyncio.timeout(60):
            await until(bench.path.exists)
            yield bench
    finally:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        bench.runtime.close()


async def until(wanted: Callable[[], object]) -> None:
    """Wait for something that nobody announces."""
    while not wanted():  # noqa: ASYNC110  # there is no event for it
        await asyncio.sleep(0.01)


async def peer(bench: Bench) -> Peer:
    """Open a stream."""
    return Peer(*await asyncio.open_unix_connection(bench.path))
