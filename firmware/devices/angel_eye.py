r"""The Angel Eye framing: how shoes of that family report the cards that they read.

    ENQ(05) seq data ETX(03) BCC BCC

RS-232, 4800 baud, 8N1. `seq` is one byte, the same when a report is sent again, which a
shoe does up to three times; `BCC` is the XOR of everything after ENQ up to and including
ETX, as two hex digits. The first byte of the data is a code (`Code` below). No reply that a
shoe expects is known, so the table only listens: it acknowledges nothing.

Pure: `decode` takes bytes and returns how many are used up, and a report; 0 means that more
must come. Traps: the byte before a card may look like ENQ or ETX, and an XOR catches one
damaged byte but not two; so a report must also have a form that its code allows. What
a report means to the table is in `angel_eye_port.py`.
"""

from collections.abc import Iterator
from functools import reduce
from operator import xor
from typing import Literal, get_args

from msgspec import Struct

ENQ, ETX = 0x05, 0x03
LONGEST_REPORT = 64
"""Far longer than any report; after this many bytes the start of one is given up."""

Code = Literal["S", "P", "G", "D", "d", "C", "L", "E", "e", "R"]
"""Start, standby, result, card, card outside a game, cut card, lock, error, error cleared,
and one whose meaning is disputed: sent again, or dealt again."""
_CODES = frozenset(get_args(Code))
ERRORS = {
    1: "a card could not be read",
    2: "a card was drawn when the shoe expected none",
    3: "a button of the shoe was pressed at the wrong time",
    4: "a card was pushed back at the exit",
    5: "a card was pushed back midway",
    6: "a card has a code that the shoe does not know",
    7: "a card took too long to leave",
}
_HEX = frozenset(b"0123456789ABCDEFabcdef")
_SUITS = {1: "d", 2: "c", 3: "s", 4: "h"}
_RANKS = "A23456789TJQK"
_CARD_BYTES = 2


class ShoeReport(Struct, frozen=True):
    """One report of a shoe; `card` and `error` where its code has one."""

    seq: int
    code: Code
    data: bytes
    card: str = ""
    error: int = 0


def checksum(body: bytes) -> bytes:
    """Return the BCC of everything between ENQ and BCC, ETX included."""
    return b"%02X" % reduce(xor, body, 0)


def encode(seq: int, data: bytes) -> bytes:
    """Write a report as a shoe does; the simulated shoe and the tests need it."""
    body = bytes([seq]) + data + bytes([ETX])
    return bytes([ENQ]) + body + checksum(body)


def card_byte(card: str) -> int:
    """Write a card as a shoe does."""
    suit = next(number for number, letter in _SUITS.items() if letter == card[1])
    return 0x80 | suit << 4 | _RANKS.index(card[0]) + 1


def decode(data: bytes) -> tuple[int, ShoeReport | None]:
    """Find the first good report; return how many bytes are used up, and the report.

    Noise is used up without a report; (0, None) asks for more bytes.
    """
    end = data.find(ETX)
    while end != -1 and end + 3 <= len(data):
        for start in _starts(data, end):
            report = _report(data[start + 1 : end + 3])
            if report is not None:
                return end + 3, report
        end = data.find(ETX, end + 1)
    return _noise(data), None


def _starts(data: bytes, end: int) -> Iterator[int]:
    """Yield where a report that ends here may begin, last first, as noise comes before it.

    In one pass over the bytes, whatever they are: noise must not keep the table from its work.
    """
    bcc = data[end + 1 : end + 3]
    if not {*bcc} <= _HEX:
        return
    left = int(bcc, 16)
    for at in range(end, max(0, end - LONGEST_REPORT) - 1, -1):
        if data[at] == ENQ and not left and at <= end - 3:
            yield at
        left ^= data[at]


def _noise(data: bytes) -> int:
    """Count the bytes that can no longer begin a report."""
    first = data.find(ENQ, max(0, len(data) - LONGEST_REPORT))
    return len(data) if first == -1 else first


def _report(body: bytes) -> ShoeReport | None:
    """Read what comes after ENQ, if its checksum and form are good."""
    content, bcc = body[:-2], body[-2:]
    if checksum(content) != bcc.upper():
        return None
    seq, code, data = content[0], chr(content[1]), content[2:-1]
    if code not in _CODES:
        return None
    card, error = _card(code, data), _error(code, data)
    if card is None or error is None:
        return None
    return ShoeReport(seq, code, data, card, error)  # type: ignore[arg-type]  # it is in _CODES


def _card(code: str, data: bytes) -> str | None:
    """Read the card of a report: empty if it has none, None if it should have one."""
    if code not in {"D", "d"}:
        return ""
    if len(data) != _CARD_BYTES or data[0] & 0x80 or not data[1] & 0x80:
        return None
    suit, rank = _SUITS.get(data[1] >> 4 & 7), data[1] & 15
    return f"{_RANKS[rank - 1]}{suit}" if suit and 1 <= rank <= len(_RANKS) else None


def _error(code: str, data: bytes) -> int | None:
    """Read the number of an error, a digit or a byte; 0 if there is none, None if bad."""
    if code != "E":
        return 0
    if len(data) != 1:
        return None
    return int(data) if data.isdigit() else data[0]


class Decoder:
    """Cuts a stream of bytes into reports, however it is split, and counts what it drops."""

    def __init__(self) -> None:
        self._rest = b""
        self.unread_bytes = 0
        """How many bytes have come since the last good report that belong to none."""

    def feed(self, data: bytes) -> list[ShoeReport]:
        """Take some bytes and return the good reports now complete, repeated or not."""
        self._rest += data
        reports: list[ShoeReport] = []
        while True:
            used, report = decode(self._rest)
            self._rest = self._rest[used:]
            if report is None:
                self.unread_bytes += used
                return reports
            reports.append(report)
            self.unread_bytes = 0
