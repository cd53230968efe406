"""What the kernel says about processes, for tests of how they end."""

import os
import signal
import time
from collections.abc import Callable, Iterable
from pathlib import Path

HANG_S = 60


def children(pid: int) -> list[int]:
    """List the children of a process, whichever of its threads has started them."""
    listed = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for file in listed for child in _read(file).split()]


def descendants(pid: int) -> dict[int, str]:
    """List everything that a process has started, however deep, with its command line."""
    found: dict[int, str] = {}
    for child in children(pid):
        found |= {child: command_line(child)} | descendants(child)
    return found


def command_line(pid: int) -> str:
    """Give the command of a process; one that has ended has none, even if nobody reaps it."""
    return _read(Path(f"/proc/{pid}/cmdline")).replace("\0", " ")


def stop(pid: int) -> None:
    """Stop a process, and wait until it has: the kernel does that when it next runs."""
    os.kill(pid, signal.SIGSTOP)
    wait_until(lambda: _state(pid) == "T", lambda: _state(pid))


def _state(pid: int) -> str:
    """Give the state of a process; it stands behind the name, which may have brackets in it."""
    return _read(Path(f"/proc/{pid}/stat")).rpartition(") ")[2][:1]


def wait_until_gone(pids: Iterable[int]) -> None:
    """Wait until processes have ended."""
    wait_until(lambda: not any(map(command_line, pids)), lambda: {p: command_line(p) for p in pids})


def wait_until(wanted: Callable[[], bool], seen: Callable[[], object]) -> None:
    """Wait for something that nobody announces."""
    give_up_at = time.monotonic() + HANG_S
    while not wanted():
        assert time.monotonic() < give_up_at, seen()
        time.sleep(0.05)


def _read(file: Path) -> str:
    try:
        return file.read_bytes().decode()
    except OSError:
        return ""
