"""A number that nobody can write down: it is never in the journal, and never ends the table."""

from pathlib import Path

import pytest

from firmware.shell.inbox import Arrival
from firmware.shell.runtime import Runtime
from firmware.table.effects import ShowRefusal
from firmware.table.events import (
    AwardGranted,
    BetsOpened,
    Decision,
    FaultNoticed,
    MeterLocked,
    ServiceDone,
    WentOn,
)
from firmware.table.table import FAILED
from tests.table.playing import SETTINGS

HUGE = 10**30
UNREADABLE: tuple[Decision, ...] = (
    WentOn(at_ms=1, through=HUGE, round=1, contributions=0, contributed_cents=0, by="1"),
    WentOn(at_ms=1, through=5, round=1, contributions=HUGE, contributed_cents=0, by="1"),
    WentOn(at_ms=1, through=5, round=1, contributions=-1, contributed_cents=0, by="1"),
    FaultNoticed(at_ms=HUGE, code="hot"),
    BetsOpened(at_ms=1, frame=HUGE),
    AwardGranted(at_ms=1, id="T1.x.1.1", amount_cents=HUGE),
    MeterLocked(at_ms=1, ids=("T1.x.1.1",), meter_cents=1, shares=(("T2.x.1.1", HUGE),)),
    ServiceDone(at_ms=1, what="x" * 201),
)


@pytest.mark.parametrize("event", UNREADABLE, ids=lambda event: type(event).__name__)
def test_what_could_not_be_read_again_is_not_written_down_and_the_table_starts_again(
    tmp_path: Path, event: Decision
) -> None:
    runtime = Runtime(SETTINGS, tmp_path)
    records = runtime.table.state.sequence
    runtime.table.state.refused = True  # so that an order would be followed
    runtime.handle(Arrival(event))
    failed = [each for each in runtime.table.state.faults if each.startswith("program_failed")]
    assert runtime.table.state.sequence == records + len(failed)
    runtime.handle(Arrival(FaultNoticed(at_ms=2, code="under_voltage")))
    assert "under_voltage" in runtime.table.state.faults
    runtime.close()
    again = Runtime(SETTINGS, tmp_path)
    assert "under_voltage" in again.table.state.faults
    again.close()


def test_a_state_that_cannot_be_written_down_is_a_failure_and_never_the_end_of_the_table(
    tmp_path: Path,
) -> None:
    runtime = Runtime(SETTINGS, tmp_path)
    records = runtime.table.state.sequence
    runtime.table.state.totals.contributions = HUGE
    outcome = runtime.handle(Arrival(BetsOpened(at_ms=1, frame=1)))
    assert isinstance(outcome.failure, OverflowError)
    assert outcome.effects == (ShowRefusal(FAILED),)
    assert runtime.table.state.sequence == records
    runtime.table.state.totals.contributions = 0
    assert runtime.handle(Arrival(FaultNoticed(at_ms=2, code="hot"))).decided
    runtime.close()
