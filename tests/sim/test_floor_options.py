"""What a floor can be made of: every game and source, several games at once, a royal flush on demand."""

import asyncio
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.journal.reader import records
from firmware.rules.games import GAMES
from firmware.table.events import CardDrawn, HandDispensed, RoundPaid
from sim.floor.floor import Floor, FloorSettings
from tests.pairing import SOAK
from tests.sim.processes import HANG_S

COMMAND = str(Path(sys.executable).with_name("underfelt-sim"))
LOG_LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z INFO [\w.-]+: .+")


def played(folder: Path, settings: FloorSettings) -> None:
    """Play a round at every table."""

    async def play() -> None:
        async with Floor(folder, settings) as floor, asyncio.timeout(2 * HANG_S):
            await floor.play(rounds=1)

    asyncio.run(play())


@pytest.mark.parametrize(
    # The others are played here by the royal flushes, and by the floors that go on.
    "source",
    ["shoe", "shuffler", "manual", "angel-eye"] if SOAK else ["manual", "angel-eye"],
)
def test_a_floor_plays_all_games_from_every_source_on_a_link_each(
    tmp_path: Path, source: str
) -> None:
    games = tuple(GAMES)
    played(tmp_path, FloorSettings(tables=len(games), games=games, card_source=source))  # type: ignore[arg-type]  # of the test
    for number in range(1, len(games) + 1):
        events = [record.event for record in records(tmp_path / f"T{number}")]
        assert sum(isinstance(event, RoundPaid) for event in events) >= 1
        read = sum(isinstance(event, CardDrawn | HandDispensed) for event in events)
        assert bool(read) == (source != "manual")
    with sqlite3.connect(tmp_path / "jackpot.sqlite") as books:
        links = books.execute("SELECT root, game FROM link").fetchall()
        tables = dict(books.execute("SELECT unit, root FROM contribution").fetchall())
    assert sorted(links) == sorted((f"underfelt/{game}", game) for game in games)
    assert len(tables) == len(games)


def test_tables_of_one_game_share_a_link_and_take_the_games_in_turn(tmp_path: Path) -> None:
    games = ("rws-holdem", "mbs-megalink-stud")
    settings = FloorSettings(tables=3, games=games)
    assert [settings.game_of(number) for number in (1, 2, 3)] == [*games, games[0]]
    played(tmp_path, settings)
    with sqlite3.connect(tmp_path / "jackpot.sqlite") as books:
        rows = books.execute("SELECT DISTINCT root, unit FROM contribution").fetchall()
    roots = [root for root, _ in rows]
    assert roots.count("underfelt/rws-holdem") == 2
    assert roots.count("underfelt/mbs-megalink-stud") == 1


@pytest.mark.parametrize(
    ("words", "tier"),
    [
        ("--source shoe", "royal_flush"),
        ("--source shuffler --game rws-holdem", "royal_flush_flop"),
        ("--source manual --game mbs-megalink-stud", "royal_flush"),
        ("--source angel-eye --game mbs-singapore-stud", "royal_flush"),
        ("--seats 7 --game rws-casino-stud", "royal_flush"),
    ],
)
def test_a_royal_flush_on_demand_is_dealt_confirmed_awarded_and_paid(
    tmp_path: Path, words: str, tier: str
) -> None:
    base = [COMMAND, "floor", f"--folder={tmp_path}", "--tables=2", "--rounds=1", "--pause=0"]
    done = subprocess.run(
        [*base, "--royal=T2:3", *words.split()],
        capture_output=True,
        text=True,
        timeout=2 * HANG_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    with sqlite3.connect(tmp_path / "jackpot.sqlite") as books:
        claims = books.execute("SELECT table_name, seat, tier, state FROM claim").fetchall()
        paid = books.execute("SELECT amount_cents FROM payment").fetchall()
    assert ("T2", 3, tier) in [claim[:3] for claim in claims]
    assert max(paid) >= (10_000_000,)


def test_the_log_of_a_simulated_start_has_times_and_no_warning(tmp_path: Path) -> None:
    played(tmp_path, FloorSettings(tables=3))
    for number in (1, 2, 3):
        text = (tmp_path / f"T{number}" / "firmware.log").read_text(encoding="utf-8")
        start, _, _ = text.partition("is connected")
        assert "version" in start
        assert [line for line in text.splitlines() if not LOG_LINE.fullmatch(line)] == []
