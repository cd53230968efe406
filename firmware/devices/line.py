r"""The Underfelt line protocol: how shoe, shuffler, panel and sign talk to the table.

    !<number> <text>*<crc>\n     a message, to be acknowledged
    +<number>*<crc>\n            the acknowledgement of a message
    =<text>*<crc>\n              an announcement, neither numbered nor acknowledged

Readable ASCII; `crc` is the CRC-16/XMODEM of everything before the `*`, as four hex
digits. A sender repeats a message until it is acknowledged, with the same number, and
only then sends the next one; so a message with the same number as the one before it is a
repeat. A device counts from 1 to 499 and the table from 501 to 999, over and over: whose
message it is, or whose is acknowledged, shows in the number alone. That matters because a
serial port sends back what it hears until its driver is told not to, and a device that took
its own words for the table's would think a card or a key taken that nobody has.
`hw/line-protocol.md` is the whole description, for makers of devices.

Pure: bytes in, frames out. A bad line is dropped, and the sender repeats it. What
the texts mean is in `card_source.py`, `panel.py` and `sign.py`; who announces what, and when,
in `line_port.py`.
"""

import re
from binascii import crc_hqx
from typing import Literal

from msgspec import Struct

DEVICE_NUMBERS = range(1, 500)
TABLE_NUMBERS = range(501, 1000)
NOBODYS = 500
"""The number between the two ends': a message that has it is dropped."""
LONGEST_LINE = 4_096
LASTING = frozenset({"SHOW", "SIGN"})
"""Messages, by their first word, that a device shows until the next one."""
NEWEST_ONLY = LASTING | {"REFUSED"}
"""Messages of which only the newest counts: so no more of them wait than there are kinds."""
MOST_TRIES = 24
"""A message that is not acknowledged after so many tries, six seconds, holds up no other."""
_LINE = re.compile(
    rb"^(?P<body>(?:(?P<kind>[!+])(?P<number>[1-9]\d{0,2})(?: (?P<text>.*))?|=(?P<said>.*)))"
    rb"\*(?P<crc>[0-9A-F]{4})$"
)


class Frame(Struct, frozen=True):
    """One line, read; an announcement has no number."""

    kind: Literal["message", "acknowledgement", "announcement"]
    number: int
    text: str = ""


_SPELT = str.maketrans(
    {"§": "par. ", "♣": "c", "♦": "d", "♥": "h", "♠": "s", "–": "-", "−": "-", "×": "x", "|": "/"}
)


def word_of(text: str) -> str:
    """Give the first word of a message: what kind it is."""
    return text.partition(" ")[0]


def fits_a_line(text: str) -> bool:
    """Return whether a message is short enough for any device to take it."""
    return len(encode(Frame("message", TABLE_NUMBERS[-1], text))) <= LONGEST_LINE + 1


def display_text(text: str) -> str:
    """Spell a text for a display that has only ASCII, and in which a bar separates lines."""
    return text.translate(_SPELT)


def encode(frame: Frame) -> bytes:
    """Write a frame as its line; what is not ASCII is escaped."""
    text = frame.text.encode("ascii", "backslashreplace").replace(b"\n", b"\\n")
    if frame.kind == "message":
        body = b"!%d %s" % (frame.number, text)
    elif frame.kind == "acknowledgement":
        body = b"+%d" % frame.number
    else:
        body = b"=" + text
    return b"%s*%04X\n" % (body, crc_hqx(body, 0))


def decode(line: bytes) -> Frame | None:
    """Read one line without its newline; None if it is not a good frame."""
    found = _LINE.match(line)
    if found is None or crc_hqx(found["body"], 0) != int(found["crc"], 16):
        return None
    if found["kind"] is None:
        return Frame("announcement", 0, found["said"].decode("ascii", "replace"))
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
        self.unread_bytes = 0
        """How many bytes have come since the last good frame that made no frame."""

    def feed(self, data: bytes) -> list[Frame]:
        """Take some bytes and return the good frames now complete."""
        *lines, rest = (self._rest + data).split(b"\n")
        frames = [frame for line in lines if (frame := self._frame(line))]
        if len(rest) > LONGEST_LINE:
            # Its start is forgotten; its end, when it comes, is not a line of its own.
            self.unread_bytes += len(rest)
            rest, self._too_long = b"", True
        self._rest = rest
        return frames

    def reset(self) -> None:
        """Forget half a line: the line was unplugged."""
        self._rest, self._too_long, self.unread_bytes = b"", False, 0

    @property
    def babble_bytes(self) -> int:
        """How many bytes have come since the last good frame, with those of an open line."""
        return self.unread_bytes + len(self._rest)

    def _frame(self, line: bytes) -> Frame | None:
        too_long = self._too_long or len(line) > LONGEST_LINE
        self._too_long = False
        content = line.removesuffix(b"\r")
        if not content and not too_long:
            return None  # an empty line ends any noise before it
        frame = None if too_long else decode(content)
        if frame is None:
            self.dropped += 1
            self.unread_bytes += len(line)
        else:
            self.unread_bytes = 0
        return frame


class Sender:
    """One message at a time, repeated until it is acknowledged."""

    def __init__(self, numbers: range) -> None:
        """Count as this end does."""
        self._waiting: list[str] = []
        self._numbers = numbers
        self._number = numbers[-1]
        self._in_flight: Frame | None = None
        self._tries = 0
        self.unanswered = 0
        """How often something was sent since the last acknowledgement."""

    def push(self, text: str) -> None:
        """Queue a message; a waiting one that it supersedes is never sent."""
        word = word_of(text)
        if word in NEWEST_ONLY:
            self._waiting = [old for old in self._waiting if word_of(old) != word]
        self._waiting.append(text)

    def acknowledged(self, number: int) -> bool:
        """Note an acknowledgement; one for another number is old, and changes nothing."""
        if self._in_flight is None or self._in_flight.number != number:
            return False
        self._in_flight = None
        self.unanswered = 0
        return True

    def next_bytes(self) -> bytes:
        """Return what to send now: the message in flight again, or the next one."""
        if self._in_flight is not None and self._waiting and self._tries >= MOST_TRIES:
            self._let_others_go(self._in_flight.text)
        if self._in_flight is None:
            if not self._waiting:
                return b""
            counted_out = self._number == self._numbers[-1]
            self._number = self._numbers[0] if counted_out else self._number + 1
            self._in_flight = Frame("message", self._number, self._waiting.pop(0))
            self._tries = 0
        self._tries += 1
        self.unanswered += 1
        return encode(self._in_flight)

    def _let_others_go(self, text: str) -> None:
        """Put what nobody acknowledges behind what waits, unless a newer one supersedes it.

        Not a card or a key: those have not happened before they are acknowledged.
        """
        word = word_of(text)
        if word in NEWEST_ONLY:
            self._in_flight = None
            if word in LASTING and word not in map(word_of, self._waiting):
                self._waiting.append(text)

    def clear(self) -> None:
        """Forget everything still to be sent; the numbers continue."""
        self._waiting.clear()
        self._in_flight = None
        self.unanswered = 0

    @property
    def in_flight(self) -> Frame | None:
        """The message that is not acknowledged yet."""
        return self._in_flight

    @property
    def repeating(self) -> bool:
        """Whether the message in flight has been sent more than once."""
        return self._in_flight is not None and self._tries > 1

    @property
    def idle(self) -> bool:
        """Whether everything queued has been acknowledged."""
        return self._in_flight is None and not self._waiting
