"""What is put right in a round that goes on by hand after its reader has failed.

The hands are settled by the dealer from then on (I-40), whatever is keyed about them; and a reader
that fails once cards were seen has interrupted nothing.
"""

import pytest
from msgspec.structs import replace

from firmware.protocol.obligations import Verdict, Win
from firmware.table.events import CardsCorrected, DecisionCorrected, RestDecided
from firmware.table.state import Phase
from firmware.table.table import Table
from tests.table.playing import (
    ACE_HIGH,
    FLUSH,
    QUEEN_HIGH,
    SETTINGS,
    Effects,
    Playing,
    owed_in,
    prompt_in,
    remembered,
)

DOCUMENTS = ("rws-multilink-stud", "rws-casino-stud", "rws-holdem")
KINGS = ("Kc", "Kh", "Ks", "8c", "4d")
BY_HAND = "Settle the main game by hand."


def closed(game: str) -> Playing:
    """Close the bets of seats 1 and 3 at a table with a shoe."""
    playing = Playing(replace(SETTINGS, game=game))
    playing.open()
    playing.chip(1)
    playing.chip(3)
    playing.close()
    for owed in list(playing.state.owed):
        playing.acknowledge(owed)
    return playing


def stud(third: str | None) -> Playing:
    """Let the reader fail after seat 1 has bet; seat 3 is keyed by hand, or not at all."""
    playing = closed("rws-multilink-stud")
    playing.deal({1: FLUSH, 3: KINGS}, ACE_HIGH)
    playing.bet(1)
    playing.unread()
    if third:
        playing.decide(3, third)
    playing.reveal()
    return playing


def holdem() -> Playing:
    """Let the reader fail at the turn, and key a board that gives seat 1 a royal flush."""
    playing = closed("rws-holdem")
    for card in ("2d", "Ah", "7c", "Kh", "8d"):
        playing.draw(card)
    playing.press(RestDecided)
    for card in ("3d", "Qh", "Jh", "Th"):
        playing.draw(card)
    playing.reveal()
    playing.press(RestDecided)
    playing.draw("3h")
    playing.unread()
    playing.reveal()
    playing.cards("community", "Qh", "Jh", "Th", "2c", "2s")
    return playing


def claims(effects: Effects) -> list[Win | Verdict]:
    return [owed for owed in owed_in(effects) if isinstance(owed, Win | Verdict)]


@pytest.mark.parametrize("which", ["stud undecided", "stud keyed", "holdem"])
def test_5_3_a_bet_is_keyed_until_paid_and_the_round_stays_settled_by_hand(which: str) -> None:
    third = {"stud keyed": "bet", "holdem": "flop"}.get(which)
    playing, bet = (holdem(), "flop") if which == "holdem" else (stud(third), "bet")
    assert [win.seat for win in claims(playing.paid())] == [1]
    assert playing.phase() == "settling"
    effects = playing.key(1, bet, 4_000)
    assert playing.decided
    assert playing.state.round.seats[1].stakes[bet] == 4_000
    assert BY_HAND in prompt_in(effects)
    assert playing.state.round.results == []  # nobody's ante is taken by the table
    assert playing.state.round.seats[3].decision == third
    assert claims(effects) == claims(playing.paid()) == []  # what is claimed stays claimed
    assert (playing.phase(), len(playing.state.round.claims)) == ("settling", 1)
    again = Table.recovered(playing.table.settings, playing.journal)
    assert remembered(again.state) == remembered(playing.state)


def test_5_3_a_bet_keyed_beside_a_hand_that_is_lost_is_settled_with_paid() -> None:
    playing = closed("rws-multilink-stud")
    playing.deal({1: FLUSH, 3: KINGS}, ACE_HIGH)
    playing.press(RestDecided)
    playing.press(CardsCorrected, how="lost", places=("3",))
    playing.confirm_as("pit_supervisor")
    playing.reveal()
    playing.paid()
    playing.key(1, "bet", 4_000)
    assert playing.phase() == "claiming"
    assert claims(playing.paid()) == []
    (settled,) = playing.state.round.results
    assert (settled.seat, settled.bets["bet"].stake) == (1, 4_000)


@pytest.mark.parametrize("phase", ["revealing", "claiming"])
def test_5_7_2_a_fold_put_right_after_a_reader_failed_is_no_interruption(phase: Phase) -> None:
    playing = closed("rws-multilink-stud")
    playing.deal({1: FLUSH, 3: QUEEN_HIGH}, ACE_HIGH)
    playing.fold(1)
    playing.unread()
    if phase == "claiming":
        playing.decide(3, "bet")
        playing.reveal()
    playing.press(DecisionCorrected, seat=1, decision="bet")
    playing.confirm_as("pit_supervisor")
    assert (playing.phase(), playing.state.round.void) == (phase, False)
    assert playing.state.round.seats[1].decision == "bet"


def test_5_7_2_a_fold_put_right_after_a_power_cut_is_still_ruled_on() -> None:
    playing = closed("rws-multilink-stud")
    playing.deal({1: FLUSH, 3: QUEEN_HIGH}, ACE_HIGH)
    playing.fold(1)
    playing.restart()
    playing.unread()
    playing.press(DecisionCorrected, seat=1, decision="bet")
    playing.confirm_as("pit_supervisor")
    assert playing.phase() == "ruling"
    assert playing.state.incident.ruling.action == "void"
