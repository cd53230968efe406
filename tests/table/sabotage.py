"""Lets the table's program fail at a chosen place: after it has changed the state.

Every place stands between two parts of a handler. In a doomed event, told by its time, the
program fails once so many places have been passed; so the same event fails in the same way
when its journal is folded.
"""

from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import Any

import pytest

from firmware.table import (
    awards,
    betting,
    dealing,
    decision_corrections,
    faults,
    linking,
    power,
    settlement,
    stages,
    stake_corrections,
    view,
)
from firmware.table.events import Decision, Event, Fact
from firmware.table.irregularities import authority, reports, rulings
from firmware.table.phases import IN_EVERY_PHASE, PHASES

PLACES: dict[ModuleType, tuple[str, ...]] = {
    betting: ("go_on",),
    dealing: ("give", "go_on", "notice", "reader_failed"),
    stages: ("settle_or_key", "end_stage"),
    settlement: ("settle_round", "settle", "claimed"),
    awards: ("award",),
    stake_corrections: ("settle_put_right", "go_on"),
    decision_corrections: ("settle_put_right", "go_on", "decide"),
    reports: ("ruling", "notice", "open_ruling", "go_on"),
    rulings: ("void_round", "settle_again", "open_ruling", "go_on", "pay_from_registered_meter"),
    authority: (
        "carry_out",
        "carry_out_correction",
        "correct_with_authority",
        "confirm_majors",
        "deny",
        "clear_fault",
        "withdraw_noticed",
    ),
    linking: ("link_lost", "pay_from_registered_meter"),
    power: ("interrupted", "end_fault"),
    faults: ("device_failed",),
    view: ("prompt",),
}
"""Functions by the module that calls them; a fact is noted in none of them but the last."""


class Broken(Exception):  # noqa: N818  # what it is, not an error that anybody expects
    """A bug, put in by a test."""


class Sabotage:
    """The places, and the events that are doomed: by time, how many places they pass."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.doomed: dict[int, int] = {}
        self.fired = ""
        """The place at which the event under way has failed."""
        self._at_ms = 0
        self._passed = 0
        for module, names in PLACES.items():
            for name in names:
                place = f"{module.__name__.rpartition('.')[2]}.{name}"
                monkeypatch.setattr(module, name, self._spoilt(getattr(module, name), place))
        for handlers in (IN_EVERY_PHASE, *PHASES.values()):
            for kind, handler in handlers.items():
                if not issubclass(kind, Fact):
                    spoilt = self._spoilt(handler, f"handler of {kind.__name__}")
                    monkeypatch.setitem(handlers, kind, spoilt)

    def begin(self, event: Event) -> None:
        """Say which event is about to happen."""
        self._at_ms, self._passed, self.fired = event.at_ms, 0, ""

    def rest(self) -> None:
        """Let everything work until the next event."""
        self._at_ms = -1

    def told(self, journal: Iterable[Decision]) -> Iterator[Decision]:
        """Say of each event of a journal that it is about to happen again."""
        for event in journal:
            self.begin(event)
            yield event

    def _spoilt(self, works: Callable[..., Any], place: str) -> Callable[..., Any]:
        def fails(*given: object, **named: object) -> object:
            answer = works(*given, **named)
            self._passed += 1
            if self.doomed.get(self._at_ms) == self._passed:
                self.fired = place
                raise Broken(place)
            return answer

        return fails
