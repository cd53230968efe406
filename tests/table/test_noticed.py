"""What the table notices by itself about cards: foreign, twice, too many, too few.

Readers and sensors that fail are in `test_readers.py`, the link in `test_link_lost.py`; what
becomes of a ruling is in `test_irregularities.py`.
"""

import pytest

from firmware.protocol.obligations import Reversal
from firmware.rules.games import GAMES
from firmware.table.effects import ShowRefusal
from firmware.table.state import Phase
from tests.table.playing import (
    ACE_HIGH,
    FLUSH,
    QUEEN_HIGH,
    TENS,
    lamps_in,
    owed_in,
    prompt_in,
    refused,
)
from tests.table.rounds import SHUFFLER, Round, closed, dealing, noticed, settings_of

every_game = pytest.mark.parametrize("game", sorted(GAMES))

# Cards


@pytest.mark.parametrize("card", ["", "A", "1s", "AS", "10s", "sA", "As ", "A♠", "Joker"])
def test_what_is_no_card_of_the_deck_is_a_foreign_card_and_is_not_shown(card: str) -> None:
    playing = dealing()
    (*_, line) = prompt_in(playing.draw(card))
    assert noticed(playing) == "foreign_card"
    assert line == "Foreign card: the round is void; every bet is returned. (§5.8.1)"


@pytest.mark.parametrize("card", ["2d", "As"])
def test_a_card_that_left_the_shoe_in_this_round_is_foreign_the_second_time(card: str) -> None:
    playing = dealing()
    playing.draw("2d")
    playing.draw("As")
    assert card not in str(playing.draw(card))
    assert noticed(playing) == "foreign_card"


def test_a_card_twice_is_foreign_within_a_hand_and_across_hands() -> None:
    playing = dealing(SHUFFLER)
    playing.dispense(*TENS[:4], TENS[0])
    assert noticed(playing) == "foreign_card"
    playing = dealing(SHUFFLER)
    playing.dispense(*TENS)
    playing.dispense(*ACE_HIGH[:4], TENS[4])
    assert noticed(playing) == "foreign_card"


def test_a_void_by_a_foreign_card_gives_everything_back_once() -> None:
    playing = dealing()
    playing.draw("Joker")
    effects = playing.confirm()
    assert prompt_in(effects)[:4] == (
        "Void: return bets.",
        "Seat 1: return $30.00.",
        "Seat 1 jackpot goes back: return $5.00",
        "Seat 1 ante goes back: return $25.00",
    )
    reversals = [owed for owed in owed_in(effects) if isinstance(owed, Reversal)]
    assert [(r.seat, r.stake_cents) for r in reversals] == [(1, 500), (3, 500)]
    assert lamps_in(effects) == {1: "off", 3: "off"}
    assert playing.paid()
    assert playing.state.totals.contributions == 0
    assert playing.stages == ["opened", "void"]


@pytest.mark.parametrize("count", [0, 4, 6, 10])
@pytest.mark.parametrize(
    ("before", "kind"), [((), "player_count_wrong"), ((TENS, QUEEN_HIGH), "dealer_count_wrong")]
)
def test_a_hand_of_too_many_or_too_few_cards_is_noticed_as_whose_it_is(
    count: int, before: tuple[tuple[str, ...], ...], kind: str
) -> None:
    playing = dealing(SHUFFLER)
    for hand in before:
        playing.dispense(*hand)
    playing.dispense(*[*ACE_HIGH, *FLUSH][:count])
    assert noticed(playing) == kind


def test_a_board_of_a_wrong_number_is_noticed() -> None:
    playing = closed(settings_of("rws-holdem", "shuffler"))
    playing.dispense("As", "Kd", "9c", "7h")
    assert noticed(playing) == "community_count_wrong"
    assert playing.state.incident.ruling.action == "void"


def test_the_hand_of_a_wrong_number_is_out_and_the_others_play_on() -> None:
    playing = dealing(SHUFFLER)
    playing.dispense(*TENS[:4])
    effects = playing.confirm_as("pit_supervisor")
    assert [owed.seat for owed in owed_in(effects) if isinstance(owed, Reversal)] == [1]
    playing.dispense(*QUEEN_HIGH)
    playing.dispense(*ACE_HIGH)
    playing.bet(3)
    effects = playing.reveal()
    assert "Seat 1 ante goes back: return $25.00" in prompt_in(effects)
    assert "Seat 3 ante loses: take $25.00" in prompt_in(effects)


@every_game
def test_a_wrong_hand_that_may_stay_is_followed_by_key(game: str) -> None:
    playing = closed(settings_of(game, "shuffler"))
    if game == "mbs-singapore-stud":
        playing.lots("2c")
    rules = GAMES[game]
    if rules.community_cards:
        playing.next_cards()
    playing.dispense("As")
    assert noticed(playing) == "player_count_wrong"
    playing.cancel()
    playing.confirm_as("pit_supervisor")
    assert playing.state.round.source == "manual"
    assert playing.phase() == "dealing"
    playing.play_until("idle")


def test_a_card_too_many_is_the_next_one_where_the_deal_needs_it() -> None:
    playing = closed(settings_of("rws-holdem")).play_until("deciding")
    playing.too_many()
    assert noticed(playing) == "dealing_error"
    assert playing.state.incident.ruling.options == ("continue_reconstructed", "withdraw")
    drawn = playing.state.round.drawn[-1]
    playing.confirm()
    (refusal,) = playing.decide(1, "flop")
    assert refusal == ShowRefusal(
        "A card too many came: say where it lies (WENT, SWAP, LOST), "
        "or press DEALT if every hand is right."
    )
    playing.dealt()
    playing.decide(1, "flop")
    playing.decide(3, "flop")  # the burn card was out already, so the flop is next
    assert playing.state.round.stage_cards == 0
    playing.play_until("settling")
    assert drawn in playing.state.round.drawn
    assert drawn not in playing.state.round.community


@pytest.mark.parametrize("phase", ["deciding", "revealing"])
@every_game
def test_a_hand_or_card_that_nobody_waits_for_is_noticed(game: str, phase: Phase) -> None:
    playing = closed(settings_of(game)).play_until(phase)
    left = next(card for card in FLUSH if card not in playing.state.round.drawn)
    playing.draw(left)
    assert noticed(playing) == "dealing_error"
    playing = closed(settings_of(game, "shuffler")).play_until(phase)
    left = next(card for card in FLUSH if card not in playing.state.round.drawn)
    playing.dispense(left)
    assert noticed(playing) == "dealing_error"


def test_one_thing_is_dealt_with_after_another() -> None:
    playing = closed(settings_of("rws-holdem")).play_until("deciding")
    unused = [card for card in (*FLUSH, *TENS) if card not in playing.state.round.drawn]
    playing.draw(unused[0])
    playing.draw(playing.state.round.drawn[0])  # a second card of that name
    assert noticed(playing) == "dealing_error"
    playing.confirm()
    assert noticed(playing) == "foreign_card"


def test_5_10_cards_too_many_are_one_matter_until_it_is_ruled_on() -> None:
    playing = closed(settings_of("rws-holdem")).play_until("deciding")
    unused = [card for card in (*FLUSH, *TENS) if card not in playing.state.round.drawn]
    playing.draw(unused[0])
    playing.draw(unused[1])
    playing.confirm()
    assert playing.phase() == "deciding"
    playing.draw(unused[2])
    assert noticed(playing) == "dealing_error"


# What the table has noticed is withdrawn with a supervisor


def test_the_dealer_cannot_cancel_what_the_table_noticed_but_a_supervisor_can() -> None:
    playing = dealing()
    playing.draw("Joker")
    lines = prompt_in(playing.cancel())
    assert lines[:2] == (
        "Pit supervisor: key and PIN, or CANCEL. To withdraw this: Foreign card found.",
        "CANCEL again keeps it.",
    )
    assert playing.confirm() == refused("Pit supervisor: key and PIN, or CANCEL. To withdraw this.")
    assert playing.identify() == refused("Turn the key first, then enter your number and PIN.")
    playing.confirm_as("dealer")
    assert playing.phase() == "ruling"
    playing.confirm_as("pit_supervisor")
    assert playing.phase() == "dealing"
    assert playing.state.round.source == "manual"  # whose card that was, nobody knows


def test_a_wish_to_withdraw_can_be_taken_back() -> None:
    playing = dealing()
    playing.draw("Joker")
    playing.cancel()
    playing.cancel()
    playing.confirm()
    assert playing.state.round.void


def test_a_card_in_an_irregularity_between_rounds_is_refused_as_it_is_without_one() -> None:
    playing = Round(settings_of("rws-multilink-stud"))
    playing.report("other")
    assert playing.draw("As") == (ShowRefusal("No card is due now."),)


def test_a_hand_that_comes_again_after_a_power_cut_is_the_next_one_of_the_deal() -> None:
    playing = closed(settings_of("mbs-megalink-stud", "shuffler"))
    playing.dispense(*TENS)
    playing.restart()
    assert noticed(playing) == "interruption"
    playing.dispense(*QUEEN_HIGH)
    assert noticed(playing) == "interruption"
    assert not playing.state.round.waiting
    playing.choose("continue")
    playing.confirm()
    assert playing.phase() == "dealing"
    assert playing.state.round.seats[3].cards == list(QUEEN_HIGH)
    playing.dispense(*ACE_HIGH)
    assert playing.phase() == "deciding"


def test_a_hand_of_a_wrong_number_in_an_interrupted_deal_leaves_the_rest_to_the_keys() -> None:
    playing = closed(settings_of("mbs-megalink-stud", "shuffler"))
    playing.dispense(*TENS)
    playing.restart()
    playing.dispense(*QUEEN_HIGH[:4])
    assert playing.state.round.source == "manual"
    playing.choose("continue")
    playing.confirm()
    assert playing.phase() == "dealing"
    assert playing.state.round.seats[3].cards == []


def test_a_card_that_comes_again_after_a_power_cut_is_no_error_and_the_next_of_the_deal() -> None:
    playing = closed(settings_of("mbs-megalink-stud"))
    playing.draw("2c")
    playing.restart()
    playing.draw("3c")
    assert noticed(playing) == "interruption"
    assert not playing.state.round.waiting
    playing.choose("continue")
    playing.confirm()
    assert playing.phase() == "dealing"
    assert [card for seat in playing.state.round.seats.values() for card in seat.cards] == [
        "2c",
        "3c",
    ]
