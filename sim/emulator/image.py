"""The root file system of the emulated Pi, from the recipe in `hw/image/`.

No program of the image runs while it is made, since it is for another machine: packages
are unpacked only, wheels are chosen for it by pip, and Python's byte code, which is the
same everywhere, is compiled here.
"""

import shutil
import sys
import tomllib
from pathlib import Path

import msgspec
from msgspec import Struct

from sim.emulator.packages import ARCHITECTURE, RELEASE, Packages
from sim.emulator.steps import BuildError, command

MEGABYTES = 320
SOURCES = ("firmware", "host_tools", "LICENSE", "README.md", "pyproject.toml")
"""What the image's wheel is made from: everything but the simulator."""
_PLATFORMS = ("manylinux_2_34_aarch64", "manylinux_2_28_aarch64", "manylinux_2_17_aarch64")
_LINKS = {"etc/mtab": "/proc/self/mounts", "var/lock": "/run/lock", "var/run": "/run"}
"""What Debian's packages make when they are set up."""
_LEFT_OUT = ("doc", "info", "locale", "man")


class User(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A user, and the group of the same name."""

    name: str
    id: int
    groups: tuple[str, ...]


class Group(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A group that is no user's own."""

    name: str
    id: int


class Recipe(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `image.toml` says."""

    packages: tuple[str, ...]
    prefix: str
    python: str
    extra: str
    mount_points: tuple[str, ...]
    masked: tuple[str, ...]
    enabled: tuple[str, ...]
    users: tuple[User, ...]
    groups: tuple[Group, ...]

    def user_id(self, name: str) -> int:
        """Give the number of a user."""
        return next(user.id for user in self.users if user.name == name)


def read_recipe(folder: Path) -> Recipe:
    """Read the recipe in a folder."""
    text = (folder / "image.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), Recipe)


def make_base(recipe: Recipe, packages: Packages, result: Path) -> None:
    """Unpack the Debian packages, and compile their Python."""
    command(
        *("mmdebstrap", f"--arch={ARCHITECTURE}", "--variant=extract", "--mode=root"),
        *("--setup-hook=/usr/share/mmdebstrap/hooks/merged-usr/setup00.sh", "--skip=check/qemu"),
        *(f"--include={','.join((*recipe.packages, 'busybox-static'))}",),
        *(f"--dpkgopt=path-exclude=/usr/share/{folder}/*" for folder in _LEFT_OUT),
        *(RELEASE, result, packages.sources),
    )
    for folder in _LEFT_OUT:
        shutil.rmtree(result / "usr/share" / folder, ignore_errors=True)
    _compile(recipe, result, "usr/lib/python3", f"usr/lib/python{recipe.python}")


def make_wheels(recipe: Recipe, project: Path, result: Path) -> None:
    """Install what the firmware needs, for the other machine."""
    _pip_install(recipe, result, *requirements(recipe, project))
    _compile(recipe, result, ".", prefix=_site(recipe))


def requirements(recipe: Recipe, project: Path) -> list[str]:
    """Give what the firmware on a Pi depends on."""
    document = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))
    extras = document["project"]["optional-dependencies"]
    return [*document["project"]["dependencies"], *extras[recipe.extra]]


def make_firmware(recipe: Recipe, project: Path, result: Path) -> None:
    """Build the project's own wheel from a copy of its sources, and install it."""
    copy, wheels = result.parent / "project", result.parent / "project-wheel"
    for folder in (copy, wheels):
        shutil.rmtree(folder, ignore_errors=True)
    for name in SOURCES:
        source, target = project / name, copy / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    command(
        *(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"),
        *("--wheel-dir", wheels, copy),
    )
    _pip_install(recipe, result, "--no-deps", *(str(file) for file in wheels.glob("*.whl")))
    _compile(recipe, result, ".", prefix=_site(recipe))
    for folder in (copy, wheels):
        shutil.rmtree(folder)


def assemble(recipe: Recipe, parts: list[Path], files: list[Path], result: Path) -> None:
    """Put the root file system together: base, modules, firmware, and the recipe's own files."""
    base, kernel, *packages = parts
    root = result / "root"
    command("cp", "-a", base, root)
    command("cp", "-a", kernel / "lib/modules", root / "usr/lib/modules")
    _environment(recipe, packages, root)
    for folder in files:
        command("cp", "-rT", folder, root)
    for name, target in _LINKS.items():
        command("rm", "-rf", root / name)
        (root / name).symlink_to(target)
    _users(recipe, root)
    _units(recipe, root)
    for folder in recipe.mount_points:
        (root / folder[1:]).mkdir(parents=True, exist_ok=True)
    (root / "etc/machine-id").write_text("", encoding="ascii")
    image = result / "root.img"
    command("mke2fs", "-q", "-t", "ext4", "-L", "root", "-d", root, image, f"{MEGABYTES}M")
    shutil.rmtree(root)


def _environment(recipe: Recipe, packages: list[Path], root: Path) -> None:
    """Lay the firmware out as `python -m venv` and pip would have done on the machine."""
    prefix = root / recipe.prefix[1:]
    site = root / _site(recipe)[1:]
    site.mkdir(parents=True)
    for package in packages:
        command("cp", "-rT", package, site)
    shutil.rmtree(site / "bin", ignore_errors=True)
    (prefix / "bin").mkdir()
    (prefix / "bin/python3").symlink_to(f"/usr/bin/python{recipe.python}")
    settings = f"home = /usr/bin\ninclude-system-site-packages = false\nversion = {recipe.python}\n"
    (prefix / "pyvenv.cfg").write_text(settings, encoding="ascii")
    script = prefix / "bin/underfelt-table"
    script.write_text(
        f"#!{recipe.prefix}/bin/python3\nfrom firmware.__main__ import command\ncommand()\n",
        encoding="ascii",
    )
    script.chmod(0o755)


def _users(recipe: Recipe, root: Path) -> None:
    """Write Debian's own users and groups, and those of the recipe."""
    masters = root / "usr/share/base-passwd"
    users = (masters / "passwd.master").read_text(encoding="ascii")
    groups = (masters / "group.master").read_text(encoding="ascii").splitlines()
    for user in recipe.users:
        users += f"{user.name}:*:{user.id}:{user.id}::/nonexistent:/usr/sbin/nologin\n"
        groups.append(f"{user.name}:*:{user.id}:")
    groups += [f"{group.name}:*:{group.id}:" for group in recipe.groups]
    for user in recipe.users:
        for name in user.groups:
            place = next(i for i, line in enumerate(groups) if line.startswith(f"{name}:"))
            groups[place] += f"{'' if groups[place].endswith(':') else ','}{user.name}"
    (root / "etc/passwd").write_text(users, encoding="ascii")
    (root / "etc/group").write_text("\n".join(groups) + "\n", encoding="ascii")


def _units(recipe: Recipe, root: Path) -> None:
    units = root / "etc/systemd/system"
    for name in recipe.masked:
        (units / name).symlink_to("/dev/null")
    (units / "default.target").unlink(missing_ok=True)
    (units / "default.target").symlink_to("/lib/systemd/system/multi-user.target")
    wanted = units / "multi-user.target.wants"
    wanted.mkdir(exist_ok=True)
    for name in recipe.enabled:
        folder = next(f for f in ("etc", "lib") if (root / f / "systemd/system" / name).exists())
        (wanted / name).unlink(missing_ok=True)
        (wanted / name).symlink_to(f"/{folder}/systemd/system/{name}")


def _site(recipe: Recipe) -> str:
    return f"{recipe.prefix}/lib/python{recipe.python}/site-packages"


def _pip_install(recipe: Recipe, target: Path, *what: str) -> None:
    command(
        *(sys.executable, "-m", "pip", "install", "--quiet", "--target", target),
        *("--python-version", recipe.python, "--implementation", "cp", "--only-binary", ":all:"),
        *(f"--platform={platform}" for platform in _PLATFORMS),
        *what,
    )


def _compile(recipe: Recipe, root: Path, *folders: str, prefix: str = "/") -> None:
    """Compile Python for the image: its own file system is read-only when it runs."""
    python = shutil.which(f"python{recipe.python}")
    if python is None:
        raise BuildError(f"python{recipe.python} is not installed; it compiles for the image")
    command(
        *(python, "-m", "compileall", "-q", "-j", "2", "-s", str(root), "-p", prefix),
        *("--invalidation-mode", "unchecked-hash", *(str(root / folder) for folder in folders)),
    )

