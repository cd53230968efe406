"""What waited for a PIN and went away without one is told first, and its PIN confirms no claim.

Whoever was called for something else does not know that it is gone. What makes it go away is not
only a key: an award, a withdrawal, a fault that passes, a restart.
"""

from collections.abc import Callable

import pytest

from firmware.table.events import AwardDecided, MeasureAsked
from tests.table.playing import FLUSH, Playing
from tests.table.test_lost_and_hidden import ROYAL, deny, reasons, screen, settled, verdicts


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
