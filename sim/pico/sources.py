"""The sources of the image: fetched from Debian, each checked against the hash that the recipe pins.

A separate apt with its own lists, for the suite that the recipe names: the mirror, keys and proxy are those
of this machine's apt, which is not touched. What is built from the sources is in `image.py`.
"""

import hashlib
import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from sim.emulator.packages import Packages, prepare, sources_of
from sim.emulator.steps import BuildError, run_program

_USE = "usr/src"


class Source(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of Debian: a source archive, or a package that holds sources."""

    package: str
    version: str
    file: str
    sha256: str


class Change(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of MicroPython's that is left out."""

    file: str
    old: str


class Recipe(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `image.toml` says."""

    suite: str
    micropython: str
    date: str
    sources: tuple[Source, ...]
    changes: tuple[Change, ...]


def read_recipe(folder: Path) -> Recipe:
    """Read the recipe in a folder."""
    text = (folder / "image.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), Recipe)


def make_sources(recipe: Recipe, result: Path) -> None:
    """Fetch the sources, unpack them into `micropython` and `pico-sdk`, and make the changes."""
    downloads = result / "downloads"
    downloads.mkdir()
    env = _own_apt(recipe.suite, result / "apt")
    for source in recipe.sources:
        _fetch(source, recipe.suite, downloads, env)
        if source.file.endswith(".deb"):
            run_program("dpkg-deb", "-x", downloads / source.file, result / "debian")
    micropython = result / "micropython"
    micropython.mkdir()
    archive = next(each.file for each in recipe.sources if not each.file.endswith(".deb"))
    run_program("tar", "-xf", downloads / archive, "-C", micropython, "--strip-components=1")
    shutil.copytree(
        result / "debian" / _USE / "tinyusb", micropython / "lib/tinyusb", dirs_exist_ok=True
    )
    shutil.move(result / "debian" / _USE / "pico-sdk", result / "pico-sdk")
    shutil.move(result / "debian/usr/share/doc", result / "doc")
    # Debian leaves this folder empty; the build only looks whether there is something in it.
    (micropython / "lib/micropython-lib/README.md").touch()
    for change in recipe.changes:
        _make_change(change, micropython)
    for name in ("apt", "debian", "downloads"):
        shutil.rmtree(result / name)


def _fetch(source: Source, suite: str, downloads: Path, env: Mapping[str, str]) -> None:
    wanted = f"{source.package}={source.version}"
    how = ["download"] if source.file.endswith(".deb") else ["source", "--download-only"]
    try:
        run_program("apt-get", "-qq", *how, wanted, cwd=downloads, env=env)
    except BuildError as error:
        raise BuildError(
            f"{wanted} cannot be fetched from Debian {suite}; if it has been replaced there, "
            f"pin its successor in hw/spot_board_image/image.toml ({error})"
        ) from None
    file = downloads / source.file
    if not file.is_file():
        raise BuildError(f"{wanted} has no file {source.file}; see hw/spot_board_image/image.toml")
    found = hashlib.sha256(file.read_bytes()).hexdigest()
    if found != source.sha256:
        raise BuildError(
            f"{source.file} has the SHA-256 {found}, and hw/spot_board_image/image.toml pins "
            f"{source.sha256}: it is not the file that this image was tested with"
        )


def _make_change(change: Change, micropython: Path) -> None:
    file = micropython / change.file
    text = file.read_text(encoding="utf-8")
    if text.count(change.old) != 1:
        raise BuildError(
            f"{change.file} of this MicroPython is not the one expected: {change.old!r}"
        )
    file.write_text(text.replace(change.old, ""), encoding="utf-8")


def _own_apt(suite: str, folder: Path) -> Mapping[str, str]:
    """Fetch the lists of the suite into a folder; return the environment in which apt uses them."""
    binary = sources_of(suite)
    lines = [*binary, *(line.replace("deb", "deb-src", 1) for line in binary)]
    prepare(folder, lines, run_program("dpkg", "--print-architecture").strip())
    return Packages(folder).env()
