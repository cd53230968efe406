"""What a sensor means, on timestamps alone: chips, chatter, stuck; no pin and no clock."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.devices.sensing import (
    CHATTER_EDGES,
    CHATTER_NEWS,
    DEBOUNCE_MS,
    NEWS_BURST,
    NEWS_EVERY_MS,
    QUIET_MS,
    STUCK_MS,
    SensorWatch,
)
from firmware.devices.sensor_limits import SensorLimits, SensorNews

MINUTE_MS = 60_000


def findings(
    edges: dict[int, bool], until_ms: int, limits: SensorLimits | None = None
) -> list[tuple[int, SensorNews]]:
    """Let edges happen, look exactly when the watch asks to, and give what it says, when."""
    watch = SensorWatch(limits or SensorLimits())
    coming = sorted(edges.items())
    said: list[tuple[int, SensorNews]] = []
    at_ms = 0
    while at_ms <= until_ms:
        next_ms = watch.next_look_ms
        edge_ms = coming[0][0] if coming else None
        times = [ms for ms in (next_ms, edge_ms) if ms is not None]
        if not times:
            break
        at_ms = max(at_ms, min(times))
        if edge_ms == at_ms:
            watch.edge(coming.pop(0)[1], at_ms)
        if at_ms <= until_ms:
            said += [(at_ms, news) for news in watch.look(at_ms)]
    return said


def chatter(start_ms: int, hz: int, seconds: float) -> dict[int, bool]:
    """Lift a chip and put it back so many times a second."""
    half_ms = 500 // hz
    edges = range(start_ms, start_ms + int(seconds * 1_000), half_ms)
    return {at_ms: place % 2 == 1 for place, at_ms in enumerate(edges)}


def test_a_chip_and_its_lifting_are_found_after_the_wait() -> None:
    said = findings({0: False, 1_000: True, 3_000: False}, 10_000)
    assert said == [
        (DEBOUNCE_MS, "absent"),
        (1_000 + DEBOUNCE_MS, "present"),
        (3_000 + DEBOUNCE_MS, "absent"),
    ]


def test_50_times_a_second_is_chatter_within_a_quarter_of_a_second_and_ends_the_chip() -> None:
    said = findings({0: True, **chatter(1_000, 50, 3)}, 20_000)
    assert [news for _, news in said] == [
        "present",
        "absent",
        "chatters",
        "quiet",
        "present",
    ]
    noticed_ms = next(ms for ms, news in said if news == "chatters")
    assert noticed_ms <= 1_250
    last_edge_ms = max(chatter(1_000, 50, 3))
    assert said[-1] == (last_edge_ms + QUIET_MS, "present")


def test_a_hand_that_toys_with_a_chip_three_times_a_second_is_no_chatter() -> None:
    said = findings({0: False, **chatter(1_000, 3, 20)}, 60_000)
    assert {news for _, news in said} == {"present", "absent"}


def test_twenty_changes_in_a_second_are_a_hand_and_one_more_is_none() -> None:
    for changes, is_chatter in ((CHATTER_EDGES, False), (CHATTER_EDGES + 1, True)):
        edges = {1_000 + 40 * place: place % 2 == 1 for place in range(changes)}
        said = {news for _, news in findings(edges, 1_950)}
        assert ("chatters" in said) is is_chatter


def news_in_an_hour(hz: int, seconds: float, every_s: int) -> list[tuple[int, SensorNews]]:
    """Let a sensor switch on and off in bursts for an hour."""
    edges: dict[int, bool] = {0: False}
    for start_ms in range(1_000, 60 * MINUTE_MS, every_s * 1_000):
        edges |= chatter(start_ms, hz, seconds)
    return findings(edges, 61 * MINUTE_MS)


@pytest.mark.parametrize(
    ("hz", "seconds", "every_s"),
    [(10, 10, 10), (50, 1.0, 4), (9, 30, 33), (5, 1, 3)],
    ids=["just under the limit", "loose contact", "long bursts with rests", "short bursts"],
)
def test_no_sensor_says_more_than_a_change_a_second_for_long(
    hz: int, seconds: float, every_s: int
) -> None:
    said = news_in_an_hour(hz, seconds, every_s)
    assert len(said) <= NEWS_BURST + 3_600_000 // NEWS_EVERY_MS + 2
    faults = [news for _, news in said if news == "chatters"]
    assert 1 <= len(faults) <= (NEWS_BURST + 3_600_000 // NEWS_EVERY_MS) // CHATTER_NEWS


def test_a_sensor_that_was_mended_senses_chips_a_minute_later() -> None:
    noisy_until_ms = 10 * MINUTE_MS
    edges = chatter(0, 10, noisy_until_ms / 1_000) | {noisy_until_ms + 61_000: False}
    edges |= {noisy_until_ms + 62_000: True}
    said = findings(edges, noisy_until_ms + 2 * MINUTE_MS)
    assert said[-1] == (noisy_until_ms + 62_000 + DEBOUNCE_MS, "present")


def test_a_chip_that_bounces_for_the_whole_wait_is_no_chatter() -> None:
    bounces = {ms: ms % 2 == 0 for ms in range(1_000, 1_000 + DEBOUNCE_MS + 1)}
    said = findings({0: False, **bounces}, 10_000)
    assert [news for _, news in said] == ["absent", "present"]


def test_a_chip_that_stays_for_ten_minutes_is_stuck_and_free_when_it_is_lifted() -> None:
    lifted_ms = STUCK_MS + 2 * MINUTE_MS
    said = findings({0: True, lifted_ms: False}, lifted_ms + MINUTE_MS)
    assert said == [
        (DEBOUNCE_MS, "present"),
        (DEBOUNCE_MS + STUCK_MS, "stuck"),
        (lifted_ms + DEBOUNCE_MS, "absent"),
        (lifted_ms + DEBOUNCE_MS, "free"),
    ]


def test_a_stuck_sensor_that_chatters_is_stuck_anew_only_after_the_whole_time() -> None:
    watch = SensorWatch(SensorLimits(stuck_ms=1_000))
    watch.edge(level=True, at_ms=0)
    assert (watch.look(40), watch.look(1_100)) == (["present"], ["stuck"])
    for edge in range(2 * CHATTER_EDGES):
        watch.edge(edge % 2 == 0, 1_200 + 10 * edge)
        watch.look(1_200 + 10 * edge)
    assert watch.chatters
    assert not watch.stuck
    watch.edge(level=True, at_ms=2_000)
    assert watch.look(2_000 + QUIET_MS) == ["quiet", "present"]
    assert not watch.stuck


def test_a_sensor_stuck_for_a_minute_is_found_where_a_minute_is_the_limit() -> None:
    limits = SensorLimits(stuck_ms=MINUTE_MS)
    said = findings({0: False, 5_000: True}, 2 * MINUTE_MS, limits)
    assert (5_000 + DEBOUNCE_MS + MINUTE_MS, "stuck") in said


def test_a_spot_that_is_swept_every_round_is_never_stuck() -> None:
    edges = {ms: ms // MINUTE_MS % 2 == 1 for ms in range(0, 60 * MINUTE_MS, MINUTE_MS)}
    assert "stuck" not in {news for _, news in findings(edges, 60 * MINUTE_MS)}


def test_what_was_forgotten_is_reported_again() -> None:
    watch = SensorWatch(SensorLimits())
    watch.edge(level=True, at_ms=0)
    assert watch.look(DEBOUNCE_MS) == ["present"]
    assert watch.look(2 * DEBOUNCE_MS) == []
    watch.forget()
    assert watch.look(3 * DEBOUNCE_MS) == ["present"]


@given(st.dictionaries(st.integers(0, 4_000), st.booleans(), max_size=200))
def test_whatever_a_sensor_does_its_findings_make_sense(edges: dict[int, bool]) -> None:
    said = [news for _, news in findings(edges, 60_000)]
    levels = [news for news in said if news in {"present", "absent"}]
    assert all(before != after for before, after in pairwise(levels))
    troubles = [news for news in said if news in {"chatters", "quiet"}]
    assert troubles == ["chatters", "quiet"] * (len(troubles) // 2)
    for before, after in pairwise(said):
        if before == "chatters":
            assert after == "quiet"
    if len(edges) <= CHATTER_EDGES:
        assert troubles == []
    if edges:
        level = "present" if edges[max(edges)] else "absent"
        # A sensor that has only chattered counts as empty, and nothing more is said of it.
        assert levels[-1:] == [level] or (level == "absent" and not levels)
