"""The meter that a claim holds: what cannot be is not kept, and each claim is paid by its own."""

import pytest

from firmware.protocol.obligations import FaultReport
from firmware.table.events import AwardGranted, MeterLocked, PendingChanged
from firmware.table.table import Table
from tests.table.playing import (
    ACE_HIGH,
    QUEEN_HIGH,
    Playing,
    at_reveal,
    bets_placed,
    owed_in,
    remembered,
)
from tests.table.test_awards import (
    LOCKED_CENTS,
    OTHER_STRAIGHT_FLUSH,
    RESET_CENTS,
    ROYAL,
    is_doubted,
    metered,
    royal,
)

OTHER_ROYAL = ("Th", "Jh", "Qh", "Kh", "Ah")
UNHEARD_CENTS = 400_000
DOUBT = "meter_doubted pending"


def claimed(*others: tuple[str, ...]) -> tuple[Playing, list[str]]:
    """Claim a royal at a table that has heard the meter, and what else is claimed with it."""
    playing = metered(ROYAL, *others)
    wins = [win.id for win in owed_in(playing.reveal())]
    return playing, wins


@pytest.mark.parametrize("cents", [10**14, LOCKED_CENTS + UNHEARD_CENTS + 1])
def test_a_lock_above_every_meter_that_was_heard_is_not_kept_and_told(cents: int) -> None:
    playing, (win,) = claimed()
    playing.pending(win, locked_cents=cents, reset_cents=RESET_CENTS)
    assert playing.state.round.claims[win].locked_cents is None
    assert DOUBT in playing.state.faults
    (report,) = [each for each in playing.reports if isinstance(each, FaultReport)]
    assert (report.code, report.where) == ("meter_doubted", "pending")
    playing.pending(win, locked_cents=cents, reset_cents=RESET_CENTS)
    assert not playing.decided, "it is told once"


def test_the_meter_that_was_heard_before_a_lock_was_doubted_is_known_after_a_restart() -> None:
    playing, (win,) = claimed()
    heard_cents = playing.state.meter_cents
    playing.pending(win, locked_cents=10**14, reset_cents=RESET_CENTS)
    playing.restart()
    assert playing.state.believed_meter is not None
    assert playing.state.believed_meter.meter_cents == heard_cents


def test_an_award_by_a_lock_that_cannot_be_is_doubted_and_worth_the_registered_meter() -> None:
    playing, (win,) = claimed()
    playing.pending(win, locked_cents=10**14, reset_cents=RESET_CENTS)
    playing.confirm_as()
    playing.award(win, 10**14, 10**14)
    assert is_doubted(playing, win)
    assert playing.state.round.claims[win].reckoned_cents == LOCKED_CENTS


def test_i_28_a_lock_that_cannot_be_is_not_paid_from_when_the_link_is_lost() -> None:
    playing, (win,) = claimed()
    playing.pending(win, locked_cents=10**14, reset_cents=RESET_CENTS)
    playing.confirm_as()
    playing.link(healthy=False)
    assert playing.state.round.claims[win].amount_cents == LOCKED_CENTS


def test_a_lock_below_the_reset_value_and_every_meter_that_was_heard_is_not_kept() -> None:
    for cents, kept in (
        (RESET_CENTS - UNHEARD_CENTS - 1, False),
        (RESET_CENTS - UNHEARD_CENTS, True),
        (LOCKED_CENTS + UNHEARD_CENTS, True),
    ):
        playing, (win,) = claimed()
        playing.pending(win, locked_cents=cents, reset_cents=RESET_CENTS)
        assert (playing.state.round.claims[win].locked_cents == cents) == kept, cents
        assert (DOUBT not in playing.state.faults) == kept, cents


def test_what_is_unheard_is_as_the_link_says() -> None:
    playing, (win,) = claimed()
    event = MeterLocked(
        at_ms=playing.now(), ids=(win,), meter_cents=LOCKED_CENTS + 1_001,
        reset_cents=RESET_CENTS, unheard_cents=1_000,
    )  # fmt: skip
    playing.take(event)
    assert DOUBT in playing.state.faults
    playing, (win,) = claimed()
    playing.confirm_as()
    cents = LOCKED_CENTS + 1_001
    award = AwardGranted(
        at_ms=playing.now(), id=win, amount_cents=cents, meter_cents=cents, unheard_cents=1_000
    )
    playing.take(award)
    assert is_doubted(playing, win)


def test_a_reset_value_that_was_never_heard_is_not_kept_with_a_lock() -> None:
    playing, (win,) = claimed()
    playing.pending(win, locked_cents=LOCKED_CENTS, reset_cents=10**14)
    assert playing.state.round.claims[win].locked_cents is None
    assert DOUBT in playing.state.faults


def test_a_meter_that_has_risen_since_the_close_may_be_held_once_it_is_heard() -> None:
    playing = at_reveal(ROYAL)
    (win,) = owed_in(playing.reveal())
    registered_cents = playing.state.round.meter_cents or 0
    playing.meter(registered_cents + 9_000_000, 2)
    playing.pending(win.id, locked_cents=registered_cents + 9_000_100)
    assert playing.state.round.claims[win.id].locked_cents == registered_cents + 9_000_100
    table = Table.recovered(playing.table.settings, playing.journal)
    assert remembered(table.state) == remembered(playing.state)


@pytest.mark.parametrize("beside", [(), (10,), (100,)])
def test_a_lock_is_not_walked_up_by_what_is_unheard_at_each_list(beside: tuple[int, ...]) -> None:
    playing, (win,) = claimed()
    most_cents = LOCKED_CENTS + UNHEARD_CENTS
    for cents in (LOCKED_CENTS, most_cents, most_cents + 1, most_cents + UNHEARD_CENTS):
        assert DOUBT not in playing.state.faults or cents > most_cents + 1
        playing.pending(win, locked_cents=cents, reset_cents=RESET_CENTS, beside=beside)
    assert playing.state.round.claims[win].locked_cents == most_cents
    assert DOUBT in playing.state.faults
    playing.confirm_as()
    playing.award(win, most_cents + 1, most_cents + 1)
    assert is_doubted(playing, win)


def test_a_lock_is_not_raised_where_no_meter_is_known_any_more() -> None:
    playing, (win,) = claimed()
    playing.pending(win, locked_cents=LOCKED_CENTS, reset_cents=RESET_CENTS)
    playing.state.round.meter_cents = playing.state.meter_cents = None
    playing.pending(win, locked_cents=10**14, reset_cents=RESET_CENTS)
    assert playing.state.round.claims[win].locked_cents == LOCKED_CENTS
    assert DOUBT in playing.state.faults


# The reset meter


def test_a_royal_is_not_paid_from_the_reset_meter_when_the_pending_list_is_empty() -> None:
    playing, win = royal()
    playing.meter(RESET_CENTS, 9, RESET_CENTS)
    playing.take(PendingChanged(at_ms=playing.now(), ids=(), words=()))
    playing.award(win, RESET_CENTS, RESET_CENTS)
    assert is_doubted(playing, win)
    assert playing.state.round.claims[win].reckoned_cents == LOCKED_CENTS


def test_a_lock_that_falls_although_nothing_was_named_beside_it_is_not_kept() -> None:
    playing, win = royal()
    playing.meter(RESET_CENTS, 9, RESET_CENTS)
    playing.pending(win, locked_cents=RESET_CENTS, reset_cents=RESET_CENTS)
    assert playing.state.round.claims[win].locked_cents == LOCKED_CENTS
    assert DOUBT in playing.state.faults
    playing.award(win, RESET_CENTS, RESET_CENTS)
    assert is_doubted(playing, win)


def test_a_lock_falls_by_what_was_named_beside_it() -> None:
    for beside, left_cents in (((100,), RESET_CENTS), ((10,), LOCKED_CENTS * 9 // 10)):
        playing, (win,) = claimed()
        playing.pending(win, locked_cents=LOCKED_CENTS, reset_cents=RESET_CENTS, beside=beside)
        playing.meter(left_cents, 9, RESET_CENTS)
        playing.pending(win, locked_cents=left_cents, reset_cents=RESET_CENTS)
        assert playing.state.round.claims[win].locked_cents == left_cents
        assert not playing.state.faults


def test_a_lock_rises_again_when_an_award_elsewhere_is_taken_back() -> None:
    playing, (win,) = claimed()
    playing.meter(RESET_CENTS, 3, RESET_CENTS)
    playing.pending(win, locked_cents=RESET_CENTS, reset_cents=RESET_CENTS)
    playing.meter(LOCKED_CENTS, 4, RESET_CENTS)
    playing.pending(win, locked_cents=LOCKED_CENTS, reset_cents=RESET_CENTS)
    assert playing.state.round.claims[win].locked_cents == LOCKED_CENTS
    assert not playing.state.faults


def test_i_37_a_lock_at_the_reset_value_falls_when_a_royal_below_it_is_taken_back() -> None:
    playing, (win,) = claimed()
    playing.meter(RESET_CENTS, 3, RESET_CENTS)
    playing.pending(win, locked_cents=RESET_CENTS + 500, reset_cents=RESET_CENTS)
    playing.pending(win, locked_cents=RESET_CENTS - 100_000, reset_cents=RESET_CENTS)
    assert playing.state.round.claims[win].locked_cents == RESET_CENTS - 100_000
    playing.pending(win, locked_cents=RESET_CENTS - UNHEARD_CENTS - 1, reset_cents=RESET_CENTS)
    assert playing.state.round.claims[win].locked_cents == RESET_CENTS - 100_000
    assert DOUBT in playing.state.faults


LOW_CENTS = 7_290_000
"""A meter that three straight flushes have left below its reset value."""


def low_royal() -> tuple[Playing, str]:
    """Claim a royal at a table that has heard only a meter below its reset value."""
    playing = bets_placed()
    playing.meter(LOW_CENTS, 2, RESET_CENTS)
    for contribution in owed_in(playing.close()):
        playing.acknowledge(contribution.id)
    playing.deal({1: ROYAL, 3: QUEEN_HIGH}, ACE_HIGH)
    playing.bet(1)
    playing.bet(3)
    (win,) = owed_in(playing.reveal())
    return playing, win.id


def test_5_7_a_claim_may_hold_the_reset_value_to_which_a_royal_has_raised_the_meter() -> None:
    for cents, kept in (
        (RESET_CENTS, True),
        (RESET_CENTS + UNHEARD_CENTS, True),
        (RESET_CENTS + UNHEARD_CENTS + 1, False),
    ):
        playing, win = low_royal()
        playing.pending(win, locked_cents=cents, reset_cents=RESET_CENTS)
        playing.confirm_as()
        playing.award(win, cents, cents)
        assert (DOUBT not in playing.state.faults) == kept, cents
        assert is_doubted(playing, win) != kept, cents


def test_a_claim_that_holds_a_low_meter_is_raised_by_nothing_but_what_was_named_beside_it() -> None:
    for beside, kept in (((), False), ((10,), False), ((100,), True)):
        playing, win = low_royal()
        playing.pending(win, locked_cents=LOW_CENTS, reset_cents=RESET_CENTS, beside=beside)
        playing.pending(win, locked_cents=RESET_CENTS, reset_cents=RESET_CENTS)
        assert (playing.state.round.claims[win].locked_cents == RESET_CENTS) == kept, beside
        assert (DOUBT not in playing.state.faults) == kept, beside


def test_5_7_a_share_that_was_never_pending_may_be_of_the_reset_value_above_a_low_meter() -> None:
    for cents, believed in (
        (RESET_CENTS + UNHEARD_CENTS, True),
        (RESET_CENTS + UNHEARD_CENTS + 1, False),
    ):
        playing, win = low_royal()
        playing.confirm_as()
        playing.award(win, cents, cents)
        assert is_doubted(playing, win) != believed, cents


# Several claims


def test_i_28_each_claim_is_paid_from_the_meter_that_it_holds_itself() -> None:
    playing, (first, third) = claimed(OTHER_ROYAL)
    playing.pending(first, third, locked_cents=LOCKED_CENTS, reset_cents=RESET_CENTS)
    playing.confirm_as()
    playing.confirm_as()
    # Seat 1's award is lost.
    playing.meter(RESET_CENTS, 9, RESET_CENTS)
    playing.pending(third, locked_cents=RESET_CENTS, reset_cents=RESET_CENTS)
    playing.link(healthy=False)
    claims = playing.state.round.claims
    assert [claims[win].amount_cents for win in (first, third)] == [LOCKED_CENTS, RESET_CENTS]


def test_i_28_two_claims_that_hold_the_same_meter_are_paid_one_after_the_other() -> None:
    playing, (first, third) = claimed(OTHER_ROYAL)
    playing.pending(first, third, locked_cents=LOCKED_CENTS, reset_cents=RESET_CENTS)
    playing.link(healthy=False)
    claims = playing.state.round.claims
    assert [claims[win].amount_cents for win in (first, third)] == [LOCKED_CENTS, RESET_CENTS]


def test_i_28_what_one_claim_was_awarded_from_a_meter_is_not_paid_to_the_other_as_well() -> None:
    playing, (first, third) = claimed(OTHER_ROYAL)
    playing.pending(first, third, locked_cents=LOCKED_CENTS, reset_cents=RESET_CENTS)
    playing.confirm_as()
    playing.award(first, LOCKED_CENTS, LOCKED_CENTS)
    playing.link(healthy=False)
    assert playing.state.round.claims[third].amount_cents == RESET_CENTS


def test_i_28_a_claim_that_holds_nothing_is_paid_after_one_that_does() -> None:
    playing, (first, third) = claimed(OTHER_STRAIGHT_FLUSH)
    playing.pending(first, locked_cents=LOCKED_CENTS, reset_cents=RESET_CENTS)
    playing.link(healthy=False)
    claims = playing.state.round.claims
    assert [claims[win].amount_cents for win in (first, third)] == [LOCKED_CENTS, RESET_CENTS // 10]
