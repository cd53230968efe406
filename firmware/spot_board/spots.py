"""The sensors of all inputs: from the levels at each look to what is found. Pure, on times alone.

What one sensor means is in `devices/sensing.py`, the same as on the Pi. Where the levels come from
is in `pins.py`, and what becomes of a finding in `board.py`.
"""

from firmware.devices.sensing import SensorWatch
from firmware.spot_board.limits import INPUTS

TYPE_CHECKING = False  # MicroPython has no module `typing`
if TYPE_CHECKING:
    from firmware.devices.sensor_limits import SensorNews
    from firmware.spot_board.limits import Limits

    Found = tuple[int, SensorNews, str]
    """An input from 0, what was found there, and in words what it does."""


class Spots:
    """What is known of every input."""

    def __init__(self) -> None:
        self._watches: list[SensorWatch | None] = [None] * INPUTS
        self._looks_ms: list[int | None] = [None] * INPUTS
        self._next_ms: int | None = None
        """When the next sensor wants to be looked at although nothing has changed."""
        self.raw = 0
        """The levels at the last look, bit 0 for input 1."""
        self.edges = [0] * INPUTS
        """How often each input has changed since the start, fitted or not."""

    def fit(self, limits: "Limits", at_ms: int) -> None:
        """Begin anew with these sensors and limits, from the levels as they are now."""
        for place in range(INPUTS):
            self._watches[place] = None
            if limits.mask >> place & 1:
                watch = SensorWatch(limits)  # type: ignore[arg-type]  # the same attributes
                watch.edge(level=bool(self.raw >> place & 1), at_ms=at_ms)
                self._watches[place] = watch
            self._plan(place)
        self._plan_all()

    def look(self, levels: int, at_ms: int) -> "list[Found]":
        """Take the levels of all inputs as they are now; return what is new."""
        changed = levels ^ self.raw
        due = self._next_ms is not None and at_ms >= self._next_ms
        if not changed and not due:
            return []
        self.raw = levels
        found: list[Found] = []
        for place in range(INPUTS):
            self._look_at(place, changed >> place & 1, at_ms, found)
        self._plan_all()
        return found

    def _look_at(self, place: int, changed: int, at_ms: int, found: "list[Found]") -> None:
        self.edges[place] += changed
        watch, look_ms = self._watches[place], self._looks_ms[place]
        if watch is None:
            return
        if changed:
            watch.edge(level=bool(self.raw >> place & 1), at_ms=at_ms)
        elif look_ms is None or at_ms < look_ms:
            return
        for news in watch.look(at_ms):
            found.append((place, news, watch.chatter_words if news == "chatters" else ""))
        self._plan(place)

    @property
    def settled(self) -> bool:
        """Whether it is known of every sensor what it senses."""
        return all(
            watch is None or watch.chatters or watch.level is not None for watch in self._watches
        )

    def letters(self) -> str:
        """Write what is known of every input, as the message `LEVELS` has it."""
        return "".join([_letter(watch) for watch in self._watches])

    def _plan(self, place: int) -> None:
        watch = self._watches[place]
        self._looks_ms[place] = None if watch is None else watch.next_look_ms

    def _plan_all(self) -> None:
        self._next_ms = min([ms for ms in self._looks_ms if ms is not None], default=None)


def _letter(watch: "SensorWatch | None") -> str:
    if watch is None:
        return "-"
    if watch.chatters:
        return "c"
    if watch.level is None:
        return "-"
    if not watch.level:
        return "."
    return "s" if watch.stuck else "o"
