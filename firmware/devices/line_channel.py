"""One end of a line in the event loop: repeats what is not acknowledged, ignores its own echo.

Both ends are the same but for how they count: the table's (`line_port.py`) and that of a
device, such as the simulator's. Bytes come in through `feed` and go out through the owner's
`write`; opening, reading and closing a descriptor are up to the owner.
"""

import asyncio
from collections.abc import Callable

from firmware.devices.line import MOST_TRIES, NOBODYS, Decoder, Frame, Sender, encode

REPEAT_S = 0.25

OnMessage = Callable[[str, int], None]
"""What to do with a message: its text and its number."""
OnAnnouncement = Callable[[str], None]


class LineChannel:
    """The line protocol over a way to write bytes, from the running event loop."""

    def __init__(
        self,
        write: Callable[[bytes], None],
        on_message: OnMessage,
        on_announcement: OnAnnouncement,
        numbers: range,
    ) -> None:
        """Take the end that counts its messages with these numbers."""
        self._numbers = numbers
        self._write = write
        self._on_message = on_message
        self._on_announcement = on_announcement
        self.decoder = Decoder()
        self._sender = Sender(numbers)
        self._repeat: asyncio.TimerHandle | None = None
        self._idle = asyncio.Event()
        self._idle.set()
        self._loop = asyncio.get_running_loop()
        self.resent = 0
        self.echoed = 0
        """How many messages came back that only this end can have sent."""
        self.answered = False
        """Whether the other end has acknowledged something since the line was cleared."""

    def send(self, text: str) -> None:
        """Send a message, and again until it is acknowledged."""
        idle = self._sender.idle
        self._idle.clear()
        self._sender.push(text)
        if idle:
            self._transmit()

    def announce(self, text: str) -> None:
        """Say something once, whether it is heard or not."""
        self._write(encode(Frame("announcement", 0, text)))

    @property
    def unheard(self) -> bool:
        """Whether the other end has acknowledged nothing for as long as a message is tried."""
        return self._sender.unanswered > MOST_TRIES

    async def all_acknowledged(self) -> None:
        """Wait until everything that was sent has been acknowledged."""
        await self._idle.wait()

    @property
    def in_flight(self) -> Frame | None:
        """The message that the other end has not acknowledged yet."""
        return self._sender.in_flight

    def acknowledge(self, number: int) -> None:
        """Tell the other end not to repeat its message."""
        self._write(encode(Frame("acknowledgement", number)))

    def feed(self, data: bytes) -> int:
        """Take the bytes that have come; return how many good frames they completed."""
        frames = self.decoder.feed(data)
        for frame in frames:
            if frame.kind == "message" and frame.number in self._numbers:
                self.echoed += 1
            elif frame.kind == "message" and frame.number == NOBODYS:
                self.decoder.dropped += 1
            elif frame.kind == "message":
                self._on_message(frame.text, frame.number)
            elif frame.kind == "announcement":
                self._on_announcement(frame.text)
            elif self._sender.acknowledged(frame.number):
                self.answered = True
                self._transmit()
        return len(frames)

    def clear(self) -> None:
        """Forget what was to be sent, and half a line that was heard."""
        self.answered = False
        self._sender.clear()
        self.decoder.reset()
        self._transmit()

    def close(self) -> None:
        """Stop repeating."""
        if self._repeat is not None:
            self._repeat.cancel()
            self._repeat = None

    def _transmit(self) -> None:
        """Send what is due, and come back unless everything is acknowledged."""
        self.close()
        data = self._sender.next_bytes()
        if not data:
            self._idle.set()
            return
        if self._sender.repeating:
            self.resent += 1
            data = b"\n" + data  # ends any noise on the line
        self._write(data)
        self._repeat = self._loop.call_later(REPEAT_S, self._transmit)
