"""Somebody who looks at each table of a floor: reads what it shows, as `underfelt watch` does.

They come when the floor is first drawn, and not before: a floor that nobody draws is not read. A
table without a socket here, as on an emulated Pi, is known by its devices. How a table is drawn
is in `host_tools/watch/view.py`.
"""

import asyncio
from functools import partial
from pathlib import Path

from firmware.maintenance import SOCKET
from firmware.table.public import PublicSeat, PublicTable
from host_tools.watch.following import follow
from host_tools.watch.view import TableView
from sim.floor.dealer import Dealer


class Onlookers:
    """One onlooker for each table that was asked for."""

    def __init__(self) -> None:
        self._seen: dict[str, TableView] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def see(self, dealer: Dealer) -> TableView:
        """Return a table as it shows itself; until it has answered, as its devices show it."""
        name = dealer.hardware.settings.name
        if name not in self._tasks:
            target = f"unix:{dealer.hardware.folder / Path(SOCKET).name}"
            take = partial(self._seen.__setitem__, name)
            self._tasks[name] = asyncio.create_task(follow(target, take))
        seen = self._seen.get(name)
        if seen is None or seen.table is None:
            return from_devices(dealer)
        return seen

    def is_read(self, dealer: Dealer) -> bool:
        """Return whether a table says itself what it shows."""
        seen = self._seen.get(dealer.hardware.settings.name)
        return seen is not None and seen.table is not None

    def leave(self) -> None:
        """Look no more."""
        for task in self._tasks.values():
            task.cancel()
        self._tasks.clear()


def from_devices(dealer: Dealer) -> TableView:
    """Return a table as its lamps, panel and sign show it, and its hands as they lie.

    A lamp that blinks is lit or dark: which pattern it is, one look does not tell.
    """
    hardware, screen, plan = dealer.hardware, dealer.hardware.screen, dealer.face_up
    name = hardware.settings.name
    if not screen.code:
        return TableView(name, problem="starting …")
    hands = {} if plan is None else plan.hands
    return TableView(
        name,
        PublicTable(
            name=name,
            game=hardware.settings.game,
            phase=screen.code,
            round=dealer.round_number,
            seats=tuple(
                _seat(dealer, seat, tuple(hands.get(seat, ())))
                for seat in range(1, hardware.settings.seats + 1)
            ),
            dealer=() if plan is None else plan.dealer,
            community=() if plan is None else plan.community,
            prompt=screen.lines,
            sign=screen.sign,
            meter_cents=screen.meter_cents,
            currency=hardware.settings.currency,
            link_healthy=True,
            link_problem="",
            owed=0,
            claims=(),
            pending=(),
            faults=(),
        ),
        "",
        by_devices=True,
    )


def _seat(dealer: Dealer, seat: int, cards: tuple[str, ...]) -> PublicSeat:
    hardware = dealer.hardware
    bets = hardware.settings.rules.jackpot_bets
    lit = {bet: hardware.lamps[seat, bet].lit for bet in bets}
    chips = hardware.chips()
    folded = dealer.face_up is not None and not dealer.face_up.stays.get(seat, True)
    return PublicSeat(
        seat=seat,
        chips=tuple(bet for bet in bets if (seat, bet) in chips),
        lamps={bet: "steady" if on else "off" for bet, on in lit.items()},
        stakes={},
        decision="fold" if folded else "",
        cards=cards,
    )
