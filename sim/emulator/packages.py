"""Debian packages for another machine, from the sources that this machine is set up with.

A separate apt: its lists and downloads are in the build folder, so that the apt of this
machine is not touched. Mirror, keys and proxy are taken from this machine's apt.
"""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from sim.emulator.steps import BuildError, run_program

ARCHITECTURE = "arm64"
RELEASE = "bookworm"
"""The Debian whose Python is 3.11: the newest that lgpio has wheels for, and Raspberry Pi OS 12."""
_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
_TARGETS = ("apt-get", "indextargets", "--format", "$(ORIGIN)|$(REPO_URI)|$(RELEASE)|$(COMPONENT)")


class Packages(Struct, frozen=True):
    """The packages that are available, in a folder of lists."""

    folder: Path

    @property
    def sources(self) -> Path:
        """The sources, one per line."""
        return self.folder / "sources.list"

    def env(self) -> dict[str, str]:
        """Return the environment in which apt sees only these packages."""
        return os.environ | {"APT_CONFIG": str(self.folder / "apt.conf"), "LC_ALL": "C"}

    def newest(self, package: str) -> str:
        """Return the package that a package without contents of its own stands for."""
        for line in run_program("apt-cache", "depends", package, env=self.env()).splitlines():
            word, _, name = line.strip().partition(": ")
            if word == "Depends":
                return name
        raise BuildError(f"the package {package} is not found in this machine's package sources")

    def unpack(self, packages: list[str], into: Path) -> None:
        """Download packages and unpack them, without what they would run."""
        downloads = into / "downloads"
        downloads.mkdir(parents=True)
        run_program("apt-get", "-qq", "download", *packages, cwd=downloads, env=self.env())
        for file in downloads.iterdir():
            run_program("dpkg-deb", "-x", file, into)
        shutil.rmtree(downloads)


def debian_sources() -> list[str]:
    """Return the Debian sources of this machine's apt, as lines of a sources.list."""
    lines = []
    for target in run_program(*_TARGETS, "Created-By: Packages").splitlines():
        origin, uri, release, component = target.split("|")
        # Before the first `apt-get update` the origin is not known.
        if origin in {"Debian", "$(ORIGIN)"} and release.startswith(RELEASE):
            lines.append(f"deb{_signed()} {uri} {release} {component}")
    if not lines:
        raise BuildError(
            f"apt on this machine has no sources for Debian {RELEASE}; build the emulator on it"
        )
    return sorted(set(lines))


def sources_of(suite: str) -> list[str]:
    """Return the sources of any suite of Debian, from the mirrors of this machine's apt."""
    targets = [
        line.split("|") for line in run_program(*_TARGETS, "Created-By: Packages").splitlines()
    ]
    mirrors = {
        uri
        for origin, uri, release, component in targets
        if origin in {"Debian", "$(ORIGIN)"} and release.isalpha() and component == "main"
    }
    if not mirrors:
        raise BuildError("apt on this machine has no sources for Debian")
    return [f"deb{_signed()} {uri} {suite} main" for uri in sorted(mirrors)]


def _signed() -> str:
    return f" [signed-by={_KEYRING}]" if _KEYRING.exists() else ""


def prepare(
    folder: Path, sources: Sequence[str] | None = None, architecture: str = ARCHITECTURE
) -> None:
    """Fetch the lists of packages; the emulated machine's, unless others are wanted."""
    for name in ("lists/partial", "cache/archives/partial", "parts"):
        (folder / name).mkdir(parents=True)
    (folder / "status").touch()
    packages = Packages(folder)
    lines = debian_sources() if sources is None else sources
    packages.sources.write_text("\n".join(lines) + "\n", encoding="utf-8")
    own = run_program("dpkg", "--print-architecture").strip()
    settings = {
        "APT::Architecture": architecture,
        "APT::Sandbox::User": "root",
        "Acquire::Languages": "none",
        "Dir::State": folder,
        "Dir::State::lists": folder / "lists",
        "Dir::State::status": folder / "status",
        "Dir::Cache": folder / "cache",
        "Dir::Etc::SourceList": packages.sources,
        "Dir::Etc::SourceParts": folder / "parts",
    }
    conf = [f'{key} "{value}";' for key, value in settings.items()]
    conf.append(f'APT::Architectures {{ "{architecture}"; "{own}"; }};')
    (folder / "apt.conf").write_text("\n".join(conf) + "\n", encoding="utf-8")
    run_program("apt-get", "-qq", "update", env=packages.env())
