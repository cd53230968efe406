"""Child processes that end with whoever started them, even if that was killed.

A child's standard input is a pipe whose other end only its parent holds. When the parent is
gone, however it went, the kernel closes that end, and the child is killed; so is the child's
own child then, however deep. The kernel's `PR_SET_PDEATHSIG` would not do: it fires when the
*thread* that started the child ends, and brokers are started in threads of event loops.

    subprocess.Popen(module("sim.table.process", …), stdin=subprocess.PIPE)
    subprocess.Popen(program("mosquitto", …), stdin=subprocess.PIPE)

A module watches its standard input in a thread of its own. A program that is not ours gets a
watchdog beside it, which also ends it while it is stopped by a signal; its process is the one
that was started, and its standard input is empty.
"""

import os
import runpy
import select
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from threading import Thread
from typing import NoReturn

_INPUT = 0
_PROGRAM = "--program"


def module(name: str, *arguments: str) -> list[str]:
    """Return the command that runs a Python module as a child on a lifeline."""
    return [sys.executable, "-m", "sim.lifeline", name, *arguments]


def program(*command: str) -> list[str]:
    """Return the command that runs a program as a child on a lifeline."""
    # As a file and without packages: there is nothing to wait for but the interpreter.
    return [sys.executable, "-I", "-S", __file__, _PROGRAM, *command]


def main(arguments: Sequence[str]) -> None:
    """Run what the command line names, for as long as the parent lives."""
    if arguments[0] == _PROGRAM:
        _become(arguments[1:])
    Thread(target=_end_with_input, name="lifeline", daemon=True).start()
    sys.argv = list(arguments)
    runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)


def _end_with_input() -> None:
    # A line that breaks is as good as one that ends.
    with suppress(OSError):
        while os.read(_INPUT, 4096):
            pass
    os.kill(os.getpid(), signal.SIGKILL)


def _become(command: Sequence[str]) -> NoReturn:
    """Turn into the program, and leave a watchdog behind."""
    process = os.pidfd_open(os.getpid())
    if os.fork() == 0:
        _watch_over(process)
    os.dup2(os.open(os.devnull, os.O_RDONLY), _INPUT)
    os.execvp(command[0], list(command))  # noqa: S606  # the very command that was asked for


def _watch_over(process: int) -> NoReturn:
    """Wait until the parent is gone, and kill the program; or until the program has ended."""
    # Control-C is for others.
    os.setsid()
    ends = select.poll()
    ends.register(_INPUT, select.POLLHUP)
    ends.register(process, select.POLLIN)
    if process not in dict(ends.poll()):
        signal.pidfd_send_signal(process, signal.SIGKILL)
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
