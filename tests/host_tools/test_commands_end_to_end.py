"""Every command of the technician against a real table process of the simulator."""

import asyncio
import json
import os
import re
import sys
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest

from firmware.maintenance.protocol import PROTOCOL_VERSION
from firmware.rules.cards import CODES
from host_tools.connection import targets
from host_tools.diagnose.diagnosis import duration
from sim.floor import running
from sim.floor.floor import Floor
from sim.table.hardware import TableHardware
from sim.table.table_file import PIN, TECHNICIAN
from tests.host_tools.command import run
from tests.host_tools.tables import facts, own_runtime_folder, tool, with_a_table
from tests.sim.floors import stacked

__all__ = ["own_runtime_folder"]

ROYAL = stacked((1, 2), {1: "As Ks Qs Js Ts", 2: "4d 4c 4h 9h 9s"}, "2c 3d 7s 8d Jh")
SSH = """#!/bin/sh
# A stand-in: runs the bridge here, as ssh does there.
for last; do :; done
echo "$@" >> "{log}"
case "$*" in
*nowhere*) echo "ssh: Could not resolve hostname nowhere: Name not known" >&2; exit 255;;
*refused*) echo "Permission denied (publickey)." >&2; exit 255;;
esac
exec {python} -m firmware.maintenance.bridge {socket}
"""


def stand_in_ssh(folder: Path, table: TableHardware, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a stand-in for ssh on the PATH, and give where it notes its arguments."""
    bin_folder, log = folder / "bin", folder / "ssh.log"
    bin_folder.mkdir()
    socket = table.folder / "maintenance.sock"
    script = bin_folder / "ssh"
    script.write_text(SSH.format(log=log, python=sys.executable, socket=socket))
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{bin_folder}:{os.environ['PATH']}")
    return log


def test_diagnose_says_that_all_is_well_in_words_and_json(tmp_path: Path) -> None:
    async def play(_floor: Floor, _table: TableHardware) -> None:
        ran = await tool("diagnose", "sim:T1")
        assert (ran.status, ran.out.partition("\n")[0]) == (0, "Nothing is wrong.")
        for word in ("GPIO4", "panel", "sign", "shoe", "healthy", "journal", "clock", "disk"):
            assert word in ran.out
        found = facts(await tool("diagnose", "sim:T1", "--json"))
        assert found["status"] == 0
        assert found["facts"]["table"] == "T1"
        assert len(found["facts"]["sensors"]) == 4

    with_a_table(tmp_path, play)


def test_a_bundle_holds_no_secret_and_of_a_round_under_way_nothing(tmp_path: Path) -> None:
    async def play(_floor: Floor, table: TableHardware) -> None:
        await table.press("OPEN")
        await table.press("AMOUNT 1 ante 2500")
        await table.press("CLOSE")
        await table.until(lambda: table.screen.code == "dealing")
        for card in ("As", "Kd", "7h"):
            await table.draw(card)
        ran = await tool("diagnose", "sim:T1", "--bundle", str(tmp_path / "b.zip"))
        assert ran.status == 0

    with_a_table(tmp_path, play)
    with zipfile.ZipFile(tmp_path / "b.zip") as bundle:
        names = bundle.namelist()
        text = "\n".join(bundle.read(name).decode() for name in names)
    assert {"diagnosis.json", "public.json", "log.txt"} <= {*names}
    assert any(name.startswith("journal/") for name in names)
    assert "journal_opened" in text
    for secret in (PIN, "scrypt", "PRIVATE KEY", "card_drawn", "bets_closed"):
        assert secret not in text
    assert not re.search(r'"(As|Kd|7h)"', text)


def test_the_guided_test_passes_and_its_report_is_kept_and_the_journal_says_so(
    tmp_path: Path,
) -> None:
    async def play(_floor: Floor, table: TableHardware) -> None:
        report = tmp_path / "report.json"
        ran = await tool(
            *("test", "sim:T1", "--auto", "--staff", TECHNICIAN, "--report", str(report)),
            UNDERFELT_PIN=PIN,
        )
        assert ran.status == 0, ran.err
        assert "all 25 checks passed" in ran.out
        kept = json.loads(report.read_text())
        assert [check["passed"] for check in kept["checks"]] == [True] * 25
        await table.until(lambda: table.screen.code == "idle")
        pulled = await tool("journal", "pull", "sim:T1", str(tmp_path / "copy"))
        assert pulled.status == 0
        told = await tool("journal", "show", str(tmp_path / "copy"))
        assert "service mode started by Technician" in told.out

    with_a_table(tmp_path, play)


def test_the_guided_test_finds_a_dead_sensor_and_ends_with_1(tmp_path: Path) -> None:
    async def play(_floor: Floor, table: TableHardware) -> None:
        table.stick_sensor(2, level=False)
        report = tmp_path / "report.html"
        ran = await tool(
            *("test", "sim:T1", "--auto", "--staff", TECHNICIAN, "--report", str(report)),
            *("--only", "seat 2"),
            UNDERFELT_PIN=PIN,
        )
        assert ran.status == 1
        assert "FAILED  seat 2: chip put down: not sensed" in ran.out
        assert "FAILED" in report.read_text()

    with_a_table(tmp_path, play)


def test_a_journal_is_pulled_pulled_again_marked_and_exported(tmp_path: Path) -> None:
    copy, page = tmp_path / "copy", tmp_path / "audit.html"

    async def play(floor: Floor, table: TableHardware) -> None:
        (dealer,) = floor.dealers
        await dealer.play_round(ROYAL)
        first = await tool("journal", "pull", "sim:T1", str(copy))
        assert first.status == 0, first.err
        assert "are intact" in first.out
        modes = {path.stat().st_mode & 0o777 for path in copy.iterdir()}
        assert (copy.stat().st_mode & 0o777, modes) == (0o700, {0o600})
        slip = await tool("journal", "slip", "sim:T1", "1")
        assert slip.status == 0, slip.err
        assert "$100,005.00" in slip.out
        of_copy = await tool("journal", "slip", str(copy), "1")
        assert slip.out.partition("Printed")[0] == of_copy.out.partition("Printed")[0]
        # A pull that was broken off goes on where it was.
        (segment,) = copy.glob("*.journal")
        whole = segment.read_bytes()
        segment.write_bytes(whole[: len(whole) // 2])
        again = await tool("journal", "pull", "sim:T1", str(copy))
        assert again.status == 0, again.err
        assert segment.read_bytes()[: len(whole)] == whole
        await table.press("CLOSETABLE")
        marked = await tool(
            *("journal", "pull", "sim:T1", str(copy), "--mark", "--staff", TECHNICIAN),
            UNDERFELT_PIN=PIN,
        )
        assert marked.status == 0, marked.err
        found = facts(await tool("diagnose", "sim:T1", "--json"))
        assert found["facts"]["journal"]["exported_through"] > 0

    with_a_table(tmp_path, play)
    ran = run(
        *("journal", "export", str(copy), "--csv", str(tmp_path / "csv"), "--html", str(page))
    )
    assert ran.status == 0, ran.err
    wins = (tmp_path / "csv" / "wins.csv").read_text().splitlines()
    assert len(wins) == 3
    assert "100005.00" in wins[1]
    text = page.read_text(encoding="utf-8")
    assert "$100,005.00" in text
    assert "Pit Supervisor (number 200)" in text
    assert "The contributions of the period match the table's own count" in text
    # Nothing beside the page is needed, and nothing outside is asked.
    assert not re.search(r"(src|href)=|url\(|https?://|<script", text)


def test_the_same_tools_work_through_a_stand_in_ssh(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(_floor: Floor, table: TableHardware) -> None:

        log = stand_in_ssh(tmp_path, table, monkeypatch)
        path = os.environ["PATH"]
        ran = await tool("diagnose", "ssh://pi@table7:2222", PATH=path)
        assert (ran.status, ran.out.partition("\n")[0]) == (0, "Nothing is wrong.")
        assert "-p 2222 pi@table7 " in log.read_text()
        pulled = await tool("journal", "pull", "ssh://pi@table7", str(tmp_path / "c"), PATH=path)
        assert pulled.status == 0, pulled.err
        logged = await tool("log", "ssh://pi@table7", PATH=path)
        assert "self-tests passed" in logged.out
        lost = await tool("journal", "pull", "ssh://pi@nowhere", str(tmp_path / "d"), PATH=path)
        assert lost.err == (
            "underfelt: ssh://pi@nowhere: ssh: Could not resolve hostname nowhere: Name not known\n"
        )
        denied = await tool("diagnose", "ssh://pi@refused", PATH=path)
        assert denied.status == 3
        assert "Permission denied (publickey)" in denied.out
        await table.stop()
        down = await tool("diagnose", "ssh://pi@table7", PATH=path)
        assert "there is no such socket" in down.out.partition("\n")[0]
        assert "start the table's firmware" in down.out.partition("\n")[0]

    with_a_table(tmp_path, play)


async def hostile_stream(path: Path) -> bytes:
    """Send noise and a request without authority; a stream may be ended before it is heard."""
    reader, writer = await asyncio.open_unix_connection(path)
    with suppress(ConnectionError):
        writer.write(b"\xff" * 10_000)
        writer.write(b'{"request": "begin_service", "number": 1, "staff": "1", "pin": "1"}\n')
        answer = await reader.readline()
        writer.close()
        return answer
    return b""


def test_a_table_under_watch_plays_on_when_peers_are_hostile(tmp_path: Path) -> None:
    async def play(floor: Floor, table: TableHardware) -> None:
        (dealer,) = floor.dealers
        playing = asyncio.create_task(dealer.play(3))
        path = table.folder / "maintenance.sock"
        answered = [await hostile_stream(path) for _ in range(50)]
        await playing
        assert all(not answer or b"refusal" in answer for answer in answered)
        assert any(answered)
        assert table.process is not None
        assert table.process.returncode is None
        ran = await tool("diagnose", "sim:T1")
        assert ran.status == 0, ran.out

    with_a_table(tmp_path, play)
    log = (tmp_path / "floor" / "T1" / "firmware.log").read_text()
    assert "maintenance: a request was refused" in log
    assert not any(f" {card}" in log for card in CODES)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("T1", "T1: is not a table; write sim:NAME, unix:PATH or ssh://USER@HOST"),
        ("sim:", "'sim:' names no table; write the name of a table, as sim:T1"),
        ("sim::", "'sim::' names no table; write the name of a table, as sim:T1"),
        ("unix:", "'unix:' names no table; write a path, as unix:/run/table.sock"),
        ("", "'' is not a table; write sim:NAME, unix:PATH or ssh://USER@HOST"),
        ("ssh://-oProxyCommand=x", "write it as ssh://user@host"),
        ("ssh://a b", "write it as ssh://user@host"),
        ("sim:T9", "no simulated table is running; start some: underfelt-sim floor"),
        (
            "unix:/nowhere/at-all",
            "the table's firmware is not running: /nowhere/at-all does not exist",
        ),
        ("unix:/etc/hostname", "nothing answers"),
    ],
)
def test_a_target_that_cannot_be_had_is_one_clear_sentence(typed: str, said: str) -> None:

    ran = run(*("journal", "pull", typed, "nowhere"), XDG_RUNTIME_DIR=os.environ["XDG_RUNTIME_DIR"])
    assert ran.status == 2
    assert said in ran.err
    assert ran.err.count("\n") == 1


def test_a_misspelt_simulated_table_is_answered_with_those_that_run(tmp_path: Path) -> None:
    async def play(_floor: Floor, _table: TableHardware) -> None:
        ran = await tool("diagnose", "sim:T11")
        assert ran.status == 3
        assert "did you mean sim:T1? running: T1" in ran.out

    with_a_table(tmp_path, play)


def test_a_table_of_another_version_is_said_to_be_one(tmp_path: Path) -> None:
    async def played() -> None:
        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readline()
            reply = {"reply": "hello", "number": 1, "protocol": PROTOCOL_VERSION + 1, "table": "T1"}
            rest = {"game": "", "version": "9", "journal": ""}
            writer.write(json.dumps(reply | rest).encode() + b"\n")

        server = await asyncio.start_unix_server(answer, tmp_path / "s")
        async with server:
            ran = await tool("diagnose", f"unix:{tmp_path / 's'}")
        assert f"another version of the protocol ({PROTOCOL_VERSION + 1})" in ran.out

    asyncio.run(played())


def test_simulator_and_tools_look_for_running_tables_in_the_same_folder() -> None:
    assert running.links_folder() == targets.simulated_tables_folder()


def test_a_duration_is_told_in_two_units() -> None:
    assert [duration(s) for s in (0, 59, 3600, 90061)] == ["0 s", "59 s", "1 h", "1 d 1 h"]
