"""What the chip runs first: counts the start, chooses the program and runs it.

The image has this program frozen in, which nothing can break. Another one may lie in the file system
(`slots.py`); whatever is wrong with that, the frozen one runs.
"""

import os
import sys

import micropython
import rp2
import vfs

from firmware.spot_board import chip
from firmware.spot_board.session import PAGE_BYTES, SECTOR_BYTES, SECTORS, next_session
from firmware.spot_board.slots import Slots

TYPE_CHECKING = False  # MicroPython has no module `typing`
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.spot_board.slots import Slot

SESSION_BYTES = SECTORS * SECTOR_BYTES
"""The first bytes of the storage; behind them is the file system."""
TRIAL_MS = 15_000
"""Within this time whoever brought a new program asks it who it is; else the old one runs again."""
_OURS = "firmware"
_CONTROL_C = 3


def start(program_digest: str) -> None:
    """Run a program until the line is given up; then whoever is on the line has MicroPython itself.

    The digest is the one of the frozen program.
    """
    if chip.is_released():
        return
    micropython.kbd_intr(-1)  # noise on the line must not interrupt the program
    crashes = chip.starts()
    chip.count_start()
    session = next_session(rp2.Flash(start=0, len=SESSION_BYTES), os.urandom)
    slots = Slots("") if _mounted() else None
    slot = slots.choose(crashes) if slots is not None else None
    try:
        if slots is None or slot is None:
            _run(session, f"frozen:{program_digest[:12]}", lambda: None)
        else:
            _instead_of_ours(slot.path)
            _run_file(session, slots, slot)
    except Exception as error:  # noqa: BLE001  # whatever it is, a board that stands still helps nobody
        sys.print_exception(error)  # type: ignore[attr-defined]  # MicroPython's
        chip.reset()
    chip.release()
    micropython.kbd_intr(_CONTROL_C)


def _run(session: int, program: str, on_asked: "Callable[[], None]") -> None:
    from firmware.spot_board import main, usb  # noqa: PLC0415  # whose they are is known only now

    main.run(session, program, usb.UsbLine(sys.stdin.buffer, sys.stdout.buffer), on_asked)


def _run_file(session: int, slots: Slots, slot: "Slot") -> None:
    """Run a program out of a file; the first time it has to prove itself before long."""
    program = f"file:{slot.digest[:12]}"
    if not slot.on_trial:
        _run(session, program, lambda: None)
        return
    chip.watch()  # it may hang before its loop begins, and nobody else would know
    limit = chip.reset_in(TRIAL_MS)

    def prove() -> None:
        slots.commit(slot)
        limit.deinit()

    _run(session, program, prove)
    limit.deinit()


def _instead_of_ours(path: str) -> None:
    """Let a folder's modules come before the frozen ones."""
    sys.path.insert(0, path)
    for name in list(sys.modules):
        if name == _OURS or name.startswith(f"{_OURS}."):
            del sys.modules[name]


def _mounted() -> bool:
    """Mount the file system; one that is none is left alone, as there may be something to be rescued."""
    try:
        flash = rp2.Flash(start=SESSION_BYTES)
        vfs.mount(vfs.VfsLfs2(flash, progsize=PAGE_BYTES), "/")
    except (OSError, ValueError):
        return False
    return True
