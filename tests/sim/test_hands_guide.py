"""The guide to hands at a table: what it shows is what a fresh floor answers, word for word."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from sim.floor.floor import Floor, FloorSettings
from sim.scenario_language.player import LIBRARY
from tests.sim.processes import HANG_S

COMMAND = str(Path(sys.executable).with_name("underfelt-sim"))
SEEN = ("  lamps", "  panel", "         ", "  sign")


def documented() -> list[tuple[list[str], list[str]]]:
    """Read the commands of the guide, each with what it prints."""
    guide = (LIBRARY / "README.md").read_text(encoding="utf-8")
    session = guide.partition("## Hands at a running table")[2].partition("```console\n")[2]
    found: list[tuple[list[str], list[str]]] = []
    for line in session.partition("```")[0].splitlines():
        if line.startswith("$ underfelt-sim "):
            found.append((line.removeprefix("$ underfelt-sim ").split(), []))
        else:
            found[-1][1].append(line)
    return found


def test_the_guide_shows_what_a_table_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    commands = documented()
    assert len(commands) >= 4
    asyncio.run(_compare(tmp_path / "floor", commands))


async def _compare(folder: Path, commands: list[tuple[list[str], list[str]]]) -> None:
    async with Floor(folder, FloorSettings(tables=1)) as floor:
        screen = floor.tables[0].screen
        async with asyncio.timeout(HANG_S):
            await floor.tables[0].until(
                lambda: screen.code == "idle" and screen.meter_cents is not None
            )
        for arguments, expected in commands:
            printed = await _run(*arguments)
            assert _told(printed) == _told(expected)
            # A busy table may show later what it has to show; then looking again shows it.
            async with asyncio.timeout(HANG_S):
                while _seen(expected) and _seen(printed) != _seen(expected):
                    printed = await _run("hands", "T1", "look")


async def _run(*arguments: str) -> list[str]:
    process = await asyncio.create_subprocess_exec(
        COMMAND,
        *arguments,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env=dict(os.environ),
    )
    return (await process.communicate())[0].decode().splitlines()


def _seen(lines: list[str]) -> list[str]:
    return [line for line in lines if line.startswith(SEEN)]


def _told(lines: list[str]) -> list[str]:
    return [line for line in lines if not line.startswith(SEEN)]
