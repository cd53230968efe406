"""The plug is pulled: `kill -9` of the firmware, after every event and at random moments.

Now and then that of the shoe or shuffler with it, which then sends again what it had no answer to.

Restarted, the table shows what it showed, the round goes on as the rules say, and the jackpot
controller's books have every contribution, reversal and win of the table's journal once.
`SEED` replays a search: the same games, cards and moments, as far as the machine keeps time.
"""

import asyncio
import os
import random
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from firmware.journal.reader import records
from firmware.protocol.obligations import Contribution, Reversal
from firmware.rules.games import GAMES
from sim.broker import Broker
from sim.floor.dealer import PlannedRound
from sim.floor.floor import Floor, FloorSettings
from sim.table.chips import noticed_chips
from sim.table.hardware import Screen, TableHardware
from sim.table.table_file import PIT_SUPERVISOR
from tests.sim.floors import (
    RESET_CENTS,
    SEATS,
    books,
    on_both_brokers,
    one_table,
    stacked,
)
from tests.sim.reckoning import (
    assert_exactly_once,
    entered_in_books,
    shown_at_rest,
    told_by_journal,
)

FLUSH = "Kh Jh 9h 5h 2h"
PAIR = "Tc Td 7c 6d 3s"
DEALER = "As Kd 8c 4s 2c"
PLAN = stacked((2, 3), {2: FLUSH, 3: PAIR}, DEALER)

KILLS = 200 if os.environ.get("SOAK") else 8
KILLS_A_TABLE = 4
PHASES = ("any", "betting", "dealing", "deciding", "revealing", "settling")
"""Where a power cut is waited for; left to chance, nearly all would hit the open bets."""
BOTH = 0.5
"""How often shoe or shuffler are on the same power strip."""
SEED = int(os.environ.get("SEED", "20"))

Action = Callable[[], Awaitable[None]]


def actions(table: TableHardware, plan: PlannedRound) -> list[Action]:
    """List everything that is done to the table in a round, one thing at a time."""

    async def chip(seat: int, *, placed: bool) -> None:
        (table.place_chip if placed else table.lift_chip)(seat)
        # The sensor has to be quiet for a while before the event is one.
        await table.until(lambda: noticed_chips(table.folder) == table.chips())

    return [
        lambda: table.press("OPEN"),
        *(lambda seat=seat: chip(seat, placed=True) for seat, _ in plan.chips),
        lambda: table.press("CLOSE"),
        *(lambda seat=seat: chip(seat, placed=False) for seat, _ in plan.chips),
        *(lambda card=card: table.draw(card) for card in plan.deck),
        lambda: table.press("BET 2"),
        lambda: table.press("FOLD 3"),
        lambda: table.press("REVEAL"),
        lambda: _award_shown(table),
        lambda: table.press("PAID"),
    ]


async def _award_shown(table: TableHardware) -> None:
    await table.until(lambda: any(line.endswith(": pay $100.00") for line in table.screen.lines))


async def pulled_and_plugged(table: TableHardware) -> None:
    """Kill the firmware, blank the screens, start it again and wait for its prompt.

    In the middle of a round the table asks what the rules say about an interruption; a
    supervisor who sees that nothing was affected withdraws that, and the round goes on.
    """
    await table.kill()
    table.screen = Screen()
    await table.start()
    await _quiet(table)
    if table.screen.code == "ruling":
        await table.press("CANCEL")
        await table.authority(PIT_SUPERVISOR)
        await _quiet(table)
        assert table.screen.code != "ruling"


@on_both_brokers
def test_killed_after_each_event_the_table_is_where_it_was(
    broker: type[Broker], tmp_path: Path
) -> None:
    asyncio.run(_killed_after_each_event(broker, tmp_path))
    left = books(tmp_path)
    assert (left.totals.contributions, left.totals.awards) == (2, 1)
    assert left.meter_cents == RESET_CENTS + 500


async def _killed_after_each_event(broker: type[Broker], folder: Path) -> None:
    async with one_table(folder, broker) as floor, asyncio.timeout(240):
        table = floor.tables[0]
        await table.until(lambda: table.screen.code == "idle")
        await _quiet(table)
        for act in actions(table, PLAN):
            await act()
            before = await _quiet(table)
            await pulled_and_plugged(table)
            assert await _quiet(table) == before
        assert before.code == "idle"
        await floor_is_settled(floor)
    kinds = [record.event.__struct_config__.tag for record in records(folder / "T1")]
    assert kinds.count("card_drawn") == len(PLAN.deck)
    assert kinds.count("bets_closed") == kinds.count("round_paid") == 1


async def _quiet(table: TableHardware) -> Screen:
    """Wait until nothing is on its way to panel, sign or jackpot, and give what is shown."""
    await table.until(partial(_is_quiet, table))
    # That the round was interrupted, and goes on by the rules, is noted for the dealer.
    lines = tuple(line for line in table.screen.lines if not line.startswith("Interruption:"))
    return replace(table.screen, meter_cents=None, refusal="", lines=lines)


def _is_quiet(table: TableHardware) -> bool:
    screen = table.screen
    if not screen.code or any("link is down" in line for line in screen.lines):
        return False
    if screen.meter_cents is None or "no jackpot bets" in screen.sign:
        return False
    shown = "|".join((f"SHOW {screen.code}", *screen.lines)), screen.sign
    return shown == shown_at_rest(table.folder, screen.meter_cents)


async def floor_is_settled(floor: Floor) -> None:
    """Wait until the link has been silent for a moment, so that the books are complete."""
    count = -1
    while count != len(floor.messages):
        count = len(floor.messages)
        await asyncio.sleep(0.5)


def test_killed_at_random_moments_nothing_is_lost_or_doubled(tmp_path: Path) -> None:
    print(f"SEED={SEED}")
    rng = random.Random(SEED)
    for number in range(KILLS // KILLS_A_TABLE):
        settings = FloorSettings(
            tables=1,
            seed=rng.randrange(1_000_000),
            seats=SEATS,
            game=rng.choice(list(GAMES)),
            card_source=rng.choice(("shoe", "shuffler")),
        )
        print(f"table {number}: {settings.game}, {settings.card_source}, seed {settings.seed}")
        folder = tmp_path / str(number)
        hit = asyncio.run(_killed_at_random(folder, settings, rng))
        told = told_by_journal(folder / "T1")
        assert_exactly_once({"T1": told}, entered_in_books(folder, settings.game))
        left = books(folder, settings.game)
        kinds = [type(obligation) for obligation in told.obligations.values()]
        contributions, reversals = kinds.count(Contribution), kinds.count(Reversal)
        assert (left.totals.contributions, left.totals.reversals) == (contributions, reversals)
        assert told.contributions == contributions - reversals
        assert not told.owed
        print(f"  killed while {', '.join(hit)}")
        print(f"  {told.rounds} rounds, {contributions} contributions, {reversals} reversed")


async def _killed_at_random(folder: Path, settings: FloorSettings, rng: random.Random) -> list[str]:
    async with Floor(folder, settings) as floor, asyncio.timeout(240):
        table, dealer = floor.tables[0], floor.dealers[0]
        killing = asyncio.create_task(_kill_now_and_then(table, rng))
        while not killing.done():
            await dealer.play(dealer.rounds_played + 1)
        hit = await killing
        await table.until(lambda: table.screen.code == "idle")
        await floor_is_settled(floor)
        await table.until(lambda: not told_by_journal(table.folder).owed)
        return hit


async def _kill_now_and_then(table: TableHardware, rng: random.Random) -> list[str]:
    """Cut the power in every phase, however short it is, and at any other moment."""
    hit = []
    for _ in range(KILLS_A_TABLE):
        phase = rng.choice(PHASES)
        if phase != "any":
            await table.until(partial(_shows, table, phase))
        await asyncio.sleep(rng.uniform(0.0, 0.8 if phase == "any" else 0.05))
        hit.append(table.screen.code or "starting")
        await table.kill()
        if rng.random() < BOTH:
            table.cards.restart()
        table.screen.code, table.screen.lines = "", ()
        await table.start()
    return hit


def _shows(table: TableHardware, phase: str) -> bool:
    return table.screen.code == phase
