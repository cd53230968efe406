"""What waited for a PIN and went away without one is told first, and its PIN confirms nothing.

Whoever was called for something else does not know that it is gone. What makes it go away is not
only a key: an award, a withdrawal, a fault that passes, a restart.
"""

from collections.abc import Callable

import pytest

from firmware.table.events import AwardDecided, MeasureAsked, Restarted
from firmware.table.settlement import MAY_BE_PAID
from firmware.table.table import Table
from tests.table.playing import ACE_HIGH, FLUSH, QUEEN_HIGH, Playing, play_to_the_end
from tests.table.test_lost_and_hidden import (
    ROYAL,
    dealt,
    deny,
    reasons,
    screen,
    settled,
    started,
    tell,
    verdicts,
)


def claims() -> tuple[Playing, str, str]:
    """Claim a flush at seat 1, whose award is in doubt, and a royal at seat 3 to be confirmed."""
    playing = settled(FLUSH, ROYAL)
    by_seat = {claim.seat: claim_id for claim_id, claim in playing.state.round.claims.items()}
    playing.award(by_seat[1], 20_000)
    return playing, by_seat[1], by_seat[3]


def payout_by_another_award(playing: Playing, flush: str) -> str:
    playing.press(AwardDecided, seat=1, pay="reckoned")
    playing.award(flush, 30_000)
    return "PAYOUT reckoned."


def clearing_by_another_notice(playing: Playing, _flush: str) -> str:
    playing.fault("meter_doubted", "meter", "$1")
    playing.clear("meter_doubted", "meter")
    playing.fault("meter_doubted", "meter", "$2")
    return "CLEAR of a fault."


def measure_by_asking_again(playing: Playing, _flush: str) -> str:
    for _ in range(2):
        playing.press(MeasureAsked, seat=1, measure="bar")
    return "BAR seat 1."


@pytest.mark.parametrize(
    "drop", [payout_by_another_award, clearing_by_another_notice, measure_by_asking_again]
)
def test_a_pin_for_what_went_away_confirms_no_claim(drop: Callable[[Playing, str], str]) -> None:
    playing, flush, royal = claims()
    words = drop(playing, flush)
    assert screen(playing)[0] == f"Dropped, key it again if meant: {words}"
    told = playing.confirm_as("shift_manager")
    assert reasons(told) == [f"Nothing confirmed; dropped before: {words} PIN again confirms."]
    assert verdicts(told) == []
    assert playing.state.round.claims[royal].unconfirmed


def test_a_pin_for_a_fault_to_be_cleared_confirms_no_claim_after_a_restart() -> None:
    playing = settled(FLUSH, ROYAL)
    playing.fault("clock_jumped", "")
    playing.clear("clock_jumped", "")
    playing.restart()
    playing.turn_key(on=True)
    told = playing.confirm_as("pit_supervisor")
    words = "dropped before: CLEAR of a fault."
    assert reasons(told) == [f"Nothing confirmed; {words} PIN again confirms."]
    assert verdicts(told) == []


def test_what_was_to_be_paid_on_one_claim_waits_on_when_another_is_doubted() -> None:
    playing = settled(FLUSH, ("8c", "8d", "8h", "8s", "Jc"))
    first, third = playing.state.round.claims
    playing.award(first, 20_000)
    playing.press(AwardDecided, seat=1, pay="reckoned")
    playing.award(third, 20_000)
    playing.confirm_as("shift_manager")
    assert playing.state.round.claims[first].amount_cents == 10_000


def test_what_was_decided_leaves_what_was_dropped_before_it_to_be_told() -> None:
    playing, _, royal = claims()
    deny(playing, 3)
    playing.cancel()
    playing.press(AwardDecided, seat=1, pay="reckoned")
    playing.confirm_as("shift_manager")
    assert screen(playing)[0] == "Dropped, key it again if meant: Seat 3: no JACKPOT."
    playing.confirm_as("pit_supervisor")
    assert playing.state.round.claims[royal].unconfirmed


# Whatever the phase


def before_the_power_is_cut(playing: Playing) -> None:
    playing.restart()
    playing.turn_key(on=True)


def deciding() -> Playing:
    """Let seat 1 stay in, and LOST 1 wait for a supervisor."""
    playing = started()
    playing.deal({1: QUEEN_HIGH, 3: ROYAL}, ACE_HIGH)
    playing.bet(1)
    tell(playing, "lost", 1)
    return playing


def denying() -> Playing:
    """Let NOTCONFIRMED 3 wait for a supervisor."""
    playing = settled(FLUSH, ROYAL)
    deny(playing, 3)
    return playing


def barring() -> Playing:
    """Let BAR 3 wait for the shift manager while a foreign card is to be ruled on."""
    playing = settled(ROYAL, QUEEN_HIGH)
    playing.report("foreign_card")
    playing.press(MeasureAsked, seat=3, measure="bar")
    return playing


def foreign_card(playing: Playing) -> None:
    playing.report("foreign_card")


@pytest.mark.parametrize(
    ("asked", "drop", "words"),
    [
        (deciding, before_the_power_is_cut, "LOST 1."),
        (deciding, foreign_card, "LOST 1."),
        (denying, foreign_card, "Seat 3: no JACKPOT."),
        (barring, Playing.cancel, "BAR seat 3."),
    ],
)
def test_a_pin_for_what_was_dropped_carries_out_no_ruling(
    asked: Callable[[], Playing], drop: Callable[[Playing], object], words: str
) -> None:
    playing = asked()
    drop(playing)
    assert playing.phase() == "ruling"
    assert screen(playing)[0] == f"Dropped, key it again if meant: {words}"
    told = playing.confirm_as("shift_manager")
    assert reasons(told) == [f"Nothing confirmed; dropped before: {words} PIN again confirms."]
    assert verdicts(told) == []
    assert playing.phase() == "ruling"
    playing.confirm_as("shift_manager")
    assert playing.state.round.void


def test_a_pin_for_what_was_dropped_before_the_reveal_confirms_no_claim() -> None:
    playing = dealt(QUEEN_HIGH, ROYAL)
    tell(playing, "lost", 3)
    playing.cancel()
    playing.reveal()
    assert screen(playing)[0] == "Dropped, key it again if meant: LOST 3."
    assert verdicts(playing.confirm_as("pit_supervisor")) == []
    assert [said[0] for said in verdicts(playing.confirm_as("pit_supervisor"))] == [True]


def test_a_pin_for_what_was_dropped_does_not_say_that_nothing_was_paid() -> None:
    playing = settled(FLUSH, QUEEN_HIGH)
    restart_without_link(playing)
    tell(playing, "lost", 3)
    playing.cancel()
    assert screen(playing)[:2] == ("Dropped, key it again if meant: LOST 3.", MAY_BE_PAID)
    playing.confirm_as("pit_supervisor")
    assert playing.state.round.may_be_paid
    playing.confirm_as("pit_supervisor")
    assert not playing.state.round.may_be_paid


def test_a_no_that_waits_comes_before_that_nothing_was_paid() -> None:
    playing = settled(ROYAL, QUEEN_HIGH)
    deny(playing)
    restart_without_link(playing)
    no = "Pit supervisor: key and PIN, or CANCEL. Seat 1: no JACKPOT."
    assert screen(playing)[:2] == (no, MAY_BE_PAID)
    assert [said[0] for said in verdicts(playing.confirm_as("pit_supervisor"))] == [False]
    assert playing.state.round.may_be_paid


def restart_without_link(playing: Playing) -> None:
    """Start again, with no word from the jackpot controller."""
    playing.table = Table.recovered(playing.table.settings, playing.journal)
    playing.up_ms = 0
    playing.take(Restarted(at_ms=playing.now()))


def test_a_pin_for_a_report_that_was_cancelled_confirms_no_claim() -> None:
    playing = settled(FLUSH, ROYAL)
    playing.report("foreign_card")
    playing.cancel()
    assert screen(playing)[0] == "Dropped, key it again if meant: Foreign card found."
    assert verdicts(playing.confirm_as("pit_supervisor")) == []
    assert [said[0] for said in verdicts(playing.confirm_as("pit_supervisor"))] == [True]


def test_what_was_cancelled_and_reported_again_is_ruled_with_one_pin() -> None:
    playing = settled(FLUSH, ROYAL)
    for _ in range(2):
        playing.report("foreign_card")
        playing.cancel()
    playing.report("foreign_card")
    playing.confirm_as("pit_supervisor")
    assert playing.state.round.void
    assert playing.state.round.dropped == ""


def test_a_pin_to_withdraw_what_was_noticed_does_not_void_after_cancel() -> None:
    playing = started()
    playing.deal({1: QUEEN_HIGH, 3: ROYAL}, ACE_HIGH)
    playing.bet(1)
    before_the_power_is_cut(playing)
    playing.cancel()
    playing.cancel()
    words = "To withdraw this: The round was interrupted."
    assert screen(playing)[0] == f"Dropped, key it again if meant: {words}"
    playing.confirm_as("pit_supervisor")
    assert playing.phase() == "ruling"
    playing.confirm_as("pit_supervisor")
    assert playing.state.round.void


def test_what_was_dropped_between_rounds_is_told_in_the_next_and_not_in_the_one_after() -> None:
    playing = Playing()
    playing.press(MeasureAsked, seat=3, measure="bar")
    playing.cancel()
    playing.open()
    playing.report("other")
    assert screen(playing)[0] == "Dropped, key it again if meant: BAR seat 3."
    playing.cancel()
    playing.ante(1, 5_000)
    play_to_the_end(playing)
    playing.open()
    playing.report("other")
    assert not any("Dropped" in line for line in screen(playing))


def test_what_can_no_longer_be_put_right_is_dropped_and_does_not_stop_the_ruling() -> None:
    playing = started()
    playing.deal({1: QUEEN_HIGH, 3: ROYAL}, ACE_HIGH)
    before_the_power_is_cut(playing)
    tell(playing, "lost", 1)
    playing.unread()
    told = playing.confirm_as("pit_supervisor")
    assert reasons(told) == ["Dropped: This round is dealt by hand: the table follows no cards."]
    assert playing.phase() == "ruling"
    playing.confirm_as("pit_supervisor")
    assert playing.state.round.void
