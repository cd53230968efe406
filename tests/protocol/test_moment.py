"""The table's clock as the rules core reads it."""

from datetime import UTC, datetime

from firmware.protocol.obligations import moment


def test_a_time_is_the_milliseconds_since_1970_in_utc() -> None:
    assert moment(0) == datetime(1970, 1, 1, tzinfo=UTC)
    assert moment(1_767_323_045_006) == datetime(2026, 1, 2, 3, 4, 5, 6_000, tzinfo=UTC)
