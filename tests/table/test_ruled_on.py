"""What a supervisor has ruled on about a claim: it is told at once, in his name, and changed with him."""

from firmware.table.events import DealerSignedOn
from tests.table.playing import QUEEN_HIGH
from tests.table.test_lost_and_hidden import (
    NOTHING,
    ROYAL,
    by_hand,
    deny,
    reasons,
    screen,
    settled,
    shown,
    verdicts,
    wins,
)

DOCUMENTS = ("rws-multilink-stud",)
FOUR_SIXES = ("6c", "6d", "6h", "6s", "Jh")


def test_5_15_a_hand_taken_out_while_hands_are_keyed_is_withdrawn_in_the_supervisors_name() -> None:
    playing = by_hand()
    playing.press(DealerSignedOn, staff="100", name="Ann", role="dealer")
    playing.cards(1, *ROYAL)
    playing.paid()
    playing.confirm_as("pit_supervisor")
    playing.cards(3, *NOTHING)
    assert playing.phase() == "claiming"
    playing.report("player_count_wrong", seat=1, reconstructable=False)
    said = verdicts(playing.confirm_as("pit_supervisor"))
    assert said == [(False, "pit_supervisor-7", "player count wrong (§5.15)")]
    assert playing.state.round.claims == {}
    assert verdicts(playing.paid()) == []


def test_other_cards_for_a_claim_that_was_not_confirmed_wait_for_a_supervisor() -> None:
    playing = by_hand()
    playing.cards(1, "2c", "3c", "4c", "5c", "6c")
    playing.paid()
    deny(playing)
    playing.confirm_as("pit_supervisor")
    assert reasons(playing.cards(1, *FOUR_SIXES)) == []
    assert screen(playing)[0] == (
        "Pit supervisor: key and PIN, or CANCEL. Seat 1 keyed again: 6♣ 6♦ 6♥ 6♠ J♥."
    )
    assert wins(playing.paid()) == []
    playing.confirm_as("pit_supervisor")
    assert wins(playing.paid()) == [(1, "four_of_a_kind", True)]


def test_other_hands_than_that_of_a_claim_that_was_not_confirmed_are_keyed_by_the_dealer() -> None:
    playing = by_hand()
    playing.cards(1, "2c", "3c", "4c", "5c", "6c")
    playing.paid()
    deny(playing)
    playing.confirm_as("pit_supervisor")
    playing.cards(3, "7c", "7d", "7h", "7s", "Jh")
    assert wins(playing.paid()) == [(3, "four_of_a_kind", True)]


def test_a_void_round_offers_no_claim_that_was_not_confirmed_to_be_made_again() -> None:
    playing = settled(ROYAL, QUEEN_HIGH)
    deny(playing)
    playing.confirm_as("pit_supervisor")
    assert any("SHOWN 1" in line for line in screen(playing))
    playing.report("foreign_card")
    playing.confirm_as("pit_supervisor")
    assert not any("SHOWN" in line for line in screen(playing))
    assert reasons(shown(playing)) == ["The round is void: return every bet, then press PAID."]
