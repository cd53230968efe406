"""A spot board of a simulated table: the real program on MicroPython, behind a port that can be unplugged.

`SpotBoardProcess` is what surrounds the program: sensors, lamps, the monoflop that enables their drivers,
the watchdog, and the cable. The chip itself is `simulated_chip.py`, in the program's own process, which
ends with whoever started it. Not simulated: USB's own timing, the file system, and a program out of it.
"""

import asyncio
import fcntl
import os
import signal
import socket
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from firmware.spot_board import manifest
from firmware.spot_board.limits import INPUTS
from sim import lifeline
from sim.spot_board.interpreter import PROJECT, Interpreter
from sim.table.pty_port import PluggedDevice

ENABLED_S = 1.0
"""How long the lamp drivers stay on after a kick (`hw/README.md`)."""
_READ_BYTES = 4_096
_ROOM_BYTES = 8_192
"""What the line takes before the host has read it: the kernel counts the last half as full."""
_LINE_S = 0.02
"""How long half a line waits for the rest of it."""
_CHIP = Path(__file__).with_name("simulated_chip.py")


class SpotBoardProcess(PluggedDevice):
    """One spot board; `path` is what the table opens."""

    def __init__(
        self, folder: Path, interpreter: Interpreter, link: Path | None = None, seed: int = 0
    ) -> None:
        """Plug the board in; what it keeps in its flash is kept in the folder."""
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._interpreter = interpreter
        self._loop = asyncio.get_running_loop()
        self.on_change: Callable[[], None] = lambda: None
        """Is told when a lamp changes."""
        self.starts = 0
        """How often the program has been started."""
        self.released = False
        """Whether the program has given its line up."""
        self._levels = 0
        self._outputs = 0
        self._enabled = False
        self._sends_on: asyncio.TimerHandle | None = None
        self._goes_dark: asyncio.TimerHandle | None = None
        self._bites: asyncio.TimerHandle | None = None
        self._watchdog_ms: int | None = None
        self._scratch = 0
        self._hangs = False
        self._cable_in = True
        self._reads = True
        self._process: subprocess.Popen[bytes] | None = None
        super().__init__(self._from_table, link, seed)
        self._start()

    @property
    def pid(self) -> int | None:
        """The process of the program."""
        return None if self._process is None else self._process.pid

    # The spots

    def set_level(self, number: int, level: bool) -> None:  # noqa: FBT001  # a level is a level
        """Drive an input, from 1: high is a chip."""
        bit = 1 << number - 1
        self._levels = self._levels | bit if level else self._levels & ~bit
        self._tell_levels()

    def lamps(self) -> tuple[bool, ...]:
        """Return how the outputs are driven now, the first one first: dark if nobody has kicked."""
        lit = self._outputs if self._enabled else 0
        return tuple(bool(lit >> place & 1) for place in range(INPUTS))

    # What can go wrong with the board

    def restart(self) -> None:
        """Cut the board's power and give it back: a new session, and lamps that are dark."""
        self._scratch = 0
        self._dark()
        self._reset()

    def hang(self) -> None:
        """Make the program hang, as soon as it runs; the watchdog, which is armed then, resets the chip."""
        self._hangs = True
        if self._process is not None and self._watchdog_ms is not None and self._bites is None:
            self._process.send_signal(signal.SIGSTOP)
            self._bites = self._loop.call_later(self._watchdog_ms / 1000, self._reset)

    def unhang(self) -> None:
        """Let the program go on, if it was not reset meanwhile."""
        self._hangs = False
        self._stop_biting()
        if self._process is not None:
            self._process.send_signal(signal.SIGCONT)

    def unplug(self) -> None:
        """Pull the cable out; the board itself keeps running."""
        self._cable_in = False
        super().unplug()

    def plug_in(self) -> None:
        """Put the cable back."""
        self._cable_in = True
        super().plug_in()

    def stop_reading(self) -> None:
        """Take no more bytes from the board, as a host does that keeps the port open."""
        if self._reads:
            self._reads = False
            self._loop.remove_reader(self._from_board)

    def read_on(self) -> None:
        """Take bytes from the board again."""
        if not self._reads:
            self._reads = True
            self._loop.add_reader(self._from_board, self._board_says)

    def close(self) -> None:
        """Take the board away for good."""
        self._end()
        self._dark()
        super().close()

    # The process

    def _start(self) -> None:
        self.starts += 1
        self.released = False
        self._watchdog_ms = None
        heard, self._to_board = os.pipe()
        self._from_board, said = os.pipe()
        fcntl.fcntl(said, fcntl.F_SETPIPE_SZ, _ROOM_BYTES)
        self._control, control = socket.socketpair()
        digest = _program_digest()
        flash = self._folder / "flash.bin"
        told = (PROJECT, control.fileno(), flash, digest, self._scratch)
        run = self._interpreter.runs(_CHIP, *map(str, told))
        self._tell_levels()
        with (self._folder / "spot-board.log").open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603  # our own command
                # The program's standard input is the line; that of the command is the lifeline.
                lifeline.program("/bin/sh", "-c", f'exec "$@" </dev/fd/{heard}', "sh", *run),
                stdin=subprocess.PIPE,
                stdout=said,
                stderr=log,
                pass_fds=(heard, control.fileno()),
                process_group=0,
            )
        os.close(heard)
        os.close(said)
        control.close()
        os.set_blocking(self._to_board, False)  # the library's signature
        os.set_blocking(self._from_board, False)
        self._control.setblocking(False)  # noqa: FBT003  # the library's signature
        if self._reads:
            self._loop.add_reader(self._from_board, self._board_says)
        self._loop.add_reader(self._control, self._told)
        self._unread = self._half_line = b""

    def _end(self) -> None:
        self._stop_biting()
        if self._process is None:
            return
        self._loop.remove_reader(self._from_board)
        self._loop.remove_reader(self._control)
        self._send_on()
        os.close(self._from_board)
        os.close(self._to_board)
        self._control.close()
        self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process = None

    def _reset(self) -> None:
        """Begin the program anew; its USB port vanishes with the old one."""
        self._hangs = False
        self._end()
        self._port.unplug()
        self._start()
        if self._cable_in:
            self._port.plug_in()

    def _stop_biting(self) -> None:
        if self._bites is not None:
            self._bites.cancel()
            self._bites = None

    # What it hears and says

    def _from_table(self, data: bytes) -> None:
        with suppress(OSError):
            os.write(self._to_board, data)

    def _board_says(self) -> None:
        with suppress(OSError):
            data = os.read(self._from_board, _READ_BYTES)
            if not data:
                self._loop.remove_reader(self._from_board)
            self._half_line += data
            if b"\n" in data:
                self._send_on()
            elif self._sends_on is None:
                self._sends_on = self._loop.call_later(_LINE_S, self._send_on)

    def _send_on(self) -> None:
        """Send on what the board has said, a line in one piece, as USB does: the faults of a wire go by pieces."""
        if self._sends_on is not None:
            self._sends_on.cancel()
            self._sends_on = None
        data, self._half_line = self._half_line, b""
        if data:
            self._port.write(data)

    def _tell_levels(self) -> None:
        with suppress(OSError):
            self._control.send(f"levels {self._levels:04x}\n".encode("ascii"))

    def _told(self) -> None:
        with suppress(OSError):
            data = self._control.recv(_READ_BYTES)
            if not data:
                self._loop.remove_reader(self._control)
            *lines, self._unread = (self._unread + data).split(b"\n")
            for line in lines:
                word, *values = line.decode("ascii").split()
                self._does(word, values)

    def _does(self, word: str, values: list[str]) -> None:
        match word, values:
            case "lamps", [lit]:
                self._outputs = int(lit, 16)
                if self._enabled:
                    self.on_change()
            case "kick", _:
                self._enable()
            case "watchdog", [timeout_ms]:
                self._watchdog_ms = int(timeout_ms)
                if self._hangs:
                    self.hang()
            case "scratch", [value]:
                self._scratch = int(value)
            case _:
                self._ends(word)

    def _ends(self, word: str) -> None:
        if word == "released":
            self.released, self._watchdog_ms = True, None
        elif word == "reset":
            self._loop.call_soon(self._reset)

    # The monoflop

    def _enable(self) -> None:
        if self._goes_dark is not None:
            self._goes_dark.cancel()
        self._goes_dark = self._loop.call_later(ENABLED_S, self._dark)
        if not self._enabled:
            self._enabled = True
            self.on_change()

    def _dark(self) -> None:
        if self._goes_dark is not None:
            self._goes_dark.cancel()
            self._goes_dark = None
        if self._enabled:
            self._enabled = False
            self.on_change()


def program_files() -> list[str]:
    """List the files that are the program, as the paths that it has on the board."""
    room = PROJECT / "firmware/spot_board"
    own = (str(path.relative_to(PROJECT)) for path in room.glob("*.py"))
    return sorted([*manifest.SHARED, *own])


def _program_digest() -> str:
    digests = {name: manifest.digest_of((PROJECT / name).read_bytes()) for name in program_files()}
    read = manifest.read_manifest(manifest.write_manifest(digests))
    if read is None:
        raise ValueError("this manifest was just written")
    return read[1]
