"""Where a program can fail halfway, by name: each handler that has changed something by then.

A failed or refused event has changed nothing; of a fact, the fact alone is noted, and its
record is in the journal. The same at random places of random rounds is in `test_failures.py`.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import ModuleType
from typing import NamedTuple

import pytest
from msgspec.msgpack import encode
from msgspec.structs import replace

from firmware.protocol.obligations import Verdict
from firmware.table import dealing, faults, linking, power, settlement, view
from firmware.table.effects import Send, ShowPrompt, ShowRefusal
from firmware.table.events import Fact, Restarted
from firmware.table.irregularities import authority, reports, rulings
from firmware.table.settings import CardSource, TableSettings
from firmware.table.table import FAILED, Outcome, Table
from tests.sixth_game import caribbean_stud
from tests.sixth_game.registering import register
from tests.table.playing import (
    ACE_HIGH,
    FLUSH,
    QUEEN_HIGH,
    SETTINGS,
    TENS,
    Effects,
    Playing,
    bets_placed,
    prompt_in,
    refused,
    remembered,
    written,
)
from tests.table.random_events import noted
from tests.table.sabotage import Broken

CARIBBEAN = replace(SETTINGS, game=caribbean_stud.GAME.id, card_source="shuffler")
OTHER_FLUSH = ("Qd", "Jd", "8d", "6d", "4d")


@pytest.fixture(autouse=True)
def _sixth_game(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


class Halfway(NamedTuple):
    """A table, an event that happens to it, and the function in which it fails."""

    arrange: Callable[[], Playing]
    module: ModuleType
    name: str
    act: Callable[[Playing], Effects]


@contextmanager
def spoilt(module: ModuleType, name: str) -> Iterator[None]:
    """Let a function fail once it has done its work."""
    works = getattr(module, name)

    def fails(*given: object, **named: object) -> None:
        works(*given, **named)
        raise Broken(name)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, name, fails)
        yield


def dealt_hands(at: TableSettings = CARIBBEAN) -> Playing:
    """Deal a flush to seats 1 and 3 of a table with the sixth game; they have to decide."""
    playing = bets_placed(at)
    playing.close()
    for hand in (FLUSH, OTHER_FLUSH, ACE_HIGH):
        playing.dispense(*hand)
    assert playing.phase() == "deciding"
    return playing


def two_claims() -> Playing:
    """Settle a round of the sixth game in which seats 1 and 3 claim."""
    playing = dealt_hands()
    playing.decide(1, "raise")
    playing.decide(3, "raise")
    playing.reveal()
    assert playing.phase() == "settling"
    return playing


def one_awarded() -> Playing:
    """Award the first of two claims."""
    playing = two_claims()
    first, _ = playing.state.round.claims
    playing.award(first, 5_000)
    return playing


def withdrawing() -> Playing:
    """Let a player choose to leave the round before a ruling is confirmed."""
    playing = dealt_hands(replace(CARIBBEAN, seen_cards_authority="dealer"))
    playing.report("dealer_card_exposed")
    playing.choose("withdraw", 1)
    playing.choose("continue", 3)
    return playing


def keyed() -> Playing:
    """Key a hand that claims at a table that reads no cards."""
    playing = bets_placed(replace(CARIBBEAN, card_source="manual"))
    playing.close()
    playing.dealt()
    playing.reveal()
    playing.cards(1, *FLUSH)
    playing.decide(1, CARIBBEAN.rules.stay)
    return playing


def before_the_deal(card_source: CardSource) -> Playing:
    """Close the bets of seats 1 and 3 of a table with this source of cards."""
    playing = bets_placed(replace(CARIBBEAN, card_source=card_source))
    playing.close()
    return playing


def void_asked() -> Playing:
    """Report what a supervisor has to confirm."""
    playing = dealt_hands()
    playing.report("foreign_card")
    playing.choose("void")
    playing.turn_key()
    return playing


def lose_link(playing: Playing) -> Effects:
    """Lose the link."""
    return playing.link(healthy=False, problem="no route")


def reader_fault() -> Playing:
    """Let a table be idle with a fault of its shoe."""
    playing = Playing(replace(CARIBBEAN, card_source="shoe"))
    playing.fault("device_gone", "shoe")
    return playing


def changed(playing: Playing) -> Effects:
    """Start again with a shuffler in the table file."""
    return playing.take(Restarted(at_ms=playing.now(), settings=CARIBBEAN))


from_shoe = partial(before_the_deal, "shoe")
from_shuffler = partial(before_the_deal, "shuffler")
DECISIONS = {
    "card_drawn": Halfway(from_shoe, dealing, "go_on", lambda p: p.draw("As")),
    "card_drawn, foreign": Halfway(from_shoe, dealing, "notice", lambda p: p.draw("1x")),
    "hand_dispensed": Halfway(from_shuffler, dealing, "go_on", lambda p: p.dispense(*FLUSH)),
    "hand_dispensed, too short": Halfway(
        from_shuffler, reports, "open_ruling", lambda p: p.dispense(*FLUSH[:4])
    ),
    "ruling_confirmed": Halfway(withdrawing, rulings, "go_on", Playing.confirm),
    "staff_identified": Halfway(void_asked, rulings, "void_round", Playing.identify),
    "staff_identified, ruled": Halfway(void_asked, authority, "carry_out", Playing.identify),
    "claims_keyed": Halfway(keyed, settlement, "pay_from_registered_meter", Playing.paid),
    "the prompt": Halfway(Playing, view, "prompt", Playing.open),
}
FACTS = {
    "link_changed": Halfway(one_awarded, linking, "link_lost", lose_link),
    "link_changed, ruled": Halfway(one_awarded, reports, "ruling", lose_link),
    "link_changed, deciding": Halfway(dealt_hands, linking, "link_lost", lose_link),
    "restarted": Halfway(
        dealt_hands, power, "interrupted", lambda p: p.take(Restarted(at_ms=p.now()))
    ),
    "restarted, changed": Halfway(reader_fault, power, "end_fault", changed),
    "fault_noticed": Halfway(
        from_shuffler, faults, "device_failed", lambda p: p.fault("device_gone", "shuffler")
    ),
}


@pytest.mark.parametrize("case", DECISIONS.values(), ids=DECISIONS)
def test_a_decision_that_fails_halfway_changes_nothing_and_works_again(case: Halfway) -> None:
    playing = case.arrange()
    before, records = written(playing.state), len(playing.journal)
    failures: list[Exception | None] = []
    playing.listener = lambda _event, _before, outcome: failures.append(outcome.failure)
    with spoilt(case.module, case.name):
        assert case.act(playing) == refused(FAILED)
    assert isinstance(failures.pop(), Broken)
    assert written(playing.state) == before
    # The frame was refused and stays so, also once the program works.
    assert playing.again() == ()
    assert written(playing.state) == before
    assert len(playing.journal) == records
    case.act(playing)
    assert playing.decided
    assert failures == [None, None]


@pytest.mark.parametrize("case", FACTS.values(), ids=FACTS)
def test_a_fact_whose_consequence_fails_is_noted_alone(case: Halfway) -> None:
    playing = case.arrange()
    phase, round_before = playing.phase(), encode(playing.state.round)
    settings, owed = playing.table.settings, set(playing.state.owed)
    outcomes: list[Outcome] = []
    playing.listener = lambda _event, _before, outcome: outcomes.append(outcome)
    with spoilt(case.module, case.name):
        case.act(playing)
        again = Table.recovered(settings, playing.journal)
    (outcome,) = outcomes
    assert isinstance(playing.last, Fact)
    assert noted(playing.last, playing.state)
    assert isinstance(outcome.failure, Broken)
    assert outcome.decided
    assert not any(isinstance(effect, ShowRefusal) for effect in outcome.effects)
    assert (playing.phase(), encode(playing.state.round)) == (phase, round_before)
    assert playing.table.settings is settings
    sent = {effect.obligation.id for effect in outcome.effects if isinstance(effect, Send)}
    assert set(playing.state.owed) - owed == sent
    assert remembered(again.state) == remembered(playing.state)


def test_what_could_not_be_shown_is_shown_with_the_next_event() -> None:
    playing = Playing(CARIBBEAN)
    with spoilt(view, "prompt"):
        effects = playing.link(healthy=False, problem="no route")
    assert not any(isinstance(effect, ShowPrompt | ShowRefusal) for effect in effects)
    assert not playing.state.link_healthy
    assert "The jackpot link is down: no route." in prompt_in(playing.turn_key())


# A game whose rules void a round after its cards were seen


def test_a_link_lost_after_an_award_voids_the_round_and_takes_its_claims_back() -> None:
    playing = one_awarded()
    first, second = playing.state.round.claims
    playing.link(healthy=False, problem="no route")
    assert (playing.state.link_healthy, playing.state.link_problem) == (False, "no route")
    assert playing.phase() == "ruling"
    assert playing.confirm() == refused("The pit supervisor must confirm this.")
    playing.confirm_as("pit_supervisor")
    assert playing.state.round.void
    verdicts = [owed for owed in playing.state.owed.values() if isinstance(owed, Verdict)]
    assert [(v.win, v.confirmed) for v in verdicts] == [(first, False), (second, False)]
    playing.paid()
    assert playing.phase() == "idle"
    again = Table.recovered(CARIBBEAN, playing.journal)
    assert remembered(again.state) == remembered(playing.state)


def test_a_link_lost_before_any_award_voids_the_round_with_its_claims() -> None:
    playing = two_claims()
    playing.link(healthy=False)
    playing.confirm_as("pit_supervisor")
    assert playing.phase() == "settling"
    assert playing.state.round.void
    assert not playing.state.round.claims
    assert not any(player.contributions for player in playing.state.round.seats.values())
    playing.paid()
    assert playing.phase() == "idle"


def test_a_silent_table_of_irregularities_is_cited_for_a_jackpot_chip_without_an_ante() -> None:
    playing = Playing(CARIBBEAN)
    playing.open()
    playing.chip(1)
    told = prompt_in(playing.ante(1, 0))
    assert "Seat 1: jackpot chip without an ante; add an ante or lift the chip (§5.22)." in told


def test_a_round_of_the_sixth_game_is_played_with_its_own_answers() -> None:
    playing = bets_placed(CARIBBEAN)
    playing.close()
    for hand in (TENS, QUEEN_HIGH, ACE_HIGH):
        playing.dispense(*hand)
    assert playing.bet(1) == refused("Seat 1: choose raise, fold or absent.")
    playing.decide(1, "raise")
    playing.fold(3)
    assert "Seat 1 raise wins: pay $50.00, leave $50.00" in prompt_in(playing.reveal())
