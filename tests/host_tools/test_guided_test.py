"""The guided test on real tables and terminals: what it may pass, and what is never lost.

Simulated hands do whole tests; a technician at a pseudo-terminal does the parts that only a person
does. That a hostile table cannot steer the terminal is in `test_hostile_tables.py`.
"""

import asyncio
import io
import json
import os
import re
import sys
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from firmware.maintenance.protocol import Identity, Show, Shown
from firmware.maintenance.vitals import DeviceVitals, SwitchVitals, Vitals
from firmware.protocol.version import VERSION
from host_tools import terminal
from host_tools.connection.table_stream import open_table
from host_tools.connection.targets import TableTarget, TargetError
from host_tools.guided_test import checks as how
from host_tools.guided_test.checks import Workplace
from host_tools.guided_test.command import vitals_of
from host_tools.guided_test.operators import HumanOperator
from host_tools.guided_test.plan import chosen, plan
from host_tools.guided_test.results import CheckResult, Outcome, Technician, TestReport
from host_tools.guided_test.runner import GuidedTest
from host_tools.guided_test.simulated_hands import SimulatedHands
from sim.floor.floor import Floor
from sim.table.hardware import TableHardware
from sim.table.table_file import PIN, TECHNICIAN
from tests.host_tools.command import Ran, run
from tests.host_tools.hostile import answers, hostile_table
from tests.host_tools.tables import own_runtime_folder, tool, with_a_table
from tests.host_tools.terminals import Typist

__all__ = ["own_runtime_folder"]

AUTO = ("test", "sim:T1", "--auto", "--staff", TECHNICIAN)
BY_HAND = ("test", "sim:T1", "--staff", TECHNICIAN)


async def by_hands(report: Path, *options: str, **environment: str) -> tuple[Ran, dict[str, Any]]:
    """Let simulated hands test the table, and read the report."""
    ran = await tool(*AUTO, *options, "--report", str(report), UNDERFELT_PIN=PIN, **environment)
    return ran, read(report)


def read(report: Path) -> dict[str, Any]:
    """Read a report."""
    kept: dict[str, Any] = json.loads(report.read_text())
    return kept


def technician(*options: str) -> Typist:
    """Start a test at a terminal."""
    return Typist(*BY_HAND, *options, UNDERFELT_PIN=PIN)


def outcomes(report: dict[str, Any], part: str = "") -> dict[str, str]:
    """Return what came of each check of a part that was not left out."""
    return {
        check["what"]: check["outcome"]
        for check in report["checks"]
        if check["what"].startswith(part) and check["outcome"] != "left out"
    }


async def closed(table: TableHardware) -> None:
    """Close the table, as a dealer does for a technician."""
    await table.press("CLOSETABLE")
    await table.until(lambda: table.screen.code == "closed")


async def shown() -> Shown:
    """Look at the table from outside."""

    def looked() -> Shown:
        with open_table("sim:T1") as stream:
            return stream.ask(Shown, lambda number: Show(number=number))

    return await asyncio.to_thread(looked)


# What may pass


@pytest.mark.parametrize("level", [False, True])
def test_where_no_chip_was_sensed_lifting_one_is_not_possible(
    tmp_path: Path, *, level: bool
) -> None:
    """A dead sensor passed "chip lifted", and one that is stuck on passed "chip put down"."""

    async def play(_floor: Floor, table: TableHardware) -> None:
        table.stick_sensor(2, level=level)
        ran, report = await by_hands(tmp_path / "r.json", "--only", "seat 2")
        assert outcomes(report) == {
            "seat 2: lamp": "passed",
            "seat 2: chip put down": "failed",
            "seat 2: chip lifted": "not possible",
        }
        assert ran.status == 1
        assert 'NOT POSSIBLE  seat 2: chip lifted: needs "seat 2: chip put down"' in ran.out
        assert "1 of 3 checks failed, 1 not possible, 1 passed, 22 left out" in ran.out
        assert table.chips() == ({(2, "jackpot")} if level else set())

    with_a_table(tmp_path, play)


def test_a_chip_that_lies_on_a_spot_must_be_lifted_and_put_down_to_pass(tmp_path: Path) -> None:
    async def play(_floor: Floor, table: TableHardware) -> None:
        table.place_chip(3)
        ran, report = await by_hands(tmp_path / "r.json", "--only", "seat 3")
        assert ran.status == 0, ran.out + ran.err
        assert {*outcomes(report).values()} == {"passed"}
        assert table.chips() == {(3, "jackpot")}, "the hands put back what they found"

    with_a_table(tmp_path, play)


def test_after_a_whole_test_the_table_is_as_before_and_its_journal_replays(tmp_path: Path) -> None:
    async def play(_floor: Floor, table: TableHardware) -> None:
        before = await shown()
        ran, report = await by_hands(tmp_path / "r.json")
        assert ran.status == 0, ran.out + ran.err
        assert outcomes(report, "cover") == {
            "cover switch: opened": "passed",
            "cover switch: closed": "passed",
        }
        assert {*outcomes(report).values()} == {"passed"}
        await table.until(lambda: table.screen.code == "idle")
        assert replace(await shown(), number=before.number) == before
        copy = str(tmp_path / "copy")
        assert (await tool("journal", "pull", "sim:T1", copy)).status == 0
        assert (await tool("journal", "replay", copy)).status == 0
        told = (await tool("journal", "show", copy)).out
        for what in ("lamp enable withdrawn", "test of the switch key", "test of the switch cover"):
            assert what in told
        await table.press("OPEN")
        await table.until(lambda: table.screen.code == "betting")

    with_a_table(tmp_path, play)


def test_a_table_that_was_closed_before_the_hands_came_stays_closed(tmp_path: Path) -> None:
    async def play(_floor: Floor, table: TableHardware) -> None:
        await closed(table)
        ran, _ = await by_hands(tmp_path / "r.json", "--only", "key")
        assert ran.status == 0, ran.out + ran.err
        assert (await shown()).table.phase == "closed"

    with_a_table(tmp_path, play)


def test_dead_switches_and_lamps_that_stay_lit_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def looked_at(table: TableHardware) -> TestReport:
        hands = SimulatedHands(table.folder)
        hands.patience_s = 3.0  # what does not come is not waited for any longer
        with open_table("sim:T1") as stream:
            work, vitals = Workplace(stream, hands), vitals_of(stream)
            others = ["spots", "panel", "sign", "cards"]
            checks = chosen(plan(work.shown(), vitals), (), others)
            test = GuidedTest(work, Technician(TECHNICIAN, PIN), vitals, simulated_hands=True)
            return test.run(checks, lambda _check: None, lambda _report: None)

    async def play(_floor: Floor, table: TableHardware) -> None:
        await closed(table)
        monkeypatch.setattr(table, "set_switch", lambda *_, **__: None)
        monkeypatch.setattr(table, "visible_pattern", table.lamp_pattern)
        report = await asyncio.to_thread(looked_at, table)
        assert not report.passed
        assert {check.what: check.outcome for check in report.checks if check.at_ms} == {
            "key switch: turned on": "failed",
            "cover switch: opened": "failed",
            "lamp enable: withdrawn": "failed",
            "power-good: signal": "passed",
            "power-good: main supply off": "failed",
        }
        assert [check.what for check in report.checks if check.outcome == "not possible"] == [
            "key switch: turned back",
            "cover switch: closed",
            "lamp enable: given again",
            "power-good: main supply on",
        ]

    with_a_table(tmp_path, play)


def test_what_a_table_does_not_have_is_not_fitted() -> None:
    seats = msgspec.convert(answers()["show"], Shown)
    devices = (DeviceVitals(name="panel", port="/dev/p"), DeviceVitals(name="sign"))
    nothing = Vitals(devices=devices, switches=())
    checks = plan(seats, nothing)
    missing = {check.what: check.missing for check in checks if check.do is None}
    assert missing == {
        "sign: text": "the table file has no port for it",
        "cards: card": "the table file has no port for it",
        "key switch": "the board of this table has no pin for it",
        "cover switch": "the board of this table has no pin for it",
        "lamp enable": "the board of this table has no pin for it",
        "power-good": "the board of this table has no pin for it",
    }
    old = {check.missing for check in plan(seats, Vitals(devices=devices)) if not check.do}
    assert "the software of this table cannot test it: bring the table up to date" in old
    key = replace(nothing, switches=(SwitchVitals(name="key", pin=13),))
    assert "key switch: turned on" in {check.what for check in plan(seats, key)}


def test_hands_that_are_stopped_put_everything_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(_floor: Floor, table: TableHardware) -> None:
        jammed, moves = list[bool](), table.set_switch

        def jams_once(switch: str, *, on: bool) -> None:
            """Leave the cover open when it is first closed, so that the test waits for it."""
            if switch == "cover" and on and not jammed:
                jammed.append(on)
            else:
                moves(switch, on=on)

        monkeypatch.setattr(table, "set_switch", jams_once)
        before = await shown()
        async with Typist(
            *AUTO, "--only", "cover", "--only", "seat 1", UNDERFELT_PIN=PIN
        ) as typist:
            await typist.sees("passed  cover switch: opened")
            await table.until(lambda: bool(jammed))
            typist.types("\x03")
            assert await typist.ends() == 130, typist.screen
            assert "Traceback" not in typist.screen
        await table.until(lambda: table.screen.code == "idle")
        assert table.chips() == set()
        assert table.switch("cover"), "it is closed again"
        assert (await shown()).table.faults == before.table.faults == ()

    with_a_table(tmp_path, play)


def test_a_board_without_switches_is_tested_without_them(tmp_path: Path) -> None:
    async def play(_floor: Floor, table: TableHardware) -> None:
        await table.stop()
        without_switches(table.folder)
        table.screen.code = ""
        await table.start()
        await table.until(lambda: table.screen.code == "idle")
        others = ("key", "cover", "lamp enable", "power", "panel")
        ran, report = await by_hands(
            tmp_path / "r.json", *(each for part in others for each in ("--only", part))
        )
        assert ran.status == 0, ran.out + ran.err
        assert outcomes(report) == {
            "panel: text": "passed",
            "panel: key press": "passed",
            "key switch": "not fitted",
            "cover switch": "not fitted",
            "lamp enable": "not fitted",
            "power-good": "not fitted",
        }
        assert "both checks passed" in ran.out

    with_a_table(tmp_path, play)


def without_switches(folder: Path) -> None:
    """Give a table a board that has only spots."""
    path = folder / "table.toml"
    text = path.read_text()
    (name,) = re.findall(r'^board = "(.*)"', text, re.MULTILINE)
    board = (resources.files("hw.boards") / f"{name}.toml").read_text()
    (folder / "plain.toml").write_text(re.sub(r"\[pins\][^[]*", "", board))
    path.write_text(text.replace(f'board = "{name}"', 'board = "plain.toml"'))


# Trying again, failing, skipping, choosing


def test_a_failed_check_is_tried_again_failed_or_skipped(tmp_path: Path) -> None:
    report = tmp_path / "r.json"

    async def play(_floor: Floor, table: TableHardware) -> None:
        await closed(table)
        seats = ("--only", "seat 1", "--only", "seat 2", "--only", "seat 3")
        async with technician(*seats, "--report", str(report)) as typist:
            await typist.answers("Is the lamp of seat 1 lit?", "n")
            await typist.answers("Try again, fail or skip it? [R/f/s]", "what?")
            await typist.answers("Please answer r (try again)", "r")
            await typist.answers("Is the lamp of seat 1 lit?", "")
            await typist.answers("Please answer y (yes), n (no)", "y")
            await typist.answers("Is the lamp of seat 1 dark?", "y")
            await typist.sees("at the 2nd try; first: does not light")
            await typist.sees("Put a chip on seat 1 …")
            table.place_chip(1)
            await typist.sees("Lift the chip from seat 1 …")
            table.lift_chip(1)
            await typist.answers("Is the lamp of seat 2 lit?", "s")
            await typist.answers("Put a chip on seat 2 …", "")
            await typist.answers("Not passed: seat 2: chip put down: not sensed", "f")
            await typist.answers("Is the lamp of seat 3 lit?", "n")
            await typist.answers("Try again, fail or skip it?", "s")
            await typist.answers("Put a chip on seat 3 …", "s")
            assert await typist.ends() == 1
            assert "Wrote the report to" in typist.screen

    with_a_table(tmp_path, play)
    assert outcomes(read(report), "seat") == {
        "seat 1: lamp": "passed",
        "seat 1: chip put down": "passed",
        "seat 1: chip lifted": "passed",
        "seat 2: lamp": "skipped",
        "seat 2: chip put down": "failed",
        "seat 2: chip lifted": "not possible",
        "seat 3: lamp": "skipped",
        "seat 3: chip put down": "skipped",
        "seat 3: chip lifted": "skipped",
    }


class DyingTable:
    """A table that is lost at a moment of the test's choice."""

    def __init__(self) -> None:
        self.is_alive = True
        self.identity = msgspec.convert(answers()["hello"], Identity)
        self.target = TableTarget("unix:/t", "unix")

    def ask(self, wanted: type[Any], _make: object) -> Any:  # noqa: ANN401  # any reply
        """Answer, while it lives."""
        if not self.is_alive:
            raise TargetError("unix:/t: the table closed the connection")
        return msgspec.convert(answers()["show" if wanted is Shown else "test_lamp"], wanted)


@pytest.mark.parametrize("answer", [True, False])
def test_what_is_said_of_a_lamp_counts_only_if_the_table_is_still_there(*, answer: bool) -> None:
    table, kept = DyingTable(), list[TestReport]()

    class Watching(HumanOperator):
        """Pulls the plug before the answer."""

        def sees_lamp(self, spot: tuple[int, str], pattern: str) -> bool:
            del spot
            table.is_alive = pattern != "off" and answer
            return answer

    work = Workplace(table, Watching())  # type: ignore[arg-type]  # as much as is asked of it
    checks = plan(work.shown(), Vitals())[:1]
    test = GuidedTest(work, Technician(TECHNICIAN, PIN), Vitals(), simulated_hands=False)
    with pytest.raises(TargetError):
        test.run(checks, lambda _check: None, kept.append)
    assert [check.outcome for check in kept[-1].checks] == ["not done"]


def test_enter_is_no_answer_to_what_is_seen_and_no_to_a_hold_up_supply(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One Enter too many after a wait passed the next check."""
    operator = HumanOperator()
    cases: tuple[tuple[str, Callable[[], bool], bool], ...] = (
        ("\n\ny\n", lambda: operator.sees_lamp((1, "jackpot"), "steady"), True),
        ("\nn\n", lambda: operator.sees_all_lamps("off"), False),
        ("\n4711\n", lambda: operator.reads("panel", "PANEL 4711"), True),
        ("\n", operator.has_hold_up, False),
    )
    for typed, asked, said in cases:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        assert asked() is said
        assert not sys.stdin.read()


def test_a_supply_that_is_not_sensed_has_no_switch_to_check() -> None:
    assert "switch" not in how.REMEDIES["power_good"]


def test_a_person_tests_key_cover_lamp_enable_and_power(tmp_path: Path) -> None:
    report = tmp_path / "r.json"

    async def play(_floor: Floor, table: TableHardware) -> None:
        await closed(table)
        parts = ("--skip", "spots", "--skip", "panel", "--skip", "sign", "--skip", "cards")
        async with technician(*parts, "--report", str(report)) as typist:
            for words, switch, on in (
                ("Turn the key on …", "key", True),
                ("Turn the key back …", "key", False),
                ("Open the cover …", "cover", False),
                ("Close the cover …", "cover", True),
            ):
                await typist.sees(words)
                table.set_switch(switch, on=on)
            await typist.sees("Are all lamps lit?")
            await table.until(lambda: table.visible_pattern(1) == "steady")
            typist.types("y\n")
            await typist.sees("Are all lamps dark")
            await table.until(lambda: table.visible_pattern(1) == "off")
            typist.types("y\n")
            await typist.sees("Are all lamps lit?")
            await table.until(lambda: table.visible_pattern(1) == "steady")
            typist.types("y\n")
            await typist.answers("Has this table a hold-up supply", "n")
            assert await typist.ends() == 0, typist.screen

    with_a_table(tmp_path, play)
    found = outcomes(read(report))
    assert [what for what, outcome in found.items() if outcome != "passed"] == [
        "power-good: main supply off",
        "power-good: main supply on",
    ]
    assert found["power-good: main supply on"] == "skipped"


def test_a_wrong_part_is_refused_with_the_parts_that_there_are(tmp_path: Path) -> None:
    async def play(_floor: Floor, table: TableHardware) -> None:
        await closed(table)
        ran = await tool(*BY_HAND, "--only", "spot", UNDERFELT_PIN=PIN)
        assert ran.status == 2
        assert ran.err == (
            "underfelt: --only: 'spot' is not a part of this table; did you mean spots? use one "
            "of: spots, lamps, sensors, panel, sign, cards, key, cover, lamp enable, power, "
            "seat 1, seat 2, seat 3, seat 4\n"
        )
        ran = await tool(*BY_HAND, "--skip", "seat 9", UNDERFELT_PIN=PIN)
        assert "--skip: 'seat 9' is not a part of this table; use one of: " in ran.err
        ran = await tool(*BY_HAND, "--only", "key", "--skip", "key", UNDERFELT_PIN=PIN)
        assert "there is nothing left to test; change --only and --skip" in ran.err
        assert (await shown()).table.phase == "closed"

    with_a_table(tmp_path, play)


def test_a_table_that_is_not_closed_is_told_before_anybody_types_a_pin(tmp_path: Path) -> None:
    async def play(_floor: Floor, _table: TableHardware) -> None:
        async with Typist("test", "sim:T1") as typist:
            assert await typist.ends() == 2
            assert "sim:T1: the table is not closed: finish the round" in typist.screen
            assert "Staff number" not in typist.screen

    with_a_table(tmp_path, play)


# What is never lost


@pytest.mark.parametrize(
    ("end", "status", "reason"),
    [
        ("ctrl-c", 130, "stopped by the technician (Ctrl-C)"),
        ("ctrl-c while waiting", 130, "stopped by the technician (Ctrl-C)"),
        ("terminate", 143, "stopped by the signal SIGTERM"),
        ("hang up", 129, "stopped by the signal SIGHUP"),
        ("close the window", 129, "stopped by the signal SIGHUP"),
        ("ctrl-d", 130, "stopped by the technician (Ctrl-D)"),
        ("lose the table", 2, "the table closed the connection"),
    ],
)
def test_whatever_ends_a_test_its_report_has_what_was_done(
    tmp_path: Path, end: str, status: int, reason: str
) -> None:
    report = tmp_path / "r.json"

    async def play(_floor: Floor, table: TableHardware) -> None:
        await closed(table)
        async with technician("--report", str(report)) as typist:
            await typist.answers("Is the lamp of seat 1 lit?", "y")
            await typist.answers("Is the lamp of seat 1 dark?", "y")
            await typist.sees("Put a chip on seat 1 …")
            if "waiting" not in end:
                typist.types("\n")
                await typist.sees("Try again, fail or skip it?")
            if end.startswith("ctrl"):
                typist.types("\x04" if end == "ctrl-d" else "\x03")
            elif end == "close the window":
                typist.hangs_up()
            elif end == "lose the table":
                await table.kill()
                typist.types("r\n")
            else:
                (typist.process.terminate if end == "terminate" else hang_up(typist))()
            assert await typist.ends() == status, typist.screen
            assert "Traceback" not in typist.screen
            assert "give it as an option" not in typist.screen
        if end != "lose the table":
            await table.until(lambda: table.screen.code == "closed")

    with_a_table(tmp_path, play)
    kept = read(report)
    assert reason in kept["stopped"]
    assert (kept["complete"], kept["passed"]) == (False, False)
    assert outcomes(kept)["seat 1: lamp"] == "passed"
    seen = outcomes(kept)["seat 1: chip put down"]
    assert seen == ("not done" if "waiting" in end else "failed"), "what was seen is kept"
    assert [*outcomes(kept).values()].count("not done") == (24 if "waiting" in end else 23)


def hang_up(typist: Typist) -> Any:  # noqa: ANN401  # something to call
    """Return what a closed terminal window does to the command."""
    return lambda: typist.process.send_signal(1)


def test_a_killed_tool_leaves_a_report_and_the_lamps_enabled(tmp_path: Path) -> None:
    report = tmp_path / "r.json"

    async def play(_floor: Floor, table: TableHardware) -> None:
        await closed(table)
        async with technician("--only", "lamp enable", "--report", str(report)) as typist:
            await typist.answers("Are all lamps lit?", "y")
            await typist.sees("Are all lamps dark")
            await table.until(lambda: table.visible_pattern(1) == "off")
            assert table.lamp_pattern(1) == "steady", "only its driver is off"
            typist.process.kill()
            await typist.ends()
            assert read(report)["verdict"] == "neither check was done, 23 left out"
        await table.until(lambda: table.screen.code == "closed")
        await table.until(table.lamps_are_enabled)

    with_a_table(tmp_path, play)
    assert "the test was still under way" in read(report)["stopped"]


def test_a_report_that_cannot_be_written_is_told_before_the_first_question(tmp_path: Path) -> None:
    for place, words in (
        (tmp_path / "no" / "r.html", "there is no such folder; make it, or correct the name"),
        (tmp_path / "r.txt", "is neither .html nor .json"),
        (tmp_path / "folder.html", "a folder; name a file"),
    ):
        (tmp_path / "folder.html").mkdir(exist_ok=True)
        ran = run("test", f"unix:{tmp_path}/no.sock", "--report", str(place), given="")
        assert (ran.status, ran.out) == (2, "")
        assert words in ran.err


def test_a_test_that_does_not_begin_leaves_the_last_report_alone(tmp_path: Path) -> None:
    report = tmp_path / "r.html"
    report.write_text("the last one")
    new = tmp_path / "new.html"

    async def play(_floor: Floor, table: TableHardware) -> None:
        await closed(table)
        for path in (report, new):
            # Without a question that nobody answers, so that it gets as far as the PIN.
            wrong = await tool(
                *BY_HAND, "--only", "key", "--report", str(path), UNDERFELT_PIN="000000"
            )
            assert "not accepted" in wrong.err

    with_a_table(tmp_path, play)
    assert report.read_text() == "the last one"
    assert not new.exists()


def test_a_table_is_asked_now_and_then_while_the_technician_takes_his_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A table hangs up on a tool that is silent for a quarter of an hour."""
    master, slave = os.openpty()
    asked: list[int] = []

    def meanwhile() -> None:
        asked.append(1)
        if len(asked) == 3:
            os.write(master, b"Yes\n")

    with os.fdopen(slave) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        assert terminal.ask_line("Is it?", meanwhile, every_s=0.01) == "yes"
    os.close(master)
    assert len(asked) >= 3


# What a report says


def test_a_report_says_who_when_which_versions_and_that_the_hands_were_simulated(
    tmp_path: Path,
) -> None:
    page = tmp_path / "r.html"

    async def play(_floor: Floor, _table: TableHardware) -> None:
        ran, report = await by_hands(tmp_path / "r.json", "--only", "key", TZ="Asia/Singapore")
        assert "SIMULATED HANDS did this test" in ran.out
        assert report["simulated_hands"] is True
        assert next(iter(report)) == "simulated_hands"
        assert (report["table"], report["technician"]) == ("T1", TECHNICIAN)
        assert report["technician_name"] == "Technician"
        assert (report["table_version"], report["tool_version"]) == (VERSION, VERSION)
        assert report["began"].endswith("+08:00")
        done = [check for check in report["checks"] if check["passed"]]
        assert all(check["at"].endswith("+08:00") for check in done)
        await tool(
            *(*AUTO, "--only", "key", "--report", str(page)), UNDERFELT_PIN=PIN, TZ="Europe/Berlin"
        )

    with_a_table(tmp_path, play)
    text = page.read_text()
    assert '<p class="banner simulated">SIMULATED HANDS did this test' in text
    assert " CET (UTC+01:00)" in text or " CEST (UTC+02:00)" in text
    assert f"table {VERSION}, tool {VERSION}" in text
    assert "Technician (number 400)" in text


@pytest.mark.parametrize("chosen", [(), ("--only", "lamps")], ids=["all", "lamps"])
def test_where_nobody_answers_no_test_that_asks_is_begun(
    tmp_path: Path, chosen: tuple[str, ...]
) -> None:
    hostile, report = answers(), tmp_path / "r.html"
    hostile["show"]["table"]["phase"] = "closed"
    del hostile["begin_service"]
    with hostile_table(tmp_path, hostile) as target:
        ran = run(
            *("test", target, "--staff", "400", "--report", str(report), *chosen),
            UNDERFELT_PIN=PIN,
        )
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "nothing was begun: " in ran.err
    assert "run it at a terminal (see 'underfelt test --help')" in ran.err
    assert not report.exists()


@pytest.mark.parametrize(
    ("outcomes_", "words"),
    [
        (["not done"] * 28, "none of the 28 checks was done"),
        (["not done"] * 2, "neither check was done"),
        (["not done"], "the check was not done"),
        (["passed"] * 2, "both checks passed"),
        (["passed"] * 3, "all 3 checks passed"),
        (["passed"], "the check passed"),
        (["skipped"] * 2, "both checks were skipped"),
        (["not possible", "passed"], "1 of 2 checks not possible, 1 passed"),
    ],
)
def test_the_verdict_counts_as_people_do(outcomes_: list[Outcome], words: str) -> None:
    checks = tuple(CheckResult(str(n), each, "") for n, each in enumerate(outcomes_))
    none = dict.fromkeys(TestReport.__struct_fields__, "")
    numbers = {"began_ms": 0, "ended_ms": 0, "simulated_hands": False, "simulated_table": False}
    report = msgspec.convert({**none, **numbers, "checks": ()}, TestReport)
    assert replace(report, checks=checks).verdict == words


def test_a_report_made_by_a_person_does_not_speak_of_simulated_hands(tmp_path: Path) -> None:
    report = tmp_path / "r.html"
    hostile = answers()
    hostile["show"]["table"]["phase"] = "closed"
    with hostile_table(tmp_path, hostile) as target:
        ran = run(
            *("test", target, "--staff", "400", "--only", "lamps", "--report", str(report)),
            given="y\n" * 4,
            UNDERFELT_PIN=PIN,
        )
    assert ran.status == 0, ran.err
    assert "SIMULATED HANDS" not in ran.out + report.read_text()
