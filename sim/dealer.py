"""A simulated dealer with his players: plays rounds on a table's hardware.

He does what a dealer does: places the chips, presses the keys, draws the cards, and
follows the prompts of the panel. Which cards come and what the players do is seeded,
so that a seed replays a table. He knows the cards because he deals them; the table's
own outputs never show him one before it is face up.
"""

import asyncio
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from random import Random

from msgspec import Struct, field

from firmware.rules.cards import CODES
from firmware.rules.dealing import card_order
from firmware.rules.game import Game
from firmware.rules.games import find_game
from sim.hardware import TableHardware
from sim.players import stays

_PATIENCE_S = 2.0
_NOTICED_S = 0.2


class PlannedRound(Struct):
    """What will happen in a round: who bets, the order of the shoe, who stays."""

    coins: tuple[int, ...]
    antes: Mapping[int, int]
    shoe: tuple[str, ...]
    hands: Mapping[int, tuple[str, ...]]
    dealer: tuple[str, ...]
    stays: Mapping[int, bool] = field(default_factory=dict)

    @property
    def seats(self) -> tuple[int, ...]:
        """The occupied seats, clockwise."""
        return tuple(sorted({*self.coins, *self.antes}))


def plan_round(game: Game, seats: int, rng: Random) -> PlannedRound:
    """Make up a round; most players try the jackpot, some key an ante of their own."""
    occupied = sorted(rng.sample(range(1, seats + 1), rng.randint(2, seats)))
    coins = tuple(seat for seat in occupied if rng.random() < 0.85)  # noqa: PLR2004  # most of them
    antes = {s: rng.choice((2_500, 5_000, 10_000)) for s in occupied if s not in coins}
    deck = list(CODES)
    rng.shuffle(deck)
    return planned(game, coins, antes, deck)


def planned(
    game: Game, coins: tuple[int, ...], antes: Mapping[int, int], deck: list[str]
) -> PlannedRound:
    """Follow a deck through the deal: who gets what, and who stays with it."""
    seats = sorted({*coins, *antes})
    order = card_order(game, "shoe", seats)
    dealt = defaultdict(list)
    for card, target in zip(deck, order, strict=False):
        dealt[target.to, target.seat].append(card)
    hands = {seat: tuple(dealt["seat", seat]) for seat in seats}
    return PlannedRound(
        coins=coins,
        antes=antes,
        shoe=tuple(deck[: len(order)]),
        hands=hands,
        dealer=tuple(dealt["dealer", 0]),
        stays={seat: stays(cards) for seat, cards in hands.items()},
    )


class Dealer:
    """Plays one table."""

    def __init__(self, hardware: TableHardware, rng: Random, *, pause_s: float = 0.0) -> None:
        self.hardware = hardware
        self.rounds_played = 0
        self.face_up: PlannedRound | None = None
        """The round whose hands are turned up, for whoever watches the felt."""
        self._game = find_game(hardware.settings.game)
        self._rng = rng
        self._pause_s = pause_s

    async def play(self, rounds: int | None = None) -> None:
        """Play rounds, for ever if no number is given."""
        while rounds is None or self.rounds_played < rounds:
            await self.play_round(plan_round(self._game, self.hardware.settings.seats, self._rng))

    async def play_round(self, plan: PlannedRound) -> None:
        """Play one round from "Place your bets" to the last payment."""
        for step in (self._bets, self._deal, self._decisions, self._settlement):
            await step(plan)
        self.rounds_played += 1

    async def _bets(self, plan: PlannedRound) -> None:
        table = self.hardware
        await table.until(lambda: table.screen.code == "idle")
        self.face_up = None
        await table.press("OPEN")
        for seat, ante_cents in plan.antes.items():
            await table.press(f"ANTE {seat} {ante_cents}")
        while not await self._chips_sensed(plan):
            # A chip that the table never saw lifted does not bet again: lift it once more.
            for seat in plan.coins:
                table.lift_chip(seat)
            await asyncio.sleep(_NOTICED_S)
        await table.press("CLOSE")
        await self._pause()

    async def _chips_sensed(self, plan: PlannedRound) -> bool:
        """Place the chips, and see whether the table has noticed all of them."""
        table = self.hardware
        for seat in plan.coins:
            table.place_chip(seat)
            await self._pause()
        sensed = ", ".join(map(str, plan.coins)) or "none"
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE_S):
                await table.until(
                    lambda: any(line.endswith(f" {sensed}.") for line in table.screen.lines)
                )
                return True
        return False

    async def _deal(self, plan: PlannedRound) -> None:
        for seat in plan.coins:
            self.hardware.lift_chip(seat)
        for card in plan.shoe:
            await self.hardware.draw(card)
            await self._pause(0.15)

    async def _decisions(self, plan: PlannedRound) -> None:
        for seat, stays_in in plan.stays.items():
            await self._pause()
            await self.hardware.press(f"{'BET' if stays_in else 'FOLD'} {seat}")

    async def _settlement(self, plan: PlannedRound) -> None:
        table = self.hardware
        await self._pause()
        await table.press("REVEAL")
        self.face_up = plan
        await table.until(lambda: table.screen.code == "settling" and not _pending(table))
        await self._pause(4)
        await table.press("PAID")
        await table.until(lambda: table.screen.code == "idle")

    async def _pause(self, times: float = 1.0) -> None:
        if self._pause_s:
            await asyncio.sleep(self._pause_s * times)


def _pending(table: TableHardware) -> bool:
    return any(line.endswith(": pending") for line in table.screen.lines)
