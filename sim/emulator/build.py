"""Builds the emulated Pi: `python -m sim.emulator.build`.

Every part is kept in `build/emulator/` and rebuilt when its inputs have changed. `MachineParts` is
what a machine is started with.
"""

import os
import shutil
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from msgspec import Struct

from firmware.errors import UnderfeltError
from sim.emulator import image, packages
from sim.emulator.image import Recipe
from sim.emulator.kernel import MODULES, make_kernel
from sim.emulator.packages import Packages
from sim.emulator.steps import BuildError, Steps, run_program

PROJECT = Path(__file__).parents[2]
RECIPE = PROJECT / "hw/image"
_HERE = Path(__file__).parent
GUEST = _HERE / "guest"
QEMU = "qemu-system-aarch64"
MACHINE = ("-M", "virt", "-cpu", "cortex-a72", "-smp", "2", "-m", "1024", "-accel", "tcg")
"""The machine in QEMU's terms; without `-accel tcg` it would try a /dev/kvm that does not work."""
_APPLETS = ("modprobe", "mount", "poweroff", "sh", "sleep", "switch_root")
_TRIGGER = "etc/systemd/system/systemd-udev-trigger.service"
_REVISION_4B = 0xC03114


class MachineParts(Struct, frozen=True):
    """The files that a machine is started with."""

    kernel: Path
    initial: Path
    tree: Path
    root: Path


def build_machine() -> MachineParts:
    """Build what is missing or out of date, with one line per step."""
    if not (RECIPE / "image.toml").is_file():
        raise BuildError("the emulator is built in a clone of the project, where hw/image is")
    if os.geteuid() != 0:
        raise BuildError("only root can build the image: its files belong to other users")
    # Debian keeps some of the tools in folders that only root has on its path.
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    return _Build(Steps(PROJECT / "build/emulator", _tell), image.read_recipe(RECIPE)).parts()


class _Build:
    """The steps, and the inputs of each."""

    def __init__(self, steps: Steps, recipe: Recipe) -> None:
        self._steps = steps
        self._recipe = recipe

    def parts(self) -> MachineParts:
        """Do all steps."""
        known = Packages(self._packages())
        with ThreadPoolExecutor() as threads:
            # Two that each wait for the network and use one core.
            waiting = threads.submit(self._kernel, known), threads.submit(self._base, known)
            kernel, base = (each.result() for each in waiting)
        firmware = self._firmware()
        initial = self._initial(base, kernel)
        root = self._root(base, kernel, firmware)
        return MachineParts(
            kernel=kernel / "vmlinuz",
            initial=initial / "initial.cpio",
            tree=initial / "machine.dtb",
            root=root / "root.img",
        )

    def _packages(self) -> Path:
        made_from: list[str | Path] = [*packages.debian_sources(), _HERE / "packages.py"]
        return self._steps.run("packages", "package lists", made_from, packages.prepare)

    def _kernel(self, known: Packages) -> Path:
        return self._steps.run(
            "kernel",
            "kernel, with the GPIO simulator built for it",
            [self._digest("packages"), _HERE / "kernel.py"],
            lambda result: make_kernel(known, result),
        )

    def _base(self, known: Packages) -> Path:
        return self._steps.run(
            "base",
            "Debian packages of the image, Python compiled",
            [self._digest("packages"), *self._recipe.packages, _HERE / "image.py"],
            lambda result: image.make_base(self._recipe, known, result),
        )

    def _firmware(self) -> Path:
        return self._steps.run(
            "firmware",
            "the firmware and what it needs, for aarch64",
            [*_sources(), _HERE / "image.py"],
            lambda result: image.make_firmware(self._recipe, PROJECT, result),
        )

    def _initial(self, base: Path, kernel: Path) -> Path:
        return self._steps.run(
            "initial",
            "first program and device tree",
            [self._digest("kernel"), self._digest("base"), GUEST / "init", _HERE / "build.py"],
            lambda result: _make_initial(base, kernel, result),
        )

    def _root(self, base: Path, kernel: Path, firmware: Path) -> Path:
        def make(result: Path) -> None:
            layers = [base, firmware / "root", *_own_layers(kernel, result)]
            image.assemble(self._recipe, layers, result)

        before = [self._digest(name) for name in ("kernel", "base", "firmware")]
        made_from: list[str | Path] = [*before, RECIPE, GUEST, _HERE / "build.py"]
        return self._steps.run("root", "root file system", made_from, make)

    def _digest(self, name: str) -> str:
        return self._steps.digests[name]


def _sources() -> list[Path]:
    """Return what the firmware is installed from; the recipe is for the image around it."""
    files = [PROJECT / name for name in image.SOURCES if name != "hw"]
    return files + sorted(path for path in RECIPE.parent.iterdir() if path != RECIPE)


def _own_layers(kernel: Path, result: Path) -> list[Path]:
    """Return what is neither Debian's nor the firmware's: the recipe's files and the emulator's."""
    layer = result / "emulator"
    for source, name in (
        (kernel / "lib/modules", "usr/lib/modules"),
        (GUEST / "agent.py", "usr/lib/underfelt-emulator/agent.py"),
        (GUEST / "emulator-agent.service", "etc/systemd/system/emulator-agent.service"),
        (GUEST / "emulator.rules", "etc/udev/rules.d/98-emulator.rules"),
        (GUEST / "fewer-devices.conf", f"{_TRIGGER}.d/fewer-devices.conf"),
    ):
        (layer / name).parent.mkdir(parents=True, exist_ok=True)
        run_program("cp", "-r", source, layer / name)
    wants = layer / "etc/systemd/system/sysinit.target.wants"
    wants.mkdir()
    (wants / "emulator-agent.service").symlink_to("../emulator-agent.service")
    return [RECIPE / "files", layer]


def _make_initial(base: Path, kernel: Path, result: Path) -> None:
    """Make the initial file system of the kernel, and the device tree."""
    root = result / "root"
    for name in ("bin", "dev", "proc", "root", "sys"):
        (root / name).mkdir(parents=True)
    shutil.copy(GUEST / "init", root / "init")
    (root / "modules").write_text("\n".join(MODULES) + "\n", encoding="ascii")
    shutil.copy(base / "bin/busybox", root / "bin/busybox")
    for applet in _APPLETS:
        (root / "bin" / applet).symlink_to("busybox")
    shutil.copytree(kernel / "lib", root / "lib")
    run_program("sh", "-c", "find . | cpio --quiet -o -H newc >../initial.cpio", cwd=root)
    shutil.rmtree(root)
    _make_tree(result / "machine.dtb")


def _make_tree(tree: Path) -> None:
    """Describe QEMU's machine as a Pi 4B whose pins are the simulator's."""
    run_program(QEMU, *MACHINE, "-machine", f"dumpdtb={tree}", "-nic", "none", "-display", "none")
    # The machine's own GPIO would be the first chip.
    for node in ("/gpio-keys", "/pl061@9030000"):
        run_program("fdtput", "-r", tree, node)
    for kind, name, value in (
        ("s", "gpio-sim,label", ["pinctrl-bcm2711"]),
        ("i", "ngpios", ["58"]),
        ("i", "#gpio-cells", ["2"]),
        ("i", "gpio-controller", []),
    ):
        run_program("fdtput", "-p", "-t", kind, tree, "/gpio-sim/bank0", name, *value)
    run_program("fdtput", "-t", "s", tree, "/gpio-sim", "compatible", "gpio-simulator")
    # By this gpiozero recognises the board.
    run_program("fdtput", "-p", tree, "-t", "x", "/system", "linux,revision", f"{_REVISION_4B:x}")


def _tell(line: str) -> None:
    print(f"  {line}", flush=True)


def main() -> int:
    """Build, and say how long it took."""
    started = time.monotonic()
    print("building the emulated Pi in build/emulator", flush=True)
    try:
        build_machine()
    except UnderfeltError as error:
        print(f"emulator: {error}", file=sys.stderr)
        return 1
    print(f"  ready after {time.monotonic() - started:.1f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
