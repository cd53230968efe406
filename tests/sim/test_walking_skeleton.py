"""One coin, all the way: a round through every part, in real processes.

Pins, bytes and MQTT are all that crosses into the table process; the tests look at the
hardware, the link and the files that are left. What a power cut does is in
`test_kill.py`.
"""

import asyncio
import json
from pathlib import Path
from typing import Any, Literal

import pytest

from firmware.journal.reader import records
from firmware.rules.cards import CODES
from firmware.rules.games import GAMES
from sim.broker import Broker
from sim.floor.floor import Floor, FloorSettings
from tests.pairing import paired
from tests.sim.floors import books, on_both_brokers, one_table, stacked

HANG_S = 240
FLUSH = "Kh Jh 9h 5h 2h"
PAIR = "Tc Td 7c 6d 3s"
DEALER = "As Kd 8c 4s 2c"


def sent(floor: Floor, kind: str) -> list[dict[str, Any]]:
    """Give the messages of a kind that passed over the link."""
    documents = [json.loads(text) for _, text in floor.messages]
    return [document for document in documents if document["message"] == kind]


def owed(floor: Floor) -> set[str]:
    """Give the ids of what was said about rounds and contributions."""
    return {told["id"] for kind in ("round", "contribution") for told in sent(floor, kind)}


def acknowledged(floor: Floor) -> set[str]:
    """Give the ids that were acknowledged."""
    return {told["id"] for told in sent(floor, "acknowledgement")}


@on_both_brokers
def test_one_coin_goes_all_the_way(broker: type[Broker], tmp_path: Path) -> None:
    asyncio.run(_one_coin_goes_all_the_way(broker, tmp_path))


async def _one_coin_goes_all_the_way(broker: type[Broker], folder: Path) -> None:
    plan = stacked((2, 3), {2: FLUSH, 3: PAIR}, DEALER)
    async with one_table(folder, broker) as floor, asyncio.timeout(HANG_S):
        table = floor.tables[0]

        # The coin is sensed and its lamp blinks quickly, the others slowly.
        await table.until(lambda: table.screen.code == "idle")
        await table.until(lambda: table.screen.meter_cents == 10_000_000)
        await table.press("OPEN")
        await table.until(lambda: table.lamp_pattern(1) == "slow_blink")
        table.place_chip(2)
        table.place_chip(3)
        await table.until(lambda: "Jackpot chips: seats 2, 3." in table.screen.lines)
        await table.until(lambda: table.lamp_pattern(2) == "quick_blink")
        await table.until(lambda: table.lamp_pattern(1) == "slow_blink")
        assert not sent(floor, "contribution")

        # "No more bets": the contribution is committed, then the lamp is steady.
        await table.press("CLOSE")
        await table.until(lambda: table.lamp_pattern(2) == "steady")
        await table.until(lambda: table.lamp_pattern(1) == "off")
        await table.until(lambda: len(owed(floor)) == 3 and owed(floor) == acknowledged(floor))
        assert [(c["seat"], c["stake_cents"]) for c in sent(floor, "contribution")] == [
            (2, 500),
            (3, 500),
        ]

        # The meter has moved on the sign: two bets of 500 at 5,000 basis points.
        await table.until(lambda: table.screen.meter_cents == 10_000_500)

        # Cards, decisions, the reveal; no card is seen anywhere before.
        table.lift_chip(2)
        table.lift_chip(3)
        for card in plan.deck:
            await table.draw(card)
        await table.until(lambda: table.screen.code == "deciding")
        await table.press("BET 2")
        await table.press("FOLD 3")
        await table.until(lambda: table.screen.code == "revealing")
        assert not _names_a_card(floor)
        assert not sent(floor, "win")
        await table.press("REVEAL")

        # The payout instructions, and the flush pays its jackpot line.
        await table.until(lambda: any("pay $100.00" in line for line in table.screen.lines))
        assert [line for line in table.screen.lines if "Seat 2" in line] == [
            "Seat 2: JACKPOT, pay $100.00.",
            "Seat 2: leave the cards face up.",
            "Seat 2: pay $275.00.",
            "Seat 2 JACKPOT flush (player's hand), minor, $100.00: pay $100.00",
            "Seat 2 ante wins: pay $25.00, leave $25.00",
            "Seat 2 bet wins: pay $250.00, leave $50.00",
        ]
        assert "Seat 3 ante loses: take $25.00" in table.screen.lines
        await table.until(lambda: table.lamp_pattern(2) == "flutter")
        await table.until(lambda: table.screen.sign == "Seat 2 wins $100.00")
        await table.press("PAID")
        await table.until(lambda: table.screen.code == "idle")
        assert await table.stop() == 0

    kinds = _kinds(folder, "T1")
    assert kinds[0] == "journal_opened"
    assert kinds.count("card_drawn") == 16
    from_the_link = {"acknowledged", "link_changed"}
    assert [kind for kind in kinds if kind not in from_the_link][-1] == "round_paid"
    assert books(folder).meter_cents == 10_000_500


def _kinds(folder: Path, table: str) -> list[Any]:
    """List the kinds of the records that a table has left in its journal."""
    return [record.event.__struct_config__.tag for record in records(folder / table)]


def _names_a_card(floor: Floor) -> bool:
    """Look for a card on the link, the panel and the sign."""
    table = floor.tables[0]
    seen = " ".join([*(text for _, text in floor.messages), *table.screen.lines, table.screen.sign])
    return any(card in seen.replace('"', " ").replace(",", " ").split() for card in CODES)


@pytest.mark.parametrize(("game", "source"), paired(sorted(GAMES), ["shoe", "shuffler"]))
def test_every_game_is_played_and_leaves_no_process(
    game: str, source: Literal["shoe", "shuffler"], tmp_path: Path
) -> None:
    settings = FloorSettings(tables=2, game=game, card_source=source)

    async def played() -> list[int | None]:
        async with Floor(tmp_path, settings) as floor, asyncio.timeout(HANG_S):
            await floor.play(rounds=2)
            processes = [floor.jackpot.process, *(table.process for table in floor.tables)]
        return [process.returncode for process in processes if process is not None]

    assert asyncio.run(played()) == [0, 0, 0]
    rounds = [_kinds(tmp_path, table).count("round_paid") for table in ("T1", "T2")]
    assert rounds == [2, 2]
