"""The line to the table over USB, which never holds up the loop: not for a host that does not read.

A host that keeps the port open and stops reading would hold up a write for half a second, so a byte is
written only where there is room for one. What a host has not read for a second is dropped: its ages
would be wrong by then. Everything on it is repeated until it is acknowledged.
"""

import select

TYPE_CHECKING = False  # MicroPython has no module `typing`
if TYPE_CHECKING:
    from typing import Any

STALE_MS = 1_000
MOST_READ = 128
"""A host that writes without end must not hold up the loop either."""


class UsbLine:
    """Bytes in and out."""

    def __init__(self, reader: "Any", writer: "Any") -> None:  # noqa: ANN401  # whatever can be polled
        """Take the two streams, which may be one."""
        self._reader, self._writer = reader, writer
        self._readable, self._writable = select.poll(), select.poll()
        self._readable.register(reader, select.POLLIN)
        self._writable.register(writer, select.POLLOUT)
        self._unsaid = b""
        self._said = 0
        self._since_ms = 0
        self._torn = False
        """Whether the last line was cut off."""

    def wait(self, most_ms: int) -> bytes:
        """Return the bytes that come within this time, as soon as there are some."""
        heard = bytearray()
        while len(heard) < MOST_READ and self._readable.poll(0 if heard else most_ms):
            byte = self._reader.read(1)
            if not byte:
                break
            heard.extend(byte)
        return bytes(heard)

    @property
    def free(self) -> bool:
        """Whether everything has been written."""
        return self._said >= len(self._unsaid)

    def say(self, data: bytes, at_ms: int) -> None:
        """Write bytes, as soon as there is room for them; only when the line is free."""
        self._unsaid = b"\n" + data if self._torn else data
        self._said, self._since_ms, self._torn = 0, at_ms, False

    def write(self, at_ms: int) -> None:
        """Write what there is room for now."""
        while self._said < len(self._unsaid) and self._writable.poll(0):
            self._writer.write(self._unsaid[self._said : self._said + 1])
            self._said += 1
        if not self.free and at_ms - self._since_ms >= STALE_MS:
            self._torn = self._torn or self._said > 0
            self._unsaid, self._said = b"", 0
