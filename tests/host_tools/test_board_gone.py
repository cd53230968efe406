"""What the tools say of the spots on a spot board that is gone: nothing that was true before it went."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from firmware.maintenance.vitals import SensorVitals, SpotBoardVitals
from firmware.protocol.fault_catalogue import FAULTS
from firmware.table.public import PublicTable
from host_tools.board import showing
from host_tools.diagnose.view import show_report
from host_tools.spot_board_gone import why_gone
from host_tools.watch.view import TableView, body
from sim.floor.floor import Floor, FloorSettings
from sim.table.table_file import PIN
from tests.host_tools.tables import HANG_S, own_runtime_folder, tool
from tests.host_tools.test_board_show import FakeTable
from tests.host_tools.test_diagnosis import GOOD
from tests.host_tools.test_guided_test import AUTO, closed, read
from tests.host_tools.test_table_drawing import drawn, looks
from tests.spot_board.interpreters import needs_interpreter

__all__ = ["own_runtime_folder"]

GONE = replace(
    GOOD,
    spot_board=SpotBoardVitals(why_unknown="it is not there"),
    sensors=(
        SensorVitals(where="seat 1 jackpot_dealer", input=1, level=None, last=True, edges=3),
        SensorVitals(where="seat 2", input=2, level=None, last=False),
        SensorVitals(where="seat 3", input=3, level=None),
        SensorVitals(where="seat 4", pin=5, level=False),
    ),
)


def test_a_level_that_is_not_known_is_neither_empty_nor_good(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "140")
    show_report([], GONE)
    monkeypatch.setattr(showing, "open_table", lambda _: FakeTable(GONE))
    shown = showing.at_table("sim:T1")
    assert [each.level for each in shown.lines] == [None, None, None]
    assert showing.tell(shown, json=False) == showing.AMISS
    out = capsys.readouterr().out
    spots = [line for line in out.splitlines() if "seat " in line]
    for words in ("seat 1 jackpot on the dealer", "unknown (last: a chip)"):
        assert words in spots[0]
        assert words in spots[4]  # of the board alone
    assert "unknown (last: nothing)" in spots[1]
    assert "(last" not in spots[2]
    assert all("good" not in line for line in spots[:3])
    assert spots[3].split()[-1] == "good"


def faulty(table: PublicTable, code: str, place: str = "spot board") -> PublicTable:
    """Give a table a fault."""
    return replace(table, faults=(FAULTS[code].sentence(place, "it is not there"),))  # type: ignore[index]


@pytest.mark.parametrize(
    ("code", "place", "is_gone"),
    [
        ("device_gone", "spot board", True),
        ("spots_unknown", "spot board", True),
        ("device_gone", "panel", False),
    ],
)
def test_lamps_of_a_board_that_is_gone_are_not_drawn_as_lit(
    code: str, place: str, *, is_gone: bool
) -> None:
    table = faulty(list(looks("rws-multilink-stud"))[2], code, place)
    number = FAULTS[code].number  # type: ignore[index]
    assert why_gone(table).startswith(number) is is_gone
    lines = drawn(body(TableView("sim:T1", table, ""), 100, 40), 100)
    (seat,) = (line for line in lines if line.startswith("1  "))
    assert ("?" in seat) is is_gone
    assert ("◑" in seat or "●" in seat or "◔" in seat) is not is_gone
    assert "◉" in seat  # as it lay last


@needs_interpreter
def test_no_sensor_is_blamed_for_a_board_that_is_not_there(tmp_path: Path) -> None:
    settings = FloorSettings(tables=1, seats=6, game="mbs-singapore-stud")

    async def until_levels_are(wanted: bool | None) -> dict[str, Any]:  # noqa: FBT001  # a level
        while True:
            facts = json.loads((await tool("diagnose", "sim:T1", "--json")).out)["facts"]
            if facts is not None and {each["level"] for each in facts["sensors"]} == {wanted}:
                return dict(facts)
            await asyncio.sleep(0.1)

    async def played() -> None:
        async with Floor(tmp_path / "floor", settings) as floor, asyncio.timeout(HANG_S):
            (table,) = floor.tables
            await closed(table)
            facts = await until_levels_are(False)  # noqa: FBT003  # a level is a level
            assert {each["last"] for each in facts["sensors"]} == {None}
            board = table.spot_board
            assert board is not None
            board.unplug()
            facts = await until_levels_are(None)
            assert not facts["spot_board"]["known"]
            assert {each["last"] for each in facts["sensors"]} == {False}
            report = tmp_path / "r.json"
            only = ("--only", "seat 1", "--only", "lamp enable")
            await tool(*AUTO, *only, "--report", str(report), UNDERFELT_PIN=PIN)
            checks = [each for each in read(report)["checks"] if each["outcome"] != "left out"]
            assert {each["outcome"] for each in checks} <= {"not possible", "not fitted"}
            said = {each["detail"] for each in checks if not each["detail"].startswith("needs ")}
            assert any("F201" in each or "F206" in each for each in said)
            assert all("clean the sensor" not in each for each in said)

    asyncio.run(played())
