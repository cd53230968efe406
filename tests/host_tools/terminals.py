"""A technician at a terminal: the `underfelt` command in a pseudo-terminal, read and typed to."""

import asyncio
import os
import select
import subprocess
import termios
import time
from types import TracebackType
from typing import Self

from tests.host_tools.command import PLAIN, UNDERFELT

PATIENCE_S = 90.0
_CHUNK = 65_536


class Typist:
    """One run of the command; `async with` it, so that it ends with the test."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self.screen = ""
        """Everything that was printed."""
        self._read = 0
        self._master, slave = os.openpty()
        found_in = {"XDG_RUNTIME_DIR": os.environ["XDG_RUNTIME_DIR"], "TERM": "dumb"}
        # setsid makes this the terminal whose Ctrl-C reaches the command.
        self.process = subprocess.Popen(
            ["/usr/bin/setsid", "--ctty", UNDERFELT, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**PLAIN, "COLUMNS": "200", **found_in, **environment},
        )
        os.close(slave)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._master)

    def types(self, text: str) -> None:
        """Type something."""
        os.write(self._master, text.encode())

    def shows_typing(self) -> bool:
        """Return whether the terminal shows what is typed."""
        return bool(termios.tcgetattr(self._master)[3] & termios.ECHO)

    def hangs_up(self) -> None:
        """Close the window: the terminal is gone, and its foreground group is told so."""
        os.close(self._master)
        self._master = os.open(os.devnull, os.O_RDONLY)

    async def sees(self, wanted: str) -> None:
        """Wait until something is printed after what was seen before."""
        await asyncio.to_thread(self._seen, wanted)

    async def answers(self, question: str, answer: str) -> None:
        """Wait for a question and answer it."""
        await self.sees(question)
        self.types(f"{answer}\n")

    async def ends(self) -> int:
        """Wait for the end and return the exit status."""
        await asyncio.to_thread(self._drained)
        return await asyncio.to_thread(self.process.wait, PATIENCE_S)

    def _seen(self, wanted: str) -> None:
        ends_s = time.monotonic() + PATIENCE_S
        while wanted not in self.screen[self._read :]:
            assert time.monotonic() < ends_s, f"no {wanted!r} in:\n{self.screen}"
            assert self._more(), f"it ended without {wanted!r}:\n{self.screen}"
        self._read = self.screen.index(wanted, self._read) + len(wanted)

    def _drained(self) -> None:
        ends_s = time.monotonic() + PATIENCE_S
        while self._more():
            assert time.monotonic() < ends_s, f"it does not end:\n{self.screen}"

    def _more(self) -> bool:
        """Read what there is; false once the command has let go of the terminal."""
        if not select.select([self._master], [], [], 0.2)[0]:
            return True
        try:
            data = os.read(self._master, _CHUNK)
        except OSError:  # nobody has the other end open
            return False
        self.screen += data.decode(errors="replace").replace("\r\n", "\n")
        return bool(data)
