"""A command in a pseudo-terminal: what a person types, and what the person sees."""

import os
import pty
import re
import select
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Self

PATIENCE_S = 90.0
"""Far longer than anything takes; a busy machine takes its time."""
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\x07|\r")


class Terminal:
    """One command in a terminal: `with Terminal([...]) as terminal`."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        """Start the command."""
        self.seen = ""
        """Everything so far, without what only moves the cursor."""
        self.status: int | None = None
        self._read = 0
        self._process, self._far_end = pty.fork()
        if self._process == 0:
            with suppress(OSError):
                os.execve(command[0], list(command), {**environment, "TERM": "xterm"})  # noqa: S606  # the command under test
            os._exit(127)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.status is None:
            with suppress(ProcessLookupError):
                os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
        os.close(self._far_end)

    def type(self, text: str) -> None:
        """Type something; RETURN is a newline."""
        os.write(self._far_end, text.encode())

    def until(self, text: str) -> str:
        """Wait until something is seen that was not seen before; return what came up to it."""
        ends_s = time.monotonic() + PATIENCE_S
        while text not in self.seen[self._read :]:
            if not self._more(ends_s):
                raise AssertionError(f"{text!r} was not seen, but {self.seen[self._read :]!r}")
        place = self.seen.index(text, self._read) + len(text)
        passed, self._read = self.seen[self._read : place], place
        return passed

    def ended(self) -> int:
        """Wait until the command has ended; return its status."""
        ends_s = time.monotonic() + PATIENCE_S
        while self._more(ends_s):
            assert time.monotonic() < ends_s, self.seen
        if time.monotonic() >= ends_s:
            raise AssertionError(f"it does not end: {self.seen[-500:]!r}")
        self.status = os.waitstatus_to_exitcode(os.waitpid(self._process, 0)[1])
        return self.status

    def _more(self, ends_s: float) -> bool:
        left_s = ends_s - time.monotonic()
        if left_s <= 0 or not select.select([self._far_end], [], [], left_s)[0]:
            return False
        try:
            data = os.read(self._far_end, 65_536)
        except OSError:  # the far end is closed
            return False
        self.seen += _ESCAPES.sub("", data.decode(errors="replace"))
        return bool(data)
