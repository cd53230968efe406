"""The floor as its user runs it: `underfelt-sim floor`, its seed, and how it ends."""

import asyncio
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.journal.reader import records
from firmware.table.events import CardDrawn
from sim.floor.floor import Floor, FloorError, FloorSettings
from sim.table.lamp_watch import pattern_of
from tests.sim.processes import HANG_S, command_line, descendants

COMMAND = str(Path(sys.executable).with_name("underfelt-sim"))


def cards_of(folder: Path, seed: int) -> list[list[str]]:
    """Play a round at two tables and list the cards that each has drawn."""

    async def played() -> None:
        settings = FloorSettings(tables=2, seed=seed)
        async with Floor(folder, settings) as floor, asyncio.timeout(HANG_S):
            await floor.play(rounds=1)

    asyncio.run(played())
    events = [[record.event for record in records(folder / name)] for name in ("T1", "T2")]
    return [[e.card for e in drawn if isinstance(e, CardDrawn)] for drawn in events]


def test_a_seed_replays_the_cards_of_every_table(tmp_path: Path) -> None:
    first, again, other = (
        cards_of(tmp_path / name, seed) for name, seed in (("a", 5), ("b", 5), ("c", 6))
    )
    assert first == again
    assert first != other
    assert first[0] != first[1]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_the_floor_and_leaves_no_process(number: signal.Signals) -> None:
    floor = subprocess.Popen(
        [COMMAND, "floor", "--tables", "2", "--pause", "0.05"], stdout=subprocess.PIPE, text=True
    )
    assert floor.stdout is not None
    assert floor.stdout.readline().startswith("starting 2 tables")
    assert "is paid" in floor.stdout.readline()
    below = descendants(floor.pid)
    assert len(below) == 4
    floor.send_signal(number)
    assert floor.communicate(timeout=HANG_S)[0].endswith("all processes have ended\n")
    assert floor.returncode == 0
    assert not any(map(command_line, below))


def test_a_table_that_ends_is_one_sentence(tmp_path: Path) -> None:
    async def played() -> None:
        async with Floor(tmp_path, FloorSettings(tables=1, pause_s=0.05)) as floor:
            (table,) = floor.tables
            playing = asyncio.create_task(floor.play())
            await table.until(lambda: table.screen.code == "betting")
            await table.kill()
            async with asyncio.timeout(HANG_S):
                await playing

    with pytest.raises(FloorError, match="table T1 has ended with status -9"):
        asyncio.run(played())


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["flor"], "flor"),
        (["floor", "--tables", "99"], "99"),
        (["floor", "--tables", "many"], "many"),
        (["floor", "--broker", "rabbit"], "rabbit"),
        (["floor", "--broker", "mqtt://a:1", "--broker", "mqtts://b"], "all brokers speak TLS"),
        (["floor", "--broker", "mqtts://a"], "--ca"),
        (["floor", "--broker", "mqtts://a", "--ca", "/no/ca.crt"], "/no/ca.crt cannot be read"),
        (["floor", "--broker", "mqtt://a", "--root", "a b"], "'a b'"),
        (["floor", "--broker", "mqtt://user@a"], "mqtt://user@a"),
        (["floor", "--no-controller"], "--no-controller"),
        (["jackpot", "--rate"], "--rate"),
    ],
)
def test_what_is_typed_wrong_is_named(arguments: list[str], names: str) -> None:
    run = subprocess.run([COMMAND, *arguments], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert not run.stdout
    assert names in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize(
    ("gaps_ms", "level", "pattern"),
    [
        ([], "dark", "off"),
        ([], "lit", "steady"),
        ([800, 800, 100], "lit", "slow_blink"),
        ([150, 150, 150, 50], "dark", "quick_blink"),
        ([50, 50, 50, 20], "dark", "flutter"),
        ([150, 150, 150, 750, 100], "lit", "double_blink"),
        ([150, 150, 150, 800, 100], "dark", "slow_blink"),
        ([150, 150, 1100], "lit", "steady"),
        ([150, 150, 1100], "dark", "off"),
    ],
)
def test_the_lamp_language_is_read_off_a_lamp(gaps_ms: list[int], level: str, pattern: str) -> None:
    edges = [sum(gaps_ms[:place]) for place in range(len(gaps_ms))]
    assert pattern_of(edges, sum(gaps_ms), lit=level == "lit") == pattern
