"""The kernel of the emulated Pi: Debian's own, and Linux's GPIO simulator as a module for it.

Debian builds its kernels without the simulator, so it is built here from Debian's
source of the same kernel. The result: `vmlinuz`, and below `lib/modules` the few
modules that the machine needs.
"""

import re
import shutil
from pathlib import Path

from sim.emulator.packages import Packages
from sim.emulator.steps import BuildError, run_program

MODULES = (
    *("virtio_pci", "virtio_blk", "ext4", "crc32c_generic"),  # disks
    *("virtio_net", "virtio_console", "virtio_rng"),
    *("xhci_pci", "ftdi_sio"),  # the serial ports are USB adapters, as on a table
    *("gpio_sim", "i6300esb", "autofs4"),
)
_CROSS = "aarch64-linux-gnu-"
_SOURCES = ("drivers/gpio/gpio-sim.c", "drivers/gpio/gpiolib.h", "kernel/irq/irq_sim.c")
_MAKEFILE = "obj-m := gpio-sim.o\ngpio-sim-y := gpio-sim-core.o irq_sim.o\n"


def make_kernel(packages: Packages, result: Path) -> None:
    """Unpack the kernel, build the simulator for it and keep what the machine needs."""
    image = packages.newest("linux-image-arm64")
    version = image.removeprefix("linux-image-")
    series = ".".join(version.split(".")[:2])
    work = result / "work"
    packages.unpack([image], work)
    module = _build_simulator(packages, version, series, work)
    modules = work / "lib/modules" / version
    shutil.copy(module, modules / "kernel/drivers/gpio")
    shutil.copy(work / f"boot/vmlinuz-{version}", result / "vmlinuz")
    run_program("depmod", "-b", work, version)
    kept = result / "lib/modules" / version
    for name in _with_dependencies(modules / "modules.dep"):
        (kept / name).parent.mkdir(parents=True, exist_ok=True)
        run_program(f"{_CROSS}strip", "--strip-debug", "-o", kept / name, modules / name)
    for name in ("modules.builtin", "modules.builtin.modinfo", "modules.order"):
        shutil.copy(modules / name, kept)
    run_program("depmod", "-b", result, version)
    shutil.rmtree(work)


def _build_simulator(packages: Packages, version: str, series: str, work: Path) -> Path:
    """Build the module against the headers of the kernel, and return its file."""
    own = run_program("dpkg", "--print-architecture").strip()
    headers = work / "usr/src" / f"linux-headers-{version}"
    common = headers.name.replace("-arm64", "-common")
    packages.unpack([headers.name, common, f"linux-kbuild-{series}:{own}"], work)
    makefile = headers / "Makefile"
    text = makefile.read_text(encoding="utf-8")
    makefile.write_text(text.replace("/usr/src", str(work / "usr/src")), encoding="utf-8")
    packages.unpack([f"linux-source-{series}"], work)
    source = work / "simulator"
    source.mkdir()
    _take_sources(work / f"usr/src/linux-source-{series}.tar.xz", source)
    run_program("make", "-s", "-C", headers, f"M={source}", "ARCH=arm64", f"CROSS_COMPILE={_CROSS}")
    return source / "gpio-sim.ko"


def _take_sources(archive: Path, source: Path) -> None:
    """Take the simulator out of the kernel's source, and make one module of its two parts."""
    prefix = archive.name.removesuffix(".tar.xz")
    wanted = [f"{prefix}/{name}" for name in _SOURCES]
    run_program("tar", "-xJf", archive, "-C", source, "--transform=s,.*/,,", *wanted)
    (source / "Makefile").write_text(_MAKEFILE, encoding="utf-8")
    simulator = (source / "gpio-sim.c").read_text(encoding="utf-8")
    # A sensor drives its line: the pull resistor that the firmware asks for has no effect.
    bias = "return gpio_sim_apply_pull(chip, offset, {});"
    for level in (0, 1):
        simulator = _replaced(simulator, bias.format(level), "return chip ? 0 : -EINVAL;")
    (source / "gpio-sim-core.c").write_text(simulator, encoding="utf-8")
    # Debian's kernel has no simulated interrupts either, and does not export this function.
    interrupts = (source / "irq_sim.c").read_text(encoding="utf-8")
    include = "#include <linux/irq.h>\n"
    interrupts = _replaced(interrupts, include, f"{include}#include <linux/irqdesc.h>\n")
    pattern = r"irq_to_desc\(([^)]*)\)"
    interrupts, count = re.subn(pattern, r"irq_data_to_desc(irq_get_irq_data(\1))", interrupts)
    if not count:
        raise BuildError("the simulated interrupts of this kernel are not those expected")
    (source / "irq_sim.c").write_text(interrupts, encoding="utf-8")


def _replaced(text: str, old: str, new: str) -> str:
    if text.count(old) != 1:
        raise BuildError(f"the GPIO simulator of this kernel is not the one expected: {old!r}")
    return text.replace(old, new)


def _with_dependencies(listing: Path) -> list[str]:
    """Return the files of the modules wanted and of those they need."""
    needs = {}
    for line in listing.read_text(encoding="utf-8").splitlines():
        name, _, others = line.partition(":")
        needs[_module(name)] = (name, others.split())
    files: set[str] = set()
    for module in MODULES:
        if module not in needs:
            raise BuildError(f"the kernel has no module {module}")
        file, dependencies = needs[module]
        files |= {file, *dependencies}
    return sorted(files)


def _module(file: str) -> str:
    return Path(file).stem.replace("-", "_")
