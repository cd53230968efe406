"""The emulated machine as a QEMU command, and its disks.

Three disks, as a table's card has three partitions: the system, which is shared and
never written; the settings, rewritten at every start; the journal, which stays.
"""

import shutil
from collections.abc import Mapping
from pathlib import Path

from sim import lifeline
from sim.emulator.build import MACHINE, QEMU, MachineParts
from sim.emulator.steps import run_program

GUEST_LOOPBACK = "10.0.2.2"
"""This machine's loopback, as seen from inside."""
PORT = "/dev/underfelt/{}"
JOURNAL_MEGABYTES = 32


def machine_command(
    parts: MachineParts, folder: Path, pins: Path, ports: Mapping[str, str]
) -> list[str]:
    """Return the command that runs the machine; serial ports by name, with what they connect to."""
    disks = [(parts.root, "on"), (folder / "settings.img", "on"), (folder / "journal.img", "off")]
    words = lifeline.program(QEMU, *MACHINE, "-nodefaults", "-display", "none")
    words += ["-kernel", str(parts.kernel), "-initrd", str(parts.initial), "-dtb", str(parts.tree)]
    words += ["-append", "console=ttyAMA0 quiet systemd.journald.forward_to_console=1"]
    words += ["-chardev", "stdio,id=console,signal=off", "-serial", "chardev:console"]
    for place, (file, readonly) in enumerate(disks):
        drive = f"file={file},id=disk{place},if=none,format=raw,readonly={readonly}"
        words += ["-drive", drive, "-device", f"virtio-blk-pci,drive=disk{place}"]
    words += ["-netdev", "user,id=net", "-device", "virtio-net-pci,netdev=net,romfile="]
    words += ["-device", "virtio-rng-pci"]
    words += ["-device", "i6300esb", "-action", "watchdog=reset"]
    words += ["-chardev", f"socket,id=pins,path={pins}", "-device", "virtio-serial-pci"]
    words += ["-device", "virtserialport,chardev=pins,name=underfelt"]
    words += ["-device", "qemu-xhci"]
    for name, path in ports.items():
        words += ["-chardev", f"serial,id={name},path={path}"]
        words += ["-device", f"usb-serial,chardev={name},serial={name}"]
    return words


def make_settings(folder: Path, texts: Mapping[str, str]) -> None:
    """Write the settings of the table, as a technician writes them to its card."""
    files = folder / "settings"
    shutil.rmtree(files, ignore_errors=True)
    files.mkdir(parents=True)
    for name, text in texts.items():
        (files / name).write_text(text, encoding="utf-8")
    image = folder / "settings.img"
    image.unlink(missing_ok=True)
    _make_disk(image, "settings", 2, "-d", str(files))


def make_journal(folder: Path) -> None:
    """Make the journal's disk, unless it exists."""
    image = folder / "journal.img"
    if not image.exists():
        _make_disk(image, "journal", JOURNAL_MEGABYTES, "-m", "0")


def _make_disk(image: Path, label: str, megabytes: int, *options: str) -> None:
    run_program("mke2fs", "-q", "-t", "ext4", "-L", label, *options, image, f"{megabytes}M")
