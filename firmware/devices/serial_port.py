"""A serial line in the event loop: pyserial opens it, the loop reads its descriptor.

Speaks the line protocol of `line.py` and hands each message on with its number; the
message is acknowledged when `acknowledge` is called, which the runtime does once the
event is on the disk. Reconnecting and fault counting are not here yet.
"""

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress

import serial

from firmware.devices.line import Decoder, Frame, Sender, encode

BAUD = 115_200
REPEAT_S = 0.25
_READ_BYTES = 4_096

OnMessage = Callable[[str, int], None]
"""What to do with a message: its text and its number."""


class SerialPort:
    """One serial device that speaks the line protocol."""

    def __init__(self, path: str, on_message: OnMessage) -> None:
        """Open the port and read it from the running event loop."""
        self._port = serial.Serial(path, BAUD, timeout=0)
        self._descriptor = self._port.fileno()
        os.set_blocking(self._descriptor, False)  # the standard library's signature
        self._on_message = on_message
        self._decoder = Decoder()
        self._sender = Sender()
        self._repeat: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._descriptor, self._readable)

    def send(self, text: str) -> None:
        """Send a message, and again until it is acknowledged."""
        idle = self._sender.idle
        self._sender.push(text)
        if idle:
            self._transmit()

    def acknowledge(self, number: int) -> None:
        """Tell the device that its message need not be repeated."""
        self._write(encode(Frame("acknowledgement", number)))

    def close(self) -> None:
        """Stop reading and close the port."""
        self._loop.remove_reader(self._descriptor)
        if self._repeat is not None:
            self._repeat.cancel()
        self._port.close()

    def _readable(self) -> None:
        with suppress(BlockingIOError):
            for frame in self._decoder.feed(os.read(self._descriptor, _READ_BYTES)):
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

    def _write(self, data: bytes) -> None:
        # A line whose other end does not read fills up; what is cut off is repeated later.
        with suppress(BlockingIOError):
            os.write(self._descriptor, data)
