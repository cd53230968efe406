"""Who has a table of the floor: its simulated dealer, or somebody's hands.

The dealer stops at once when hands come, whatever it was doing; when they are gone, it ends the round
that they have left, and plays on. What the hands do is in `floor_stage.py`, what the dealer does in
`dealer.py`.
"""

import asyncio
from collections.abc import Awaitable, Callable

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
        while not (self._is_free.is_set() and self._is_on()):
            await self._is_free.wait()
            # Hands may come again before somebody switches the table on.
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
        return screen.code not in _BETWEEN_ROUNDS

    def clear_felt(self) -> None:
        """Lift the chips that hands have left: none of them is a bet any more."""
        for seat, bet in self._hardware.spots:
            self._hardware.lift_chip(seat, bet)

    def _is_on(self) -> bool:
        process = self._hardware.process
        return process is not None and process.returncode is None


async def _awaited(work: Awaitable[None]) -> None:
    await work
