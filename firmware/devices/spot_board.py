"""Coin spots and lamps on a spot board: the same to the table as those on pins (`spots.py`).

The board finds out what a sensor means, by the same `sensing.py`, and says it over the line; each
message is acknowledged once the table has written down what came of it. A board that is gone is never an
empty spot: what it said last holds, and the fault `spots_unknown` (F206) stops the table until the board
has said again what lies there, under the limits of the table file.

When that is so is in `spot_snapshots.py`; the texts are in `spot_texts.py`.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from functools import partial

from firmware.devices.bootsel import WAITS, pico_waits
from firmware.devices.coin_spots import SensorReading
from firmware.devices.faults import DeviceFaults
from firmware.devices.sensor_limits import SensorLimits, SensorNews
from firmware.devices.spot_news import SpotNews
from firmware.devices.spot_port import FLASH, SpotBoardPort
from firmware.devices.spot_snapshots import Snapshots
from firmware.devices.spot_texts import (
    MAJOR,
    Level,
    Readings,
    SpotGreeting,
    crc_of,
    found_of,
    greeting_of,
    lamps_text,
    levels_of,
    limits_text,
    readings_of,
)
from firmware.table.effects import Pattern, SpotKey
from firmware.table.intake import Intake

_log = logging.getLogger(__name__)

PLACE = "spot board"
ASK_S = 0.5
MOST_UNANSWERED = 3
"""A board that leaves so many questions unanswered is not there: asked sooner than the port is judged
silent, because its chips decide whether bets can be closed."""
ASK_AGAIN = 4
"""After so many questions without a snapshot, it is asked for again."""
GRACE_S = 2.0
"""A board that is there says what lies on it sooner than this after a start."""
_NONSENSE = f"it says what no spot board of version {MAJOR} says: {FLASH}"
_NEWS: Mapping[Level, tuple[SensorNews, ...]] = {
    "-": (),
    ".": ("absent",),
    "o": ("present",),
    "s": ("present", "stuck"),
    "c": ("chatters",),
}
"""What each letter of a snapshot says of its spot; nothing if the board does not know."""
_CHANGES = "it keeps changing"


class SpotBoard:
    """One spot board: its port, its spots and their lamps."""

    def __init__(
        self,
        path: str,
        lines: Mapping[SpotKey, tuple[int, int]],
        intake: Intake,
        limits: SensorLimits | None = None,
    ) -> None:
        """Open the port; `lines` are the input and output of each spot."""
        limits = limits or SensorLimits()
        self._intake = intake
        self._loop = asyncio.get_running_loop()
        self._inputs = {number: spot for spot, (number, _) in lines.items()}
        self._outputs = {spot: output for spot, (_, output) in lines.items()}
        self._news = {spot: SpotNews(spot, limits, intake) for spot in lines}
        self._present = dict.fromkeys(lines, False)
        self._patterns: dict[int, Pattern] = {}
        self._lamps_due = False
        self._limits = limits_text(self._inputs, limits)
        self._faults = DeviceFaults(PLACE, intake)
        self._snapshots = Snapshots()
        self._why = "no greeting from it yet"
        self._problem = ""
        self._unanswered = self._asked = 0
        self._judged = False
        self._when_judged: list[Callable[[], None]] = []
        self.greeting: SpotGreeting | None = None
        """What the board has said of itself last; None while it is not there."""
        self.restarts = 0
        """How often it has begun another session."""
        self._last_session: int | None = None
        self.heard = Readings()
        """The bare levels and edges as the board has told them last."""
        self.has_read = self.reads_now = False
        """Whether it has told them at all, and in this session."""
        self.line = SpotBoardPort(path, "spots", self._message, intake, self._hello)
        self.line.hears["READINGS"] = self._readings
        self.line.on_session = self._session_changed
        self.line.send(self._limits)  # kept, and the first thing that every new session hears
        self._timer = self._loop.call_later(ASK_S, self._ask)
        self._grace = self._loop.call_later(GRACE_S, self._judge_at_last)

    @property
    def known(self) -> bool:
        """Whether it is known what lies on the spots, under the limits of the table file."""
        return self._snapshots.complete

    @property
    def why_unknown(self) -> str:
        """Why it is not known; nothing if it is."""
        return "" if self.known else self._why

    def set(self, spot: SpotKey, pattern: Pattern) -> None:
        """Set a lamp to another pattern; those set in one go are said in one message."""
        self._patterns[self._outputs[spot]] = pattern
        if not self._lamps_due:
            self._lamps_due = True
            self._loop.call_soon(self._tell_lamps)

    def alive(self) -> None:
        """Give the board a sign of life of the table: without it the lamps go dark."""
        self.line.announce("ALIVE")

    def read_again(self) -> None:
        """Ask for every level again."""
        self.line.send("LEVELS")

    def readings(self) -> dict[SpotKey, SensorReading]:
        """Return the state of every sensor, as the board has told it last."""
        return {
            spot: SensorReading(
                self.heard.levels[number - 1],
                self._news[spot].chatters,
                self._news[spot].stuck,
                self.heard.edges[number - 1],
            )
            for number, spot in self._inputs.items()
        }

    def when_judged(self, callback: Callable[[], None]) -> None:
        """Call this once the spots are known, or the table was told that they are not."""
        if self._judged:
            callback()
        else:
            self._when_judged.append(callback)

    def close(self) -> None:
        """Close the port; without signs of life the lamps go dark."""
        self._timer.cancel()
        self._grace.cancel()
        self.line.close()

    # What the board says

    def _hello(self, words: tuple[str, ...]) -> str:
        """Take a greeting, which also says which limits are in force."""
        self._heard_from()
        greeting = greeting_of(self.line.version, words)
        self._problem = self._unfit(greeting)
        if self._problem:
            self._why = self._problem
            return self._problem
        self.greeting = greeting
        if self.line.greeted_session == self.line.session and greeting is not None:
            self._judge_limits(confirmed=greeting.limits == crc_of(self._limits))
        return ""

    def _judge_limits(self, *, confirmed: bool) -> None:
        if self._snapshots.confirm(confirmed=confirmed):
            self._lost("its limits are not those of the table file")
            self.line.send(self._limits)
        self._judge()

    def _unfit(self, greeting: SpotGreeting | None) -> str:
        if greeting is None:
            return f"its greeting is not that of a spot board: {FLASH}"
        if greeting.major != MAJOR:
            return f"its program is version {greeting.version}, not {MAJOR}.x: {FLASH}"
        highest = max(self._inputs, default=0)
        if greeting.inputs < highest:
            return f"it has {greeting.inputs} inputs, and a spot is on input {highest}"
        return ""

    def _session_changed(self) -> None:
        """Begin anew with a board that has just come, or hold what one that has gone said."""
        self._snapshots.begin()
        self._unanswered = self._asked = 0
        if self.line.session is None:
            self.greeting = None
            self._lost(self._problem or "it is not there")
        else:
            self.restarts += self._last_session not in (None, self.line.session)
            self._last_session = self.line.session
            self._lost("it has just started")

    def _message(self, text: str, frame: int) -> None:
        if not self.line.answered:
            return  # it may have waited in a buffer with the age of then; the board says it anew
        self._heard_from()
        word, _, _ = text.partition(" ")
        if word == "SPOT":
            understood = self._found(text, frame)
        elif word == "LEVELS":
            understood = self._snapshot(text, frame)
        else:
            # A later version may say more.
            _log.warning("%s: a message of %d characters was not understood", PLACE, len(text))
            self.line.acknowledge(frame)
            return
        if not understood:
            self.line.cannot_be_used(_NONSENSE)
            self.line.acknowledge(frame)
            self._snapshots.begin()
            self._lost(_NONSENSE)

    def _found(self, text: str, frame: int) -> bool:
        """Take a finding; it is acknowledged with its last event, which is always its level."""
        found = found_of(text)
        if found is None:
            return False
        spot = self._inputs.get(found.input)
        if spot is None:
            self.line.acknowledge(frame)  # found under the limits of another board file
            return True
        at_ms = max(self._intake.now_ms() - found.age_ms, 0)
        self._judge_spot(spot, found.news, found.words)
        afterwards = partial(self.line.acknowledge, frame)
        self._news[spot].level(at_ms, present=self._present[spot], afterwards=afterwards)
        return True

    def _judge_spot(self, spot: SpotKey, news: SensorNews, words: str) -> None:
        """Note which level counts from now on, and tell whether the sensor can be trusted."""
        self._present[spot] = news in {"present", "stuck"}
        self._news[spot].judge(news, words)

    def _snapshot(self, text: str, frame: int) -> bool:
        """Take what lies on every spot; acknowledged, and good, once all of it is written down."""
        letters = levels_of(text)
        if letters is None:
            return False
        at_ms = self._intake.now_ms()
        whole, waiting = True, len(self._inputs)
        for number, spot in self._inputs.items():
            letter = letters[number - 1]
            whole &= letter != "-"
            for news in _NEWS[letter]:
                self._judge_spot(spot, news, _CHANGES)
            waiting -= 1
            # The inbox keeps their order, and if one does not fit then neither does the last.
            afterwards = None if waiting else partial(self._snapshot_taken, frame, whole=whole)
            self._news[spot].level(at_ms, present=self._present[spot], afterwards=afterwards)
        return True

    def _snapshot_taken(self, frame: int, *, whole: bool) -> None:
        self.line.acknowledge(frame)
        if whole and self._snapshots.taken(frame, self.line.session):
            self.line.send("LEVELS")
            self.line.announce("PING")
        self._judge()

    def _readings(self, words: tuple[str, ...]) -> None:
        self._heard_from()
        told = readings_of(words)
        self.reads_now = told is not None
        self.has_read |= self.reads_now
        self.heard = told or self.heard

    # Whether the spots are known

    def _ask(self) -> None:
        """Ask for the bare levels, which is the board's sign of life as well."""
        self._timer = self._loop.call_later(ASK_S, self._ask)
        if self.line.session is None:
            self._look_for_it()
            return
        if self._unanswered == MOST_UNANSWERED:
            self._snapshots.begin()
            self._lost("it does not answer")
        self._unanswered += 1
        self.line.announce("READ")
        if self.known:
            self._asked = 0
            return
        self._asked += 1
        if self._asked % ASK_AGAIN == 0:
            self.line.send(self._limits)
            if self._snapshots.begun:
                self.line.send("LEVELS")
            self.line.announce("PING")

    def _look_for_it(self) -> None:
        """Find out now and then whether it waits in BOOTSEL, which is told instead."""
        self._asked += 1
        missing = self._judged and not self.line.port.is_open and self._why != WAITS
        if missing and self._asked % ASK_AGAIN == 0 and pico_waits():
            self._faults.judge("spots_unknown", wrong=False)
            self._lost(WAITS)

    def _heard_from(self) -> None:
        was_away = self._unanswered > MOST_UNANSWERED
        self._unanswered = 0
        if was_away:
            self.line.send(self._limits)  # answered by a snapshot

    def _lost(self, why: str) -> None:
        """Note why the spots are not known any more, and tell the table at once."""
        self._why = why
        if self._judged:
            self._faults.judge("spots_unknown", wrong=True, detail=why)

    def _judge(self) -> None:
        """Tell the table that the spots are known, if they are."""
        if self.known:
            self._faults.judge("spots_unknown", wrong=False)
            self._judge_at_last()

    def _judge_at_last(self) -> None:
        """Let whoever waits go on; the table has been told by then if the spots are not known."""
        if self._judged:
            return
        self._judged = True
        if not self.known:
            self._lost(self._why)
        for callback in self._when_judged:
            callback()
        self._when_judged.clear()

    def _tell_lamps(self) -> None:
        self._lamps_due = False
        self.line.send(lamps_text(self._patterns))
