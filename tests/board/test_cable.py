"""The cable comes out at every moment of an exchange, or the host stops reading: nothing is lost or invented.

A quick run takes a few of the moments, SOAK=1 each millisecond. The board has its power from the cable or
from elsewhere, so both are pulled.
"""

import os

import pytest

from tests.board.table import Table, greet

SOAK = bool(os.environ.get("SOAK"))
EXCHANGE_MS = 48
"""From a chip that is put down to the acknowledgement of what was told of it."""
MOMENTS = range(EXCHANGE_MS) if SOAK else (0, 33, 35, 37, 39, 45)
AWAY_MS = 40.0
SPOT = 6


@pytest.mark.parametrize("moment_ms", MOMENTS)
def test_a_chip_is_told_of_once_when_the_cable_comes_out_in_between(
    table: Table, moment_ms: int
) -> None:
    before = table.session
    table.chip.set_input(SPOT, level=True)
    table.run_ms(moment_ms)
    table.chip.host.unplug()
    table.run_ms(AWAY_MS)
    table.chip.host.plug()
    greet(table)
    assert table.of_input(SPOT) == ["present"]
    assert len(table.findings) == 1
    assert table.levels[-1] == ".....o........"
    assert table.session == before
    assert table.chip.resets_ms == []


@pytest.mark.parametrize("moment_ms", MOMENTS[:: 1 if SOAK else 2])
def test_a_chip_is_known_after_a_power_cut_at_any_moment(table: Table, moment_ms: int) -> None:
    before = table.session
    table.chip.set_input(SPOT, level=True)
    table.run_ms(moment_ms)
    table.chip.power_off()
    table.run_ms(AWAY_MS)
    assert table.chip.lamps.lit == frozenset()
    table.greetings.clear()
    table.chip.power_on()
    greet(table)
    assert table.session != before
    assert table.levels[-1] == ".....o........"


def test_what_happens_while_nobody_listens_is_known_with_its_age(table: Table) -> None:
    table.chip.host.unplug()
    table.run_ms(100)
    table.chip.set_input(2, level=True)
    put_ms = table.chip.now_ms
    table.run_ms(400)
    table.chip.host.plug()
    greet(table)
    (found,) = table.findings
    assert (found.input, found.found) == (2, "present")
    assert 30 <= found.heard_ms - found.age_ms - put_ms <= 50


def test_a_host_that_stops_reading_stops_nothing_and_misses_nothing(table: Table) -> None:
    table.chip.host.reading = False
    for level in (True, False, True):
        table.chip.set_input(4, level)
        table.run_ms(200)
    table.run_ms(1_900)
    assert table.chip.resets_ms == []  # its loop has fed the watchdog
    table.chip.host.read_on()
    table.until(lambda: len(table.findings) == 3, 2_000)
    assert table.of_input(4) == ["present", "absent", "present"]
    # The first one had been written when the host still seemed to read: its age is that of then.
    assert table.findings[1].age_ms > table.findings[2].age_ms > 1_500
