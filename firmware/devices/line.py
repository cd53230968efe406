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
the texts mean is in `card_source.py`, `panel.py`, `sign.py` and `spot_texts.py`; who announces what, and
when, in `line_port.py`. The same file runs on the Pi and on the spot board's MicroPython, so it stays in
what both understand.
"""

try:
    from binascii import crc_hqx
except ImportError:  # MicroPython has none
    from firmware.spot_board.crc import crc_hqx  # type: ignore[assignment]

TYPE_CHECKING = False  # MicroPython has no module `typing`
if TYPE_CHECKING:
    from typing import Literal

    FrameKind = Literal["message", "acknowledgement", "announcement"]

DEVICE_NUMBERS = range(1, 500)
TABLE_NUMBERS = range(501, 1000)
NOBODYS = 500
"""The number between the two ends': a message that has it is dropped."""
LONGEST_LINE = 4_096
LASTING = frozenset({"SHOW", "SIGN", "LIMITS", "LAMPS"})
"""Messages, by their first word, by which a device goes until the next one."""
NEWEST_ONLY = LASTING | {"REFUSED", "LEVELS"}
"""Messages of which only the newest counts: so no more of them wait than there are kinds."""
MOST_TRIES = 24
"""A message that is not acknowledged after so many tries, six seconds, holds up no other."""
_CRC_BYTES = 4
_HEX = b"0123456789ABCDEF"
_MOST_DIGITS = 3
_BEYOND_ASCII = 128


class Frame:
    """One line, read; an announcement has no number."""

    def __init__(self, kind: "FrameKind", number: int, text: str = "") -> None:
        """Make a frame of its parts."""
        self.kind = kind
        self.number = number
        self.text = text

    def __eq__(self, other: object) -> bool:
        """Return whether two frames are the same line."""
        return isinstance(other, Frame) and self._parts() == other._parts()

    def __hash__(self) -> int:
        """Count frames by their parts."""
        return hash(self._parts())

    def __repr__(self) -> str:
        """Write a frame as it is made."""
        return f"Frame({self.kind!r}, {self.number}, {self.text!r})"

    def _parts(self) -> tuple[str, int, str]:
        return self.kind, self.number, self.text


def word_of(text: str) -> str:
    """Give the first word of a message: what kind it is."""
    return text.partition(" ")[0]


def fits_a_line(text: str) -> bool:
    """Return whether a message is short enough for any device to take it."""
    return len(encode(Frame("message", TABLE_NUMBERS[-1], text))) <= LONGEST_LINE + 1


def encode(frame: Frame) -> bytes:
    """Write a frame as its line; what is not ASCII is escaped."""
    if frame.kind == "message":
        body = b"!" + str(frame.number).encode() + b" " + _ascii(frame.text)
    elif frame.kind == "acknowledgement":
        body = b"+" + str(frame.number).encode()
    else:
        body = b"=" + _ascii(frame.text)
    return body + b"*" + ("%04X" % crc_hqx(body, 0)).encode() + b"\n"  # noqa: UP031  # in both


def _ascii(text: str) -> bytes:
    return text.encode("ascii", "backslashreplace").replace(b"\n", b"\\n")


def decode(line: bytes) -> Frame | None:
    """Read one line without its newline; None if it is not a good frame."""
    body, crc = line[: -_CRC_BYTES - 1], line[-_CRC_BYTES:]
    if line[-_CRC_BYTES - 1 : -_CRC_BYTES] != b"*" or not all(digit in _HEX for digit in crc):
        return None
    if crc_hqx(body, 0) != int(crc, 16):
        return None
    kind, rest = body[:1], body[1:]
    if kind == b"=":
        return Frame("announcement", 0, _text(rest))
    digits, _, text = rest.partition(b" ")
    if kind not in (b"!", b"+") or not _is_number(digits):
        return None
    number = int(digits)
    return (
        Frame("message", number, _text(text)) if kind == b"!" else Frame("acknowledgement", number)
    )


def _is_number(digits: bytes) -> bool:
    """Return whether these are one to three digits, without leading zeros."""
    fits = 0 < len(digits) <= _MOST_DIGITS and digits[:1] != b"0"
    return fits and all(digit in b"0123456789" for digit in digits)


def _text(data: bytes) -> str:
    # By hand, since the two interpreters read what is not ASCII differently.
    return "".join([chr(byte) if byte < _BEYOND_ASCII else "\ufffd" for byte in data])


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
        content = line[:-1] if line[-1:] == b"\r" else line
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
