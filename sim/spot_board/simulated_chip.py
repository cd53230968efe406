"""The chip of a simulated spot board: runs on MicroPython's unix port, and there runs the real program.

    micropython simulated_chip.py ROOT CONTROL FLASH DIGEST SCRATCH

It stands in for the chip's own modules `machine` and `rp2`; the program does not know. Lines on the
descriptor CONTROL, from `process.py`: `levels <hex>` drives the inputs. To it: `lamps <hex>` whenever the
registers take over other levels, `kick` when the lamp drivers are enabled for another moment, `watchdog <ms>`
when that is armed, `scratch <value>` when what outlives a reset changes, `reset`, and `released`. Not
simulated: the time that flash takes, the file system, and pins that are wired to the wrong place.
"""

import os
import select
import sys
import time

TYPE_CHECKING = False  # MicroPython has no module `typing`
if TYPE_CHECKING:
    from typing import NoReturn

ROOT, CONTROL, FLASH, DIGEST, SCRATCH = sys.argv[1:6]
_GPIO_IN = 0xD0000004
_SCRATCH = 0x4005800C
_ENABLE_PIN = 16
_LATCH_PIN = 17
_CLOCK_PIN = 18
_DATA_PIN = 19
_ERASE = 6
_SECTOR_BYTES = 4_096
_STORAGE_SECTORS = 2


class Control:
    """The other side of the pins."""

    def __init__(self, descriptor: int) -> None:
        self._file = open(descriptor, "r+b")  # noqa: SIM115  # for good
        self._poll = select.poll()
        self._poll.register(self._file, select.POLLIN)
        self._levels = 0
        self._hear()

    def levels(self) -> int:
        """Return how the inputs are driven now."""
        while self._poll.poll(0):
            self._hear()
        return self._levels

    def tell(self, line: str) -> None:
        """Tell what the program does."""
        self._file.write(line.encode() + b"\n")

    def _hear(self) -> None:
        line = self._file.readline()
        if not line:
            sys.exit()  # without the simulator there is no power
        self._levels = int(line.split()[1], 16)


class Registers:
    """The chip's memory, as far as the program uses it."""

    def __getitem__(self, address: int) -> int:
        if address == _GPIO_IN:
            return control.levels()
        return scratch[0] if address == _SCRATCH else 0

    def __setitem__(self, address: int, value: int) -> None:
        if address == _SCRATCH:
            scratch[0] = value
            control.tell(f"scratch {value}")


class Pin:
    """A pin; two of them mean something outside."""

    IN, OUT, PULL_DOWN = 0, 1, 2

    def __init__(self, number: int, *_: int, value: int = 0) -> None:
        self.number, self._level = number, value

    def value(self, level: int) -> None:
        """Drive the pin."""
        rises, self._level = level > self._level, level
        if rises and self.number == _LATCH_PIN:
            outputs.latch()
        if rises and self.number == _ENABLE_PIN:
            control.tell("kick")


class Outputs:
    """The two shift registers in a row, on the only SPI that is used."""

    def __init__(self) -> None:
        self._shifted = b"\0\0"
        self._lit = -1
        """Not known: registers keep through a reset what they were told before."""

    def write(self, data: bytes) -> None:
        """Shift bytes in: the last one stays in the first register."""
        self._shifted = (self._shifted + data)[-2:]

    def latch(self) -> None:
        """Take over what was shifted in."""
        lit = self._shifted[0] << 8 | self._shifted[1]
        if lit != self._lit:
            self._lit = lit
            control.tell(f"lamps {lit:04x}")


class Watchdog:
    """A watchdog that `process.py` lets bite when the program is made to hang."""

    def __init__(self, timeout: int) -> None:
        control.tell(f"watchdog {timeout}")

    def feed(self) -> None:
        """Live on."""


class Flash:
    """The storage: a file, which behaves as flash does: a write clears bits, erasing sets them."""

    def __init__(self, start: int = 0, len: int = -1) -> None:  # noqa: A002  # the chip's names
        sectors = len // _SECTOR_BYTES if len >= 0 else _STORAGE_SECTORS - start // _SECTOR_BYTES
        if sectors <= 0:
            raise ValueError("no room")
        self._first = start // _SECTOR_BYTES
        try:
            os.stat(FLASH)  # noqa: PTH116  # MicroPython has no pathlib
        except OSError:
            with open(FLASH, "wb") as file:  # noqa: PTH123  # the same
                file.write(b"\xff" * _SECTOR_BYTES * _STORAGE_SECTORS)

    def readblocks(self, block: int, buffer: bytearray, offset: int = 0) -> None:
        """Read bytes."""
        with open(FLASH, "rb") as file:  # noqa: PTH123  # MicroPython has no pathlib
            file.seek((self._first + block) * _SECTOR_BYTES + offset)
            file.readinto(buffer)

    def writeblocks(self, block: int, buffer: bytes, offset: int = 0) -> None:
        """Clear bits."""
        there = bytearray(len(buffer))
        self.readblocks(block, there, offset)
        self._write(block, offset, bytes(a & b for a, b in zip(there, buffer)))  # noqa: B905  # MicroPython's

    def ioctl(self, command: int, block: int) -> int:
        """Erase a sector; nothing else is asked for."""
        if command == _ERASE:
            self._write(block, 0, b"\xff" * _SECTOR_BYTES)
        return 0

    def _write(self, block: int, offset: int, data: bytes) -> None:
        with open(FLASH, "r+b") as file:  # noqa: PTH123  # MicroPython has no pathlib
            file.seek((self._first + block) * _SECTOR_BYTES + offset)
            file.write(data)


class Machine:
    """The module `machine`."""

    def __init__(self) -> None:
        self.Pin = Pin
        self.mem32 = Registers()

    def SPI(  # noqa: N802  # the chip's name
        self, _number: int, *, baudrate: int, sck: Pin, mosi: Pin, miso: "Pin | None"
    ) -> Outputs:
        """Return the one that there is; by default it would take the pin of the enable for its input."""
        if baudrate <= 0 or (sck.number, mosi.number, miso) != (_CLOCK_PIN, _DATA_PIN, None):
            raise ValueError("no such bus")
        return outputs

    def WDT(self, timeout: int) -> Watchdog:  # noqa: N802  # the chip's name
        """Arm the watchdog."""
        return Watchdog(timeout)

    def reset(self) -> "NoReturn":
        """Wait for the simulator to begin anew."""
        control.tell("reset")
        while True:
            time.sleep(1)


class Rp2:
    """The module `rp2`."""

    def __init__(self) -> None:
        self.Flash = Flash


scratch = [int(SCRATCH)]
outputs = Outputs()
control = Control(int(CONTROL))
sys.modules["machine"] = Machine()  # type: ignore[assignment]  # what it imports by this name
sys.modules["rp2"] = Rp2()  # type: ignore[assignment]  # the same
sys.path.insert(0, ROOT)

from firmware.spot_board import start  # noqa: E402  # it needs what was just made

start.start(DIGEST)
control.tell("released")
sys.stdout.buffer.write(b"\r\n>>> ")
while True:
    control.levels()
    time.sleep(1)
