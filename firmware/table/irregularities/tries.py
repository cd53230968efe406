"""Wrong PINs: counted for each person and each place, with a wait that grows.

While a wait lasts no PIN is looked at, so a right one is answered like a wrong one, and nothing
is counted or written down. Time is that since the firmware was started, which nobody can set
(`up_ms` of the events); a restart begins it anew, and every wait with it.
"""

from typing import Literal

from msgspec import Struct

from firmware.table.state import StaffTries, TableState

Place = Literal["panel", "maintenance"]

BY_UPTIME = 2
"""The edition from which tries are counted so; before it by the clock that can be set."""
MOST_REMEMBERED = 50
"""So many numbers are remembered; those with the fewest tries go first."""
_MINUTE_MS = 60_000


class Patience(Struct, frozen=True):
    """How many wrong tries are let pass, and what follows."""

    free: int
    first_ms: int
    """The wait after so many; it doubles with every further one."""
    longest_ms: int
    forgiven_ms: int
    """One try is forgotten for each such time without another."""

    def wait_ms(self, tries: StaffTries) -> int:
        """Return how long nothing is believed after the last wrong try."""
        over = tries.count - self.free
        return 0 if over < 0 else min(self.first_ms << min(over, 32), self.longest_ms)

    def left(self, tries: StaffTries, up_ms: int) -> int:
        """Return how many tries are not forgotten yet."""
        return max(tries.count - (up_ms - tries.at_ms) // self.forgiven_ms, 0)


PERSON = Patience(3, 5 * _MINUTE_MS, 60 * _MINUTE_MS, 60 * _MINUTE_MS)
PLACE = Patience(5, _MINUTE_MS // 2, 5 * _MINUTE_MS, 10 * _MINUTE_MS)
"""Shorter, so that whoever enters nonsense does not keep everybody away for long."""


def must_wait(state: TableState, place: Place, staff: str, up_ms: int) -> bool:
    """Return whether no PIN is looked at now: of this person, or at this place."""
    if state.edition < BY_UPTIME:
        return False  # what is in an older journal was accepted
    counts = ((PERSON, state.tries.get(staff)), (PLACE, state.place_tries.get(place)))
    return any(
        tries is not None and up_ms - tries.at_ms < patience.wait_ms(tries)
        for patience, tries in counts
    )


def count_wrong(state: TableState, place: Place, staff: str, up_ms: int) -> None:
    """Count a wrong try."""
    for patience, counted, key in (
        (PERSON, state.tries, staff),
        (PLACE, state.place_tries, place),
    ):
        before = counted.get(key, StaffTries())
        counted[key] = StaffTries(patience.left(before, up_ms) + 1, up_ms)
    for number, tries in sorted(state.tries.items(), key=lambda each: each[1].count):
        forgotten = not PERSON.left(tries, up_ms)
        if number != staff and (forgotten or len(state.tries) > MOST_REMEMBERED):
            del state.tries[number]


def count_by_the_clock(state: TableState, staff: str, at_ms: int) -> None:
    """Count as editions before `BY_UPTIME` did."""
    tries = state.tries.setdefault(staff, StaffTries())
    if at_ms - tries.at_ms > 5 * _MINUTE_MS:
        tries.count = 0
    tries.count += 1
    tries.at_ms = at_ms


def begin_anew(state: TableState) -> None:
    """Begin every wait anew: the time since the start begins with a restart."""
    for counted in (state.tries, state.place_tries):
        for tries in counted.values():
            tries.at_ms = 0
