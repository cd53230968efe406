"""The number of a session is never one that was there before, whatever happens to flash and random source."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.spot_board.session import (
    MOST_STARTS,
    PAGE_BYTES,
    SECTOR_BYTES,
    SESSIONS_PER_START,
    count_start,
    next_session,
)
from tests.spot_board.flash import Flash, PowerCutError

RECORDS = SECTOR_BYTES // PAGE_BYTES


def constant(count: int) -> bytes:
    """Give what a random source gives that is none."""
    return b"\x2a" * count


def session_of(flash: Flash) -> int:
    return next_session(flash, constant)


def test_a_thousand_starts_have_a_thousand_sessions_with_a_constant_random_source() -> None:
    flash = Flash()
    sessions = [session_of(flash) for _ in range(1_000)]
    assert len(set(sessions)) == 1_000
    assert all(0 < session < 10**9 for session in sessions)


@pytest.mark.parametrize("starts", [0, 1, RECORDS - 1, RECORDS, RECORDS + 1, 2 * RECORDS])
@pytest.mark.parametrize("cut_at", range(4))
def test_a_power_cut_in_every_write_repeats_no_session(starts: int, cut_at: int) -> None:
    for seed in range(8):
        flash = Flash(seed)
        sessions = [session_of(flash) for _ in range(starts)]
        flash.cut_at = flash.done + cut_at
        with suppress(PowerCutError):
            sessions.append(session_of(flash))
        flash.cut_at = None
        sessions += [session_of(flash) for _ in range(RECORDS + 2)]
        assert len(set(sessions)) == len(sessions)


mishaps = st.one_of(
    st.none(),
    st.tuples(st.just("cut"), st.integers(0, 3)),
    st.tuples(st.just("damage"), st.integers(0, 1), st.integers(0, 2)),
)


@given(st.integers(0, 2**32), st.lists(mishaps, max_size=60))
def test_power_cuts_and_the_loss_of_either_sector_repeat_no_session(
    seed: int, mishaps: list[tuple[str, int] | tuple[str, int, int] | None]
) -> None:
    flash = Flash(seed)
    sessions = [session_of(flash)]
    for mishap in mishaps:
        match mishap:
            case ("cut", int(writes)):
                flash.cut_at = flash.done + writes
                with suppress(PowerCutError):
                    sessions.append(session_of(flash))
                flash.cut_at = None
                # One loss at a time: the board starts once before the next one.
                sessions.append(session_of(flash))
            case ("damage", int(sector), int(how)):
                flash.damage(sector, how)
                sessions.append(session_of(flash))
            case _:
                sessions.append(session_of(flash))
    assert len(set(sessions)) == len(sessions)


@given(st.integers(0, 2**32), st.integers(0, 2), st.integers(0, 2))
def test_with_any_content_of_the_flash_there_is_a_session_and_then_another(
    seed: int, first: int, second: int
) -> None:
    flash = Flash(seed)
    flash.damage(0, first)
    flash.damage(1, second)
    sessions = [session_of(flash) for _ in range(3)]
    assert len(set(sessions)) == 3
    assert all(0 < session < 10**9 for session in sessions)


def test_the_count_goes_round_without_repeating_its_neighbours() -> None:
    flash = Flash()
    counts = [count_start(flash, MOST_STARTS - 20)]
    counts += [count_start(flash, 0) for _ in range(60)]
    assert counts[:3] == [MOST_STARTS - 19, MOST_STARTS - 18, MOST_STARTS - 17]
    assert counts[19:22] == [MOST_STARTS, 1, 2]
    assert len(set(counts)) == len(counts)


def test_a_sector_is_erased_once_in_as_many_starts_as_it_has_room_for() -> None:
    flash, starts = Flash(), 10 * RECORDS
    for _ in range(starts):
        session_of(flash)
    erasures = flash.done - 2 * starts
    assert erasures == 2 * (starts // RECORDS - 1)


def test_a_sector_that_takes_no_writes_any_more_repeats_no_session() -> None:
    flash = Flash()
    sessions = []
    for _ in range(3 * RECORDS):
        sessions.append(session_of(flash))
        flash.sectors[1][:] = bytes(SECTOR_BYTES)
    assert len(set(sessions)) == len(sessions)


def test_boards_that_are_new_begin_at_random() -> None:
    first, second = next_session(Flash(), constant), next_session(Flash(), bytes)
    assert first // SESSIONS_PER_START != second // SESSIONS_PER_START
