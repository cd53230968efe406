"""The far end of a serial line: a pseudo-terminal whose bytes can go wrong on demand.

`path` is what the table opens; it is a link that stays the same when the device is
unplugged and plugged in again. `faults` says what happens to the bytes that the device
sends. Not simulated: the time that bytes take at a baud rate, parity and framing errors,
modem lines, and a USB adapter that stays while the device behind it is gone (that is
silence).
"""

import asyncio
import os
import tty
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import mkdtemp

from msgspec import Struct

_READ_BYTES = 65_536


class WireFaults(Struct):
    """What happens to what the device sends; chances are 0 to 1, per write."""

    drop: float = 0.0
    corrupt: float = 0.0
    duplicate: float = 0.0
    delay_s: float = 0.0
    split: bool = False
    """Every byte arrives alone."""
    silent: bool = False
    wrong_baud: bool = False
    """Every byte arrives as another one, as at half the baud rate."""

    def pieces(self, data: bytes, rng: Random) -> list[bytes]:
        """Return the pieces of some bytes that arrive."""
        if self.silent or rng.random() < self.drop:
            return []
        if rng.random() < self.corrupt:
            place = rng.randrange(len(data))
            flipped = data[place] ^ 1 << rng.randrange(8)
            data = data[:place] + bytes([flipped]) + data[place + 1 :]
        if self.wrong_baud:
            data = bytes(_at_half_the_rate(byte) for byte in data)
        if rng.random() < self.duplicate:
            data += data
        return [bytes([byte]) for byte in data] if self.split else [data]


def _at_half_the_rate(byte: int) -> int:
    """Return what a receiver that samples every bit twice sees: never a newline."""
    low = byte & 15
    return 0x80 | sum((low >> bit & 1) * (3 << 2 * bit) for bit in range(4))


class PtyPort:
    """A pseudo-terminal that can be unplugged and plugged in again."""

    def __init__(
        self, on_bytes: Callable[[bytes], None], link: Path | None = None, seed: int = 0
    ) -> None:
        """Plug the device in, under its own link if none is given."""
        self._link = link or Path(mkdtemp(prefix="underfelt-port-")) / "port"
        self._own_folder = link is None
        self._on_bytes = on_bytes
        self._rng = Random(seed)
        self._loop = asyncio.get_running_loop()
        self._ends: tuple[int, int] | None = None
        self.faults = WireFaults()
        self.tap: Callable[[bytes], None] | None = None
        """Listens to the bytes that come from the table."""
        self.plug_in()

    @property
    def path(self) -> str:
        """What the table opens."""
        return str(self._link)

    @property
    def plugged_in(self) -> bool:
        """Whether the device is plugged in."""
        return self._ends is not None

    def plug_in(self) -> None:
        """Make the port appear."""
        if self._ends is not None:
            return
        self._ends = master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(master, False)  # the library's signature
        self._loop.add_reader(master, self._readable)
        waiting = self._link.with_name(f"{self._link.name}.new")
        waiting.unlink(missing_ok=True)
        waiting.symlink_to(os.ttyname(slave))
        waiting.replace(self._link)

    def unplug(self) -> None:
        """Make the port vanish."""
        if self._ends is None:
            return
        master, slave = self._ends
        self._ends = None
        self._loop.remove_reader(master)
        self._link.unlink(missing_ok=True)
        os.close(master)
        os.close(slave)

    def close(self) -> None:
        """Take the port apart."""
        self.unplug()
        if self._own_folder:
            with suppress(OSError):
                self._link.parent.rmdir()

    def write(self, data: bytes) -> None:
        """Send bytes to the table, through the faults."""
        for piece in self.faults.pieces(data, self._rng):
            if self.faults.delay_s:
                self._loop.call_later(self.faults.delay_s, self.write_raw, piece)
            else:
                self.write_raw(piece)

    def write_raw(self, data: bytes) -> None:
        """Send bytes unchanged; what nobody reads is lost when the line is full."""
        if self._ends is not None:
            with suppress(OSError):
                os.write(self._ends[0], data)

    def babble(self, count: int) -> None:
        """Send noise, this many bytes."""
        self.write_raw(self._rng.randbytes(count))

    def _readable(self) -> None:
        if self._ends is None:
            return
        with suppress(OSError):
            data = os.read(self._ends[0], _READ_BYTES)
            if data and self.tap is not None:
                self.tap(data)
            if data:
                self._on_bytes(data)


class PluggedDevice:
    """A device at the far end of a port; `path` is what the table opens."""

    def __init__(self, on_bytes: Callable[[bytes], None], link: Path | None, seed: int) -> None:
        self._port = PtyPort(on_bytes, link, seed)

    @property
    def path(self) -> str:
        """What the table opens."""
        return self._port.path

    @property
    def faults(self) -> WireFaults:
        """What happens to the bytes that the device sends."""
        return self._port.faults

    def babble(self, count: int) -> None:
        """Send noise, this many bytes."""
        self._port.babble(count)

    def unplug(self) -> None:
        """Pull the cable out; the device itself keeps running."""
        self._port.unplug()

    def plug_in(self) -> None:
        """Put the cable back."""
        self._port.plug_in()

    def close(self) -> None:
        """Take the device away for good."""
        self._port.close()
