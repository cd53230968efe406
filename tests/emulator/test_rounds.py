"""A round of every game on the emulated Pi: character-device GPIO, USB serial ports, a network.

The game of the floor's own tests is played in `test_installation.py`, with a win.
"""

import asyncio
import time
from pathlib import Path
from random import Random

import pytest

from firmware.rules.games import GAMES
from sim.emulator.build import MachineParts
from sim.floor.dealer import PlannedRound, plan_round
from tests.emulator.machines import MEASURED, emulated_table
from tests.sim.floors import GAME, RATE_BASIS_POINTS, RESET_CENTS, books
from tests.sim.test_kill import floor_is_settled

WITHIN_S = 900.0
SEED = 5


@pytest.mark.parametrize("game", [game for game in GAMES if game != GAME])
def test_a_round_is_played_and_its_contributions_are_acknowledged(
    game: str, parts: MachineParts, tmp_path: Path
) -> None:
    plan = asyncio.run(_a_round(game, parts, tmp_path))
    left = books(tmp_path, game)
    assert left.totals.contributions == len(plan.chips) > 0
    if not left.totals.awards:
        added_cents = 500 * len(plan.chips) * RATE_BASIS_POINTS // 10_000
        assert left.meter_cents == RESET_CENTS + added_cents


async def _a_round(game: str, parts: MachineParts, folder: Path) -> PlannedRound:
    async with asyncio.timeout(WITHIN_S), emulated_table(folder, parts, game) as (floor, table):
        plan = plan_round(table.settings, Random(SEED))
        started = time.monotonic()
        playing = asyncio.create_task(floor.dealers[0].play_round(plan))
        lit = dict.fromkeys(plan.chips, False)
        while not playing.done():
            await asyncio.wait([playing], timeout=0.05)
            for spot in plan.chips:
                lit[spot] = lit[spot] or table.lamps[spot].lit
        await playing
        MEASURED.append(f"{game}: a round in {time.monotonic() - started:.1f} s")
        assert all(lit.values()), f"lamps that were never lit: {lit}"
        await floor_is_settled(floor)
        return plan
