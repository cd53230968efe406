"""Meters that an honest link has, however it came to them: none of them is doubted.

And beside each, what a forger would make of it: he gains nothing.
"""

import pytest

from firmware.link.known import BACK_S, FALLS_WITHIN_S, Known
from firmware.link.meters import PublishedWatch
from firmware.protocol.messages import MeterMessage
from tests.link.test_meters import fate

RATE = 2_000
"""What a house of some tables says of its floor, in cents a second."""
RESET_CENTS = 10_000_000
ROYAL_CENTS = 50_000_000
DOUBTED = "ignore meter_doubted"


def meter(cents: int, sequence: int) -> MeterMessage:
    """Make a meter message with the link's reset value."""
    return MeterMessage(meter_cents=cents, sequence=sequence, reset_cents=RESET_CENTS, books="a")


def following(*meters_cents: int, at_s: float = 0.0) -> PublishedWatch:
    """Follow some meters, one after the other at the same moment."""
    watch = PublishedWatch(RATE)
    for sequence, cents in enumerate(meters_cents, start=1):
        assert fate(watch, meter(cents, sequence), at_s) == "follow", cents
    return watch


def stands(watch: PublishedWatch, since_s: int, until_s: int) -> None:
    """Let the controller be heard every two seconds."""
    for second in range(since_s, until_s, 2):
        watch.stands(second)


# A reset that goes up


@pytest.mark.parametrize("after_s", [60, 9 * 3_600])
def test_5_7_a_royal_raises_a_meter_that_is_below_its_reset_value(after_s: int) -> None:
    # Heard as it fell, or already low when this table came: neither matters.
    for heard in ((RESET_CENTS, 9_000_000, 8_100_000, 7_290_000), (7_290_000,)):
        watch = following(*heard)
        stands(watch, 0, after_s)
        assert fate(watch, meter(RESET_CENTS + 100 * RATE, 9), after_s) == DOUBTED
        assert fate(watch, meter(RESET_CENTS, 9), after_s) == "follow"


def test_nobody_climbs_by_falling_below_the_reset_value_and_rising_to_it() -> None:
    watch = following(*(9_000_000, RESET_CENTS) * 50)
    assert fate(watch, meter(RESET_CENTS + 1_000_000, 999), 0) == DOUBTED


def test_5_9_a_hit_is_taken_back_although_the_meter_fell_below_its_reset_value_since() -> None:
    for last_cents in (49_000_000, ROYAL_CENTS):
        following(ROYAL_CENTS, RESET_CENTS, 9_000_000, last_cents)
    watch = following(ROYAL_CENTS, RESET_CENTS, 9_000_000, RESET_CENTS, ROYAL_CENTS)
    assert fate(watch, meter(ROYAL_CENTS + 1_000_000, 9), 0) == DOUBTED


# Many falls


def test_5_9_returned_bets_crowd_no_hit_out() -> None:
    watch, sequence, cents = following(ROYAL_CENTS, RESET_CENTS), 9, RESET_CENTS
    for second in range(1, 1_000):
        for cents in (RESET_CENTS + 500, RESET_CENTS + 400):
            sequence += 1
            assert fate(watch, meter(cents, sequence), second) == "follow"
    assert fate(watch, meter(ROYAL_CENTS, 9_999), 1_000) == "follow"


def test_of_a_whole_shift_of_falls_only_so_many_are_kept() -> None:
    known = Known()
    for second in range(100_000):
        known.fall(1, second)
    assert len(known.falls) <= BACK_S / FALLS_WITHIN_S + 1
    assert BACK_S - FALLS_WITHIN_S <= known.most_cents(100_000) <= BACK_S


def test_5_9_of_two_hits_the_first_that_is_taken_back_leaves_the_other_its_time() -> None:
    watch = following(ROYAL_CENTS, 45_000_000)
    late_s = BACK_S - 600
    assert fate(watch, meter(40_000_000, 9), late_s) == "follow"
    assert fate(watch, meter(45_000_000, 10), late_s + 60) == "follow"
    assert fate(watch, meter(ROYAL_CENTS, 11), BACK_S + 60) == "follow"
    assert fate(watch, meter(ROYAL_CENTS + 5_000_000, 12), BACK_S + 70) == DOUBTED
