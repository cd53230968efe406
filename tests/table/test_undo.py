"""The last key is taken back while it has had no consequence, and not a moment longer."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.rules.games import GAMES
from firmware.table.events import (
    DecisionCorrected,
    KeyTakenBack,
    NewPlayer,
    RestDecided,
    SeatsJoined,
)
from firmware.table.settings import CardSource
from firmware.table.table import Table
from tests.table.playing import (
    ACE_HIGH,
    QUEEN_HIGH,
    TENS,
    Effects,
    Playing,
    at_reveal,
    bets_placed,
    play_to_the_end,
    refused,
    remembered,
)
from tests.table.rounds import Round, closed, settings_of

TOO_LATE = refused("Too late to take the last key back; use AMOUNT or CORRECT.")
TOO_LATE_UNDECIDED = refused("Too late to take the last key back; use AMOUNT.")
NOTHING = refused("There is no key to take back.")


def undo(playing: Playing) -> Effects:
    """Press UNDO."""
    return playing.press(KeyTakenBack)


def told(playing: Playing) -> object:
    """Give what a table remembers, but for the numbers of records and frames.

    And but for what is told of a key that waited for a PIN (`test_dropped.py`).
    """
    state = dict(remembered(playing.state))  # type: ignore[call-overload]  # builtins of a struct
    for name in ("sequence", "last_frame", "last_key"):
        del state[name]
    state["round"] = {**state["round"], "dropped": ""}
    return state


def deciding() -> Playing:
    playing = bets_placed()
    playing.close()
    playing.deal({1: TENS, 3: QUEEN_HIGH}, ACE_HIGH)
    return playing


def second_round() -> Playing:
    """Open a round in which seat 1 is in by memory."""
    playing = Playing()
    playing.open()
    playing.ante(1, 5_000)
    play_to_the_end(playing)
    playing.open()
    return playing


KEYS: dict[str, tuple[Callable[[], Playing], Callable[[Playing], Effects]]] = {
    "AMOUNT of a seat that is in": (bets_placed, lambda t: t.ante(1, 9_000)),
    "AMOUNT of a new seat": (bets_placed, lambda t: t.ante(4, 9_000)),
    "NEW": (second_round, lambda t: t.press(NewPlayer, seat=1)),
    "PLAYER": (bets_placed, lambda t: t.press(SeatsJoined, seats=(3, 1))),
    "a decision": (deciding, lambda t: t.fold(1)),
    "REST": (deciding, lambda t: t.press(RestDecided, decision="bet")),
    "HIDDEN": (deciding, lambda t: t.hidden(1)),
    "AMOUNT of a BET": (lambda: at_reveal(TENS), lambda t: t.key(1, "bet", 800)),
    "AMOUNT that waits": (lambda: at_reveal(TENS), lambda t: t.ante(1, 9_000)),
    "CORRECT that waits": (
        lambda: at_reveal(TENS),
        lambda t: t.press(DecisionCorrected, seat=1, decision="fold"),
    ),
}


@pytest.mark.parametrize("key", list(KEYS))
def test_the_last_key_is_taken_back_as_if_it_had_not_been_pressed(key: str) -> None:
    begin, press = KEYS[key]
    playing = begin()
    before = told(playing)
    press(playing)
    assert told(playing) != before
    undo(playing)
    assert told(playing) == before
    assert bool(playing.state.round.dropped) == key.endswith("that waits")
    table = Table.recovered(playing.table.settings, playing.journal)
    assert remembered(table.state) == remembered(playing.state)


@pytest.mark.parametrize("key", list(KEYS))
def test_a_key_is_taken_back_once(key: str) -> None:
    begin, press = KEYS[key]
    playing = begin()
    press(playing)
    undo(playing)
    assert undo(playing) in {NOTHING, TOO_LATE}
    assert not playing.decided


def test_the_last_decision_is_taken_back_although_the_stage_was_over() -> None:
    playing = deciding()
    playing.bet(1)
    playing.fold(3)
    assert playing.phase() == "revealing"
    undo(playing)
    assert playing.phase() == "deciding"
    playing.bet(3)
    assert playing.state.round.seats[3].decision == "bet"


def test_it_is_too_late_once_the_cards_are_turned_up() -> None:
    playing = at_reveal(TENS)
    playing.reveal()
    assert undo(playing) == TOO_LATE


def test_it_is_too_late_once_a_card_has_come() -> None:
    playing = bets_placed()
    playing.close()
    playing.ante(1, 9_000)
    playing.draw("2d")
    assert undo(playing) == TOO_LATE_UNDECIDED


def test_closing_the_bets_cannot_be_taken_back() -> None:
    playing = bets_placed()
    playing.ante(1, 9_000)
    playing.close()
    assert undo(playing) == TOO_LATE_UNDECIDED


def test_a_key_that_contributed_cannot_be_taken_back() -> None:
    playing = bets_placed()
    playing.close()
    playing.ante(1, 0)
    assert undo(playing) == NOTHING
    assert not playing.state.round.seats[1].contributions


def test_a_new_round_takes_no_key_of_the_last_one_back() -> None:
    playing = bets_placed()
    play_to_the_end(playing)
    playing.press(NewPlayer, seat=1)
    playing.open()
    assert undo(playing) == NOTHING


def test_a_chip_that_comes_or_goes_does_not_hinder_it() -> None:
    playing = bets_placed()
    playing.ante(1, 9_000)
    playing.chip(4)
    undo(playing)
    assert 1 not in playing.state.round.seats
    assert playing.state.spots[4]["jackpot"].chip


@settings(max_examples=80, deadline=None, derandomize=True)
@given(
    game=st.sampled_from(sorted(GAMES)),
    source=st.sampled_from(["shoe", "shuffler", "manual"]),
    steps=st.integers(0, 60),
    seat=st.integers(1, 4),
    answer=st.sampled_from(["bet", "flop", "turn", "check", "fold", "absent"]),
    cents=st.sampled_from([0, 500, 5_000]),
    kind=st.sampled_from(["answer", "rest", "ante", "jackpot", "correct", "new", "hidden"]),
)
def test_undo_restores_everything_or_says_that_it_is_too_late(  # noqa: PLR0913  # what is drawn
    *, game: str, source: CardSource, steps: int, seat: int, answer: str, cents: int, kind: str
) -> None:
    played: Round = closed(settings_of(game, source))
    for _ in range(steps):
        if played.phase() == "idle":
            break
        played.go_on()
    press: dict[str, Callable[[], Effects]] = {
        "answer": lambda: played.decide(seat, answer),
        "rest": lambda: played.press(RestDecided, decision=answer),
        "ante": lambda: played.ante(seat, cents),
        "jackpot": lambda: played.key(seat, "jackpot", cents),
        "correct": lambda: played.press(DecisionCorrected, seat=seat, decision=answer),
        "new": lambda: played.press(NewPlayer, seat=seat),
        "hidden": lambda: played.hidden(seat),
    }
    before, owed = told(played), list(played.state.owed)
    press[kind]()
    if not played.decided:
        assert told(played) == before
        return
    if undo(played) in {NOTHING, TOO_LATE}:
        assert list(played.state.owed) != owed
    else:
        assert told(played) == before
