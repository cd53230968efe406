"""For whom a table waits, and since when: a real table in a ruling, and what a diagnosis makes of it."""

from pathlib import Path

import msgspec
import pytest

from firmware.maintenance.vitals import Vitals, WaitVitals
from host_tools.diagnose.diagnosis import DEALER_WAIT_S, STAFF_WAIT_S, judge
from sim.floor.floor import Floor
from sim.table.hardware import TableHardware
from tests.host_tools.tables import facts, own_runtime_folder, tool, with_a_table
from tests.host_tools.test_diagnosis import GOOD, NOW_MS

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


@pytest.mark.parametrize(
    ("who", "limit_s"), [("dealer", DEALER_WAIT_S), ("shift manager", STAFF_WAIT_S)]
)
def test_a_short_wait_is_nothing_and_a_long_one_a_warning(who: str, limit_s: int) -> None:
    def judged(waited_s: float) -> int:
        waits = WaitVitals(who=who, what="x", since_ms=NOW_MS - int(waited_s * 1000))
        return len(judge(msgspec.structs.replace(GOOD, waits=waits), NOW_MS))

    assert (judged(limit_s - 1), judged(limit_s)) == (0, 1)
