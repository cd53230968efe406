"""MicroPython on this machine: found, or fetched once from Debian, with its own loader and libraries.

`python -m sim.spot_board.interpreter` does that; what is fetched is kept in `build/spot-board/`. The
interpreter is the unix port with a Pico's heap. So is micropython-lib's `unittest`, which the board's own tests
run with. Both are pinned by hash; Debian's signature stands for the libraries, whose files its mirrors replace.
"""

import hashlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from firmware.errors import UnderfeltError
from sim.emulator.packages import Packages, prepare, sources_of
from sim.emulator.steps import BuildError, run_program

HEAP = "240k"
"""As much as a Pico has for a program."""
OLDEST = (1, 25)
_SUITE = "trixie"
_VERSION = "1.25.0+ds-1"
_LIBRARIES = ("libc6", "libffi8", "libmbedcrypto16", "libmbedtls21", "libmbedx509-7")
_SHA256 = {
    "amd64": "a2c8327c1005cbf0f15c83d1d3b94c20585135c29a97ab1483ada93b82d94a88",
    "arm64": "1d5a8cc911b984139b1919061d936567af641c1f504be23ac78099f78ad0621a",
}
_UNITTEST = "micropython-unittest==0.4"
_UNITTEST_SHA256 = "83b4a65c44b2f6382bc3dd8fbbe002b5679dbfc3744b99eaa59802e6fd14cf67"
PROJECT = Path(__file__).parents[2]
CACHE = PROJECT / "build/spot-board"
_FETCHED = CACHE / f"micropython-{_VERSION}"
UNITTEST = CACHE / _UNITTEST.replace("==", "-")
"""The folder with micropython-lib's `unittest`, once it was fetched."""


class Interpreter(Struct, frozen=True):
    """How MicroPython is called here."""

    command: tuple[str, ...]

    def runs(self, *arguments: str | Path) -> list[str]:
        """Return the command that runs a program with a Pico's heap."""
        return [*self.command, "-X", f"heapsize={HEAP}", *map(str, arguments)]


def here() -> Interpreter | None:
    """Return the machine's own MicroPython, or the one that was fetched; None if there is none yet."""
    own = shutil.which("micropython")
    if own is not None and _version(own) >= OLDEST:
        return Interpreter((own,))
    return Interpreter(_command(_FETCHED)) if _FETCHED.exists() else None


def find() -> Interpreter:
    """Return MicroPython, fetched now if there is none yet."""
    found = here()
    if found is None:
        _fetched(_FETCHED, _fetch_interpreter)
        found = Interpreter(_command(_FETCHED))
    return found


def find_unittest() -> Path:
    """Return the folder with micropython-lib's `unittest`, fetched now if it is not there yet."""
    if not UNITTEST.exists():
        _fetched(UNITTEST, _fetch_unittest)
    return UNITTEST


def _version(own: str) -> tuple[int, ...]:
    said = run_program(own, "-c", "import sys; print(sys.implementation[1])")
    return tuple(int(number) for number in re.findall(r"\d+", said))[:2]


def _command(folder: Path) -> tuple[str, ...]:
    (loader,) = sorted({path.resolve() for path in folder.glob("usr/lib*/**/ld-linux-*.so.*")})[:1]
    libraries = str(loader.parent)
    return (str(loader), "--library-path", libraries, str(folder / "usr/bin/micropython"))


def _fetched(folder: Path, fetch: Callable[[Path, Path], None]) -> None:
    """Make a folder, all or nothing; another process may be making it, too.

    What fetches it is given a folder with room for what it needs, and the one for the result.
    """
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as here:
        result = Path(here) / "result"
        result.mkdir()
        try:
            fetch(Path(here), result)
        except (OSError, subprocess.SubprocessError, tarfile.TarError, UnderfeltError) as error:
            what = str(error).splitlines()[-1] if str(error) else type(error).__name__
            raise BuildError(f"{folder.name} cannot be had here: {what}") from None
        if not folder.exists():
            result.replace(folder)


def _fetch_interpreter(here: Path, result: Path) -> None:
    if shutil.which("apt-get") is None:
        raise BuildError("this machine has no apt, and no micropython in its path")
    architecture = run_program("dpkg", "--print-architecture").strip()
    if architecture not in _SHA256:
        raise BuildError(f"no hash of it is known for {architecture}")
    lists = here / "lists"
    prepare(lists, sources_of(_SUITE), architecture)
    packages = here / "packages"
    packages.mkdir()
    names = [f"micropython={_VERSION}", *_LIBRARIES]
    run_program("apt-get", "-qq", "download", *names, cwd=packages, env=Packages(lists).env())
    (interpreter,) = packages.glob("micropython_*.deb")
    _check(interpreter, _SHA256[architecture])
    for package in packages.iterdir():
        run_program("dpkg-deb", "-x", package, result)


def _fetch_unittest(here: Path, result: Path) -> None:
    # pip downloads it and refuses it then, as it has no setup.py.
    run_program(sys.executable, "-m", "unearth", _UNITTEST, "--download", here)
    (archive,) = here.glob("micropython?unittest-*.tar.gz")
    _check(archive, _UNITTEST_SHA256)
    unpacked = here / "unpacked"
    with tarfile.open(archive) as files:
        files.extractall(unpacked, filter="data")
    (module,) = unpacked.glob("*/unittest.py")
    module.replace(result / module.name)


def _check(file: Path, sha256: str) -> None:
    if hashlib.sha256(file.read_bytes()).hexdigest() != sha256:
        raise BuildError(f"{file.name} is not the file that is expected: its hash is another one")


def main() -> int:
    """Fetch what is missing; say what cannot be had, which ends nothing: tests say what they lack."""
    for each in (find, find_unittest):
        try:
            each()
        except BuildError as error:
            print(error, file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
