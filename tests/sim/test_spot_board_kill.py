"""`kill -9` of the firmware and of its spot board, cables out, and hangs, while chips are moved.

Whatever happened, the table believes on its spots what lies there once it is quiet, and the jackpot has
a contribution for each chip that lay there at the close, and no other. `SEED` replays a search, as far
as the machine keeps time.
"""

import asyncio
import os
import random
from contextlib import suppress
from functools import partial
from pathlib import Path

from sim.floor.floor import Floor, FloorSettings
from sim.floor.waking import bring_to_rest
from sim.table.chips import noticed_chips
from sim.table.hardware import TableHardware
from tests.sim.floors import books
from tests.sim.reckoning import assert_exactly_once, entered_in_books, told_by_journal
from tests.sim.test_kill import floor_is_settled
from tests.spot_board.interpreters import needs_interpreter

pytestmark = needs_interpreter
GAME = "mbs-singapore-stud"
ROUNDS = 30 if os.environ.get("SOAK") else 1
MISHAPS = ("firmware", "board", "plug", "cable", "hang")
MISHAPS_A_ROUND = 5
SEED = int(os.environ.get("SEED", "20"))
PATIENCE_S = 60.0
PRESSED_S = 0.3


def test_killed_at_random_the_table_believes_what_lies_on_its_spots(tmp_path: Path) -> None:
    print(f"SEED={SEED}")
    contributed = asyncio.run(_search(tmp_path, random.Random(SEED)))
    told = told_by_journal(tmp_path / "T1")
    assert_exactly_once({"T1": told}, entered_in_books(tmp_path, GAME))
    assert told.contributions == contributed
    totals = books(tmp_path, GAME).totals
    assert totals.contributions - totals.reversals == contributed
    assert not told.owed


async def _search(folder: Path, rng: random.Random) -> int:
    """Play rounds; return how many chips lay on the spots when bets were closed."""
    settings = FloorSettings(tables=1, seats=7, game=GAME, seed=rng.randrange(1_000_000))
    contributed = 0
    to_come: list[str] = []
    async with Floor(folder, settings) as floor:
        (table,) = floor.tables
        for number in range(ROUNDS):
            async with asyncio.timeout(PATIENCE_S):
                await _pressed(table, "OPEN", {"betting"})
                for _ in range(MISHAPS_A_ROUND):
                    to_come = to_come or rng.sample(MISHAPS, len(MISHAPS))
                    mishap = to_come.pop()
                    moving = asyncio.create_task(_move_chips(table, rng))
                    await asyncio.sleep(rng.uniform(0, 0.2))
                    print(f"round {number}: {mishap} in {table.screen.code or 'no phase'}")
                    await _go_wrong(table, mishap, rng)
                    await moving
                    await table.until(partial(_believes_the_felt, table))
                await _pressed(table, "CLOSE", {"dealing", "deciding", "idle"})
                contributed += len(table.chips())
                for spot in table.chips():
                    table.lift_chip(*spot)
                await bring_to_rest(table, rng)
        await floor_is_settled(floor)
        await table.until(lambda: not told_by_journal(table.folder).owed)
    return contributed


async def _move_chips(table: TableHardware, rng: random.Random) -> None:
    """Put chips down and lift others; one chip always lies there, so that somebody bets."""
    table.place_chip(1)
    for seat, bet in rng.sample(table.spots[1:], 5):
        lies = (seat, bet) in table.chips()
        (table.lift_chip if lies else table.place_chip)(seat, bet)
        await asyncio.sleep(rng.uniform(0, 0.15))


async def _go_wrong(table: TableHardware, mishap: str, rng: random.Random) -> None:
    board = table.spot_board
    assert board is not None
    if mishap in {"firmware", "plug"}:
        await (table.kill_firmware if mishap == "firmware" else table.kill)()
        await asyncio.sleep(rng.uniform(0, 0.2))
        table.screen.code, table.screen.lines = "", ()
        await table.start()
    elif mishap == "board":
        board.restart()
    elif mishap == "hang":
        board.hang()  # until its watchdog bites
    else:
        board.unplug()
        await asyncio.sleep(rng.uniform(0, 1.0))
        board.plug_in()


def _believes_the_felt(table: TableHardware) -> bool:
    return noticed_chips(table.folder) == table.chips() and table.screen.code == "betting"


async def _pressed(table: TableHardware, key: str, phases: set[str]) -> None:
    """Press a key until it is taken: it is refused while the spots or the link are not known."""
    while table.screen.code not in phases:
        await table.press(key)
        with suppress(TimeoutError):
            async with asyncio.timeout(PRESSED_S):
                await table.until(lambda: table.screen.code in phases)
