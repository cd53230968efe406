"""The sources of the image: fetched from Debian, each checked against the hash that the recipe pins.

A separate apt with its own lists, for the suite that the recipe names: the mirror, keys and proxy are those
of this machine's apt, which is not touched. What is built from the sources is in `image.py`.
"""

import hashlib
import os
import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from sim.emulator.steps import BuildError, run_program

_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
_TARGETS = ("apt-get", "indextargets", "--format", "$(ORIGIN)|$(REPO_URI)|$(RELEASE)")
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
    env = _own_apt(recipe, result / "apt")
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
        raise BuildError(f"{change.file} of this MicroPython is not the one expected: {change.old!r}")
    file.write_text(text.replace(change.old, ""), encoding="utf-8")


def _own_apt(recipe: Recipe, folder: Path) -> Mapping[str, str]:
    """Fetch the lists of the suite into a folder; return the environment in which apt uses them."""
    for name in ("lists/partial", "cache/archives/partial", "parts"):
        (folder / name).mkdir(parents=True)
    (folder / "status").touch()
    signed = f" [signed-by={_KEYRING}]" if _KEYRING.exists() else ""
    places = [f"{signed} {_mirror()} {recipe.suite} main"]
    lines = [f"{kind}{place}" for place in places for kind in ("deb", "deb-src")]
    (folder / "sources.list").write_text("\n".join(lines) + "\n", encoding="utf-8")
    settings = {
        "APT::Sandbox::User": "root",
        "Acquire::Languages": "none",
        "Dir::State": folder,
        "Dir::State::lists": folder / "lists",
        "Dir::State::status": folder / "status",
        "Dir::Cache": folder / "cache",
        "Dir::Etc::SourceList": folder / "sources.list",
        "Dir::Etc::SourceParts": folder / "parts",
    }
    text = "".join(f'{key} "{value}";\n' for key, value in settings.items())
    (folder / "apt.conf").write_text(text, encoding="utf-8")
    env = os.environ | {"APT_CONFIG": str(folder / "apt.conf"), "LC_ALL": "C"}
    run_program("apt-get", "-qq", "update", env=env)
    return env


def _mirror() -> str:
    """Return where this machine's apt has Debian's releases from; security updates are elsewhere."""
    for line in run_program(*_TARGETS, "Created-By: Packages").splitlines():
        origin, uri, release = line.split("|")
        # Before the first `apt-get update` the origin is not known.
        if origin in {"Debian", "$(ORIGIN)"} and release.isalpha() and "debian" in uri:
            return uri
    raise BuildError("apt on this machine has no sources for Debian; build the image on Debian 12")
