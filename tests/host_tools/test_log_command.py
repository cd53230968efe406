"""`underfelt log`: the log of a real table, once and as it comes."""

import asyncio
import os
import re
import subprocess
from datetime import datetime
from pathlib import Path

import pytest

from host_tools.log.reading import moment_ms
from host_tools.plain_text import sentence
from sim.floor.floor import Floor
from sim.table.hardware import TableHardware
from tests.host_tools.command import PLAIN, UNDERFELT, run
from tests.host_tools.tables import own_runtime_folder, tool, with_a_table

__all__ = ["own_runtime_folder"]

LINE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d (INFO|WARNING|ERROR) +firmware\.")


@pytest.mark.parametrize(
    ("asked", "meant"),
    [("23:59", "2026-11-17T23:59"), ("16:01", "2026-11-18T16:01"), ("00:00", "2026-11-18T00:00")],
)
def test_a_time_of_day_is_the_last_one(asked: str, meant: str) -> None:
    """Asked in the afternoon, 23:59 meant the future, and nothing was found."""
    now = datetime.fromisoformat("2026-11-18T16:01:30").astimezone()
    assert moment_ms(asked, now) == moment_ms(meant)


def test_a_level_is_taken_in_any_case() -> None:
    assert "no simulated table is running" in run("log", "sim:T1", "--level", "WARNING").err


def test_a_question_at_the_end_of_a_sentence_has_no_full_stop_behind_it() -> None:
    assert [sentence("Is it?"), sentence("It is"), sentence("Yes.")] == ["Is it?", "It is.", "Yes."]


def test_the_log_of_a_table_is_shown_chosen_and_followed(tmp_path: Path) -> None:
    async def play(_floor: Floor, table: TableHardware) -> None:
        ran = await tool("log", "sim:T1", TZ="Asia/Singapore")
        assert (ran.status, ran.err) == (0, "")
        lines = ran.out.splitlines()
        assert all(LINE.match(line) and " +08:00 " in line for line in lines)
        assert any("self-tests passed" in line for line in lines)
        assert (await tool("log", "sim:T1", "--lines", "1")).out.count("\n") == 1
        loud = await tool("log", "sim:T1", "--level", "error")
        assert (loud.status, loud.out, loud.err) == (0, "", "sim:T1: the log has no such line.\n")
        late = await tool("log", "sim:T1", "--since", "2999-01-01")
        assert late.out == ""
        assert (await tool("log", "sim:T1", "--since", "1h")).out.count("\n") == len(lines)
        await followed(table)

    with_a_table(tmp_path, play)


async def followed(table: TableHardware) -> None:
    """Follow the log through a restart: each line once, and what is new when it comes."""
    process = await asyncio.create_subprocess_exec(
        *(UNDERFELT, "log", "sim:T1", "--follow", "--lines", "1"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**PLAIN, "XDG_RUNTIME_DIR": os.environ["XDG_RUNTIME_DIR"]},
    )
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        assert LINE.match((await process.stdout.readline()).decode())
        await table.stop()
        assert b"Trying again until it answers" in await process.stderr.readline()
        await table.start()
        line = b""
        while b"self-tests passed" not in line:
            line = await process.stdout.readline()
            assert line
    finally:
        process.kill()
        await process.wait()


@pytest.mark.parametrize("since", ["yesterday", "10", "99:99", "2026-13-01", "10 fortnights"])
def test_a_time_that_is_none_is_told_with_how_to_write_one(since: str) -> None:
    ran = run("log", "sim:T1", "--since", since)
    assert ran.status == 2
    assert ran.err == (
        f"underfelt: --since: {since!r} is not a time; write 10min, 2h, 15:04 or 2026-01-02T15:04\n"
    )


def test_a_table_that_is_not_there_is_one_sentence() -> None:
    ended = subprocess.run([UNDERFELT, "log", "unix:/nope"], capture_output=True, check=False)
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert b"the table's firmware is not running" in ended.stderr
