"""What one sensor means, from its edges and the time alone: a level, chatter, or stuck.

Pure, on timestamps, because pin factories differ in what they do about bouncing.
`SensorWatch` is told of edges and asked to look; it says when to look next. Pins, and whom
to tell, are in `coin_spots.py`. The same file runs on the Pi and on the spot board's MicroPython, so it
stays in what both understand.
"""

from collections import deque

TYPE_CHECKING = False  # MicroPython has no module `typing`
if TYPE_CHECKING:
    from firmware.devices.sensor_limits import SensorLimits, SensorNews

DEBOUNCE_MS = 30
"""A chip put down bounces for up to 20 ms."""
EDGE_APART_MS = 5
"""Edges closer together than this are one bounce and count once."""
CHATTER_EDGES = 20
CHATTER_WINDOW_MS = 1_000
"""A quick hand puts a chip down and lifts it three times a second; each time bounces for
30 ms, which is six edges at most. More than 20 per second is not a hand."""
NEWS_BURST = 600
NEWS_EVERY_MS = 1_000
"""What a sensor says is on the disk for years: hundreds of changes in a few minutes, then one a
second. A spot is touched a few times in a round."""
CHATTER_NEWS = 20
"""A fault is told to the jackpot controller too, and counts for so many changes."""
QUIET_MS = 2_000
"""A loose contact rests between two bursts; after two seconds it is over."""
STUCK_MS = 10 * 60_000
"""A spot is swept in every round, and no round lasts ten minutes."""


class Debouncer:
    """The history of one sensor: the last edge, and the level last reported."""

    def __init__(self, debounce_ms: int = DEBOUNCE_MS) -> None:
        self._debounce_ms = debounce_ms
        self._level: bool | None = None
        self._edge_ms = 0
        self._reported: bool | None = None

    def edge(self, level: bool, at_ms: int) -> None:  # noqa: FBT001  # a level is a level
        """Note the level of the sensor; every edge restarts the wait."""
        self._level, self._edge_ms = level, at_ms

    def settled(self, at_ms: int) -> bool | None:
        """Return the level if it has been the same for long enough and is not reported yet."""
        quiet = at_ms - self._edge_ms >= self._debounce_ms
        if self._level is None or not quiet or self._level == self._reported:
            return None
        self._reported = self._level
        return self._level

    @property
    def reported(self) -> bool | None:
        """The level that was reported last; None before the first."""
        return self._reported

    @property
    def due_ms(self) -> int | None:
        """When there will be something to report, if no edge comes first; None if nothing."""
        if self._level is None or self._level == self._reported:
            return None
        return self._edge_ms + self._debounce_ms

    def claim(self, level: bool | None) -> bool | None:  # noqa: FBT001  # a level is a level
        """Set what counts as reported (None: nothing), and return what counted before."""
        before, self._reported = self._reported, level
        return before


class NewsBudget:
    """How much a sensor may still say: a burst, and over time no more than its rate."""

    def __init__(self, limits: "SensorLimits") -> None:
        self._every_ms = limits.news_every_ms
        self._most_ms = limits.news_burst * limits.news_every_ms
        self._spent_ms = self._at_ms = 0

    def spend(self, at_ms: int, news: int = 1) -> None:
        """Note that something was said."""
        self._spent_ms = self._still_spent_ms(at_ms) + news * self._every_ms
        self._at_ms = at_ms

    def overdrawn(self, at_ms: int) -> bool:
        """Return whether more was said than anybody needs."""
        return self._still_spent_ms(at_ms) > self._most_ms

    @property
    def usable_ms(self) -> int:
        """When a tenth of the burst will be free again, so that the sensor is worth hearing."""
        return self._at_ms + self._spent_ms - self._most_ms * 9 // 10

    def _still_spent_ms(self, at_ms: int) -> int:
        return max(0, self._spent_ms - (at_ms - self._at_ms))


class SensorWatch:
    """One sensor of a coin spot."""

    def __init__(self, limits: "SensorLimits") -> None:
        self._limits = limits
        self._debouncer = Debouncer(limits.debounce_ms)
        self._counted_ms: deque[int] = deque((), limits.chatter_edges + 1)  # noqa: RUF037  # in both
        self._budget = NewsBudget(limits)
        self._edge_ms = 0
        self._present_since_ms: int | None = None
        self.chatters = False
        self.chatter_words = ""
        """What it does, while it chatters."""
        self.stuck = False

    @property
    def level(self) -> bool | None:
        """Whether a chip is sensed; None until that is known for the first time."""
        return self._debouncer.reported

    def edge(self, level: bool, at_ms: int) -> None:  # noqa: FBT001  # a level is a level
        """Note a change of the sensor, and the level after it."""
        self._debouncer.edge(level, at_ms)
        self._edge_ms = at_ms
        if not self._counted_ms or at_ms - self._counted_ms[-1] >= EDGE_APART_MS:
            self._counted_ms.append(at_ms)

    def forget(self) -> None:
        """Report the level again, as if it had never been reported."""
        self._debouncer.claim(None)

    def look(self, at_ms: int) -> "list[SensorNews]":
        """Return what is new; a chattering sensor senses no chip until it is quiet."""
        found = self._found(at_ms)
        for news in found:
            self._budget.spend(at_ms, CHATTER_NEWS if news == "chatters" else 1)
        return found

    def _found(self, at_ms: int) -> "list[SensorNews]":
        if self.chatters:
            if at_ms < self._quiet_ms:
                return []
            self.chatters = False
            self._counted_ms = deque((), self._limits.chatter_edges + 1)  # noqa: RUF037  # the same
            return self._levels(at_ms, ["quiet"])
        too_many = self._too_many(at_ms)
        if too_many or self._budget.overdrawn(at_ms):
            self.chatters = True
            fast = f"more than {self._limits.chatter_edges} changes a second"
            self.chatter_words = fast if too_many else "hundreds of changes in a few minutes"
            was_present = self._debouncer.claim(level=False)
            self._present_since_ms = None
            self.stuck = False
            return ["absent", "chatters"] if was_present else ["chatters"]
        return self._levels(at_ms)

    @property
    def next_look_ms(self) -> int | None:
        """When to look next, if no edge comes first; None if only an edge can be news."""
        if self.chatters:
            return self._quiet_ms
        stuck_ms = None
        if self._present_since_ms is not None and not self.stuck:
            stuck_ms = self._present_since_ms + self._limits.stuck_ms
        return min(
            (ms for ms in (self._debouncer.due_ms, stuck_ms) if ms is not None), default=None
        )

    @property
    def _quiet_ms(self) -> int:
        """When chatter is over, if no edge comes first."""
        return max(self._edge_ms + self._limits.quiet_ms, self._budget.usable_ms)

    def _too_many(self, at_ms: int) -> bool:
        counted = self._counted_ms
        full = len(counted) > self._limits.chatter_edges
        return full and at_ms - counted[0] <= self._limits.chatter_window_ms

    def _levels(self, at_ms: int, before: "list[SensorNews] | None" = None) -> "list[SensorNews]":
        """Return whether a chip has come or gone, and whether it has been there too long."""
        found: list[SensorNews] = before or []
        level = self._debouncer.settled(at_ms)
        if level is True:
            found.append("present")
            if self._present_since_ms is None:
                self._present_since_ms = at_ms
        elif level is False:
            found.append("absent")
            self._present_since_ms = None
            if self.stuck:
                self.stuck = False
                found.append("free")
        since_ms = self._present_since_ms
        if since_ms is not None and not self.stuck and at_ms - since_ms >= self._limits.stuck_ms:
            self.stuck = True
            found.append("stuck")
        return found
