"""Who is in a round and with how much: antes keyed and assumed, chips on spots.

A whole round is walked in `test_round.py`.
"""

from msgspec.structs import replace

from firmware.table.events import BetsOpened
from firmware.table.view import view
from tests.table.playing import (
    ACE_HIGH,
    SETTINGS,
    TENS,
    Playing,
    bets_placed,
    lamps_in,
    owed_in,
    play_to_the_end,
    prompt_in,
    refused,
)


def test_an_ante_that_is_keyed_counts_and_is_remembered_for_the_next_round() -> None:
    playing = bets_placed()
    playing.ante(1, 7_500)
    play_to_the_end(playing)
    playing.open()
    playing.lift(1)
    playing.lift(3)
    playing.chip(1)
    playing.chip(3)
    playing.close()
    antes = {seat: play.stakes["ante"] for seat, play in playing.state.round.seats.items()}
    assert antes == {1: 7_500, 3: 2_500}


def test_a_void_round_has_contributed_nothing() -> None:
    """Table and controller compare these totals; a difference is a fault that somebody clears."""
    playing = bets_placed()
    play_to_the_end(playing)
    playing.open()
    for seat in (1, 3):
        playing.lift(seat)
        playing.chip(seat)
    playing.close()
    totals = playing.state.totals
    assert (totals.contributions, totals.contributed_cents) == (4, 2_000)
    playing.report("foreign_card")
    playing.confirm()
    assert playing.state.round.void
    assert (totals.contributions, totals.contributed_cents) == (2, 1_000)
    status = playing.status
    assert status is not None
    assert (status.contributions, status.contributed_cents) == (2, 1_000)


def test_a_round_knows_the_record_that_it_begins_with() -> None:
    """Whoever asks months later why a seat was paid is shown the records from there on."""
    playing = bets_placed()
    play_to_the_end(playing)
    playing.open()
    assert isinstance(playing.journal[playing.state.round.first_record - 1], BetsOpened)
    assert playing.state.round.first_record == playing.state.sequence


def test_the_last_ante_that_is_keyed_counts() -> None:
    playing = bets_placed()
    playing.ante(1, 7_500)
    playing.ante(1, 10_000)
    playing.close()
    assert playing.state.round.seats[1].stakes["ante"] == 10_000


def test_a_chip_that_was_never_lifted_does_not_bet_again() -> None:
    playing = bets_placed()
    playing.close()
    playing.lift(3)
    play_to_the_end(playing)
    effects = playing.open()
    assert lamps_in(effects)[1] == "slow_blink"
    assert "Jackpot chips: none." in prompt_in(effects)
    playing.chip(3)
    assert [owed.seat for owed in owed_in(playing.close())] == [3]


def test_a_spot_that_has_been_empty_bets_again() -> None:
    playing = bets_placed()
    playing.close()
    play_to_the_end(playing)
    playing.open()
    playing.lift(1)
    assert lamps_in(playing.chip(1)) == {1: "quick_blink"}
    assert [owed.seat for owed in owed_in(playing.close())] == [1]


def test_a_chip_that_is_taken_back_while_bets_are_open_is_no_bet() -> None:
    playing = bets_placed()
    assert lamps_in(playing.lift(3)) == {3: "slow_blink"}
    assert [owed.seat for owed in owed_in(playing.close())] == [1]


def test_a_chip_swept_after_the_close_stays_a_bet() -> None:
    playing = bets_placed()
    playing.close()
    assert playing.lift(1) == ()
    assert playing.state.round.seats[1].stakes["jackpot"] == 500


def test_a_chip_added_after_the_close_is_no_bet_of_this_round() -> None:
    playing = bets_placed()
    playing.close()
    late = "Seat 4: late chip; hand it back (§5.11)."
    assert late in prompt_in(playing.chip(4))
    assert sorted(playing.state.round.seats) == [1, 3]
    play_to_the_end(playing)
    assert "Seat 4: lift the old chip; it is not a bet." in prompt_in(playing.open())
    assert playing.close() == refused("Nobody has bet yet. Press CANCEL if nobody wants to.")
    playing.lift(4)
    playing.chip(4)
    assert [owed.seat for owed in owed_in(playing.close())] == [4]


def test_a_chip_placed_while_an_irregularity_is_dealt_with_is_not_late_if_bets_are_open() -> None:
    playing = bets_placed()
    playing.report("over_max", seat=1)
    assert lamps_in(playing.chip(4)) == {4: "quick_blink"}
    playing.confirm()
    assert [owed.seat for owed in owed_in(playing.close())] == [1, 3, 4]


def test_a_keyed_ante_of_nothing_leaves_a_jackpot_bet_that_goes_back() -> None:
    playing = bets_placed()
    playing.ante(1, 0)
    line = "Seat 1: jackpot chip without an ante; add an ante or lift the chip (§3.8)."
    assert line in prompt_in(playing.table.resumed())
    effects = playing.close()
    assert [owed.seat for owed in owed_in(effects)] == [3]
    assert lamps_in(effects)[1] == "off"
    no_ante = "Seat 1: no ante; return the jackpot bet."
    assert no_ante in prompt_in(effects)
    playing.deal({3: TENS}, ACE_HIGH)
    playing.bet(3)
    # Ordered back once, when it was noticed (RWS §5.4).
    assert not [line for line in prompt_in(playing.reveal()) if line.startswith("Seat 1")]


def test_bets_cannot_close_before_anybody_has_bet() -> None:
    playing = Playing()
    playing.open()
    assert playing.close() == refused("Nobody has bet yet. Press CANCEL if nobody wants to.")
    playing.chip(2)
    playing.close()
    assert playing.state.phase == "dealing"


def test_messages_name_the_seat_whose_chip_it_was_clockwise() -> None:
    playing = Playing()
    playing.open()
    for seat in (4, 2, 1):
        playing.chip(seat)
    assert [(owed.seat, owed.id) for owed in owed_in(playing.close())] == [
        (1, "T1.fresh.7.1"),
        (2, "T1.fresh.7.2"),
        (4, "T1.fresh.7.3"),
    ]


def test_the_bonus_limit_is_on_sign_and_panel_where_the_game_has_a_bonus() -> None:
    """rws-holdem §3.3: the limits are displayed at the table."""
    holdem = replace(SETTINGS, game="rws-holdem", bonus_max_cents=10_000)
    shown = view(holdem, bets_placed(holdem).state)
    assert "bonus up to $100.00" in shown.sign.text
    assert "Bonus up to $100.00." in shown.prompt.lines
    for other in (replace(SETTINGS, bonus_max_cents=10_000), replace(SETTINGS, game="rws-holdem")):
        shown = view(other, bets_placed(other).state)
        assert "onus" not in " ".join([shown.sign.text, *shown.prompt.lines])


def test_a_bonus_over_its_limit_is_told_when_it_is_keyed() -> None:
    playing = bets_placed(replace(SETTINGS, game="rws-holdem", bonus_max_cents=10_000))
    told = "Seat 1: bonus over the maximum; hand back the excess."
    assert told in prompt_in(playing.key(1, "bonus", 10_001))
    assert told not in prompt_in(playing.key(1, "bonus", 10_000))
