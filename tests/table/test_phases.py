"""What is possible when, and what a refusal is: a sentence for the dealer, and no change.

Every pair of a phase and an event stands in the table below or is refused. What an
event does where it is possible is in `test_round.py`.
"""

from collections.abc import Callable
from itertools import chain
from typing import get_args

import pytest

from firmware.table import events
from firmware.table.effects import ShowRefusal
from firmware.table.events import Event
from firmware.table.state import Phase
from tests.table.playing import (
    ACE_HIGH,
    FLUSH,
    QUEEN_HIGH,
    TENS,
    Playing,
    at_reveal,
    bets_placed,
    refused,
    written,
)

ALWAYS = {
    events.Restarted,
    events.CoinSensed,
    events.Acknowledged,
    events.AwardGranted,
    events.MeterMoved,
    events.LinkChanged,
}
POSSIBLE: dict[Phase, set[type[Event]]] = {
    "idle": {events.BetsOpened},
    "betting": {events.AnteKeyed, events.BetsClosed},
    "dealing": {events.CardDrawn},
    "deciding": {events.PlayerDecided},
    "revealing": {events.HandsRevealed},
    "settling": {events.RoundPaid},
}
FRAME = 900
"""A number that no frame in these tests has had."""
EXAMPLES: dict[type[Event], Event] = {
    type(example): example
    for example in (
        events.JournalOpened(at_ms=1, table="T1", journal="another"),
        events.Restarted(at_ms=1),
        events.CoinSensed(at_ms=1, seat=2, present=True),
        events.CardDrawn(at_ms=1, frame=FRAME, card="8s"),
        events.BetsOpened(at_ms=1, frame=FRAME),
        events.AnteKeyed(at_ms=1, frame=FRAME, seat=2, ante_cents=2_500),
        events.BetsClosed(at_ms=1, frame=FRAME),
        events.PlayerDecided(at_ms=1, frame=FRAME, seat=1, decision="bet"),
        events.HandsRevealed(at_ms=1, frame=FRAME),
        events.RoundPaid(at_ms=1, frame=FRAME),
        events.Acknowledged(at_ms=1, id="T1.fresh.5.1"),
        events.AwardGranted(at_ms=1, id="T1.fresh.5.1", amount_cents=100),
        events.MeterMoved(at_ms=1, meter_cents=100, sequence=1),
        events.LinkChanged(at_ms=1, healthy=True),
    )
}


def dealing() -> Playing:
    playing = bets_placed()
    playing.close()
    return playing


def deciding() -> Playing:
    playing = dealing()
    playing.deal({1: TENS, 3: QUEEN_HIGH}, ACE_HIGH)
    return playing


def settling() -> Playing:
    playing = at_reveal(TENS)
    playing.reveal()
    return playing


IN_PHASE: dict[Phase, Callable[[], Playing]] = {
    "idle": Playing,
    "betting": bets_placed,
    "dealing": dealing,
    "deciding": deciding,
    "revealing": lambda: at_reveal(TENS),
    "settling": settling,
}

every_phase = pytest.mark.parametrize("phase", get_args(Phase))
every_event = pytest.mark.parametrize("kind", list(EXAMPLES), ids=lambda kind: kind.__name__)


def concrete_events() -> set[type[Event]]:
    """Find every event that can happen: those that have a name in the journal or on the wire."""
    found = [kind for kind in vars(events).values() if isinstance(kind, type)]
    return {
        kind
        for kind in found
        if issubclass(kind, Event) and kind.__struct_config__.tag != kind.__name__
    }


def assert_refused(playing: Playing, event: Event) -> str:
    """Prove that an event is refused and changes nothing; give the reason."""
    before = written(playing.state)
    effects = playing.take(event)
    assert not playing.decided
    assert written(playing.state) == before
    (refusal,) = effects
    assert isinstance(refusal, ShowRefusal)
    return refusal.reason


# Every pair


def test_every_event_and_every_phase_is_tried_here() -> None:
    assert set(EXAMPLES) == concrete_events()
    assert set(IN_PHASE) == set(POSSIBLE) == set(get_args(Phase))


@every_phase
def test_a_table_can_be_brought_into_every_phase(phase: Phase) -> None:
    assert IN_PHASE[phase]().state.phase == phase


@every_phase
@every_event
def test_a_pair_is_possible_or_refused_without_a_change(phase: Phase, kind: type[Event]) -> None:
    playing = IN_PHASE[phase]()
    if kind in ALWAYS or kind in POSSIBLE[phase]:
        effects = playing.take(EXAMPLES[kind])
        assert not any(isinstance(effect, ShowRefusal) for effect in effects)
        return
    reason = assert_refused(playing, EXAMPLES[kind])
    assert_readable(reason)
    assert kind.__name__ not in reason


def assert_readable(reason: str) -> None:
    """Prove that a reason is a short sentence in plain letters, for a panel's text display."""
    assert reason.isascii()
    assert reason.isprintable()
    assert "_" not in reason
    assert 3 <= len(reason.split()) <= 14


def test_a_reason_says_what_was_pressed_and_what_goes_on() -> None:
    assert dealing().open() == refused(
        "Opening the bets is not possible now: cards are being dealt."
    )
    assert Playing().draw("As") == refused(
        "Drawing a card is not possible now: no round is under way."
    )


@every_phase
def test_what_the_link_says_of_nothing_that_is_owed_decides_nothing(phase: Phase) -> None:
    playing = IN_PHASE[phase]()
    for event in (
        EXAMPLES[events.MeterMoved],
        EXAMPLES[events.LinkChanged],
        events.Acknowledged(at_ms=1, id="T1.fresh.999.1"),
        events.AwardGranted(at_ms=1, id="T1.fresh.999.1", amount_cents=1),
    ):
        playing.take(event)
        assert not playing.decided


# Refused by what they say


def test_a_journal_cannot_begin_twice() -> None:
    assert_refused(Playing(), EXAMPLES[events.JournalOpened])


@pytest.mark.parametrize("seat", [5, 7, 99])
def test_a_seat_that_the_table_does_not_have_is_refused(seat: int) -> None:
    playing = bets_placed()
    for event in (
        events.CoinSensed(at_ms=1, seat=seat, present=True),
        events.AnteKeyed(at_ms=1, frame=FRAME, seat=seat, ante_cents=2_500),
    ):
        assert assert_refused(playing, event) == f"there is no seat {seat} at this table"


def test_an_ante_of_nothing_is_refused() -> None:
    event = events.AnteKeyed(at_ms=1, frame=FRAME, seat=2, ante_cents=0)
    assert assert_refused(bets_placed(), event) == "seat 2: key an ante above zero"


@pytest.mark.parametrize("ante_cents", [10**15 + 1, 2**64, 10**30])
def test_an_ante_that_no_journal_could_hold_is_refused(ante_cents: int) -> None:
    event = events.AnteKeyed(at_ms=1, frame=FRAME, seat=2, ante_cents=ante_cents)
    assert_readable(assert_refused(bets_placed(), event))


@pytest.mark.parametrize("seat", [2, 9])
def test_a_seat_that_is_not_in_the_round_decides_nothing(seat: int) -> None:
    event = events.PlayerDecided(at_ms=1, frame=FRAME, seat=seat, decision="bet")
    assert assert_refused(deciding(), event) == f"seat {seat} is not in this round"


def test_a_player_decides_once() -> None:
    playing = deciding()
    playing.fold(1)
    event = events.PlayerDecided(at_ms=1, frame=FRAME, seat=1, decision="bet")
    assert assert_refused(playing, event) == "seat 1 has decided already: fold"


@pytest.mark.parametrize("card", ["", "A", "1s", "AS", "10s", "sA", "As ", "AsKd", "Joker"])
def test_what_is_no_card_of_the_deck_is_refused(card: str) -> None:
    playing = dealing()
    assert_readable(assert_refused(playing, events.CardDrawn(at_ms=1, frame=FRAME, card=card)))
    playing.draw("2d")
    assert playing.decided


@pytest.mark.parametrize("card", ["AS", "10s", "A♠"])
def test_a_card_in_a_foreign_spelling_is_refused_without_showing_it(card: str) -> None:
    reason = assert_refused(dealing(), events.CardDrawn(at_ms=1, frame=FRAME, card=card))
    assert card not in reason


@pytest.mark.parametrize("card", ["2d", "As"])
def test_a_card_that_left_the_shoe_in_this_round_cannot_leave_it_again(card: str) -> None:
    playing = dealing()
    playing.draw("2d")
    playing.draw("As")
    reason = assert_refused(playing, events.CardDrawn(at_ms=1, frame=FRAME, card=card))
    assert_readable(reason)
    assert card not in reason


# Frames that come again


def assert_taken_once(playing: Playing) -> None:
    """Prove that the last frame, when it comes again, is taken for what it is."""
    assert playing.journal[-1] == playing.last
    before = written(playing.state)
    records = len(playing.journal)
    assert playing.again() == ()
    assert len(playing.journal) == records
    assert written(playing.state) == before


def test_every_frame_is_taken_once() -> None:
    playing = Playing()
    playing.open()
    assert_taken_once(playing)
    playing.chip(1)
    playing.ante(1, 5_000)
    assert_taken_once(playing)
    playing.close()
    assert_taken_once(playing)
    for card in ("2d", *chain.from_iterable(zip(FLUSH, ACE_HIGH, strict=True))):
        playing.draw(card)
        assert_taken_once(playing)
    playing.fold(1)
    assert_taken_once(playing)
    playing.reveal()
    assert_taken_once(playing)
    (win,) = playing.state.round.claims
    playing.award(win, 10_000)
    playing.paid()
    assert_taken_once(playing)


def test_a_frame_that_comes_again_after_a_restart_is_taken_once() -> None:
    playing = dealing()
    playing.draw("2d")
    frame = playing.last
    playing.restart()
    assert playing.take(frame) == ()
    assert len(playing.state.round.drawn) == 1


def test_the_same_number_from_another_device_is_another_frame() -> None:
    playing = dealing()
    playing.frames["shoe"] = playing.frames["panel"] - 1
    playing.draw("2d")
    assert playing.frames["shoe"] == playing.frames["panel"]
    assert playing.decided


def test_the_numbers_of_frames_may_begin_anew() -> None:
    playing = dealing()
    playing.frames["shoe"] = 998
    playing.draw("2d")
    playing.frames["shoe"] = 0
    playing.draw("As")
    assert playing.decided
