"""For whom a table waits, and since when: a real table in a ruling, and what a diagnosis makes of it."""

from pathlib import Path

import msgspec
import pytest

from firmware.maintenance.vitals import Vitals, WaitVitals
from firmware.maintenance.waits import Waits
from host_tools.diagnose.diagnosis import DEALER_WAIT_S, STAFF_WAIT_S, judge
from sim.floor.floor import Floor
from sim.table.hardware import TableHardware
from tests.host_tools.tables import facts, own_runtime_folder, tool, with_a_table
from tests.host_tools.test_diagnosis import GOOD, NOW_MS
from tests.table.playing import STRAIGHT_FLUSH, at_reveal, owed_in, prompt_in

__all__ = ["own_runtime_folder"]


def test_a_table_in_a_ruling_says_for_whom_it_waits_since_when_and_what_he_must_do(
    tmp_path: Path,
) -> None:
    async def play(_floor: Floor, table: TableHardware) -> None:
        assert facts(await tool("diagnose", "sim:T1", "--json"))["facts"]["waits"] is None
        await table.press("OPEN")
        await table.press("AMOUNT 1 ante 2500")
        await table.press("CLOSE")
        await table.until(lambda: table.screen.code == "dealing")
        dealing = facts(await tool("diagnose", "sim:T1", "--json"))["facts"]
        assert dealing["waits"]["who"] == "dealer"
        await table.press("REPORT other")
        await table.until(lambda: table.screen.code == "ruling")
        first = facts(await tool("diagnose", "sim:T1", "--json"))["facts"]
        assert first["waits"]["who"] == "shift manager"
        assert "shift manager: key and PIN" in first["waits"]["what"]
        assert first["waits"]["since_ms"] > dealing["waits"]["since_ms"]
        # A chip that is put down meanwhile changes nothing about it.
        table.place_chip(2)
        await table.until(lambda: table.chips() == {(2, "jackpot")})
        again = facts(await tool("diagnose", "sim:T1", "--json"))["facts"]
        assert again["waits"] == first["waits"]
        await tells(again)

    with_a_table(tmp_path, play)


async def tells(found: dict[str, object]) -> None:
    """Diagnose the same facts some minutes later, by every clock."""
    vitals = msgspec.convert(found, Vitals)
    later_ms = vitals.clock.now_ms + 8 * 60_000
    clock = msgspec.structs.replace(vitals.clock, now_ms=later_ms)
    (finding,) = judge(msgspec.structs.replace(vitals, clock=clock), later_ms)
    assert finding.severity == "warning"
    assert finding.what.startswith("Round 1 waits for the shift manager for 8 min")
    assert ", since 20" in finding.what
    assert finding.remedy.startswith("send the shift manager to table T1; its panel says: ")
    assert "shift manager: key and PIN" in finding.remedy


def test_a_major_waits_for_the_supervisor_and_then_for_nobody_at_the_table() -> None:
    playing, waits = at_reveal(STRAIGHT_FLUSH), Waits()
    waits.look(playing.table, 1_000)
    assert waits.vitals(playing.table, 2_000) == WaitVitals(
        who="dealer", what=prompt_in(playing.table.resumed())[0], since_ms=1_000
    )
    (win,) = owed_in(playing.reveal())
    assert waits.vitals(playing.table, 3_000) == WaitVitals(
        who="pit supervisor", what="Pit supervisor: check seat 1, key and PIN.", since_ms=3_000
    )
    playing.turn_key()
    waits.look(playing.table, 4_000)
    found = waits.vitals(playing.table, 5_000)
    assert found is not None
    assert found.since_ms == 3_000
    playing.identify("pit_supervisor")
    assert waits.vitals(playing.table, 6_000) is None, "the jackpot controller is next"
    playing.award(win.id, 77_700)
    found = waits.vitals(playing.table, 7_000)
    assert found is not None
    assert (found.who, found.since_ms) == ("dealer", 7_000)
    playing.paid()
    assert waits.vitals(playing.table, 8_000) is None


@pytest.mark.parametrize(
    ("who", "limit_s"), [("dealer", DEALER_WAIT_S), ("shift manager", STAFF_WAIT_S)]
)
def test_a_short_wait_is_nothing_and_a_long_one_a_warning(who: str, limit_s: int) -> None:
    def judged(waited_s: float) -> int:
        waits = WaitVitals(who=who, what="x", since_ms=NOW_MS - int(waited_s * 1000))
        return len(judge(msgspec.structs.replace(GOOD, waits=waits), NOW_MS))

    assert (judged(limit_s - 1), judged(limit_s)) == (0, 1)
