r"""The Underfelt line protocol: how shoe, panel and sign talk to the table.

    !<number> <text>*<crc>\n     a message, to be acknowledged
    +<number>*<crc>\n            the acknowledgement of a message

Readable ASCII; `crc` is the CRC-16/XMODEM of everything before the `*`, as four hex
digits. A sender repeats a message until it is acknowledged, with the same number, and
only then sends the next one; so a message with the number of the one before it is a
repetition. Numbers run from 1 to 999 and around.

Pure: bytes in, frames out. A line that does not fit is dropped, and the sender repeats
it. What the texts mean is in `shoe.py`, `panel.py` and `sign.py`.
"""

import re
from binascii import crc_hqx
from typing import Literal

from msgspec import Struct

LAST_NUMBER = 999
LONGEST_LINE = 4_096
_LINE = re.compile(
    rb"^(?P<body>(?P<kind>[!+])(?P<number>\d{1,3})(?: (?P<text>.*))?)\*(?P<crc>[0-9A-F]{4})$"
)


class Frame(Struct, frozen=True):
    """One line, read."""

    kind: Literal["message", "acknowledgement"]
    number: int
    text: str = ""


def encode(frame: Frame) -> bytes:
    """Write a frame as its line; what is not ASCII is escaped."""
    if frame.kind == "message":
        text = frame.text.encode("ascii", "backslashreplace").replace(b"\n", b"\\n")
        body = b"!%d %s" % (frame.number, text)
    else:
        body = b"+%d" % frame.number
    return b"%s*%04X\n" % (body, crc_hqx(body, 0))


def decode(line: bytes) -> Frame | None:
    """Read one line without its newline; None if it is not a good frame."""
    found = _LINE.match(line)
    if found is None or crc_hqx(found["body"], 0) != int(found["crc"], 16):
        return None
    number = int(found["number"])
    if found["kind"] == b"+":
        return Frame("acknowledgement", number)
    return Frame("message", number, (found["text"] or b"").decode("ascii", "replace"))


class Decoder:
    """Cuts a stream of bytes into frames, however it is split; counts what it drops."""

    def __init__(self) -> None:
        self._rest = b""
        self._too_long = False
        self.dropped = 0

    def feed(self, data: bytes) -> list[Frame]:
        """Take some bytes and give the good frames that are complete now."""
        *lines, rest = (self._rest + data).split(b"\n")
        frames = [self._frame(line) for line in lines]
        if len(rest) > LONGEST_LINE:
            # Its beginning is forgotten; its end, when it comes, is no line of its own.
            rest, self._too_long = b"", True
        self._rest = rest
        self.dropped += frames.count(None)
        return [frame for frame in frames if frame is not None]

    def _frame(self, line: bytes) -> Frame | None:
        too_long = self._too_long or len(line) > LONGEST_LINE
        self._too_long = False
        return None if too_long else decode(line.removesuffix(b"\r"))


class Sender:
    """One message at a time, repeated until it is acknowledged."""

    def __init__(self) -> None:
        self._waiting: list[str] = []
        self._number = 0
        self._in_flight: Frame | None = None

    def push(self, text: str) -> None:
        """Queue a message."""
        self._waiting.append(text)

    def acknowledged(self, number: int) -> bool:
        """Note an acknowledgement; one for another number is an old one, and changes nothing."""
        if self._in_flight is None or self._in_flight.number != number:
            return False
        self._in_flight = None
        return True

    def next_bytes(self) -> bytes:
        """Give what has to be sent now: the message in flight again, or the next one."""
        if self._in_flight is None and self._waiting:
            self._number = self._number % LAST_NUMBER + 1
            self._in_flight = Frame("message", self._number, self._waiting.pop(0))
        return encode(self._in_flight) if self._in_flight else b""

    @property
    def idle(self) -> bool:
        """Whether everything queued has been acknowledged."""
        return self._in_flight is None and not self._waiting
