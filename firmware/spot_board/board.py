"""The spot board without its chip: what it senses and hears, what it says, and which lamps are lit.

Pure: no pins, no clock and no line. Whoever runs it (`main.py`) gives it the levels of the inputs, the
bytes that have come and the time, and does what it says. The protocol is in `hw/line-protocol.md`.
"""

from firmware.devices.line import DEVICE_NUMBERS, NOBODYS, Decoder, Frame, encode, word_of
from firmware.spot_board.lamps import Lamps
from firmware.spot_board.limits import INPUTS, read_limits
from firmware.spot_board.outbox import Outbox
from firmware.spot_board.spots import Spots

TYPE_CHECKING = False  # MicroPython has no module `typing`
if TYPE_CHECKING:
    from firmware.spot_board.limits import Limits

VERSION = "1.0"
"""The table can use a board whose number before the dot is the same."""
MOST_OWED = 8
"""More acknowledgements than this are owed only to a host that does not read; it repeats."""


class Board:
    """One spot board, from one start to the next."""

    def __init__(self, session: int, program: str) -> None:
        """Begin a session; the program is what the greeting says of it."""
        self._session = session
        self._program = program
        self._spots = Spots()
        self._lamps = Lamps()
        self._outbox = Outbox()
        self._decoder = Decoder()
        self._limits: Limits | None = None
        self._settling = False
        """Whether limits are new, and what their sensors sense is not known yet."""
        self._acknowledgements: list[int] = []
        self._greets = True
        self._tells_readings = False
        self._kick = False
        self.asked = False
        """Whether somebody has asked who is there."""
        self.released = False
        """Whether the line is to be given to whoever puts a new program in."""

    # The sensors and the lamps

    def look(self, levels: int, at_ms: int) -> None:
        """Take the levels of all inputs as they are now; bit 0 is input 1."""
        for place, news, words in self._spots.look(levels, at_ms):
            if not self._settling:
                self._outbox.found(place, news, at_ms, words)
        if self._settling and self._spots.settled:
            self._settling = False
            self._take_snapshot(at_ms)

    def lit(self, at_ms: int) -> int:
        """Return which lamps are lit now; bit 0 is output 1."""
        return self._lamps.lit(at_ms)

    def kick(self) -> bool:
        """Return whether the lamp drivers are to be kept on for another moment: once for each `=ALIVE`."""
        kick, self._kick = self._kick, False
        return kick

    # The line

    def say(self, at_ms: int) -> bytes:
        """Return the lines that are due now; they count as said."""
        said = [encode(Frame("acknowledgement", number)) for number in self._acknowledgements]
        self._acknowledgements = []
        if self._greets:
            self._greets = False
            said.append(self._announcement(self._greeting()))
        if self._tells_readings:
            self._tells_readings = False
            said.append(self._announcement(self._readings()))
        said.append(self._outbox.due(at_ms))
        return b"".join(said)

    def hear(self, data: bytes, at_ms: int) -> None:
        """Take the bytes that have come."""
        for frame in self._frames(data):
            if frame.kind == "acknowledgement":
                self._outbox.acknowledged(frame.number)
            elif frame.kind == "announcement":
                self._announced(frame.text)
            elif frame.number not in DEVICE_NUMBERS and frame.number != NOBODYS:  # not its own echo
                self._acknowledge(frame.number)
                self._told(frame.text, at_ms)

    def _frames(self, data: bytes) -> "list[Frame]":
        try:
            return self._decoder.feed(data)
        except (
            UnicodeError
        ):  # MicroPython raises it for a line that is no text, although its CRC is right
            self._decoder.reset()
            return []

    @property
    def waiting(self) -> int:
        """How many messages the table has not been sent yet."""
        return self._outbox.waiting

    def _acknowledge(self, number: int) -> None:
        if number not in self._acknowledgements:
            self._acknowledgements.append(number)
            del self._acknowledgements[:-MOST_OWED]

    def _announced(self, text: str) -> None:
        if text == "ALIVE":
            self._kick = True
        elif text == "PING":
            self._greets = self.asked = True
        elif text == "READ":
            self._tells_readings = True
        elif text == f"RELEASE {self._session}":
            self.released = True

    def _told(self, text: str, at_ms: int) -> None:
        word = word_of(text)
        if word == "LAMPS":
            self._lamps.show(text[len("LAMPS ") :], at_ms)
        elif word == "LIMITS":
            self._limit(text, at_ms)
        elif text == "LEVELS" and not self._settling:
            self._take_snapshot(at_ms)

    def _limit(self, text: str, at_ms: int) -> None:
        """Sense within these limits; those that are in force already change nothing but what is asked."""
        limits = read_limits(text)
        if limits is None:
            return  # the greeting says that they are not in force
        if self._limits is None or self._limits.crc != limits.crc:
            self._limits = limits
            self._spots.fit(limits, at_ms)
            self._settling = True
        elif not self._settling:
            self._take_snapshot(at_ms)

    def _take_snapshot(self, at_ms: int) -> None:
        self._outbox.snapshot(f"LEVELS {self._spots.letters()}", at_ms)

    def _greeting(self) -> str:
        limits = "-" if self._limits is None else self._limits.crc
        return f"HELLO spots {VERSION} {self._session} {INPUTS} {limits} {self._program}"

    def _readings(self) -> str:
        edges = ",".join([str(edges) for edges in self._spots.edges])
        return f"READINGS {self._spots.raw:04X} {edges}"

    @staticmethod
    def _announcement(text: str) -> bytes:
        return encode(Frame("announcement", 0, text))
