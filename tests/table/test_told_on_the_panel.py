"""What the panel and the sign tell beside what to do: all winners, why the deal stopped, keyed cards.

That every word of it is one of people's is in `test_words_of_people.py`.
"""

import pytest
from msgspec.structs import replace

from firmware.errors import BadInput
from firmware.rules.explain import explain_wrong_cards
from firmware.table.events import CoinSensed, FaultClearAsked
from firmware.table.faults import fault_sentences
from firmware.table.public import public
from firmware.table.settings import CardSource
from tests.table.playing import (
    ACE_HIGH,
    FLUSH,
    SETTINGS,
    TENS,
    Playing,
    prompt_in,
    refused,
)

STRAIGHT_FLUSH = ("4c", "5c", "6c", "7c", "8c")


def closed(source: CardSource = "shoe", *, game: str = "rws-multilink-stud") -> Playing:
    """Close the bets with antes and chips at seats 1 and 3."""
    playing = Playing(replace(SETTINGS, game=game, card_source=source))
    playing.open()
    for seat in (1, 3):
        playing.ante(seat, 5_000)
        playing.chip(seat)
    playing.close()
    return playing


def sign_of(playing: Playing) -> str:
    return public(playing.table.settings, playing.state).sign


# The sign


def test_the_sign_names_every_winner_and_what_each_gets() -> None:
    playing = closed()
    playing.deal({1: FLUSH, 3: ("8s", "8c", "8d", "8h", "4s")}, ACE_HIGH)
    for seat in (1, 3):
        playing.bet(seat)
    playing.reveal()
    (first, flush), (second, quads) = playing.state.round.claims.items()
    wins = "Seat 1 wins $100.00"
    playing.award(first, flush.claim.amount or 0)
    assert sign_of(playing) == wins
    playing.award(second, quads.claim.amount or 0)
    assert sign_of(playing) == f"{wins}, seat 3 wins {SETTINGS.money(quads.claim.amount or 0)}"


# Why the deal stopped


def test_an_unread_card_is_told_with_its_device_its_hand_and_its_place() -> None:
    playing = closed()
    for card in ("2d", *FLUSH, *TENS[:2]):
        playing.draw(card)
    told = prompt_in(playing.unread("smudged"))
    assert "The shoe could not read card 3 of seat 3 (smudged)." in told
    playing.confirm()
    assert any("card 3 of seat 3 (smudged)" in line for line in prompt_in(playing.table.resumed()))


def test_what_a_device_says_of_an_unread_card_is_not_told_if_it_names_a_card() -> None:
    playing = closed()
    told = prompt_in(playing.unread("9h is smudged"))
    assert "The shoe could not read the burnt card." in told


def test_an_unread_card_after_cards_were_seen_is_told_and_the_round_goes_on_by_hand() -> None:
    playing = closed()
    playing.deal({1: FLUSH, 3: TENS}, ACE_HIGH)
    playing.bet(1)
    told = prompt_in(playing.unread("jammed"))
    unread = "The shoe could not read a card that was not due (jammed). This round goes on by hand."
    assert unread in told


def test_a_card_too_many_is_told_with_its_device() -> None:
    playing = closed()
    playing.deal({1: FLUSH, 3: TENS}, ACE_HIGH)
    assert "The shoe read a card although none was due." in prompt_in(playing.draw("2c"))


def test_a_hand_of_a_wrong_number_of_cards_is_told_with_its_device_and_its_place() -> None:
    playing = closed("shuffler")
    playing.dispense(*FLUSH)
    told = prompt_in(playing.dispense(*TENS[:4]))
    assert "The shuffler gave 4 cards to seat 3; 5 belong there." in told


def test_a_card_that_came_twice_is_told_with_its_device_and_its_place() -> None:
    playing = closed()
    playing.draw(FLUSH[0])
    told = prompt_in(playing.draw(FLUSH[0]))
    assert "The shoe read card 1 of seat 1, and it had left already." in told


# What was keyed


def test_keyed_cards_are_shown_to_be_compared_and_a_folded_hand_is_only_counted() -> None:
    playing = closed("manual")
    playing.dealt()
    playing.fold(3)
    playing.reveal()
    playing.cards(1, *FLUSH)
    playing.cards(3, *TENS)
    told = prompt_in(playing.cards("dealer", *ACE_HIGH))
    assert "Seat 1: A♥ J♥ 9♥ 6♥ 3♥." in told
    assert "Dealer: A♠ K♦ 9♣ 7♥ 2♠." in told
    assert "Seat 3: 5 cards known." in told


@pytest.mark.parametrize(
    ("field", "reason", "words"),
    [
        ("community", "is missing; 5 cards are needed", "the board is missing; 5 cards are needed"),
        (
            "dealer",
            "has 3 cards; this game has 5 here",
            "the dealer's hand has 3 cards; this game has 5 here",
        ),
        (
            "seats[0].cards[1]",
            "As is already at dealer[0]",
            "a hand has a card that lies elsewhere too",
        ),
    ],
)
def test_cards_that_cannot_be_settled_are_named_by_their_place_and_no_card_is(
    field: str, reason: str, words: str
) -> None:
    assert explain_wrong_cards(BadInput(field, reason)) == words


def test_an_amount_of_a_bet_that_is_settled_by_hand_is_refused_as_such() -> None:
    playing = closed("manual")
    playing.dealt()
    by_hand = refused("Seat 1: settle the bet by hand; it is not keyed.")
    assert playing.key(1, "bet", 10_000) == by_hand


def test_a_spot_is_named_in_words_wherever_its_fault_is_told() -> None:
    playing = Playing(replace(SETTINGS, game="mbs-singapore-stud"))
    playing.fault("sensor_stuck", "seat 3 jackpot_dealer")
    (sentence,) = fault_sentences(playing.state)
    assert sentence.startswith("F101 The coin sensor is stuck at seat 3 jackpot on the dealer: ")
    playing.fault_passes("sensor_stuck", "seat 3 jackpot_dealer")
    asked = playing.press(FaultClearAsked, code="sensor_stuck", where="seat 3 jackpot_dealer")
    assert prompt_in(asked)[0].endswith("To clear F101 seat 3 jackpot on the dealer.")


def test_a_chip_lifted_late_is_taken_off_with_a_key_that_is_written_in_words() -> None:
    playing = Playing(replace(SETTINGS, game="mbs-singapore-stud"))
    playing.open()
    playing.ante(3, 5_000)
    playing.chip(3, "jackpot_dealer")
    playing.close()
    lifted = CoinSensed(at_ms=playing.at_ms + 31, seat=3, bet="jackpot_dealer", present=False)
    playing.take(lifted)
    told = prompt_in(playing.lots("Kd"))
    assert any(line.endswith("Have it put back, or OUT 3 jackpot on the dealer.") for line in told)


@pytest.mark.parametrize("flop", [(), ("7s",), ("7s", "8s")], ids=len)
def test_a_burn_that_was_made_before_an_unread_card_is_not_asked_for_again(
    flop: tuple[str, ...],
) -> None:
    playing = closed(game="rws-holdem")
    for card in ("2d", "Ah", "Ac", "Kh", "Kc"):
        playing.draw(card)
    for seat in (1, 3):
        playing.decide(seat, "flop")
    for card in ("2c", *flop):
        playing.draw(card)
    told = prompt_in(playing.unread())
    assert "1. Deal the flop: 3 cards face down, then up." in told
    assert "3. Burn one. Deal the turn card face down, then up." in told


def test_a_burn_that_could_not_be_read_was_made() -> None:
    playing = closed(game="rws-holdem")
    for card in ("2d", "Ah", "Ac", "Kh", "Kc"):
        playing.draw(card)
    for seat in (1, 3):
        playing.decide(seat, "flop")
    told = prompt_in(playing.unread())
    assert "1. Deal the flop: 3 cards face down, then up." in told


def test_a_burn_that_was_not_made_before_the_reader_failed_is_asked_for() -> None:
    playing = closed(game="rws-holdem")
    for card in ("2d", "Ah", "Ac", "Kh", "Kc"):
        playing.draw(card)
    for seat in (1, 3):
        playing.decide(seat, "flop")
    told = prompt_in(playing.fault("device_gone", "shoe"))
    assert "1. Burn one. Deal the flop: 3 cards face down, then up." in told
