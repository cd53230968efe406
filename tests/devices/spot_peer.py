"""A spot board on a pseudo-terminal, in CPython: enough of one for the table's side.

It looks at its inputs every 5 ms with the sensing that the board shares with the Pi, queues what it
finds, and answers as `hw/line-protocol.md` says. A wire may join outputs with inputs. The cable can be
pulled out and put back, and the board can hang or start again.
"""

import asyncio

from firmware.devices.lamp_patterns import is_lit
from firmware.devices.line import DEVICE_NUMBERS, Decoder, Frame, encode
from firmware.devices.sensing import SensorWatch
from firmware.devices.sensor_limits import SensorLimits, SensorNews
from firmware.devices.spot_texts import LETTERS, LINES, crc_of
from firmware.table.effects import Pattern
from tests.devices.wire import Wire

TICK_S = 0.005
REPEAT_S = 0.05
"""Sooner than a real board repeats, so that tests need not wait."""
_LIMITS = (
    "debounce_ms",
    "chatter_edges",
    "chatter_window_ms",
    "news_burst",
    "news_every_ms",
    "quiet_ms",
    "stuck_ms",
)
_LETTERS = {"present": "o", "absent": ".", "stuck": "s", "chatters": "c", "quiet": ".", "free": "."}
PATTERNS: dict[str, Pattern] = {letter: pattern for pattern, letter in LETTERS.items()}


class SpotPeer:
    """A spot board, its cable, and what lies on its inputs."""

    def __init__(self, session: int = 7) -> None:
        self.wire = Wire("spots", session)
        self.wire.answering = False
        self.wire.on_bytes = self._heard
        self.path = self.wire.path
        self.levels = [False] * LINES
        self.joined: dict[int, int] = {}
        """Which input follows which output, from 1."""
        self.version = "1.0"
        self.hangs = self.ignores_limits = False
        """Whether it does nothing; whether it takes no limits."""
        self.loses: set[str] = set()
        """What of it is lost on the way: kinds of frames."""
        self.said: list[str] = []
        """The texts that it has heard, in order."""
        self.alive = 0
        self._loop = asyncio.get_running_loop()
        self._start()
        self._task = asyncio.create_task(self._run())

    def _start(self) -> None:
        self.limits = ""
        self.letters = "-" * LINES
        self._since_ms = [0] * LINES
        self._watches: dict[int, SensorWatch] = {}
        self._bare = [False] * LINES
        self._edges = [0] * LINES
        self._told: dict[int, str] = {}
        self._decoder = Decoder()
        self._queue: list[tuple[str, int]] = []
        self._in_flight: tuple[int, str, int] | None = None
        self._number = 0
        self._repeat_at_s = 0.0
        self._owes_levels = False

    def restart(self) -> None:
        """Start again, with a new session."""
        self.wire.session += 1
        self.hangs = False
        self._start()
        self._hello()

    def plug_in(self) -> None:
        """Put the cable in."""
        self._decoder = Decoder()
        self.wire.plug_in()

    def unplug(self) -> None:
        """Pull the cable out."""
        self.wire.unplug()

    def close(self) -> None:
        """Take everything apart."""
        self._task.cancel()
        self.wire.close()

    def lit(self, output: int) -> bool:
        """Return whether a lamp is lit now."""
        pattern = PATTERNS[self.letters[output - 1]]
        return is_lit(pattern, self._now_ms() - self._since_ms[output - 1])

    @property
    def waits_for_acknowledgement(self) -> bool:
        """Whether the table has not acknowledged everything yet."""
        return self._in_flight is not None or bool(self._queue)

    def says(self, text: str) -> None:
        """Say any message."""
        self._queue.append((text, self._now_ms()))

    # What it hears

    def _heard(self, data: bytes) -> None:
        if self.hangs:
            return
        for frame in self._decoder.feed(data):
            if frame.kind == "acknowledgement":
                if self._in_flight is not None and frame.number == self._in_flight[0]:
                    self._in_flight = None
            elif frame.kind == "announcement":
                self._announced(frame.text)
            else:
                self.said.append(frame.text)
                self._say(Frame("acknowledgement", frame.number))
                self._take(frame.text)

    def _announced(self, text: str) -> None:
        if text == "PING":
            self._hello()
        elif text == "ALIVE":
            self.alive += 1
        elif text == "READ":
            mask = sum(level << place for place, level in enumerate(self.levels))
            self._announce(f"READINGS {mask:04X} {','.join(map(str, self._edges))}")

    def _take(self, text: str) -> None:
        word, *numbers = text.split()
        if word == "LIMITS":
            self._owes_levels = True
            if text != self.limits and not self.ignores_limits:
                self.limits = text
                self._sense(*numbers)
        elif word == "LEVELS":
            self._owes_levels = True
        elif word == "LAMPS":
            for place, letter in enumerate(numbers[0]):
                if letter != self.letters[place]:
                    self._since_ms[place] = self._now_ms()
            self.letters = numbers[0]

    def _sense(self, mask: str, *numbers: str) -> None:
        limits = SensorLimits(**dict(zip(_LIMITS, map(int, numbers), strict=True)))
        fitted = [place for place in range(LINES) if int(mask, 16) >> place & 1]
        self._told = {}
        self._watches = {place: SensorWatch(limits) for place in fitted}
        for place, watch in self._watches.items():
            watch.edge(self.levels[place], self._now_ms())

    # What it does

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(TICK_S)
            if not self.hangs:
                self._tick()

    def _tick(self) -> None:
        now_ms = self._now_ms()
        for output, number in self.joined.items():
            self.levels[number - 1] = self.lit(output)
        for place, level in enumerate(self.levels):
            if level != self._bare[place]:
                self._bare[place] = level
                self._edges[place] += 1
                if place in self._watches:
                    self._watches[place].edge(level, now_ms)
        for place, watch in self._watches.items():
            for news in watch.look(now_ms):
                self._note(place, news, now_ms, watch)
        self._owe_levels()
        self._transmit()

    def _note(self, place: int, news: SensorNews, now_ms: int, watch: SensorWatch) -> None:
        """Queue what was found; what lies there at first is said by the snapshot alone."""
        words = f" {watch.chatter_words}" if news == "chatters" else ""
        if place in self._told:
            self._queue.append((f"SPOT {place + 1} {news} {{}}{words}", now_ms))
        self._told[place] = _LETTERS[news]

    def _owe_levels(self) -> None:
        if self._owes_levels and self._watches and len(self._told) == len(self._watches):
            self._owes_levels = False
            self._queue = [each for each in self._queue if not each[0].startswith("LEVELS")]
            letters = "".join(self._told.get(place, "-") for place in range(LINES))
            self._queue.append((f"LEVELS {letters}", self._now_ms()))

    def _transmit(self) -> None:
        if self._in_flight is None:
            if not self._queue:
                return
            text, at_ms = self._queue.pop(0)
            self._number = self._number % DEVICE_NUMBERS[-1] + 1
            self._in_flight = (self._number, text, at_ms)
        elif self._loop.time() < self._repeat_at_s:
            return
        number, text, at_ms = self._in_flight
        self._repeat_at_s = self._loop.time() + REPEAT_S
        self._say(Frame("message", number, text.format(self._now_ms() - at_ms)))

    def _hello(self) -> None:
        crc = crc_of(self.limits) if self.limits else "-"
        program = "frozen:0123456789ab"
        self._announce(f"HELLO spots {self.version} {self.wire.session} {LINES} {crc} {program}")

    def _announce(self, text: str) -> None:
        self._say(Frame("announcement", 0, text))

    def _say(self, frame: Frame) -> None:
        if self.wire.is_plugged_in and frame.kind not in self.loses:
            self.wire.say(b"\n" + encode(frame))

    def _now_ms(self) -> int:
        return int(self._loop.time() * 1000)
