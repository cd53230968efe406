"""MicroPython's raw REPL on a board that has given its line up: a program is put into the slot that is not chosen.

The bytes are mpremote's business (`SerialTransport`); what is run on the board is here. It uses what the image
has frozen in, so that folders, storage and slots mean the same on both sides. Whatever goes wrong is a
`ReplError` in words.
"""

import struct
from ast import literal_eval
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from io import StringIO
from typing import NamedTuple

from mpremote.transport import TransportError
from mpremote.transport_serial import SerialTransport

from firmware.errors import UnderfeltError
from firmware.spot_board import manifest, slots
from host_tools.board.cable import Port
from host_tools.board.program import Program

ANSWER_S = 5.0
"""How long the board may take for two bytes of an answer; without a limit, one that is gone is waited for."""
PIECE_BYTES = 2_048
"""Sent at once: as text it is up to four times as long, and the board has 200 KB."""
_ENTER_S = 10
_LEAVE_S = 2
_STOP_WATCHDOG = "import machine\nmachine.mem32[0x40058000 + 0x3000] = 1 << 30\n"
_RESET = """
import time
from firmware.spot_board import chip
time.sleep_ms(100)
chip.reset()
"""
"""What it answers has gone out before it resets."""
_PREPARE = """
import hashlib, os, rp2, sys, vfs
from firmware.spot_board import chip, manifest, session, slots, start
def _mounted():
    return vfs.VfsLfs2(flash, progsize=session.PAGE_BYTES)
flash = rp2.Flash(start=start.SESSION_BYTES)
def _mount(empty):
    try:
        vfs.umount('/')
    except OSError:
        pass
    try:
        if empty:
            raise OSError
        vfs.mount(_mounted(), '/')
        return False
    except OSError:
        vfs.VfsLfs2.mkfs(flash, progsize=session.PAGE_BYTES)
        vfs.mount(_mounted(), '/')
        return True
def _remove(path):
    try:
        kind = os.stat(path)[0]
    except OSError:
        return
    if kind & 0x4000:
        for entry in list(os.ilistdir(path)):
            _remove(path + '/' + entry[0])
        os.rmdir(path)
    else:
        os.remove(path)
def _put(path, data):
    with open(path, 'ab') as file:
        file.write(data)
"""
_SLOT = "'b' if slots.Slots('')._letter('chosen') == 'a' else 'a'"
_NO_ROOM = "ENOSPC"


class ReplError(UnderfeltError):
    """The board did not do what it was asked for."""


class Prepared(NamedTuple):
    """What the board said before anything was written to it."""

    interpreter: int
    """Which compiled files it takes."""
    slot: str
    formatted: bool
    """Whether there was no file system, or what was in it was to go."""


class _Transport(SerialTransport):  # type: ignore[misc]  # it has no types
    """mpremote's, on a port that is open already, and stays open: the board must not be anybody else's."""

    def __init__(self, port: Port) -> None:
        self.serial = port
        self.device_name = "the board"
        self.in_raw_repl = self.mounted = self.is_pty = False
        self.use_raw_paste = True


class RawRepl:
    """A board whose MicroPython does what it is told."""

    def __init__(self, port: Port) -> None:
        port.timeout = ANSWER_S
        self._transport = _Transport(port)

    def enter(self) -> None:
        """Begin: with a clean memory, and without a watchdog."""
        with _in_words("MicroPython does not answer"):
            self._transport.enter_raw_repl(timeout_overall=_ENTER_S)
        self._run(_STOP_WATCHDOG)

    def prepare(self, *, empty: bool) -> Prepared:
        """Mount the file system, or make one; return what there is."""
        try:
            self._run(_PREPARE)
        except ReplError as error:
            if "ImportError" in str(error):
                raise ReplError("it runs MicroPython without the spot board's image") from None
            raise
        formatted = self._ask(f"_mount({empty})")
        interpreter, slot = self._ask("sys.implementation._mpy"), self._ask(_SLOT)
        if not isinstance(interpreter, int) or slot not in slots.LETTERS:
            raise ReplError("its answer makes no sense")
        return Prepared(interpreter, str(slot), bool(formatted))

    def write(self, slot: str, program: Program, on_bytes: Callable[[int], None]) -> None:
        """Write a program into a slot, after whatever was in it; the manifest comes last."""
        self._run(f"_remove('/trial')\n_remove('/{slot}')\nos.mkdir('/{slot}')\n")
        for folder in _folders(program):
            self._run(f"os.mkdir('/{slot}/{folder}')\n")
        files = {**program.files, manifest.NAME: program.manifest.encode()}
        for name, data in files.items():
            for start in range(0, max(len(data), 1), PIECE_BYTES):
                piece = data[start : start + PIECE_BYTES]
                self._run(f"_put('/{slot}/{name}', {piece!r})\n")
                on_bytes(len(piece))

    def digests(self, slot: str, program: Program) -> dict[str, str]:
        """Return the SHA-256 of what the board reads back from each file."""
        names = (*program.files, manifest.NAME)
        return {name: str(self._ask(f"slots._digest_of_file('/{slot}/{name}')")) for name in names}

    def try_next(self, slot: str) -> None:
        """Let the board try this slot at its next start."""
        self._run(f"_put('/trial', b'{slot}')\n")

    def empty(self, slot: str) -> None:
        """Remove what is in a slot."""
        self._run(f"_remove('/{slot}')\n")

    def reset(self) -> None:
        """Let the board begin anew with a program; whether it does is seen by its greeting alone."""
        with suppress(ReplError), _in_words("the port is gone, as it should be"):
            self._transport.exec_raw_no_follow(_RESET)

    def reset_if_possible(self) -> bool:
        """Let the board begin anew, if it still hears; return whether it was told."""
        with suppress(ReplError), _in_words("it does not answer any more"):
            self._transport.enter_raw_repl(soft_reset=False, timeout_overall=_LEAVE_S)
            self.reset()
            return True
        return False

    def _ask(self, expression: str) -> object:
        said = self._run(f"print(repr({expression}))\n")
        try:
            return literal_eval(said.strip())
        except (ValueError, SyntaxError):
            raise ReplError(f"its answer makes no sense: {said.strip()[:60]!r}") from None

    def _run(self, code: str) -> str:
        with _in_words("it does not answer any more"):
            said, wrong = self._transport.exec_raw(code)
        if wrong:
            raise ReplError(_last_line(wrong))
        return bytes(said).decode("ascii", "replace")


def _folders(program: Program) -> list[str]:
    """List the folders of a program, each after the one that it is in."""
    found: dict[str, None] = {}
    for name in program.files:
        parts = name.split("/")[:-1]
        for depth in range(1, len(parts) + 1):
            found["/".join(parts[:depth])] = None
    return list(found)


def _last_line(traceback: bytes) -> str:
    """Return what MicroPython says at the end of a traceback, in our words where we have some."""
    words = traceback.decode("ascii", "replace").strip().splitlines()
    last = words[-1].strip() if words else "it failed"
    if _NO_ROOM in last or last.endswith("OSError: 28"):
        return "its file system is full; add --format, which empties it"
    return last


@contextmanager
def _in_words(what: str) -> Iterator[None]:
    """Turn whatever mpremote raises into one sentence; what it prints is not for the terminal."""
    try:
        with redirect_stdout(StringIO()):
            yield
    except (TransportError, OSError, ValueError, struct.error) as error:
        why = str(error).splitlines()
        raise ReplError(f"{what}: {why[0][:80]}" if why else what) from None
