"""Whether the start that speaks for a unit is still there, if that is in doubt.

It is in doubt while another start waits for its end, and after a farewell that may be an old one,
which somebody says again. Then it is asked, and once more soon after: a busy broker drops messages.
If it answers, it is there; if it does not, it is gone, until it does answer.
"""

from datetime import datetime, timedelta

from msgspec import Struct

from sim.jackpot_controller.unit_orders import Unit

PATIENCE = timedelta(seconds=10)
"""How long another start waits: a broker finds out within 8 s that a unit has lost its power."""
UNDER_WAY = timedelta(seconds=2)
"""How long a question and its answer may be under way."""
_FORGOTTEN = 6 * PATIENCE
"""A start that waits and has not asked for so long has given up, and another one begins anew: one that
was refused asks every 30 s."""


class Wait(Struct):
    """Somebody waits for the answer of a start, which was asked when that began."""

    begun: datetime
    last: datetime
    """When the one who waits asked last."""
    again: datetime | None = None
    """When the start was asked again."""

    def is_over(self, at: datetime) -> bool:
        """Return whether there was a second question, and time to answer both."""
        asked_twice = self.again is not None and at - self.again >= UNDER_WAY
        return asked_twice and at - self.begun >= PATIENCE

    def is_due(self, at: datetime) -> bool:
        """Return whether it is time to ask again."""
        return self.again is None and at - self.begun >= UNDER_WAY


class Liveness:
    """What is known of the starts that speak for the units of a link."""

    def __init__(self) -> None:
        self._waiting: dict[Unit, Wait] = {}
        """Since when another start waits."""
        self._doubted: dict[Unit, Wait] = {}
        """Since when there is a farewell of which nobody knows whether it is an old one."""
        self._heard: dict[Unit, datetime] = {}
        """When the start last answered a question."""
        self._silent: set[Unit] = set()
        """The units whose start has not answered: what it seems to say is not believed."""

    def is_silent(self, unit: Unit) -> bool:
        """Return whether the start was asked, and has not answered."""
        return unit in self._silent

    def answered(self, unit: Unit, at: datetime) -> None:
        """Note that the start has answered: it is there."""
        self._heard[unit] = at
        self._silent.discard(unit)
        self._doubted.pop(unit, None)

    def forget(self, unit: Unit) -> None:
        """Forget what was asked and answered before another start speaks for a unit."""
        self._silent.discard(unit)
        for of_unit in (self._waiting, self._doubted, self._heard):
            of_unit.pop(unit, None)

    def doubt(self, unit: Unit, at: datetime) -> None:
        """Note that a farewell was heard that may be an old one."""
        self._doubted.setdefault(unit, Wait(at, at))

    def waits(self, unit: Unit, at: datetime) -> bool | None:
        """Let another start wait; return whether the first is there, once that is known."""
        wait = self._waiting.get(unit)
        if wait is None or at - wait.last > _FORGOTTEN:
            wait = self._waiting[unit] = Wait(at, at)
        wait.last = at
        if wait.is_over(at):
            del self._waiting[unit]
            there = self._has_answered(unit, wait)
            if not there:
                self._silent.add(unit)
            return there
        if wait.is_due(at):
            wait.again = at
        return None

    def to_ask_again(self, at: datetime) -> set[Unit]:
        """Return the units whose start has not answered, and is to be asked once more.

        The start that waits may ask only every 30 s, and must be accepted when it next does.
        """
        due: set[Unit] = set()
        for waits in (self._waiting, self._doubted):
            for unit, wait in waits.items():
                if wait.is_due(at) and not self._has_answered(unit, wait):
                    wait.again = at
                    due.add(unit)
        return due

    def gone(self, at: datetime) -> list[Unit]:
        """Return the units whose start has not answered after a farewell: that was its end."""
        over = [unit for unit, wait in self._doubted.items() if wait.is_over(at)]
        for unit in over:
            del self._doubted[unit]
            self._silent.add(unit)
        return over

    def _has_answered(self, unit: Unit, wait: Wait) -> bool:
        """Return whether the start has answered since somebody waits for that."""
        heard = self._heard.get(unit)
        return heard is not None and heard >= wait.begun
