"""Paragraphs of Megalink that nothing else reaches at the table."""

import pytest
from msgspec.structs import replace

from tests.table.playing import SETTINGS, Playing

DOCUMENTS = ("mbs-megalink-stud",)
MEGALINK = replace(SETTINGS, game="mbs-megalink-stud", card_source="shuffler")


def dealt(*hands: str) -> Playing:
    """Deal hands to seats 1, 2 … and the last one to the dealer."""
    playing = Playing(MEGALINK)
    playing.open()
    for seat in range(1, len(hands)):
        playing.ante(seat, 2_500)
    playing.close()
    for hand in hands:
        playing.dispense(*hand.split())
    return playing


@pytest.mark.parametrize(
    ("player", "dealer", "outcome"),
    [
        ("9c 9d 9h 2c 2d", "8c 8d 8h Ac Ad", "win"),
        ("8c 8d 8h Ac Ad", "9c 9d 9h 2c 2d", "lose"),
    ],
)
def test_3_12_5_of_two_full_houses_the_three_decide(player: str, dealer: str, outcome: str) -> None:
    playing = dealt(player, dealer)
    playing.bet(1)
    playing.reveal()
    assert playing.state.round.results[0].bets["bet"].outcome == outcome


@pytest.mark.parametrize(
    ("player", "dealer"),
    [
        ("8c 9d Th Jc Qd", "8d 9h Tc Js Qh"),
        ("8c 9c Tc Jc Qc", "8d 9d Td Jd Qd"),
    ],
)
def test_3_12_6_two_straights_of_the_same_cards_stand_off(player: str, dealer: str) -> None:
    playing = dealt(player, dealer)
    playing.bet(1)
    playing.reveal()
    bets = playing.state.round.results[0].bets
    assert (bets["ante"].outcome, bets["bet"].outcome) == ("push", "push")


def test_5_10_2_with_no_hand_viewed_the_first_dealt_is_played() -> None:
    playing = dealt("Qs Jd 9d 6s 4d", "Tc Td 8h 5s 3c", "As Kd 9c 7h 2s")
    playing.report("played_several_positions", seats=(2, 1), viewed=())
    playing.confirm()
    if playing.phase() == "ruling":
        playing.confirm_as("pit_supervisor")
    playing.bet(1)
    playing.reveal()
    first, second = playing.state.round.results
    assert first.bets["bet"].outcome == "lose"
    assert second.bets["ante"].outcome == "returned"
