"""What `underfelt diagnose` makes of a table that does not run: nothing that was typed is ignored.

Real processes; a floor whose table was stopped, and a machine on which there is no table at all.
"""

import asyncio
import json
import re
import zipfile
from pathlib import Path

import pytest

from host_tools.diagnose import not_running
from sim.table.hardware import TableHardware
from tests.host_tools import won
from tests.host_tools.command import run
from tests.host_tools.tables import a_table, own_runtime_folder, tool

__all__ = ["own_runtime_folder"]

SEGMENT = "000000000001.journal"
NOWHERE = "unix:/nowhere/maintenance.sock"


def packed(path: Path) -> dict[str, str]:
    """Read a bundle."""
    with zipfile.ZipFile(path) as bundle:
        return {name: bundle.read(name).decode() for name in bundle.namelist()}


def test_a_table_file_that_is_not_there_is_said_to_be_missing() -> None:
    ran = run("diagnose", NOWHERE, "--config", "/nope")
    first, second, *_ = ran.out.splitlines()
    assert ran.status == 2
    assert first.startswith("FAULT: The firmware does not start: /nope: cannot be read")
    assert second.startswith(f"FAULT: {NOWHERE}: the table's firmware is not running")


def test_a_dead_table_without_a_config_is_packed_with_what_is_known(tmp_path: Path) -> None:
    path = tmp_path / "dead.zip"
    ran = run("diagnose", NOWHERE, "--bundle", str(path))
    assert ran.status == 3
    assert f"Wrote {path} for support." in ran.out
    found = packed(path)
    assert {*found} >= {"README.txt", "diagnosis.json"}
    assert "the table's firmware is not running" in found["diagnosis.json"]


async def _killed_in_a_round(table: TableHardware) -> None:
    await table.press("OPEN")
    await table.press("AMOUNT 1 ante 2500")
    await table.press("CLOSE")
    await table.until(lambda: table.screen.code == "dealing")
    for card in ("As", "Kd", "7h"):
        await table.draw(card)
    await table.kill()


def test_a_dead_table_with_its_config_is_packed_without_its_round_and_without_a_pin(
    tmp_path: Path,
) -> None:
    path, by_name = tmp_path / "dead.zip", tmp_path / "by-name.zip"

    async def played() -> None:
        async with a_table(tmp_path) as floor:
            (table,) = floor.tables
            await _killed_in_a_round(table)
            config = str(table.folder / "table.toml")
            socket = f"unix:{table.folder}/maintenance.sock"
            ran = await tool("diagnose", socket, "--config", config, "--bundle", str(path))
            assert ran.status == 3
            assert "nothing answers" in ran.out
            # The name of a simulated table is enough: its files are on this machine.
            await tool("diagnose", "sim:T1", "--bundle", str(by_name))

    asyncio.run(played())
    for file in (path, by_name):
        found = packed(file)
        assert {*found} >= {"diagnosis.json", "table.json", "log.txt"}
        assert json.loads(found["table.json"])["table"]["name"] == "T1"
        assert "self-tests passed" in found["log.txt"]
        text = "\n".join(found.values())
        assert "journal_opened" in text
        for secret in ("scrypt", "PRIVATE KEY", "card_drawn", "bets_closed"):
            assert secret not in text
        assert not re.search(r'"(As|Kd|7h)"', text)


def a_round_and_a_half(folder: Path) -> tuple[Path, int]:
    """Write the journal of a table that is killed in its second round; give that round's first record."""
    playing = won.table(won.house())
    won.win_a_round(playing)
    first = len(playing.journal) + 1
    won.claim(playing)
    return won.written(playing, folder) / SEGMENT, first


@pytest.mark.parametrize("where", ["in the first round", "in the second round"])
def test_a_damaged_journal_is_packed_up_to_its_damage_and_without_a_round_under_way(
    tmp_path: Path, where: str
) -> None:
    path, second = a_round_and_a_half(tmp_path / "journal")
    lines = path.read_bytes().splitlines(keepends=True)
    header = len(lines[: next(n for n, line in enumerate(lines) if line.startswith(b"1 "))])
    opened = next(n for n, line in enumerate(lines) if b"bets_opened" in line)
    place = (opened if where == "in the first round" else header + second - 1) + 4
    lines[place] = lines[place].replace(b'"at_ms"', b'"at_mz"')
    path.write_bytes(b"".join(lines))
    found = not_running.readable(path.parent)
    assert found.damaged is not None
    name, size = found.damaged
    kept = path.read_bytes()[:size].splitlines(keepends=True)
    assert kept == lines[: opened if where == "in the first round" else header + second - 1]
    assert (name, found.journal) == (SEGMENT, ())
    assert "The journal is damaged" in found.left_out
    assert "left out" in found.left_out


@pytest.mark.parametrize("change", ["a bit of the last byte", "seven bytes less"])
def test_a_last_record_that_is_not_whole_is_warned_of(tmp_path: Path, change: str) -> None:
    path, _ = a_round_and_a_half(tmp_path / "journal")
    assert not_running.journal_findings(path.parent) == []
    data = path.read_bytes()
    path.write_bytes(data[:-7] if change == "seven bytes less" else data[:-1] + b"\x0b")
    (found,) = not_running.journal_findings(path.parent)
    assert found.severity == "warning"
    assert "The last record of the journal is cut off or damaged" in found.what
    assert "F401" in found.what


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (("T1",), "T1: is not a table"),
        ((), "Missing argument"),
        ((NOWHERE, "--nope"), "No such option"),
        ((NOWHERE, "--json", "--prometheus"), "cannot be used together"),
        ((NOWHERE, "--output", "x"), "goes with --json or --prometheus"),
        ((NOWHERE, "unix:/b", "--config", "x"), "--config: goes with one table, not with 2"),
        ((NOWHERE, "unix:/b", "--bundle", "x"), "--bundle: goes with one table, not with 2"),
        ((NOWHERE, "--bundle", "/nope/x.zip"), "/nope/x.zip: there is no such folder"),
        ((NOWHERE, "--json", "--output", "/nope/x"), "/nope/x: there is no such folder"),
    ],
)
def test_a_command_that_was_not_carried_out_has_a_status_of_its_own(
    typed: tuple[str, ...], said: str
) -> None:
    ran = run("diagnose", *typed)
    assert (ran.status, ran.err.count("\n")) == (64, 1)
    assert said in ran.err
    assert "Traceback" not in ran.err


def test_a_running_table_is_warned_of_a_table_file_that_it_would_not_start_with(
    tmp_path: Path,
) -> None:
    async def played() -> None:
        async with a_table(tmp_path):
            ran = await tool("diagnose", "sim:T1", "--config", "/nope")
        assert ran.status == 1
        assert "WARNING: The table runs, but would not start again" in ran.out
        assert "/nope" in ran.out

    asyncio.run(played())
