"""Small screens: what tells of money or of a fault is said in fewer words, and never cut in the middle."""

import asyncio
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.rules.games import GAMES
from host_tools.watch.app import WatchApp
from host_tools.watch.arrangement import list_lines
from host_tools.watch.fitting import fitting, paused_ways, shortened
from host_tools.watch.view import TableView, body
from sim.floor.view import jackpot_lines
from tests.host_tools.test_table_drawing import drawn, looks, squeezed

FAULTS = (
    "F101 The coin sensor is stuck, seat 3: lift the chip; if there is none, clean the sensor.",
    "F201 The sign does not answer: check its plug.",
    "F402 The journal disk is nearly full: pull the journal.",
)
CUT_AMOUNT = re.compile(r"\$[\d,.]*…|\d…")
METERS = ["$1,234,567.89", "$100,123.45", "$100,223.45", "$100,323.45", "$100,423.45"]


def on_screen(app: WatchApp) -> list[str]:
    lines = app.screen._compositor.render_strips()  # noqa: SLF001  # what is really drawn
    return ["".join(segment.text for segment in line).rstrip() for line in lines]


# The list of tables


@pytest.mark.parametrize("name", ["T1", "T12", "Table 12 in the long room"])
def test_the_list_says_that_a_link_is_down_in_words_that_fit(name: str) -> None:
    table = replace(
        next(looks("rws-holdem")),
        name=name,
        link_healthy=False,
        link_problem="no broker answers",
    )
    for width in range(17, 90):
        (line,) = list_lines([TableView("sim:T1", table, "")], 0, width, 24)
        assert line.plain.endswith(("link down", "link: no broker answers"))
        assert line.cell_len <= width


@pytest.mark.parametrize("fault", FAULTS)
def test_the_list_names_a_fault_whole_or_by_its_number(fault: str) -> None:
    table = replace(next(looks("rws-holdem")), name="T1", faults=(fault,))
    for width in range(17, 120):
        (line,) = list_lines([TableView("sim:T1", table, "")], 0, width, 24)
        assert line.plain.endswith((fault, fault.partition(":")[0], fault[:4]))
        assert line.cell_len <= width


def test_the_list_cuts_no_amount_of_a_prompt() -> None:
    table = replace(next(looks("rws-holdem")), prompt=("Seat 1 ante wins: pay $1,234.50 now",))
    for width in range(30, 90):
        (line,) = list_lines([TableView("sim:T1", table, "")], 0, width, 24)
        assert not CUT_AMOUNT.search(line.plain)
        assert line.cell_len <= width


# A table


@pytest.mark.parametrize("game", GAMES)
def test_no_amount_of_a_table_is_cut_however_narrow_it_is(game: str) -> None:
    for table in looks(game):
        for width in (76, 58, 38, 30, 24):
            text = "\n".join(drawn(body(TableView("T1", table, ""), width, 18), width))
            assert not CUT_AMOUNT.search(text), text


def test_faults_are_seen_however_low_the_screen_is_and_none_is_cut() -> None:
    *_, table = (each for each in looks("rws-holdem", count=7) if each.phase == "settling")
    faulty = replace(table, faults=FAULTS)
    for width in (76, 38):
        for height in range(5, 30):
            lines = drawn(body(TableView("T1", faulty, ""), width, height), width)
            text = " ".join(" ".join(lines).split())
            assert len(lines) <= height
            whole = all(fault in text for fault in FAULTS)
            names = all(fault.partition(":")[0] in text for fault in FAULTS)
            assert whole or names or "F101 F201 F402" in text.replace(",", ""), text


def test_each_sentence_of_a_long_prompt_is_whole() -> None:
    *_, table = (each for each in looks("rws-holdem", count=7) if each.phase == "settling")
    sentences = sorted(map(squeezed, table.prompt), key=len, reverse=True)
    for width in (76, 38):
        for height in range(14, 30):
            lines = drawn(body(TableView("T1", table, ""), width, height), width)
            text = squeezed("".join(line[8:] for line in _part(lines, "panel")))
            for sentence in sentences:
                text = text.replace(sentence, "")
            assert not text.strip("·…")


def _part(lines: list[str], label: str) -> list[str]:
    """Return the lines beside a label."""
    first = next(place for place, line in enumerate(lines) if line.startswith(label))
    rest = lines[first + 1 :]
    end = next((place for place, line in enumerate(rest) if line[:1].strip()), len(rest))
    return [lines[first], *rest[:end]]


def test_where_lines_are_left_out_it_is_said() -> None:
    *_, table = looks("rws-holdem", count=7)
    lines = drawn(body(TableView("T1", table, ""), 56, 9), 56)
    assert lines[-1] == "… make the window larger"


# Above and below the tables


@pytest.mark.parametrize("width", [200, 80, 60, 40, 20])
def test_five_jackpots_are_all_there_and_none_is_cut(width: int) -> None:
    lines = jackpot_lines(METERS, width)
    assert all(line.cell_len <= width for line in lines)
    assert re.findall(r"\$[\d,.]+", " ".join(line.plain for line in lines)) == METERS
    assert len(lines) == 1 or width < 80


@pytest.mark.parametrize(("width", "height"), [(80, 24), (60, 15), (40, 12), (24, 8)])
def test_a_paused_picture_says_so_on_the_smallest_screen(
    width: int, height: int, tmp_path: Path
) -> None:
    async def watched() -> None:
        app = WatchApp([f"unix:{tmp_path}/none.sock"])
        async with app.run_test(size=(width, height)) as pilot:
            await pilot.pause()
            await pilot.press("p")
            await pilot.pause()
            (said,) = (line.strip() for line in on_screen(app) if "PAUSED" in line)
            assert re.search(r"\d\d:\d\d:\d\d", said)
            assert said in paused_ways(re.findall(r"\d\d:\d\d:\d\d", said)[0])
            await pilot.resize_terminal(120, 30)
            await pilot.pause()
            assert any("p shows them live again." in line for line in on_screen(app))

    asyncio.run(watched())


def test_words_are_left_out_whole() -> None:
    assert shortened("award to T1: $100,123.45", 24) == "award to T1: $100,123.45"
    assert shortened("award to T1: $100,123.45", 23) == "award to T1: …"
    assert shortened("T1", 1) == "…"
    assert fitting(3, ("long", "short", "no")) == "no"
