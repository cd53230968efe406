"""Whether a Pico waits in BOOTSEL: on the bus, but with no program and no serial port.

The boot ROM of the chip has an identity of its own on USB.
"""

from contextlib import suppress
from pathlib import Path

USB_DEVICES = Path("/sys/bus/usb/devices")
ROM = ("2e8a", "0003")
"""Vendor and product of an RP2040's boot ROM."""
WAITS = "a Pico waits in BOOTSEL without a program: run 'underfelt board flash'"


def pico_waits(devices: Path = USB_DEVICES) -> bool:
    """Return whether one is plugged in anywhere."""
    return any(_identity(device) == ROM for device in devices.glob("*"))


def _identity(device: Path) -> tuple[str, ...]:
    with suppress(OSError, ValueError):
        names = ("idVendor", "idProduct")
        return tuple((device / name).read_text(encoding="ascii").strip() for name in names)
    return ()
