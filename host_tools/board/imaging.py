"""Puts an image on a Pico that waits in BOOTSEL: a file that is copied to its drive.

The drive vanishes when the last block is written, as the board starts with the image at once: an error of
the copy at its very end says nothing. What counts is the greeting afterwards.
"""

import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from firmware.errors import BadInput
from host_tools.board import uf2
from host_tools.board.asking import BoardLine, Heard
from host_tools.board.cable import SerialCable
from host_tools.board.flashing import Outcome
from host_tools.board.judging import REPLUG

INFO = "INFO_UF2.TXT"
LABEL = "RPI-RP2"
MOUNTS = Path("/proc/self/mounts")
START_S = 20.0
"""How long a host needs at most to find the board's port."""
_IDENTITY = (0x2E8A, 0x0005)
"""Vendor and product of MicroPython on a Pico."""
_PIECE_BYTES = 64 * uf2.BLOCK_BYTES
_HOW = "hold the button BOOTSEL of the Pico while you plug its cable in, and mount the drive RPI-RP2 that appears"


def read_image(file: Path) -> bytes:
    """Read an image, and check it."""
    data = file.read_bytes()
    wrong = uf2.what_is_wrong(data)
    if wrong:
        raise BadInput(
            str(file),
            f"{wrong}; take the image that came with this release, or build it ('make board-image')",
        )
    return data


def find_drive(drive: Path | None, mounts: Path = MOUNTS) -> Path:
    """Return the folder of the Pico's drive: the one that is named, or the only one that is mounted."""
    if drive is not None:
        if not is_drive(drive):
            raise BadInput(
                str(drive), f"this is not a Pico's drive: it has no {INFO} that names one; {_HOW}"
            )
        return drive
    found = [folder for folder in _mounted(mounts) if is_drive(folder)]
    if not found:
        raise BadInput("no Pico waits in BOOTSEL", f"{_HOW}, or name its folder with --drive")
    if len(found) > 1:
        raise BadInput(
            "several Picos wait in BOOTSEL",
            "leave only the one plugged in that is meant, or name it with --drive",
        )
    return found[0]


def is_drive(folder: Path) -> bool:
    """Return whether this is the drive of a Pico's boot ROM."""
    try:
        return LABEL in (folder / INFO).read_text(encoding="ascii", errors="replace")
    except OSError:
        return False


def copy(image: bytes, drive: Path, on_bytes: Callable[[int, int], None]) -> None:
    """Write an image to the drive; it may vanish with the last block."""
    written = 0
    try:
        with (drive / "spot-board.uf2").open("wb", buffering=0) as file:
            while written < len(image):
                written += file.write(image[written : written + _PIECE_BYTES])
                on_bytes(written, len(image))
            os.fsync(file.fileno())
    except OSError as error:
        if written < len(image):
            why = (error.strerror or str(error)).lower()
            raise BadInput(
                str(drive), f"the image could not be written ({why}); {_HOW}, and try again"
            ) from None


def ports() -> list[str]:
    """List the ports of boards that run MicroPython, as the system knows them."""
    from serial.tools import list_ports  # noqa: PLC0415  # the help does not wait for it

    return [str(each.device) for each in list_ports.comports() if (each.vid, each.pid) == _IDENTITY]


def wait_for_board(
    before: Iterable[str], path: str | None, within_s: float = START_S
) -> tuple[str, Heard] | None:
    """Wait for a board that greets: at the port that is named, or at one that has come since."""
    known = set(before)
    end_s = time.monotonic() + within_s
    while (left_s := end_s - time.monotonic()) > 0:
        for each in [path] if path is not None else [port for port in ports() if port not in known]:
            line = BoardLine(SerialCable(each))
            heard = line.wait_for_greeting(min(left_s, 2.0), lambda heard: heard.who == "board")
            line.close()
            if heard is not None:
                return each, heard
        time.sleep(0.2)
    return None


def outcome(found: tuple[str, Heard] | None, size_bytes: int) -> Outcome:
    """Say how it ended."""
    if found is None:
        sentence = f"the image is written, but no board has greeted for {START_S:.0f} s; {REPLUG}, then run 'underfelt board show PORT'"
        return Outcome(end="not_reached", sentence=sentence, bytes_written=size_bytes)
    path, heard = found
    program = heard.greeting.program if heard.greeting is not None else "?"
    sentence = f"{path}: it runs the image ({program}), session {heard.session}"
    return Outcome(
        end="done",
        sentence=sentence,
        after=program,
        session=heard.session,
        bytes_written=size_bytes,
    )


def _mounted(mounts: Path) -> list[Path]:
    try:
        lines = mounts.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    fields = (line.split() for line in lines)
    # The kernel writes a space in a name as \040.
    names = (
        words[1].replace("\\040", " ")
        for words in fields
        if words[2:] and words[2] in ("vfat", "msdos")
    )
    return [Path(name) for name in names]
