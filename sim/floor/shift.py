"""Who has a table of the floor: its simulated dealer, or somebody's hands.

The dealer stops at once when hands come, whatever it was doing, and goes on when they are gone:
from the phase that it finds. What the hands do is in `floor_stage.py`, what the dealer does in
`dealer.py`.
"""

import asyncio
from collections.abc import Awaitable, Callable

from firmware.journal.reader import records
from firmware.table.table import Table
from sim.table.hardware import TableHardware

_BETWEEN_ROUNDS = frozenset({"idle", "closed", "service"})


class Shift:
    """Lets one of the two work at a table."""

    def __init__(self, hardware: TableHardware) -> None:
        self._hardware = hardware
        self._is_free = asyncio.Event()
        self._is_free.set()
        self._working: asyncio.Task[None] | None = None
        self._is_left_behind = False
        """Whether hands may have left a round that the dealer has not begun."""

    @property
    def is_by_hand(self) -> bool:
        """Whether somebody's hands have the table."""
        return not self._is_free.is_set()

    async def work(self, a_round: Callable[[], Awaitable[None]]) -> None:
        """Let the dealer play a round; it ends early if hands come."""
        await self._is_free.wait()
        await self._hardware.until(self._is_on)
        self._working = asyncio.ensure_future(_awaited(a_round()))
        try:
            await self._working
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if not self.is_by_hand or (task is not None and task.cancelling()):
                self._working.cancel()
                raise

    async def take(self) -> bool:
        """Stop the dealer; return whether it was at work, or would have been."""
        was_free = self._is_free.is_set()
        self._is_free.clear()
        if self._working is not None and not self._working.done():
            self._working.cancel()
            await asyncio.wait([self._working])
            # It may have been entering somebody's PIN.
            self._hardware.set_switch("key", on=False)
        self._is_left_behind = True
        return was_free

    def give_back(self) -> None:
        """Let the dealer go on."""
        self._is_free.set()

    async def is_round_begun(self) -> bool:
        """Return whether there is a round that hands have left."""
        if not self._is_left_behind:
            return False
        screen = self._hardware.screen
        await self._hardware.until(lambda: bool(screen.code))
        self._is_left_behind = False
        if screen.code != "betting":
            self.clear_felt()
        return screen.code not in _BETWEEN_ROUNDS and not self._has_no_bets()

    def clear_felt(self) -> None:
        """Lift the chips that hands have left: none of them is a bet any more."""
        for seat, bet in self._hardware.spots:
            self._hardware.lift_chip(seat, bet)

    def cards_so_far(self) -> tuple[list[str], list[int]]:
        """Return the cards that have left the source in this round, and the seats that are dealt to."""
        play = self._table().state.round
        return list(play.drawn), list(play.dealt)

    def _has_no_bets(self) -> bool:
        """Return whether the bets are open and nobody has bet: then it is a round like any."""
        state = self._table().state
        return state.phase == "betting" and not state.round.seats and not state.chips()

    def _table(self) -> Table:
        events = (record.event for record in records(self._hardware.folder))
        return Table.recovered(self._hardware.settings, events)

    def _is_on(self) -> bool:
        process = self._hardware.process
        return process is not None and process.returncode is None


async def _awaited(work: Awaitable[None]) -> None:
    await work
