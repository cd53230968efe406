"""A simulated dealer and players, who play rounds on a table's hardware.

The dealer places the chips, presses the keys, draws the cards, and follows the prompts on the
panel. The cards and the players' decisions are seeded, so that a seed replays a table. The
dealer knows the cards from dealing them; the table itself never shows one before it is face up.
"""

import asyncio
import re
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import partial
from random import Random
from typing import NamedTuple

from msgspec import Struct

from firmware.rules.cards import CODES
from firmware.rules.dealing import CardReader, card_order, steps_of, targets
from firmware.rules.words import OPTIONS
from firmware.table.effects import SpotKey
from firmware.table.settings import TableSettings
from sim.floor.by_hand import keys_of_folds, keys_of_hands
from sim.floor.players import stays
from sim.floor.royals import deck_with_royal
from sim.floor.shift import Shift
from sim.floor.waking import bring_to_rest
from sim.table.hardware import Screen, TableHardware
from sim.table.table_file import DEALER, PIN, PIT_SUPERVISOR, SHIFT_MANAGER

_PATIENCE_S = 2.0
_NOTICED_S = 0.2
_AGAIN_S = 0.2
_MOST_TO_TELL = 100
"""Where a floor is drawn, nobody is told."""
_PAID = "Then press PAID."
"""What the panel says of a settlement that waits for nothing more."""


class PlannedRound(Struct):
    """What will happen in a round: who bets what, the order of the cards, who stays."""

    chips: tuple[SpotKey, ...]
    keyed: Mapping[SpotKey, int]
    deck: tuple[str, ...]
    hands: Mapping[int, tuple[str, ...]]
    dealer: tuple[str, ...]
    community: tuple[str, ...]
    stays: Mapping[int, bool]


def plan_round(settings: TableSettings, rng: Random, royal: int | None = None) -> PlannedRound:
    """Make up a round; most players try the jackpot, some bets are keyed.

    The seat that is to have a royal flush is dealt one, and has bet on the jackpot.
    """
    game = settings.rules
    drawn = set(rng.sample(range(1, settings.seats + 1), rng.randint(2, settings.seats)))
    occupied = sorted(drawn if royal is None else {*drawn, royal})
    chips: list[SpotKey] = []
    keyed: dict[SpotKey, int] = {}
    for seat in occupied:
        chips += [
            (seat, bet)
            for bet in game.jackpot_bets
            if rng.random() < 0.8 or seat == royal  # noqa: PLR2004
        ]
        if not chips or chips[-1][0] != seat:
            keyed[seat, "ante"] = rng.choice((2_500, 5_000, 10_000))
        if game.bonus and rng.random() < 0.5:  # noqa: PLR2004  # every second player
            keyed[seat, game.bonus.name] = 2_500
    deck = list(CODES)
    rng.shuffle(deck)
    if royal is not None:
        deck = deck_with_royal(game, read_by(settings), occupied, royal, rng)
    return planned(settings, tuple(chips), keyed, deck)


def planned(
    settings: TableSettings,
    chips: tuple[SpotKey, ...],
    keyed: Mapping[SpotKey, int],
    deck: list[str],
) -> PlannedRound:
    """Follow a deck through the deal: who gets what, and who stays in."""
    seats = sorted({seat for seat, _ in (*chips, *keyed)})
    order = card_order(settings.rules, read_by(settings), seats)
    dealt = defaultdict(list)
    for card, target in zip(deck, order, strict=False):
        dealt[target.to, target.seat].append(card)
    hands = {seat: tuple(dealt["seat", seat]) for seat in seats}
    return PlannedRound(
        chips=chips,
        keyed=keyed,
        deck=tuple(deck[: len(order)]),
        hands=hands,
        dealer=tuple(dealt["dealer", 0]),
        community=tuple(dealt["community", 0]),
        stays={seat: stays(cards) for seat, cards in hands.items()},
    )


class PaidRound(NamedTuple):
    """A round that is over: its number as the table counts, and the meter when it was paid."""

    number: int
    meter_cents: int | None


class Dealer:
    """Plays one table by what its panel says."""

    def __init__(self, hardware: TableHardware, rng: Random, *, pause_s: float = 0.0) -> None:
        self.hardware = hardware
        self.rounds_played = 0
        self.to_tell: deque[PaidRound] = deque(maxlen=_MOST_TO_TELL)
        """The rounds that are paid and of which nobody has been told yet; the next one is under way."""
        self.face_up: PlannedRound | None = None
        """The round whose hands are face up, for the view."""
        self._rng = rng
        self._pause_s = pause_s
        self.rests = False
        """Whether to open no further round, because somebody is working on the table."""
        self.royals: list[int] = []
        """The seats that are dealt a royal flush, one in each of the next rounds."""
        self.shift = Shift(hardware)
        """Who has the table: the dealer, or somebody's hands."""
        self._cards_dealt = 0
        self.round_number = 0
        """The last round that was opened, as the table counts: it has played before this floor."""

    async def play(self, rounds: int | None = None) -> None:
        """End what the table has woken up in; then play rounds, for ever if no number is given."""
        await self.shift.work(self._come_to_rest)
        while rounds is None or self.rounds_played < rounds:
            await self.shift.work(self._next_round)

    async def _come_to_rest(self) -> None:
        """End the round that somebody else has begun, if there is one."""
        await bring_to_rest(self.hardware, self._rng)

    async def _next_round(self) -> None:
        """Play a round, after the one that hands have left."""
        if await self.shift.is_round_begun():
            await self._come_to_rest()
            self.shift.clear_felt()
        royal = self.royals.pop(0) if self.royals else None
        await self.play_round(plan_round(self.hardware.settings, self._rng, royal))

    async def play_round(self, plan: PlannedRound) -> None:
        """Play one round from "Place your bets" to the last payment."""
        await self._bets(plan)
        self._cards_dealt = 0
        await self._after_the_close(plan)
        self.rounds_played += 1
        self.to_tell.append(PaidRound(self.round_number, self.hardware.screen.meter_cents))

    async def _after_the_close(self, plan: PlannedRound) -> None:
        stages = {
            "dealing": self._deal,
            "deciding": self._decide,
            "revealing": self._reveal,
            "ruling": self._rule,
            "claiming": self._claim,
        }
        while (code := await self._next_code()) in stages:
            await stages[code](plan)
        if code == "settling":
            await self._settlement(plan)

    async def _next_code(self) -> str:
        """Wait until the panel asks for something that the dealer does, or the round is over."""
        screen = self.hardware.screen
        others = {"", "betting", "drawing", "service"}
        await self.hardware.until(lambda: screen.code not in others)
        return screen.code

    async def _bets(self, plan: PlannedRound) -> None:
        table = self.hardware
        await table.until(lambda: table.screen.code == "idle" and not self.rests)
        self.face_up = None
        if any("No dealer has signed on" in line for line in table.screen.lines):
            await table.press(f"SIGNON {DEALER} {PIN}")
        await self._press_until_taken("OPEN", "idle")
        self.round_number = round_number(table.screen.lines) or self.round_number + 1
        for (seat, bet), cents in plan.keyed.items():
            await table.press(f"AMOUNT {seat} {bet} {cents}")
        while not await self._chips_sensed(plan):
            # A chip that the table never saw lifted does not bet again: lift it again.
            self._lift_chips(plan)
            await asyncio.sleep(_NOTICED_S)
        for seat in _by_memory(table.screen.lines) - {seat for seat, _ in plan.keyed}:
            await table.press(f"OUT {seat}")
        bonus = table.settings.rules.bonus
        if bonus is not None:
            keyed = {seat for seat, bet in plan.keyed if bet == bonus.name}
            for seat in _with_bonus(table.screen.lines) - keyed:
                await table.press(f"OUT {seat} {bonus.name}")
        await self._press_until_taken("CLOSE", "betting")
        await self._pause()
        self._lift_chips(plan)

    async def _press_until_taken(self, key: str, phase: str) -> None:
        """Press a key until its phase is over: it is refused while the link comes up."""
        screen = self.hardware.screen
        await self.hardware.until(lambda: screen.code != "")
        while screen.code in {phase, ""}:
            await self.hardware.press(key)
            with suppress(TimeoutError):
                async with asyncio.timeout(_NOTICED_S):
                    await self.hardware.until(lambda: screen.code not in {phase, ""})

    async def _chips_sensed(self, plan: PlannedRound) -> bool:
        """Place the chips, and see whether the table has noticed all of them."""
        table = self.hardware
        for seat, bet in plan.chips:
            table.place_chip(seat, bet)
            await self._pause()
        wanted = [
            ", ".join(str(seat) for seat, placed in plan.chips if placed == bet) or "none"
            for bet in table.settings.rules.jackpot_bets
        ]

        def sensed() -> bool:
            lines = [line for line in table.screen.lines if line.startswith("Jackpot chips")]
            return [line.split(": ")[1].split(" ", 1)[-1].rstrip(".") for line in lines] == wanted

        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE_S):
                await table.until(sensed)
                return True
        return False

    def _lift_chips(self, plan: PlannedRound) -> None:
        for seat, bet in plan.chips:
            self.hardware.lift_chip(seat, bet)

    async def _deal(self, plan: PlannedRound) -> None:
        """Deal until there is something to decide or turn up, then wait for the panel."""
        settings, screen = self.hardware.settings, self.hardware.screen
        if settings.card_source == "manual":
            await self._press_until_taken("DEALT", "dealing")
            return
        order = card_order(settings.rules, read_by(settings), list(plan.hands))
        ends = ends_of_dealing(settings, list(plan.hands))
        until = next(end for end in ends if end > self._cards_dealt)
        while self._cards_dealt < until and screen.code == "dealing":
            first, count = self._cards_dealt, 1
            if settings.card_source == "shuffler":
                while first + count < until and order[first + count] == order[first]:
                    count += 1
                await self.hardware.dispense(plan.deck[first : first + count])
            else:
                await self.hardware.draw(plan.deck[first])
            self._cards_dealt += count
            await self._pause(0.15 * count)
        await self.hardware.until(lambda: screen.code != "dealing")

    async def _decide(self, plan: PlannedRound) -> None:
        """Answer for the next player on the panel."""
        screen = self.hardware.screen
        bet, other, seats = _asked(screen.lines)
        seat = seats[0]
        await self._pause()
        stays_in = plan.stays[seat] if other == "FOLD" else self._rng.random() < 0.5  # noqa: PLR2004
        await self.hardware.press(f"{bet if stays_in else other} {seat}")
        await self.hardware.until(
            lambda: (
                screen.code != "deciding"
                or _asked(screen.lines)[0] != bet
                or seat not in _asked(screen.lines)[2]
            )
        )

    async def _reveal(self, plan: PlannedRound) -> None:
        before = self.hardware.screen.lines, self.hardware.screen.code
        await self._pause()
        if "hands" in before[0][0]:
            self.face_up = plan
        if self.hardware.settings.card_source == "manual":
            await self._press_all(keys_of_folds(plan))
        await self.hardware.press("REVEAL")
        screen = self.hardware.screen
        # Where nobody is left to decide, the next cards are asked for in the same words.
        with suppress(TimeoutError):
            async with asyncio.timeout(_NOTICED_S):
                await self.hardware.until(lambda: (screen.lines, screen.code) != before)

    async def _claim(self, plan: PlannedRound) -> None:
        """Key the hands that the table does not know, and go on to the settlement."""
        self.face_up = plan
        await self._press_all(keys_of_hands(self.hardware.settings.rules, plan))
        await self._press_until_taken("PAID", "claiming")

    async def _press_all(self, keys: Iterable[str]) -> None:
        for key in keys:
            await self.hardware.press(key)
            await self._pause(0.15)

    async def _rule(self, _plan: PlannedRound) -> None:
        """Go on where the rules let the players choose, and confirm what the panel asks for."""
        table, screen = self.hardware, self.hardware.screen
        before = screen.lines
        await self._pause()
        offered = [line for line in before if line.startswith("MENU to choose: 1 ")]
        if offered and "Nothing is chosen yet." in before:
            first = offered[0].removeprefix("MENU to choose: 1 ")
            option = next(each for each, words in OPTIONS.items() if first.startswith(words))
            await table.press(f"CHOOSE {option}")
        elif any("CONFIRM or CANCEL." in line for line in before):
            await table.press("CONFIRM")
        else:
            await table.authority(SHIFT_MANAGER)
        await table.until(lambda: screen.lines != before or screen.code != "ruling")

    async def _settlement(self, plan: PlannedRound) -> None:
        table = self.hardware
        self.face_up = plan
        while any("Pit supervisor: check" in line for line in table.screen.lines):
            before = table.screen.lines
            await table.authority(PIT_SUPERVISOR)
            await table.until(partial(_differs, table.screen, before))
        while table.screen.code != "idle":
            await table.until(partial(_may_be_paid, table))
            await self._pause(4)
            table.screen.refusal = ""
            await table.press("PAID")
            # A table that was restarted meanwhile refuses it until it is on the link again.
            await table.until(lambda: table.screen.code == "idle" or bool(table.screen.refusal))
            if table.screen.code != "idle":
                await asyncio.sleep(_AGAIN_S)

    async def _pause(self, times: float = 1.0) -> None:
        if self._pause_s:
            await asyncio.sleep(self._pause_s * times)


def read_by(settings: TableSettings) -> CardReader:
    """Return the order in which cards leave the source; by hand they are dealt as from a shoe."""
    return "shuffler" if settings.card_source == "shuffler" else "shoe"


def _differs(screen: Screen, lines: tuple[str, ...]) -> bool:
    return screen.lines != lines


def round_number(lines: Iterable[str]) -> int:
    """Read the number of the round that the panel has opened; 0 if it does not show one."""
    found = (re.match(r"Round (\d+): place your bets", line) for line in lines)
    return next((int(match[1]) for match in found if match), 0)


def _by_memory(lines: tuple[str, ...]) -> set[int]:
    """List the seats that are in play without a chip or a key, because they were last time."""
    found = (re.match(r"Seat (\d) by memory", line) for line in lines)
    return {int(match[1]) for match in found if match}


def _with_bonus(lines: tuple[str, ...]) -> set[int]:
    """List the seats whose bonus is placed because it was last time."""
    listed = [line for line in lines if re.match("[A-Z][a-z ]+ by memory: seat", line)]
    return {int(seat) for line in listed for seat in re.findall(r"seat (\d) \$", line)}


def _may_be_paid(table: TableHardware) -> bool:
    """Return whether the panel says what to pay, and waits for nothing before PAID."""
    return table.screen.code == "settling" and _PAID in table.screen.lines


def _asked(lines: tuple[str, ...]) -> tuple[str, str, list[int]]:
    """Parse a question on the panel, such as `BET or FOLD: seats 2, 3`."""
    asked, _, seats = lines[0].partition(": ")
    bet, _, other = asked.partition(" or ")
    return bet, other, [int(number) for number in re.findall(r"\d+", seats)]


def ends_of_dealing(settings: TableSettings, seats: list[int]) -> list[int]:
    """Count the cards after which the deal stops for a decision or a key."""
    ends = []
    cards = 0
    for step in steps_of(settings.rules, read_by(settings)):
        if step.kind in {"burn", "deal"}:
            cards += len(list(targets(step, seats)))
        elif not step.by_deal:
            ends.append(cards)
    return [*ends, cards]
