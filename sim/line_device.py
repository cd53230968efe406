"""A simulated serial device: the far end of a pseudo-terminal, speaking the line protocol.

Acknowledges what the table sends and repeats what the table does not acknowledge, as a
real device does. Not simulated: baud rate, lost or damaged bytes, unplugging.
"""

import asyncio
import os
import tty
from collections.abc import Callable
from contextlib import suppress

from firmware.devices.line import Decoder, Frame, Sender, encode

REPEAT_S = 0.25


class LineDevice:
    """One device; `path` is what the table opens."""

    def __init__(self, on_message: Callable[[str], None]) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)  # the standard library's signature
        self.path = os.ttyname(self._slave)
        self._on_message = on_message
        self._decoder = Decoder()
        self._sender = Sender()
        self._idle = asyncio.Event()
        self._repeat: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._master, self._readable)

    async def send(self, text: str) -> None:
        """Send a message and wait until the table has acknowledged it."""
        self._sender.push(text)
        self._idle.clear()
        self._transmit()
        await self._idle.wait()

    def close(self) -> None:
        """Unplug the device."""
        self._loop.remove_reader(self._master)
        if self._repeat is not None:
            self._repeat.cancel()
        os.close(self._master)
        os.close(self._slave)

    def _readable(self) -> None:
        with suppress(BlockingIOError):
            for frame in self._decoder.feed(os.read(self._master, 65_536)):
                self._take(frame)

    def _take(self, frame: Frame) -> None:
        if frame.kind == "message":
            self._write(encode(Frame("acknowledgement", frame.number)))
            self._on_message(frame.text)
            return
        if self._sender.acknowledged(frame.number):
            if self._sender.idle:
                self._idle.set()
            self._transmit()

    def _transmit(self) -> None:
        if self._repeat is not None:
            self._repeat.cancel()
            self._repeat = None
        data = self._sender.next_bytes()
        if data:
            self._write(data)
            self._repeat = self._loop.call_later(REPEAT_S, self._transmit)

    def _write(self, data: bytes) -> None:
        # A table that is down does not read; the message is repeated when it is back.
        with suppress(BlockingIOError):
            os.write(self._master, data)
