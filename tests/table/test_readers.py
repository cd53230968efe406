"""Readers and sensors that fail: an interruption, the dealer's keys instead, a locked spot."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from firmware.protocol.fault_catalogue import FaultCode
from firmware.protocol.obligations import FaultReport, Reversal, Win
from firmware.rules.games import GAMES
from firmware.table.events import RestDecided
from tests.table.playing import (
    ACE_HIGH,
    FLUSH,
    QUEEN_HIGH,
    SETTINGS,
    TENS,
    Playing,
    bets_placed,
    lamps_in,
    owed_in,
    prompt_in,
    refused,
)
from tests.table.rounds import closed, dealing, noticed, settings_of

every_game = pytest.mark.parametrize("game", sorted(GAMES))

# Readers


FAILS: list[Callable[[Playing], object]] = [
    Playing.unread,
    lambda playing: playing.fault("device_gone", "shoe"),
    lambda playing: playing.fault("device_silent", "shoe"),
]


@pytest.mark.parametrize("fail", FAILS)
@every_game
def test_a_reader_that_fails_before_cards_were_seen_interrupts_the_round(
    game: str, fail: Callable[[Playing], object]
) -> None:
    playing = closed(settings_of(game)).play_until("dealing")
    playing.next_cards()
    fail(playing)
    assert noticed(playing) == "interruption"
    action = playing.state.incident.ruling.action
    assert (
        action
        == {"rws": "void", "mbs-m": "options", "mbs-s": "refer"}[
            game[:3] if game.startswith("rws") else game[:5]
        ]
    )
    if action == "void":
        playing.cancel()
        playing.confirm_as("pit_supervisor")
    else:
        playing.choose("continue")
        playing.confirm() if action == "options" else playing.confirm_as("shift_manager")
    assert playing.phase() == "dealing"
    assert "Deal, then DEALT." in prompt_in(playing.table.resumed())[0]
    playing.play_until("idle")
    assert playing.stages[-1] == "settled"


def test_a_reader_that_fails_after_cards_were_seen_leaves_the_rest_to_the_dealer() -> None:
    playing = closed(settings_of("rws-holdem")).play_until("deciding")
    playing.decide(1, "flop")
    playing.decide(3, "flop")
    playing.unread()
    assert playing.phase() == "revealing"
    playing.reveal()
    assert playing.phase() == "claiming"
    board = [card for card in ("Ac", "Kc", "Qc", "Jc", "2h") if card not in known(playing)]
    assert playing.cards("community", *board[:4]) == refused("Key 5 cards.")


def test_a_card_that_leaves_unread_while_something_else_is_ruled_is_not_lost() -> None:
    playing = closed(settings_of("rws-multilink-stud")).play_until("dealing")
    playing.report("other")
    playing.unread()
    assert playing.state.round.source == "manual"
    playing.cancel()
    assert noticed(playing) == "interruption"


def known(playing: Playing) -> set[str]:
    """List the cards of the hands that the table knows."""
    return {card for player in playing.state.round.seats.values() for card in player.cards}


def test_a_reader_that_is_gone_when_the_next_cards_are_due_leaves_them_to_the_dealer() -> None:
    playing = closed(settings_of("rws-holdem")).play_until("deciding")
    playing.fault("device_gone", "shoe")
    assert playing.phase() == "deciding"  # it may be back before a card is needed
    playing.decide(1, "flop")
    playing.decide(3, "flop")
    assert playing.state.round.source == "manual"
    playing.play_until("idle")


def test_keyed_cards_claim_and_can_be_corrected() -> None:
    playing = bets_placed(replace(SETTINGS, card_source="manual"))
    playing.close()
    assert playing.phase() == "dealing"
    playing.dealt()
    playing.reveal()
    assert playing.cards(2, *FLUSH) == refused("Seat 2 is not in this round.")
    assert playing.cards(1, *FLUSH[:4]) == refused("Key 5 cards.")
    wrong = refused("'Ax' is not a card; key rank and suit, such as As or Td.")
    assert playing.cards(1, *FLUSH[:4], "Ax") == wrong
    playing.cards(1, *TENS)
    assert playing.cards(3, *TENS) == refused("10♣ is already keyed; check the cards.")
    playing.cards(1, *FLUSH)
    effects = playing.paid()
    (win,) = owed_in(effects)
    assert isinstance(win, Win)
    assert (win.seat, win.claim.tier) == (1, "flush")
    assert playing.paid() == refused("Seat 1 is still waiting for its jackpot award.")
    playing.award(win.id, 10_000)
    playing.paid()
    assert playing.phase() == "idle"


def test_a_claimant_who_folded_or_left_is_keyed_too() -> None:
    playing = bets_placed(replace(SETTINGS, card_source="manual", game="mbs-megalink-stud"))
    playing.close()
    playing.dealt()
    playing.reveal()
    playing.decide(1, "absent")
    assert playing.decide(1, "fold") == refused("Seat 1 has already decided: absent.")
    only = refused("Seat 3: key BET, FOLD or ABSENT.")
    assert playing.decide(3, "check") == only
    playing.cards(1, *FLUSH)
    effects = playing.paid()
    assert [(type(owed), owed.seat) for owed in owed_in(effects)] == [(Reversal, 1)]
    assert playing.phase() == "idle"


# Sensors


@pytest.mark.parametrize("code", ["sensor_stuck", "sensor_chatters"])
def test_a_sensor_that_fails_locks_its_spot_and_nothing_else(code: FaultCode) -> None:
    playing = bets_placed()
    effects = playing.fault(code, "seat 3", "40 changes a second")
    assert lamps_in(effects) == {3: "double_blink"}
    report = playing.reports[-1]
    assert isinstance(report, FaultReport)
    assert report.text in prompt_in(effects)
    locked = refused("Seat 3: the coin spot has a fault and takes no bets.")
    assert playing.key(3, "jackpot", 500) == locked
    assert [owed.seat for owed in owed_in(playing.close())] == [1]


def test_a_sensor_that_fails_after_closing_is_a_jackpot_fault_until_cards_are_seen() -> None:
    playing = dealing()
    playing.fault("sensor_chatters", "seat 1")
    assert noticed(playing) == "jackpot_fault"
    assert playing.state.incident.ruling.action == "void"
    playing = dealing()
    playing.fault("sensor_chatters", "seat 2")  # nobody has bet there
    assert playing.phase() == "dealing"
    playing.deal({1: TENS, 3: QUEEN_HIGH}, ACE_HIGH)
    playing.fault("sensor_chatters", "seat 1")
    assert playing.phase() == "deciding"


def test_a_forgotten_coin_does_not_bet_and_is_named() -> None:
    playing = dealing()
    playing.draw("Joker")
    playing.confirm()
    playing.paid()
    lines = prompt_in(playing.table.resumed())
    assert "Seat 1: lift the old chip; it is not a bet." in lines


# What the panel then lists


def test_3_7_a_hand_that_was_read_before_the_shuffler_failed_is_not_dealt_again() -> None:
    playing = Playing(replace(SETTINGS, game="mbs-megalink-stud", card_source="shuffler"))
    playing.open()
    playing.chip(1)
    playing.chip(3)
    playing.close()
    playing.dispense(*FLUSH)
    lines = prompt_in(playing.fault("device_gone", "shuffler"))
    assert lines[0] == "Deal, then DEALT. 5 cards to seat 3 and yourself, your last face up."


@pytest.mark.parametrize(("streets", "first"), [(0, 2), (1, 4), (2, 6), (3, 7)])
def test_a_reader_that_fails_late_leaves_the_steps_that_are_still_to_be_done(
    streets: int, first: int
) -> None:
    playing = Playing(replace(SETTINGS, game="rws-holdem"))
    playing.open()
    playing.chip(1)
    playing.close()
    for card in ("2d", "Ah", "Kh"):
        playing.draw(card)
    for street in (("3d", "Qh", "Jh", "Th"), ("3h", "9c"), ("3s", "9d"))[:streets]:
        playing.press(RestDecided)
        for card in street:
            playing.draw(card)
        playing.reveal()
    playing.press(RestDecided)
    whole = (
        "Flop or fold?",
        "Burn one. Deal the flop: 3 cards face down, then up.",
        "Turn or check?",
        "Burn one. Deal the turn card face down, then up.",
        "River or check?",
        "Burn one. Deal the river card face down, then up.",
        "Deal to yourself: 2 cards.",
    )
    # The card that left unread is the burnt one: no other is burnt for this street.
    rest = (whole[first - 1].removeprefix("Burn one. "), *whole[first:])
    left = [f"{number}. {words}" for number, words in enumerate(rest, start=1)]
    lines = prompt_in(playing.unread())
    assert lines[: len(left) + 1] == ("REVEAL at the end, with all hands up.", *left)
