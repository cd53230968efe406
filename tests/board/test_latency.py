"""How long it takes from a sensor to the table, in the chip's own time, whatever else the board has to do."""

from collections.abc import Callable

from tests.board.table import Table

INPUTS = range(1, 15)
EDGE_TO_EVENT_MS = 50.0
ALL_AT_ONCE_MS = 150.0
STEP_MS = 61.3
"""Between two chips: no multiple of the time between two looks, so that each comes at another moment of one."""


def _one_after_the_other(table: Table, inputs: list[int], found: str) -> list[float]:
    """Put a chip on each spot, or take it off; return how long each took to be heard."""
    took: list[float] = []
    for number in inputs:
        since_ms, known = table.chip.now_ms, len(table.findings)
        table.chip.set_input(number, found == "present")
        table.until(lambda known=known: len(table.findings) > known, 2 * EDGE_TO_EVENT_MS)  # type: ignore[misc]
        last = table.findings[-1]
        assert (last.input, last.found) == (number, found)
        took.append(last.heard_ms - since_ms)
        table.run_ms(since_ms + STEP_MS - table.chip.now_ms)
    return took


def test_a_chip_on_each_of_14_spots_is_heard_of_within_50_ms(
    table: Table, measured: Callable[[str], None]
) -> None:
    took = _one_after_the_other(table, list(INPUTS), "present")
    measured(f"edge to event with 14 spots: {min(took):.0f}-{max(took):.0f} ms")
    assert max(took) <= EDGE_TO_EVENT_MS


def test_14_chips_at_once_are_heard_of_within_150_ms(
    table: Table, measured: Callable[[str], None]
) -> None:
    since_ms = table.chip.now_ms
    table.chip.set_inputs(0x3FFF)
    table.until(lambda: len(table.findings) == len(INPUTS), 2 * ALL_AT_ONCE_MS)
    took = max(each.heard_ms for each in table.findings) - since_ms
    measured(f"14 chips at once: the last is heard of after {took:.0f} ms")
    assert took <= ALL_AT_ONCE_MS
    assert [each.input for each in table.findings] == list(INPUTS)
    assert {each.found for each in table.findings} == {"present"}


def test_a_line_at_10_khz_changes_nothing_for_the_others(
    table: Table, measured: Callable[[str], None]
) -> None:
    others = [3, 8, 14]
    # Half a period, a little off so that the looks do not always meet the same level.
    table.chip.storm(5, 50.3)
    table.run_ms(300)
    took = _one_after_the_other(table, others, "present")
    took += _one_after_the_other(table, others, "absent")
    measured(f"edge to event beside a line at 10 kHz: {min(took):.0f}-{max(took):.0f} ms")
    assert max(took) <= EDGE_TO_EVENT_MS
    assert "chatters" in table.of_input(5)
    assert {each.input for each in table.findings} == {5, *others}


def test_lamps_are_lit_as_they_are_told(table: Table, measured: Callable[[str], None]) -> None:
    table.alive = True
    table.until(lambda: table.chip.lamps.enabled, 100)
    since_ms, latched = table.chip.now_ms, table.chip.lamps.latched
    table.tell("LAMPS 1-------1----1")
    table.until(lambda: table.chip.lamps.lit == {1, 9, 14}, EDGE_TO_EVENT_MS)
    measured(f"lamp command to pin: {table.chip.now_ms - since_ms:.0f} ms")
    assert table.chip.lamps.latched > latched
    table.tell("LAMPS --------------")
    table.until(lambda: not table.chip.lamps.lit, EDGE_TO_EVENT_MS)
