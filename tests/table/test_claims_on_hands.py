"""A claim on the board, on the dealer's hand or by a lot says nothing of the player's own hand.

It neither turns a folded hand up, nor keeps the hand from being decided, shown or hidden. A claim
on the hand itself does, at every seat of the player.
"""

from collections.abc import Callable, Sequence

import pytest
from msgspec.structs import replace

from firmware.rules.cards import CODES
from firmware.table.events import RestDecided, SeatsJoined
from firmware.table.public import public
from tests.table.playing import ACE_HIGH, FLUSH, QUEEN_HIGH, SETTINGS, Playing, refused
from tests.table.test_lost_and_hidden import (
    NOTHING,
    ROYAL,
    by_hand,
    deny,
    reasons,
    settled,
    shown,
    started,
    tell,
    verdicts,
    wins,
)

DOCUMENTS = ("rws-holdem", "mbs-megalink-stud", "mbs-singapore-stud", "rws-multilink-stud")
FOUR_NINES = ("9h", "9s", "9d", "9c", "Th")


def holdem(
    first: Sequence[str] = ("2h", "3c"), board: Sequence[str] = FOUR_NINES, *, fold: int = 0
) -> Playing:
    """Play hold'em up to its last REVEAL; seat 3 has 7c 8d."""
    playing = started("rws-holdem")
    for card in ("2d", first[0], "7c", first[1], "8d"):
        playing.draw(card)
    if fold:
        playing.fold(fold)
    for street in (("3d", *board[:3]), ("3h", board[3]), ("3s", board[4])):
        playing.press(RestDecided)
        for card in street:
            playing.draw(card)
        playing.reveal()
    playing.draw("Kc")
    playing.draw("Ks")
    return playing


def singapore(*, bet: str = "jackpot_dealer", lucky_seat: int | None = None) -> Playing:
    """Play a round in which seat 3 folds and the dealer has four nines, up to the last REVEAL."""
    playing = Playing(replace(SETTINGS, game="mbs-singapore-stud"))
    playing.open()
    playing.ante(1, 2_500)
    playing.ante(3, 2_500)
    playing.chip(3, bet)
    playing.close()
    playing.lots("2h", lucky_seat=lucky_seat)
    for hand in (NOTHING, ("Kd", "7c", "6d", "4s", "2c"), ("9s", "9h", "9d", "9c", "2s")):
        for card in hand:
            playing.draw(card)
    playing.bet(1)
    playing.fold(3)
    return playing


def on_board() -> Playing:
    return holdem(fold=3)


def on_dealer() -> Playing:
    return singapore()


def by_lot() -> Playing:
    return singapore(bet="jackpot", lucky_seat=3)


ELSEWHERE = pytest.mark.parametrize("play", [on_board, on_dealer, by_lot])


# A folded hand stays down


@ELSEWHERE
def test_i_6_a_folded_hand_is_not_shown_for_a_claim_on_other_cards(
    play: Callable[[], Playing],
) -> None:
    playing = play()
    playing.reveal()
    assert 3 in {claim.seat for claim in playing.state.round.claims.values()}
    (third,) = [
        each for each in public(playing.table.settings, playing.state).seats if each.seat == 3
    ]
    assert third.cards == ()


@ELSEWHERE
def test_no_card_of_a_folded_hand_is_told_to_whoever_keys_it(play: Callable[[], Playing]) -> None:
    playing = play()
    playing.reveal()
    tell(playing, "lost", 1)
    playing.confirm_as("pit_supervisor")
    count = playing.table.settings.rules.own_cards
    for card in CODES:
        others = [each for each in ("Ac", "Ad", "Qc", "Qd", "Jc") if each != card]
        told = reasons(playing.cards(1, card, *others[: count - 1]))
        assert not any("seat 3" in reason for reason in told)


@ELSEWHERE
def test_a_hand_keyed_with_a_card_of_a_folded_one_is_claimed_without_a_word_of_it(
    play: Callable[[], Playing],
) -> None:
    playing = play()
    tell(playing, "lost", 1)
    playing.confirm_as("pit_supervisor")
    playing.reveal()
    playing.cards(1, *("7c", "Ad", "Qc", "Qd", "Jc")[: playing.table.settings.rules.own_cards])
    assert reasons(playing.paid()) == []
    assert playing.phase() == "settling"


# What is decided, shown and hidden beside such a claim


@pytest.mark.parametrize("answer", ["flop", "fold", "absent"])
def test_i_5_a_decision_is_keyed_by_hand_after_the_board_has_claimed(answer: str) -> None:
    playing = by_hand("rws-holdem")
    playing.cards("community", "9h", "Th", "Jh", "Qh", "Kh")
    playing.paid()
    for claim_id in list(playing.state.round.claims):
        playing.award(claim_id, 150_000)
    playing.cards(1, "Ah", "2c")
    assert reasons(playing.paid()) == ["Seat 1: key FLOP or FOLD first (§3.11.2)."]
    playing.decide(1, answer)
    assert playing.decided
    royal = [(1, "royal_flush_river", True)] if answer == "flop" else []
    assert wins(playing.paid()) == royal
    assert playing.phase() == "settling"


@pytest.mark.parametrize("answer", ["bet", "fold"])
def test_a_decision_that_keeps_a_claim_on_the_dealers_hand_is_keyed_by_hand(answer: str) -> None:
    playing = dealers_four_by_hand()
    playing.decide(1, answer)
    assert playing.decided


def test_i_39_one_that_would_end_it_is_not() -> None:
    playing = dealers_four_by_hand()
    assert playing.decide(1, "absent") == refused(
        "Seat 1 has claimed: NOTCONFIRMED 1 and a pit supervisor first."
    )


def dealers_four_by_hand() -> Playing:
    """Claim on the dealer's hand in Singapore Stud by hand; then seat 3 is keyed."""
    playing = Playing(replace(SETTINGS, game="mbs-singapore-stud", card_source="manual"))
    playing.open()
    for seat in (1, 3):
        playing.ante(seat, 2_500)
        playing.chip(seat, "jackpot_dealer")
    playing.close()
    playing.lots("2h")
    playing.dealt()
    playing.reveal()
    playing.cards("dealer", "9s", "9h", "9d", "9c", "2s")
    playing.paid()
    playing.cards(3, *NOTHING)
    assert playing.phase() == "claiming"
    return playing


def test_4_3_a_hand_is_shown_after_all_beside_an_awarded_claim_on_the_board() -> None:
    playing = holdem(("Ah", "Ad"))
    playing.hidden(1)
    playing.reveal()
    for claim_id in list(playing.state.round.claims):
        playing.award(claim_id, 30_000)
    shown(playing)
    assert playing.state.round.seats[1].shown
    playing.hidden(3)
    playing.confirm_as("pit_supervisor")
    assert not playing.state.round.seats[3].shown
    assert [claim.amount_cents for claim in playing.state.round.claims.values()] == [30_000] * 2


# A claim on the hand itself


@pytest.mark.parametrize("game", ["mbs-megalink-stud", "mbs-singapore-stud", "rws-multilink-stud"])
def test_5_11_nobody_leaves_a_confirmed_claim_behind_by_another_of_his_seats(game: str) -> None:
    playing = Playing(replace(SETTINGS, game=game, card_source="manual"))
    playing.open()
    for seat in (1, 2, 3):
        playing.chip(seat)
        playing.ante(seat, 2_500)
    playing.press(SeatsJoined, seats=(2, 3))
    playing.close()
    playing.lots("2h")
    playing.dealt()
    playing.reveal()
    playing.cards(3, *ROYAL)
    playing.paid()
    playing.confirm_as("pit_supervisor")
    playing.cards(2, *NOTHING)
    assert playing.decide(2, "absent") == refused(
        "Seat 3 has claimed: NOTCONFIRMED 3 and a pit supervisor first."
    )
    assert verdicts(playing.paid()) == []
    assert [claim.seat for claim in playing.state.round.claims.values()] == [3]


def test_5_6_whoever_had_decided_all_when_the_reader_failed_does_not_leave_his_royal() -> None:
    playing = holdem(("Ah", "Kh"), ("Qh", "Jh", "Th", "9c", "9d"))
    playing.unread()
    assert playing.decide(1, "absent") == refused("Seat 1 has already decided: flop.")
    playing.reveal()
    assert wins(playing.paid()) == [(1, "royal_flush_flop", False)]


def test_5_5_whoever_had_still_to_decide_when_the_reader_failed_may_leave() -> None:
    playing = started("rws-holdem")
    for card in ("2d", "Ah", "7c", "Kh", "8d"):
        playing.draw(card)
    playing.press(RestDecided)
    playing.draw("3d")
    playing.unread()
    playing.decide(1, "absent")
    assert playing.state.round.seats[1].decision == "absent"


# Shown and hidden, with whom


@pytest.mark.parametrize("hand", [FLUSH, ROYAL])
def test_i_39_what_a_supervisor_has_hidden_is_shown_again_with_a_supervisor(
    hand: tuple[str, ...],
) -> None:
    playing = settled(hand, QUEEN_HIGH)
    playing.hidden(1)
    playing.confirm_as("pit_supervisor")
    assert wins(shown(playing)) == []
    assert not playing.state.round.seats[1].shown
    made = wins(playing.confirm_as("pit_supervisor"))
    assert [(seat, final) for seat, _, final in made] == [(1, hand == FLUSH)]


def test_i_37_what_was_not_confirmed_stays_so_when_a_hidden_hand_is_shown_again() -> None:
    playing = settled(ROYAL, QUEEN_HIGH)
    deny(playing)
    playing.confirm_as("pit_supervisor")
    playing.hidden(1)
    playing.confirm_as("pit_supervisor")
    shown(playing)
    assert wins(playing.confirm_as("pit_supervisor")) == []
    assert playing.state.round.seats[1].shown


def test_4_3_a_face_up_hand_without_a_jackpot_bet_is_not_hidden_by_the_dealer_alone() -> None:
    playing = Playing(SETTINGS)
    playing.open()
    playing.chip(1)
    playing.ante(3, 2_500)
    playing.close()
    playing.deal({1: NOTHING, 3: ROYAL}, ACE_HIGH)
    playing.press(RestDecided)
    tell(playing, "lost", 1)
    playing.confirm_as("pit_supervisor")
    playing.reveal()
    assert playing.phase() == "claiming"
    playing.hidden(3)
    assert playing.state.round.seats[3].shown
    playing.confirm_as("pit_supervisor")
    assert not playing.state.round.seats[3].shown


# What is lost beside such a claim


@pytest.mark.parametrize("play", [on_dealer, by_lot])
def test_a_lost_hand_takes_back_no_claim_that_does_not_rest_on_it(
    play: Callable[[], Playing],
) -> None:
    playing = play()
    playing.reveal()
    (claim,) = playing.state.round.claims
    tell(playing, "lost", 3)
    assert verdicts(playing.confirm_as("pit_supervisor")) == []
    assert [*playing.state.round.claims] == [claim]
    assert wins(playing.paid()) == []
    assert [*playing.state.round.claims] == [claim]


def test_a_lost_hand_of_the_dealer_takes_back_the_claim_on_it() -> None:
    playing = on_dealer()
    playing.reveal()
    tell(playing, "lost", "dealer")
    assert [said[0] for said in verdicts(playing.confirm_as("pit_supervisor"))] == [False]
