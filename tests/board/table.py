"""A table's end of the line to an emulated board: greets, acknowledges, keeps lamps alive, and writes down.

It works in the chip's time, a millisecond at a step. What the real table does with what it is told
is no business of these tests.
"""

from collections.abc import Callable

from msgspec import Struct

from firmware.devices.line import Decoder, Frame, encode
from firmware.devices.sensing import (
    CHATTER_EDGES,
    CHATTER_WINDOW_MS,
    DEBOUNCE_MS,
    NEWS_BURST,
    NEWS_EVERY_MS,
    QUIET_MS,
    STUCK_MS,
)
from sim.pico.chip import Chip

_NUMBERS = (CHATTER_EDGES, CHATTER_WINDOW_MS, NEWS_BURST, NEWS_EVERY_MS, QUIET_MS, STUCK_MS)
LIMITS = f"LIMITS 3FFF {DEBOUNCE_MS} {' '.join(map(str, _NUMBERS))}"
ALIVE_MS = 250.0
REPEAT_MS = 250.0
_CYCLE_MS = 1e-5


class Finding(Struct, frozen=True):
    """What the board has told of an input, and when it was heard."""

    heard_ms: float
    input: int
    found: str
    age_ms: int


class Table:
    """The table, and the board that it listens to."""

    def __init__(self, chip: Chip) -> None:
        self.chip = chip
        self.frames: list[tuple[float, Frame]] = []
        """Everything heard that was a frame, repeats too."""
        self.findings: list[Finding] = []
        """What was told and is not a repeat."""
        self.levels: list[str] = []
        """The snapshots that were told."""
        self.greetings: list[tuple[float, str]] = []
        self.alive = False
        """Whether it lets the board keep the lamps on."""
        self._decoder = Decoder()
        self._known = 0
        self._last: tuple[str, int] | None = None
        self._waiting: tuple[int, str] | None = None
        self._number = 500
        self._due_ms = self._alive_ms = 0.0
        self._answered = False
        """Whether the board has acknowledged something since the port was opened: what comes before that
        may have waited in the chip since who knows when, and its ages are wrong."""

    @property
    def session(self) -> str:
        """The session of the last greeting."""
        return self.greetings[-1][1].split()[3]

    @property
    def program(self) -> str:
        """The program of the last greeting."""
        return self.greetings[-1][1].split()[6]

    def run_ms(self, ms: float) -> None:
        """Let the board run, and do what a table does meanwhile."""
        end_ms = self.chip.now_ms + ms
        while (left_ms := end_ms - self.chip.now_ms) > _CYCLE_MS:
            self.chip.run_ms(min(1.0, left_ms))
            self._turn()

    def until(self, happened: Callable[[], bool], within_ms: float) -> None:
        """Run until something has happened; a failure if it does not."""
        end_ms = self.chip.now_ms + within_ms
        while not happened():
            assert self.chip.now_ms < end_ms, f"not within {within_ms} ms; heard {self.frames[-5:]}"
            self.run_ms(1.0)

    def announce(self, text: str) -> None:
        """Say something that nobody acknowledges."""
        self.chip.host.write(encode(Frame("announcement", 0, text)))

    def tell(self, text: str, within_ms: float = 1_000.0) -> None:
        """Send a message, again and again, until the board has it."""
        self._number = self._number + 1 if self._number < 999 else 501
        self._waiting, self._due_ms = (self._number, text), self.chip.now_ms
        self.until(lambda: self._waiting is None, within_ms)

    def of_input(self, number: int) -> list[str]:
        """List what was found at an input."""
        return [each.found for each in self.findings if each.input == number]

    def _turn(self) -> None:
        now_ms, host = self.chip.now_ms, self.chip.host
        for at_ms, data in self.chip.heard[self._known :]:
            for frame in self._decoder.feed(data):
                self._hear(at_ms, frame)
        self._known = len(self.chip.heard)
        if not host.open:
            self._decoder.reset()  # whoever opens the port again begins with a new line
            self._answered = False
        if self._waiting is not None and now_ms >= self._due_ms:
            host.write(encode(Frame("message", *self._waiting)))
            self._due_ms = now_ms + REPEAT_MS
        if self.alive and now_ms >= self._alive_ms:
            self.announce("ALIVE")
            self._alive_ms = now_ms + ALIVE_MS

    def _hear(self, at_ms: float, frame: Frame) -> None:
        self.frames.append((at_ms, frame))
        if frame.kind == "acknowledgement":
            if self._waiting is not None and self._waiting[0] == frame.number:
                self._waiting, self._answered = None, True
        elif frame.kind == "announcement":
            if frame.text.startswith("HELLO "):
                self.greetings.append((at_ms, frame.text))
        elif self._answered:
            self.chip.host.write(encode(Frame("acknowledgement", frame.number)))
            if self._last != (self.session, frame.number):
                self._last = self.session, frame.number
                self._told(at_ms, frame.text.split())

    def _told(self, at_ms: float, words: list[str]) -> None:
        if words[0] == "LEVELS":
            self.levels.append(words[1])
        elif words[0] == "SPOT":
            self.findings.append(Finding(at_ms, int(words[1]), words[2], int(words[3])))


def switched_on(flash: bytes) -> Table:
    """Switch a board on, and let it sense all its spots."""
    table = Table(Chip(flash))
    greet(table)
    return table


def greet(table: Table) -> None:
    """Wait for the board's greeting, give it its limits and hear what its spots are like."""
    count = len(table.levels)
    table.until(lambda: bool(table.greetings) and table.chip.host.open, 3_000)
    table.tell(LIMITS)
    table.until(lambda: len(table.levels) > count, 500)
