"""The other end of a port's pseudo-terminal, written in bytes by hand.

So that both sides of a protocol are not wrong alike. It can be unplugged and plugged in
again under the same path, through a link.
"""

import asyncio
import os
import tempfile
import termios
import threading
import tty
from binascii import crc_hqx
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

SESSION = 4711
PING = b"=PING*CD73\n"


def line(body: str) -> bytes:
    """Write a line as the protocol's description has it."""
    data = body.encode("ascii")
    return b"%s*%04X\n" % (data, crc_hqx(data, 0))


def frame(number: int, session: int = SESSION) -> int:
    """Give the frame of an event for a number of a device."""
    return session * 1_000 + number


class Wire:
    """A pseudo-terminal under a link; answers pings as the kind of device that it is."""

    def __init__(self, kind: str = "panel", session: int = SESSION) -> None:
        self.kind = kind
        self.session = session
        self.answering = True
        self.pings = 0
        self.on_bytes: Callable[[bytes], None] | None = None
        """Takes what comes instead, from a device that makes its own sense of it."""
        self._folder = tempfile.TemporaryDirectory(prefix="underfelt-wire-")
        self._link = Path(self._folder.name) / "port"
        self._heard = asyncio.Queue[bytes]()
        self._loop = asyncio.get_running_loop()
        self._ends: tuple[int, int] | None = None
        self.path = str(self._link)

    def plug_in(self) -> None:
        """Make the port appear, and listen."""
        self._rest = b""
        self._ends = end, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(end, False)
        self._link.unlink(missing_ok=True)
        self._link.symlink_to(os.ttyname(slave))
        self.listen()

    def speed(self) -> int:
        """Tell how the port was set: the terminal's code for the speed, `termios.B…`."""
        assert self._ends is not None
        speed = termios.tcgetattr(self._ends[1])[5]
        assert isinstance(speed, int)
        return speed

    @property
    def is_plugged_in(self) -> bool:
        """Whether the port is there."""
        return self._ends is not None

    def unplug(self) -> None:
        """Make the port vanish."""
        if self._ends is not None:
            end, slave = self._ends
            self._ends = None
            self._loop.remove_reader(end)
            self._link.unlink()
            os.close(end)
            os.close(slave)

    def close(self) -> None:
        """Take everything apart."""
        self.unplug()
        self._folder.cleanup()

    def say(self, data: bytes) -> None:
        """Send bytes to the port."""
        assert self._ends is not None
        assert os.write(self._ends[0], data) == len(data)

    def hello(self) -> None:
        """Say who is there."""
        self.say(line(f"=HELLO {self.kind} 1.0 {self.session}"))

    def listen(self) -> None:
        """Begin to read what the port sends."""
        assert self._ends is not None
        self._loop.add_reader(self._ends[0], self._readable)

    def do_not_listen(self) -> None:
        """Read nothing more."""
        assert self._ends is not None
        self._loop.remove_reader(self._ends[0])

    async def line(self) -> bytes:
        """Wait for the next line that is no ping."""
        async with asyncio.timeout(30):
            return await self._heard.get()

    async def until(self, wanted: bytes) -> list[bytes]:
        """Wait for a line, and give those that came before it."""
        before: list[bytes] = []
        while (heard := await self.line()) != wanted:
            before.append(heard)
        return before

    def _readable(self) -> None:
        assert self._ends is not None
        data = b""
        with suppress(OSError):
            data = os.read(self._ends[0], 65_536)
        if self.on_bytes is not None:
            self.on_bytes(data)
            return
        *lines, self._rest = (self._rest + data).split(b"\n")
        for heard in lines:
            if heard + b"\n" == PING:
                self.pings += 1
                if self.answering:
                    self.hello()
            elif heard:
                self._heard.put_nowait(heard + b"\n")


def in_a_loop(play: Callable[[], Awaitable[None]]) -> None:
    """Play in an event loop that must not block."""
    failed: list[BaseException] = []

    async def played() -> None:
        await play()

    def run() -> None:
        try:
            asyncio.run(played())
        except BaseException as error:  # noqa: BLE001  # handed on to the test's own thread
            failed.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(timeout=60)
    assert not thread.is_alive(), "the event loop is blocked"
    if failed:
        raise failed[0]
