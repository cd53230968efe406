"""A program that fails: nothing has changed, a fact alone is noted, and the table goes on.

Seeded walks over all six games, most of it sensible play, some of it events at random; in one
event of three the program fails somewhere on its way (`sabotage.py`). The cases by name are in
`test_failures_by_name.py`; events that are refused, with all that must hold, in `test_machine.py`.
"""

from collections import Counter
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from firmware.rules.games import GAMES
from firmware.table.effects import ShowRefusal
from firmware.table.events import (
    Decision,
    Event,
    Fact,
    FromDevice,
    JournalOpened,
    Restarted,
)
from firmware.table.phases import handler_for
from firmware.table.settings import CardSource, TableSettings
from firmware.table.state import TableState
from firmware.table.table import FAILED, Outcome, Table
from firmware.table.turn import Turn
from tests.sixth_game import caribbean_stud
from tests.sixth_game.registering import register
from tests.table.playing import SETTINGS, Effects, remembered, written
from tests.table.random_events import any_event, noted
from tests.table.sabotage import Broken, Sabotage
from tests.table.walking import Deck, Shown, Walker

EVERY_GAME = (*sorted(GAMES), caribbean_stud.GAME.id)
SOURCES: tuple[CardSource, ...] = ("shoe", "shuffler", "manual")
DEEPEST = 4
"""So many places a doomed event passes at most before it fails."""


@pytest.fixture(autouse=True)
def _sixth_game(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


class Doomed(Walker):
    """A table whose program fails, with all that must hold when it does."""

    def __init__(self, rng: Random, sabotage: Sabotage, game: str, source: CardSource) -> None:
        self.rng = rng
        self.sabotage = sabotage
        self.places: Counter[str] = Counter()
        self.refused = 0
        self.chance = 0.3
        self.dark = False
        """Whether the table could not be shown: then what cannot be shown happens all the same."""
        self.shown = Shown()
        at = replace(SETTINGS, game=game, card_source=source)
        super().__init__(Deck(rng.randrange(2**32), kind=rng.random() < 0.5), at)
        self.at = at

    def take(self, event: Event) -> Effects:
        """Let an event happen that may fail, and hold the table to what then must be so."""
        self.last = event = self.table.completed(event)
        if self.state.journal and self.rng.random() < self.chance:
            self.sabotage.doomed[event.at_ms] = self.rng.randint(1, DEEPEST)
        before, settings = written(self.state), self.table.settings
        self.sabotage.begin(event)
        outcome = self.table.step(event)
        self.decided = outcome.decided
        fired = self.sabotage.fired
        if outcome.decided:
            assert isinstance(event, Decision)
            self.journal.append(event)
        if isinstance(event, Fact):
            assert noted(event, self.state), event
            assert not _is_refused(outcome), event
        if fired:
            self.places[fired] += 1
            self._failed(event, before, settings, outcome)
        else:
            assert outcome.failure is None
        if not outcome.decided and _is_refused(outcome):
            self.refused += 1
            self._unchanged(event, before, settings)
        if not _is_refused(outcome):
            self.dark = fired == "view.prompt"
        self._seen(event, outcome)
        return self.without_reports(outcome.effects)

    def _failed(
        self, event: Event, before: bytes, settings: TableSettings, outcome: Outcome
    ) -> None:
        assert isinstance(outcome.failure, Broken)
        if isinstance(event, Fact) and self.sabotage.fired != "view.prompt":
            assert outcome.decided
            assert written(self.state) == _noted_alone(settings, before, event)
        elif not isinstance(event, Fact) and not self.dark:
            assert outcome.effects == (ShowRefusal(FAILED),)
            assert not outcome.decided

    def _unchanged(self, event: Event, before: bytes, settings: TableSettings) -> None:
        """Prove that an event left nothing behind, and that its frame stays refused."""
        assert written(self.state) == before, event
        assert self.table.settings is settings
        if isinstance(event, FromDevice):
            self.sabotage.begin(event)
            assert self.table.step(event) == Outcome(decided=False)
            assert written(self.state) == before, event

    def _seen(self, event: Event, outcome: Outcome) -> None:
        """Prove that what is seen outside is what a start would show, if it can be shown."""
        self.shown.carry_out(outcome.effects)
        if self.dark:
            return
        self.sabotage.rest()
        resumed = Shown().carry_out(self.table.resumed())
        if isinstance(event, Restarted | JournalOpened):
            self.shown = resumed  # the lamps of another layout are other lamps
        assert self.shown == resumed, event

    def walk_on(self) -> None:
        """Let something happen: mostly what a dealer does next, sometimes anything."""
        if self.rng.random() < 0.4:
            self.take(any_event(self.rng, self))
        else:
            self._do_next()
        if self.sabotage.fired and not self.decided and isinstance(self.last, FromDevice):
            self._press_again(self.last)

    def _press_again(self, failed: FromDevice) -> None:
        """Prove that what has failed works in a new frame, once the program does."""
        self.chance = 0.0
        self.take(replace(failed, at_ms=self.now(), frame=self.frame(failed.device)))
        self.chance = 0.3
        assert not self.sabotage.fired

    def _do_next(self) -> None:
        number = self.rng.randint(1, 5)
        phase = self.state.phase
        self.go_on(number)
        if not self.decided and not self.sabotage.fired and self.state.phase == phase:
            self.mend_everything()


def _is_refused(outcome: Outcome) -> bool:
    return any(isinstance(effect, ShowRefusal) for effect in outcome.effects)


def _noted_alone(settings: TableSettings, before: bytes, event: Fact) -> bytes:
    """Write down the state in which a fact is noted, and nothing has followed from it."""
    state = msgspec.msgpack.decode(before, type=TableState)
    turn = Turn(settings, settings.rules, state, state.round, event.at_ms, [], [])
    assert handler_for(state, event)(turn, event)
    state.sequence += 1
    return written(state)


def walk(seed: int, monkeypatch: pytest.MonkeyPatch, events: int) -> Doomed:
    """Walk a table into failures, and fold its journal in the end."""
    rng = Random(seed)
    game, source = EVERY_GAME[seed % len(EVERY_GAME)], rng.choice(SOURCES)
    sabotage = Sabotage(monkeypatch)
    table = Doomed(rng, sabotage, game, source)
    for _ in range(events):
        table.walk_on()
    again = Table.recovered(table.at, sabotage.told(table.journal))
    assert remembered(again.state) == remembered(table.state)
    assert again.settings == table.table.settings
    return table


@pytest.mark.parametrize("seed", range(24))
def test_a_failure_leaves_nothing_but_the_fact_and_the_journal_folds(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = walk(seed, monkeypatch, 400)
    assert table.places.total() > 20
    assert table.refused > 20


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1_000, 1_300))
def test_a_failure_leaves_nothing_but_the_fact_and_the_journal_folds_for_long(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    walk(seed, monkeypatch, 1_000)
