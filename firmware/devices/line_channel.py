"""One end of a line in the event loop: reads a descriptor, repeats what is not acknowledged.

Both ends are the same: the table's (`serial_port.py`) and that of a device, such as the
simulator's. Opening and closing the descriptor is the owner's business.
"""

import asyncio
import logging
import os
from collections.abc import Callable
from contextlib import suppress

from firmware.devices.line import Decoder, Frame, Sender, encode

_log = logging.getLogger(__name__)

REPEAT_S = 0.25
_READ_BYTES = 65_536

OnMessage = Callable[[str, int], None]
"""What to do with a message: its text and its number."""


class LineChannel:
    """The line protocol on a descriptor, from the running event loop."""

    def __init__(self, descriptor: int, on_message: OnMessage) -> None:
        os.set_blocking(descriptor, False)  # the standard library's signature
        self._descriptor = descriptor
        self._on_message = on_message
        self._decoder = Decoder()
        self._sender = Sender()
        self._repeat: asyncio.TimerHandle | None = None
        self._idle = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(descriptor, self._readable)

    def send(self, text: str) -> None:
        """Send a message, and again until it is acknowledged."""
        idle = self._sender.idle
        self._idle.clear()
        self._sender.push(text)
        if idle:
            self._transmit()

    async def all_acknowledged(self) -> None:
        """Wait until everything that was sent has been acknowledged."""
        await self._idle.wait()

    def acknowledge(self, number: int) -> None:
        """Tell the other end that its message need not be repeated."""
        self._write(encode(Frame("acknowledgement", number)))

    def close(self) -> None:
        """Stop reading and repeating; the descriptor stays open."""
        self._loop.remove_reader(self._descriptor)
        if self._repeat is not None:
            self._repeat.cancel()

    def _readable(self) -> None:
        try:
            data = os.read(self._descriptor, _READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            # The other end is gone; reading on would spin the loop.
            self._loop.remove_reader(self._descriptor)
            _log.error("a serial line has gone: descriptor %d", self._descriptor)
        for frame in self._decoder.feed(data):
            if frame.kind == "message":
                self._on_message(frame.text, frame.number)
            elif self._sender.acknowledged(frame.number):
                self._transmit()

    def _transmit(self) -> None:
        """Send what is due, and come back unless everything is acknowledged."""
        if self._repeat is not None:
            self._repeat.cancel()
            self._repeat = None
        data = self._sender.next_bytes()
        if data:
            self._write(data)
            self._repeat = self._loop.call_later(REPEAT_S, self._transmit)
        else:
            self._idle.set()

    def _write(self, data: bytes) -> None:
        # A line whose other end does not read fills up, and one that is unplugged fails;
        # what is lost is repeated later.
        with suppress(OSError):
            os.write(self._descriptor, data)
