"""Ears on everything that leaves a table process: ports, sockets, topics, logs, files.

Where something leaves is asked of the kernel: every open descriptor of the process must be
one that is listened to here, or the journal, or what a process has for itself.
"""

import asyncio
import os
import re
import socket
import stat
from contextlib import suppress
from pathlib import Path

import msgspec

from firmware.maintenance.protocol import Hello, JournalFiles, ReadVitals, Request, Show, Watch
from sim.scenario_language.stage import ScenarioStage
from sim.table.line_device import LineDevice

JOURNAL = re.compile(r"\.(journal|snapshot)$")
_ASKED: tuple[type[Request], ...] = (Hello, Show, ReadVitals, JournalFiles, Watch)
_LISTENING = "00010000"
"""How the kernel marks a UNIX socket that takes connections."""


class Ears:
    """What was heard of one table, by where it was heard."""

    def __init__(self, stage: ScenarioStage, notices: socket.socket) -> None:
        """Listen from now on; the socket is where the firmware notifies its service manager."""
        self._stage = stage
        self._notices = notices
        self._bytes: dict[str, bytearray] = {}
        self._streams: set[str] = set()
        for name in ("panel", "sign", "shoe"):
            device = stage.device(name)
            assert isinstance(device, LineDevice)
            self._bytes[name] = bytearray()
            device.listen(self._bytes[name].extend)
        self._before: dict[str, bytes] = {}
        self._before = self._files()

    def heard(self) -> dict[str, str]:
        """Give everything that was heard so far."""
        self._take_notices()
        told = {place: bytes(data).decode("latin-1") for place, data in self._bytes.items()}
        for topic, document in self._stage.messages:
            text = f"{topic} {msgspec.json.encode(document).decode()}\n"
            told["MQTT"] = told.get("MQTT", "") + text
        files = self._files()
        return told | {place: data.decode("latin-1") for place, data in files.items()}

    async def ask_maintenance(self) -> None:
        """Ask every socket that the table listens on everything that it may be asked."""
        for path in self._listening_sockets() - self._streams:
            self._streams.add(path)
            reader, writer = await asyncio.open_unix_connection(path)
            for number, kind in enumerate(_ASKED, start=1):
                writer.write(msgspec.json.encode(kind(number=number)) + b"\n")
            heard = self._bytes.setdefault(path, bytearray())
            with suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    while data := await reader.read(65_536):
                        heard.extend(data)
            writer.close()

    def unheard(self, broker_port: int) -> list[str]:
        """List the open descriptors of the process that nobody here listens to."""
        return [
            where
            for where in self._descriptors()
            if not self._is_listened_to(where) and not self._is_broker(where, broker_port)
        ]

    # The files

    def _files(self) -> dict[str, bytes]:
        """Read the files but the journal, and but those that are still as they were before the deal.

        Among these is the table's key: random bytes, in which anything may be found by chance.
        """
        folder = self._stage.hardware.folder
        found = {
            f"file {path.name}": path.read_bytes()
            for path in sorted(folder.glob("**/*"))
            if stat.S_ISREG(path.lstat().st_mode) and not JOURNAL.search(path.name)
        }
        return {place: data for place, data in found.items() if self._before.get(place) != data}

    def _take_notices(self) -> None:
        with suppress(BlockingIOError):
            while True:
                told = self._bytes.setdefault("service manager", bytearray())
                told.extend(self._notices.recv(65_536))

    # What the kernel says

    @property
    def _process(self) -> Path:
        process = self._stage.hardware.process
        assert process is not None
        return Path("/proc") / str(process.pid)

    def _descriptors(self) -> list[str]:
        descriptors = (self._process / "fd").iterdir()
        return sorted({str(descriptor.readlink()) for descriptor in descriptors})

    def _is_listened_to(self, where: str) -> bool:
        hardware = self._stage.hardware
        ports = {os.path.realpath(hardware.folder / name) for name in ("panel", "sign", "cards")}
        inside = Path(where).is_relative_to(hardware.folder.resolve())
        own = where == "/dev/null" or where.startswith(("anon_inode:", "pipe:"))
        return where in ports or inside or own or self._is_unix(where)

    def _is_unix(self, where: str) -> bool:
        """Tell whether it is a UNIX socket: the pins, the loop's own pair, one listened to."""
        return any(self._inode(where) == row[6] for row in self._table("unix"))

    def _is_broker(self, where: str, port: int) -> bool:
        rows = [row for row in self._table("tcp") if row[9] == self._inode(where)]
        return bool(rows) and all(int(row[2].split(":")[1], 16) == port for row in rows)

    def _listening_sockets(self) -> set[str]:
        inodes = {self._inode(where) for where in self._descriptors()}
        rows = [row for row in self._table("unix") if row[6] in inodes and row[3] == _LISTENING]
        return {row[7] for row in rows if len(row) > 7}

    def _table(self, kind: str) -> list[list[str]]:
        text = (self._process / "net" / kind).read_text(encoding="ascii")
        return [line.split() for line in text.splitlines()[1:]]

    @staticmethod
    def _inode(where: str) -> str:
        found = re.fullmatch(r"socket:\[(\d+)\]", where)
        return found[1] if found else "none"
