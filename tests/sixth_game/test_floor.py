"""The sixth game on a floor: real tables, the real jackpot controller, a broker between them."""

import asyncio
from pathlib import Path
from typing import Literal

import pytest

from firmware.journal.reader import records
from firmware.table.events import PlayerDecided, RoundPaid
from sim.floor.floor import Floor, FloorSettings
from tests.sim.floors import RATE_BASIS_POINTS, RESET_CENTS, books, stacked
from tests.sixth_game.caribbean_stud import GAME

HANG_S = 60


@pytest.mark.parametrize("source", ["shoe", "shuffler"])
def test_the_sixth_game_is_played_on_a_floor(
    source: Literal["shoe", "shuffler"], tmp_path: Path
) -> None:
    async def played() -> None:
        settings = FloorSettings(tables=2, game=GAME.id, card_source=source, seats=4)
        async with Floor(tmp_path, settings) as floor, asyncio.timeout(HANG_S):
            await floor.play(rounds=3)

    asyncio.run(played())
    events = [record.event for name in ("T1", "T2") for record in records(tmp_path / name)]
    assert sum(isinstance(event, RoundPaid) for event in events) == 6
    decided = {event.decision for event in events if isinstance(event, PlayerDecided)}
    assert decided == {"raise", "fold"}
    left = books(tmp_path, GAME.id)
    totals = left.totals
    assert totals.stakes_cents > 0
    into_the_meter_cents = totals.stakes_cents * RATE_BASIS_POINTS // 10_000
    began_cents = totals.resets_cents
    assert left.meter_cents == began_cents + into_the_meter_cents - totals.from_meter_cents


def test_the_jackpot_controller_pays_the_lines_of_the_sixth_game(tmp_path: Path) -> None:
    hands = {1: "9h 9d 9c 9s 2h", 2: "4c 5c 6c 7c 8c", 3: "Ah Jh 8h 6h 3h"}
    plan = stacked((1, 2, 3), hands, "As Kd Tc 7d 2s", GAME.id)

    async def played() -> None:
        settings = FloorSettings(tables=1, game=GAME.id, seats=4)
        async with Floor(tmp_path, settings) as floor, asyncio.timeout(HANG_S):
            await floor.dealers[0].play_round(plan)

    asyncio.run(played())
    # Three bets of $5.00, half of each into the meter, then a tenth of it to the straight flush.
    meter_cents = RESET_CENTS + 750
    tenth_cents = meter_cents // 10
    left = books(tmp_path, GAME.id)
    assert left.totals.awarded_cents == 50_000 + tenth_cents + 5_000
    assert left.meter_cents == meter_cents - tenth_cents
