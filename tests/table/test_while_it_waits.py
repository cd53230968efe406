"""What the panel says while something waits, and once it is decided: nothing that contradicts it.

That what waits is carried out by the right person is in `test_lost_and_hidden.py` and
`test_ruled_on.py`.
"""

from tests.table.playing import FLUSH, QUEEN_HIGH, refused
from tests.table.test_lost_and_hidden import dealt, screen, started, tell

STRAIGHT_FLUSH = ("9s", "8s", "7s", "6s", "5s")


# LOST


def test_while_lost_waits_no_amount_of_that_seat_is_one_to_pay() -> None:
    playing = dealt(FLUSH, STRAIGHT_FLUSH)
    tell(playing, "lost", 1)
    playing.reveal()
    told = screen(playing)
    assert "Seat 1: wait, a correction is open." in told
    assert not [line for line in told if line.startswith("Seat 1") and ": pay $" in line]
    assert not [line for line in told if line.startswith(("Seat 1 ante", "Seat 1 bet"))]
    assert any(line.startswith("Seat 3: pay $") for line in told)


def test_while_the_dealers_hand_is_in_doubt_nobody_is_paid() -> None:
    playing = dealt(FLUSH, STRAIGHT_FLUSH)
    tell(playing, "lost", "dealer")
    playing.reveal()
    told = screen(playing)
    assert not [line for line in told if ": pay $" in line]
    assert "Seat 3: wait, a correction is open." in told


def test_a_correction_that_is_cancelled_leaves_the_amounts() -> None:
    playing = dealt(FLUSH, STRAIGHT_FLUSH)
    playing.reveal()
    before = screen(playing)
    tell(playing, "lost", 1)
    assert screen(playing) != before
    playing.cancel()
    assert {*before} <= {*screen(playing)}


def test_cards_keyed_while_lost_waits_are_refused_for_what_is_missing() -> None:
    waits = "LOST waits for a pit supervisor: key and PIN, then CARDS."
    playing = dealt(FLUSH, STRAIGHT_FLUSH)
    tell(playing, "lost", 1)
    playing.reveal()
    assert playing.cards(1, *FLUSH) == refused(waits)
    playing.confirm_as("pit_supervisor")
    tell(playing, "lost", 3)
    assert playing.cards(3, *STRAIGHT_FLUSH) == refused(waits)


def test_a_hand_that_was_keyed_is_not_called_one_that_the_table_does_not_know() -> None:
    playing = dealt(FLUSH, QUEEN_HIGH)
    for seat in (1, 3):
        tell(playing, "lost", seat)
        playing.confirm_as("pit_supervisor")
    playing.reveal()
    playing.cards(1, *FLUSH)
    playing.paid()
    told = screen(playing)
    assert "Settle seat 1 by hand: keyed cards count for the jackpot alone." in told
    assert "Settle seat 3 by hand: the table does not know the cards." in told


def test_once_the_hands_are_up_those_that_were_read_are_shown_like_those_that_were_keyed() -> None:
    playing = dealt(FLUSH, STRAIGHT_FLUSH)
    tell(playing, "lost", 1)
    playing.confirm_as("pit_supervisor")
    playing.reveal()
    playing.cards(1, *FLUSH)
    told = screen(playing)
    assert "Seat 1: A♥ J♥ 9♥ 6♥ 3♥." in told
    assert "Seat 3: 9♠ 8♠ 7♠ 6♠ 5♠." in told
    assert "Dealer: A♠ K♦ 9♣ 7♥ 2♠." in told


# A choice


def test_the_panel_says_what_happens_to_whoever_does_not_choose() -> None:
    playing = dealt(FLUSH, STRAIGHT_FLUSH)
    playing.report("dealing_error", reconstructable=False)
    told = screen(playing)
    assert told[1:3] == ("Nothing is chosen yet.", "Anyone who does not choose plays on.")
    playing.choose("continue", 1)
    assert "Anyone who does not choose plays on." in screen(playing)
    playing.choose("withdraw", 3)
    assert "Anyone who does not choose plays on." not in screen(playing)


def test_where_everybody_has_to_choose_nobody_is_said_to_play_on_without() -> None:
    playing = started()
    playing.draw("2d")
    playing.report("simultaneous_draw", order_known=True)
    told = screen(playing)
    assert "Nothing is chosen yet." in told
    assert "Anyone who does not choose plays on." not in told
    assert playing.confirm_as("pit_supervisor") != ()
    assert playing.phase() == "ruling"


def test_once_it_is_decided_nobody_has_a_choice_any_more() -> None:
    playing = dealt(FLUSH, STRAIGHT_FLUSH)
    playing.report("dealing_error", reconstructable=False)
    playing.confirm()
    (noted,) = [line for line in screen(playing) if line.startswith("Dealing error")]
    assert noted == (
        "Dealing error: the players had a choice. (§5.10) Nobody chose: all play on. "
        "Confirmed by the dealer."
    )


def test_who_chose_is_kept_with_what_was_decided() -> None:
    playing = dealt(FLUSH, STRAIGHT_FLUSH)
    playing.report("dealing_error", reconstructable=False)
    playing.choose("withdraw", 3)
    playing.confirm_as("pit_supervisor")
    (noted,) = [line for line in screen(playing) if line.startswith("Dealing error")]
    assert "may choose" not in noted
    assert "Seat 3 chose: withdraw, bets returned." in noted
