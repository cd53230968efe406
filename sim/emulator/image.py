"""The root file system of the emulated Pi, from the recipe in `hw/image/`.

No program of the image runs while it is built, since it is for another machine: packages
are only unpacked, pip chooses the wheels for it, and Python's byte code, which is the same
everywhere, is compiled here.
"""

import os
import shutil
import sys
import tomllib
from pathlib import Path

import msgspec
from msgspec import Struct

from sim.emulator.packages import ARCHITECTURE, RELEASE, Packages
from sim.emulator.steps import BuildError, run_program

MEGABYTES = 320
SOURCES = ("firmware", "host_tools", "hw", "LICENSE", "README.md", "pyproject.toml")
"""The inputs of the image's wheel: everything but the simulator."""
_PLATFORMS = ("manylinux_2_34_aarch64", "manylinux_2_28_aarch64", "manylinux_2_17_aarch64")
_LINKS = {"etc/mtab": "/proc/self/mounts", "var/lock": "/run/lock", "var/run": "/run"}
"""What Debian's packages would create when they are configured."""
_LEFT_OUT = ("doc", "info", "locale", "man")


class Recipe(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `image.toml` says."""

    packages: tuple[str, ...]
    python: str
    mount_points: tuple[str, ...]
    masked: tuple[str, ...]
    masked_generators: tuple[str, ...]
    enabled: tuple[str, ...]


def read_recipe(folder: Path) -> Recipe:
    """Read the recipe in a folder."""
    text = (folder / "image.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), Recipe)


def make_base(recipe: Recipe, packages: Packages, result: Path) -> None:
    """Unpack the Debian packages, and compile their Python."""
    run_program(
        *("mmdebstrap", f"--arch={ARCHITECTURE}", "--variant=extract", "--mode=root"),
        *("--setup-hook=/usr/share/mmdebstrap/hooks/merged-usr/setup00.sh", "--skip=check/qemu"),
        *(f"--include={','.join((*recipe.packages, 'busybox-static'))}",),
        *(f"--dpkgopt=path-exclude=/usr/share/{folder}/*" for folder in _LEFT_OUT),
        *(RELEASE, result, packages.sources),
    )
    for folder in _LEFT_OUT:
        shutil.rmtree(result / "usr/share" / folder, ignore_errors=True)
    run_program(
        *(_python(recipe), "-m", "compileall", "-q", "-j", "2", "-s", result, "-p", "/"),
        *("--invalidation-mode", "unchecked-hash"),
        *(result / "usr/lib" / name for name in ("python3", f"python{recipe.python}")),
    )


def make_firmware(recipe: Recipe, project: Path, result: Path) -> None:
    """Install the firmware with the script that installs it on a Pi."""
    root, work = result / "root", result / "work"
    wheel = _make_wheel(project, work)
    new = root / "opt/underfelt.new"
    site = f"lib/python{recipe.python}/site-packages"
    options = ["--target", str(new / site), "--python-version", recipe.python]
    options += ["--implementation", "cp", "--only-binary", ":all:"]
    options += [f"--platform={platform}" for platform in _PLATFORMS]
    settings = {
        "DESTDIR": str(root),
        "PYTHON": _python(recipe),
        "PACKAGE": str(wheel),
        "PIP_OPTIONS": " ".join(options),
    }
    run_program(project / "hw/install-device", env=os.environ | settings)
    # With a target, pip installs the commands there too, but for the interpreter that runs it.
    installed = root / "opt/underfelt"
    for script in (installed / site / "bin").iterdir():
        text = script.read_text(encoding="utf-8").partition("\n")[2]
        moved = installed / "bin" / script.name
        moved.write_text(f"#!/opt/underfelt/bin/python3\n{text}", encoding="utf-8")
        moved.chmod(0o755)
    shutil.rmtree(installed / site / "bin")
    shutil.rmtree(work)


def _make_wheel(project: Path, work: Path) -> Path:
    """Build the project's wheel from a clean copy of its sources."""
    copy = work / "project"
    copy.mkdir(parents=True)
    for name in SOURCES:
        source, target = project / name, copy / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", work)
    run_program(sys.executable, "-m", "pip", "wheel", *options, copy)
    return next(work.glob("*.whl"))


def assemble(recipe: Recipe, layers: list[Path], result: Path) -> None:
    """Lay the parts of the root file system over one another, and set it up."""
    root = result / "root"
    for layer in layers:
        run_program("cp", "-aT", layer, root)
    for name, target in _LINKS.items():
        run_program("rm", "-rf", root / name)
        (root / name).symlink_to(target)
    for name in ("passwd", "group"):
        shutil.copy(root / f"usr/share/base-passwd/{name}.master", root / "etc" / name)
    run_program("systemd-sysusers", f"--root={root}")
    _units(recipe, root)
    for folder in recipe.mount_points:
        (root / folder[1:]).mkdir(parents=True, exist_ok=True)
    (root / "etc/machine-id").write_text("", encoding="ascii")
    image = result / "root.img"
    run_program("mke2fs", "-q", "-t", "ext4", "-L", "root", "-d", root, image, f"{MEGABYTES}M")
    shutil.rmtree(root)


def _units(recipe: Recipe, root: Path) -> None:
    units = root / "etc/systemd/system"
    for name in recipe.masked:
        (units / name).symlink_to("/dev/null")
    generators = root / "etc/systemd/system-generators"
    generators.mkdir(exist_ok=True)
    for name in recipe.masked_generators:
        (generators / name).symlink_to("/dev/null")
    (units / "default.target").unlink(missing_ok=True)
    (units / "default.target").symlink_to("/lib/systemd/system/multi-user.target")
    wanted = units / "multi-user.target.wants"
    wanted.mkdir(exist_ok=True)
    for name in recipe.enabled:
        folder = next(f for f in ("etc", "lib") if (root / f / "systemd/system" / name).exists())
        (wanted / name).unlink(missing_ok=True)
        (wanted / name).symlink_to(f"/{folder}/systemd/system/{name}")


def _python(recipe: Recipe) -> str:
    """Return this machine's interpreter of the image's version, at the same path."""
    path = f"/usr/bin/python{recipe.python}"
    if not Path(path).exists():
        raise BuildError(f"{path} is not installed; it is needed to compile for the image")
    return path
