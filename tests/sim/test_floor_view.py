"""The view of the floor: what each table itself says that it shows, whole, in small rooms too.

Real table processes play a round of each game; the view is drawn again and again meanwhile. How a
table is drawn in every phase is tested in `tests/host_tools/test_table_drawing.py`.
"""

import asyncio
import fcntl
import io
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from contextlib import suppress
from pathlib import Path
from threading import Timer

import pytest
from msgspec.structs import replace
from rich.console import Console, ConsoleDimensions

from firmware.link.mqtt import LinkSettings
from firmware.maintenance.protocol import Show, Shown
from firmware.rules.cards import pretty
from firmware.rules.games import GAMES
from firmware.table.public import PublicTable
from firmware.table.settings import TableSettings
from host_tools.connection.table_stream import open_table
from host_tools.watch.seats import LAMPS
from sim.floor.floor import Floor, FloorSettings
from sim.floor.view import floor_view, has_hands_up, jackpots, round_lines, save_picture
from sim.table.hardware import TableHardware
from tests.host_tools.tables import own_runtime_folder
from tests.host_tools.test_table_drawing import looks
from tests.sim.processes import HANG_S

__all__ = ["own_runtime_folder"]

COMMAND = str(Path(sys.executable).with_name("underfelt-sim"))
SIZES = ((80, 24), (200, 50))


def drawn(floor: Floor, size: tuple[int, int]) -> list[str]:
    """Draw the floor for a terminal of a size, and give its lines."""
    screen = io.StringIO()
    console = Console(file=screen, width=size[0], height=size[1], color_system=None)
    console.print(floor_view(floor, ConsoleDimensions(*size)))
    return screen.getvalue().splitlines()


def squeezed(text: str) -> str:
    """Take out spaces and frames: a sentence may go on on the next line."""
    return re.sub(r"[\s│]+", "", text)


def seen(floor: Floor, place: int = 0) -> PublicTable | None:
    """Give a table as the view has it."""
    return floor.onlookers.see(floor.dealers[place]).table


def check_whole(floor: Floor, size: tuple[int, int]) -> PublicTable | None:
    """Check that everything of the one table of a floor is in the view."""
    table, lines = seen(floor), drawn(floor, size)
    text = squeezed("".join(lines))
    assert len(lines) <= size[1]
    assert all(len(line) <= size[0] for line in lines)
    assert "{" not in text
    if table is None:
        return None
    for seat in table.seats:
        lamps = " ".join(LAMPS[pattern][0] for pattern in seat.lamps.values())
        row = rf"│ {seat.seat} +{lamps} .*{' '.join(map(re.escape, pretty(seat.cards).split()))}"
        assert any(re.match(row, line) for line in lines), "\n".join(lines)
    assert squeezed(table.sign) in text
    assert not [card for card in (*table.dealer, *table.community) if pretty([card]) not in text]
    for line in table.prompt:
        assert squeezed(line) in text or re.match(r"Seat \d+ ", line)
    return table


@pytest.mark.parametrize("game", GAMES)
def test_nothing_of_a_table_is_cut_or_left_out_while_it_plays(game: str, tmp_path: Path) -> None:
    async def played() -> list[PublicTable]:
        looked: list[PublicTable] = []
        settings = FloorSettings(tables=1, game=game, pause_s=0.1)
        async with Floor(tmp_path, settings) as floor, asyncio.timeout(HANG_S):
            drawn(floor, SIZES[0])
            while not floor.onlookers.is_read(floor.dealers[0]):  # noqa: ASYNC110  # no event for it
                await asyncio.sleep(0.05)
            playing = asyncio.create_task(floor.play(rounds=1))
            while not playing.done():
                looked += [table for size in SIZES if (table := check_whole(floor, size))]
                await asyncio.sleep(0.05)
            await playing
        return looked

    looked = asyncio.run(played())
    shown = [pattern for table in looked for seat in table.seats for pattern in seat.lamps.values()]
    assert {"slow_blink", "quick_blink", "steady"} <= set(shown)
    # No fault was reported, so no lamp says that there is one.
    assert "double_blink" not in shown
    assert any(table.dealer for table in looked)
    assert any(table.community for table in looked) == (game == "rws-holdem")
    assert any("magic card" in table.sign for table in looked) == (game == "mbs-singapore-stud")


def test_the_lamps_of_the_view_are_those_that_the_table_drives(tmp_path: Path) -> None:
    def asked() -> list[dict[str, str]]:
        with open_table(f"unix:{tmp_path / 'T1' / 'maintenance.sock'}") as stream:
            table = stream.ask(Shown, lambda number: Show(number=number)).table
        return [dict(seat.lamps) for seat in table.seats]

    async def played() -> None:
        async with Floor(tmp_path, FloorSettings(tables=1)) as floor, asyncio.timeout(HANG_S):
            (table,) = floor.tables
            drawn(floor, SIZES[0])
            await table.until(lambda: table.screen.meter_cents is not None)
            await table.press("SIGNON 100 4321")
            await table.press("OPEN")
            table.place_chip(2)
            expected = [["slow_blink"], ["quick_blink"], *[["slow_blink"]] * 3]
            shown: list[list[str]] = []
            while shown != expected:
                now = seen(floor)
                shown = [] if now is None else [list(seat.lamps.values()) for seat in now.seats]
                await asyncio.sleep(0.05)
            assert [list(lamps.values()) for lamps in await asyncio.to_thread(asked)] == expected
            marks = [
                line[2:9].split() for line in drawn(floor, SIZES[0]) if re.match("│ [1-5] ", line)
            ]
            assert marks == [[str(n), "◑" if n == 2 else "◔"] for n in range(1, 6)]

    asyncio.run(played())


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_several_tables_are_all_there_and_the_link_is_told_in_words(
    size: tuple[int, int], tmp_path: Path
) -> None:
    async def played() -> None:
        settings = FloorSettings(tables=3, pause_s=0.1)
        async with Floor(tmp_path, settings) as floor, asyncio.timeout(HANG_S):
            drawn(floor, size)
            await floor.play(rounds=1)
            while not all(map(floor.onlookers.is_read, floor.dealers)):  # noqa: ASYNC110  # as above
                await asyncio.sleep(0.05)
            lines = drawn(floor, size)
        text = "\n".join(lines)
        assert len(lines) <= size[1]
        assert all(re.search(rf"\b{name}\b", text) for name in ("T1", "T2", "T3"))
        assert "3 rounds played" in lines[0]
        assert ("jackpot link" in text) == (size == (200, 50))
        assert "contribution of $5.00" in text or size == (80, 24)
        assert "sign " in text
        assert "{" not in text

    asyncio.run(played())


def test_each_game_on_the_floor_has_its_own_jackpot() -> None:
    tables = [next(looks(game)) for game in ("rws-holdem", "rws-casino-stud", "rws-holdem")]
    tables[1] = replace(tables[1], meter_cents=5_000, currency="S$")
    assert jackpots(tables) == ["rws-holdem $1,000,000.00", "rws-casino-stud S$50.00"]
    assert jackpots(tables[:1]) == ["$1,000,000.00"]
    assert jackpots([replace(tables[0], meter_cents=None)]) == []


def test_a_table_without_a_socket_is_drawn_as_its_devices_show_it(tmp_path: Path) -> None:
    def hardware(settings: TableSettings, link: LinkSettings, folder: Path) -> TableHardware:
        made = TableHardware(settings, link, folder)
        file = folder / "table.toml"
        file.write_text(file.read_text().replace("maintenance.sock", "elsewhere.sock"))
        return made

    async def played() -> tuple[list[str], list[str]]:
        settings = FloorSettings(tables=1, pause_s=0.1, hardware=hardware)
        async with Floor(tmp_path, settings) as floor, asyncio.timeout(HANG_S):
            starting = drawn(floor, SIZES[0])
            playing = asyncio.create_task(floor.play(rounds=1))
            while not has_hands_up(floor):  # noqa: ASYNC110  # as above
                await asyncio.sleep(0.02)
            settled = drawn(floor, SIZES[0])
            assert not floor.onlookers.is_read(floor.dealers[0])
            await playing
            assert "T1: round 1 is paid" in next(round_lines(floor))
        return starting, settled

    starting, settled = asyncio.run(played())
    assert len(starting) == len(settled) == 24
    assert re.search("[♠♥♦♣]", "".join(settled))
    assert "● lit" in settled[-1]
    assert LAMPS["double_blink"][0] not in "".join(settled)
    assert "link up" not in "".join(settled)


def test_the_picture_has_the_hands_and_asks_nobody_for_a_font(tmp_path: Path) -> None:
    async def played() -> None:
        settings = FloorSettings(tables=1, pause_s=0.1)
        async with Floor(tmp_path / "floor", settings) as floor, asyncio.timeout(HANG_S):
            playing = asyncio.create_task(floor.play())
            while not has_hands_up(floor):  # noqa: ASYNC110  # as above
                await asyncio.sleep(0.02)
            save_picture(floor, tmp_path / "floor.svg")
            playing.cancel()

    asyncio.run(played())
    picture = (tmp_path / "floor.svg").read_text()
    assert re.search("[♠♥♦♣]", picture)
    assert "@font-face" not in picture


def test_the_floor_is_drawn_in_a_terminal_of_80_by_24(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    run = subprocess.Popen(
        [COMMAND, "floor", "--tables", "1", "--rounds", "1", "--folder", str(tmp_path)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color"},
    )
    os.close(theirs)
    hangs = Timer(HANG_S, run.kill)
    hangs.start()
    said = b""
    with suppress(OSError):
        while data := os.read(ours, 65_536):
            said += data
    hangs.cancel()
    assert run.wait(HANG_S) == 0
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", said.decode())
    for word in (
        "seat  lamp",
        "dealer",
        "panel   Round 1: place your bets.",
        "sign    Ante",
        "PAID",
    ):
        assert word in text
    assert '{"' not in text
    assert max(map(len, text.replace("\r", "\n").split("\n"))) <= 80
