"""Builds the spot board's image: `python -m sim.pico.image`.

MicroPython for the Pico with our program frozen in, as `build/spot-board/spot-board.uf2`, and the `LICENCES`
that go with it. Every step is kept and done again only when its inputs have changed; the same inputs give
the same bytes, in whatever folder. What the image is made of is in `hw/spot_board_image/`.
"""

import fcntl
import hashlib
import os
import shutil
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from firmware.errors import UnderfeltError
from firmware.spot_board.manifest import read_manifest, write_manifest
from sim.emulator.steps import BuildError, Steps, run_program
from sim.pico import notices, uf2
from sim.pico.sources import Recipe, make_sources, read_recipe

PROJECT = Path(__file__).parents[2]
RECIPE = PROJECT / "hw/spot_board_image"
FOLDER = PROJECT / "build/spot-board"
SHARED = ("firmware/__init__.py", "firmware/devices/__init__.py")
SHARED_MODULES = ("lamp_patterns", "line", "sensing")
"""The modules of `firmware/devices/` that the Pi and the board have in common."""
BOARD = "RPI_PICO"
_HERE = Path(__file__).parent
_COMPILER = "arm-none-eabi-gcc"
_PACKAGES = ("gcc-arm-none-eabi", "libnewlib-arm-none-eabi")
_DIGEST_MODULE = "frozen_program.py"
_IMAGE, _LICENCES = "spot-board.uf2", "LICENCES"


class Image(Struct, frozen=True):
    """The image, and what goes with it."""

    uf2: Path
    licences: Path
    program: str
    """The digest of the program that is frozen in, as the board's greeting begins it."""


def program_files(project: Path = PROJECT) -> dict[str, Path]:
    """List the modules of the board's program by the path that they are imported from."""
    shared = [*SHARED, *(f"firmware/devices/{name}.py" for name in SHARED_MODULES)]
    own = sorted((project / "firmware/spot_board").glob("*.py"))
    files = [*(project / name for name in shared), *own]
    return {file.relative_to(project).as_posix(): file for file in files}


def program_digest(files: dict[str, Path]) -> str:
    """Return the digest of a program, from the hashes of its files."""
    hashes = {name: hashlib.sha256(file.read_bytes()).hexdigest() for name, file in files.items()}
    manifest = read_manifest(write_manifest(hashes))
    if manifest is None:
        raise BuildError("the program has no files")
    return manifest[1]


def build_image(folder: Path = FOLDER, program: dict[str, Path] | None = None) -> Image:
    """Build what is missing or out of date, with one line per step."""
    if not (RECIPE / "image.toml").is_file():
        raise BuildError(
            "the image is built in a clone of the project, where hw/spot_board_image is"
        )
    files = program_files() if program is None else program
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another process may be building it
        return _Build(folder, files).image()


class _Build:
    """The steps, and the inputs of each."""

    def __init__(self, folder: Path, files: dict[str, Path]) -> None:
        self._recipe = read_recipe(RECIPE)
        self._steps = Steps(folder, _tell)
        self._files = files

    def image(self) -> Image:
        """Do all steps, and put what they give where it is looked for."""
        sources = self._sources()
        port = self._port(sources)
        made = self._frozen(sources, port)
        for name in (_IMAGE, _LICENCES):
            _publish(made / name, self._steps.folder / name)
        return Image(
            uf2=self._steps.folder / _IMAGE,
            licences=self._steps.folder / _LICENCES,
            program=program_digest(self._files),
        )

    def _sources(self) -> Path:
        made_from: list[str | Path] = [RECIPE / "image.toml", _HERE / "sources.py"]
        return self._steps.run(
            "sources",
            "sources, from Debian",
            made_from,
            lambda result: make_sources(self._recipe, result),
        )

    def _port(self, sources: Path) -> Path:
        """Prepare MicroPython for the board; it is compiled with the program, and kept."""
        before = [self._steps.digests["sources"], _compiler(), str(self._steps.folder)]
        return self._steps.run(
            "micropython",
            "MicroPython's own compiler, and the build set up",
            [*before, _HERE / "image.py"],
            lambda result: _prepare(self._recipe, sources, result),
        )

    def _frozen(self, sources: Path, port: Path) -> Path:
        frozen = sorted((RECIPE / "frozen").glob("*.py"))
        own = [_HERE / name for name in ("image.py", "notices.py", "uf2.py")]
        names = [f"{name} {len(file.read_bytes())}" for name, file in self._files.items()]
        before: list[str | Path] = [self._steps.digests["micropython"], PROJECT / "LICENSE"]

        def make(result: Path) -> None:
            program = port / "program"
            _lay_out(self._files, frozen, program)
            build = port / "build"
            cross = {"MICROPY_MPYCROSS": str(_cross(port))}
            run_program("ninja", "-C", build, env=_environment(self._recipe, sources) | cross)
            binary = (build / "firmware.bin").read_bytes()
            (result / _IMAGE).write_bytes(uf2.encode(binary))
            text = notices.collect(sources, build, PROJECT / "LICENSE")
            (result / _LICENCES).write_text(text, encoding="utf-8")

        return self._steps.run(
            "image",
            "the image, with the program frozen in",
            [*before, *own, *frozen, *names, *self._files.values()],
            make,
        )


def _publish(made: Path, place: Path) -> None:
    """Put a result where it is looked for, whole or not at all: another process may be reading it."""
    if place.is_file() and place.read_bytes() == made.read_bytes():
        return
    waiting = place.with_name(f"{place.name}.new")
    shutil.copyfile(made, waiting)
    waiting.replace(place)


def _prepare(recipe: Recipe, sources: Path, result: Path) -> None:
    micropython = sources / "micropython"
    cross = _cross(result)
    env = _environment(recipe, sources)
    make = ("make", "-s", "-j2", "-C", micropython / "mpy-cross", f"BUILD={cross.parent}")
    run_program(*make, env=env | {"CFLAGS": ""})
    program = result / "program"
    program.mkdir()
    manifest = result / "manifest.py"
    manifest.write_text(
        f'freeze("$(PORT_DIR)/modules", "rp2.py")\nfreeze({str(program)!r})\n', encoding="utf-8"
    )
    settings = {
        "MICROPY_BOARD": BOARD,
        "MICROPY_FROZEN_MANIFEST": manifest,
        "MICROPY_MPYCROSS": cross,
        "MICROPY_MPYCROSS_DEPENDENCY": cross,
        "PICO_SDK_PATH_OVERRIDE": sources / "pico-sdk",
        "PICO_NO_PICOTOOL": 1,
        "FETCHCONTENT_FULLY_DISCONNECTED": "ON",
        "Python3_EXECUTABLE": sys.executable,
    }
    run_program(
        *("cmake", "-G", "Ninja", "-S", micropython / "ports/rp2", "-B", result / "build"),
        *(f"-D{name}={value}" for name, value in settings.items()),
        env=env,
    )


def _cross(port: Path) -> Path:
    """Return MicroPython's own compiler, which is for this machine."""
    return port / "mpy-cross/mpy-cross"


def _lay_out(files: dict[str, Path], frozen: list[Path], program: Path) -> None:
    """Put the program where it is frozen from; what has not changed stays as it is."""
    shutil.rmtree(program)
    wanted = {file.name: file for file in frozen} | files
    for name, file in wanted.items():
        (program / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, program / name)
    digest = f'"""Which program is frozen in."""\n\nDIGEST = "{program_digest(files)}"\n'
    (program / _DIGEST_MODULE).write_text(digest, encoding="utf-8")


def _environment(recipe: Recipe, sources: Path) -> dict[str, str]:
    """Return the environment of the build: no path, date or revision of this clone gets in."""
    flags = f"-ffile-prefix-map={sources}=. -ffile-prefix-map={sources.parent}=."
    date = datetime.strptime(recipe.date, "%Y-%m-%d").replace(tzinfo=UTC)
    return os.environ | {
        "CFLAGS": flags,
        "CXXFLAGS": flags,
        "ASMFLAGS": flags,
        "LC_ALL": "C",
        "MICROPY_GIT_TAG": recipe.micropython,
        "PYTHONHASHSEED": "0",
        "SOURCE_DATE_EPOCH": str(int(date.timestamp())),
    }


def _compiler() -> str:
    """Return which compiler and library it is, by Debian's versions."""
    if shutil.which(_COMPILER) is None:
        raise BuildError(
            f"{_COMPILER} is not installed; as root on Debian, .ci/install-board-tools installs it"
        )
    return run_program("dpkg-query", "-W", *_PACKAGES)


def _tell(line: str) -> None:
    print(f"  {line}", flush=True)


def main() -> int:
    """Build the image and say what it is."""
    started = time.monotonic()
    try:
        image = build_image()
    except UnderfeltError as error:
        print(error, file=sys.stderr)
        return 1
    size = len(uf2.decode(image.uf2.read_bytes()))
    print(
        f"{image.uf2}: {size:,} bytes in the flash, program {image.program[:12]}, {time.monotonic() - started:.1f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
