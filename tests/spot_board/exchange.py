"""A table and a line between it and a pure board, in virtual time: cables that are pulled, hosts that are silent.

The table is a model of its own: it knows what the protocol says and nothing of the board's code.
"""

from typing import NamedTuple

from firmware.devices.line import TABLE_NUMBERS, Decoder, Frame, Sender, encode
from firmware.spot_board.board import Board
from firmware.spot_board.limits import Limits, read_limits
from firmware.spot_board.spots import Spots

LOOK_MS = 5
PING_MS = 500
"""Four times as often as a table asks, so that less time has to pass."""
LIMITS = "LIMITS 3fff 30 20 1000 600 1000 2000 600000"
PROGRAM = "frozen:0123456789ab"


class Told(NamedTuple):
    """A finding as the table has taken it down."""

    number: int
    news: str
    at_ms: int


class Table:
    """What the table knows of the board, and what it sends."""

    def __init__(self) -> None:
        self.session: int | None = None
        self.levels: list[str] | None = None
        self.told: list[Told] = []
        self.last: tuple[int, int] | None = None
        self.mute = False
        """Whether it reads, but what it says is lost."""
        self._decoder = Decoder()
        self._sender = Sender(TABLE_NUMBERS)
        self._sent_ms = -PING_MS
        self._asked_ms = -PING_MS
        self._says = b""

    def opened(self) -> None:
        """Begin with a port that was just opened."""
        self.session = None
        self._decoder.reset()
        self._sender.clear()
        self._asked_ms = -PING_MS

    def ask(self, text: str) -> None:
        """Send a message."""
        self._sender.push(text)

    def hear(self, data: bytes, at_ms: int) -> None:
        """Take bytes from the board."""
        for frame in self._decoder.feed(data):
            if frame.kind == "acknowledgement":
                self._sender.acknowledged(frame.number)
            elif frame.kind == "announcement":
                self._greeted(frame.text.split())
            elif self.session is not None:
                self._take(self.session, frame, at_ms)

    def say(self, at_ms: int) -> bytes:
        """Return what is due now."""
        if at_ms - self._asked_ms >= PING_MS:
            self._asked_ms = at_ms
            self._says += encode(Frame("announcement", 0, "PING"))
        if self.session is not None and at_ms - self._sent_ms >= 250:
            self._sent_ms = at_ms
            data = self._sender.next_bytes()
            self._says += b"\n" + data if data else b""
        says, self._says = self._says, b""
        return b"" if self.mute else says

    def _greeted(self, words: list[str]) -> None:
        if words[0] == "HELLO" and int(words[3]) != self.session:
            self.session = int(words[3])
            self._sender.clear()
            self._sender.push(LIMITS)

    def _take(self, session: int, frame: Frame, at_ms: int) -> None:
        self._says += encode(Frame("acknowledgement", frame.number))
        if (session, frame.number) == self.last:
            return
        self.last = session, frame.number
        words = frame.text.split()
        if words[0] == "LEVELS":
            self.levels = list(words[1])
            return
        spot, news, age_ms = int(words[1]), words[2], int(words[3])
        self.told.append(Told(spot, news, at_ms - age_ms))
        if self.levels is not None:
            letters = {"present": "o", "absent": ".", "chatters": "c", "stuck": "s", "quiet": "."}
            self.levels[spot - 1] = letters.get(news, self.levels[spot - 1])


class Exchange:
    """Board, line and table; and a second watch over the same sensors, which no line is behind."""

    def __init__(self) -> None:
        self.now_ms = 0
        self.level_mask = 0
        self.table = Table()
        self.plugged = True
        self.reads = True
        self.stopped_reading = False
        """Whether it ever stopped."""
        self.cut_after: int | None = None
        """After how many more bytes, either way, the cable is pulled."""
        self.carried = 0
        self.found: list[Told] = []
        self._kept = b""
        self.session = 0
        self.restart()

    def restart(self) -> None:
        """Switch the board off and on."""
        self.session += 1
        self.board = Board(self.session, PROGRAM)
        self._kept = b""
        self.watch = Spots()
        self.watch.look(self.level_mask, self.now_ms)
        limits = read_limits(LIMITS)
        assert isinstance(limits, Limits)
        self.watch.fit(limits, self.now_ms)

    def pull(self) -> None:
        """Pull the cable out."""
        self.plugged = False

    def plug_in(self) -> None:
        """Put it back; the table opens the port again."""
        if not self.plugged:
            self.plugged, self.cut_after = True, None
            self._kept = b""
            self.table.opened()

    def mend(self) -> None:
        """End everything that was wrong with line and table."""
        self.reads, self.table.mute, self.cut_after = True, False, None
        self.plug_in()

    def run(self, milliseconds: int) -> None:
        """Let time pass."""
        for _ in range(milliseconds // LOOK_MS):
            self.now_ms += LOOK_MS
            self.board.look(self.level_mask, self.now_ms)
            self._watched()
            says = self._kept + self.board.say(self.now_ms)
            self._kept = b""
            if self.plugged and not self.reads:
                # What does not fit is lost, as in the chip.
                self._kept = says[:256]
            else:
                self.table.hear(self._carried(says), self.now_ms)
            self.board.hear(self._carried(self.table.say(self.now_ms)), self.now_ms)

    def _watched(self) -> None:
        for place, news, _ in self.watch.look(self.level_mask, self.now_ms):
            self.found.append(Told(place + 1, news, self.now_ms))

    def _carried(self, data: bytes) -> bytes:
        """Give what arrives at the other end."""
        if not self.plugged:
            return b""
        if self.cut_after is not None:
            data, rest = data[: self.cut_after], data[self.cut_after :]
            self.cut_after -= len(data)
            self.plugged = not rest
        self.carried += len(data)
        return data
