"""A spot board at its port for tests of the table's side: `spot_peer.py`, and what the table is told."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from firmware.devices.sensor_limits import SensorLimits
from firmware.devices.spot_board import SpotBoard
from firmware.table.events import CoinSensed, Event, FaultNoticed, FaultPassed
from tests.devices.intake import FakeIntake
from tests.devices.spot_peer import SpotPeer
from tests.devices.wire import in_a_loop

SPOTS = {(1, "jackpot"): (1, 1), (1, "jackpot_dealer"): (2, 2), (2, "jackpot"): (14, 9)}
LIMITS = SensorLimits(quiet_ms=300)


class Bench:
    """A spot board at its port, and what the table was told."""

    def __init__(self, limits: SensorLimits = LIMITS) -> None:
        self.limits = limits
        self.peer = SpotPeer()
        self.intake = FakeIntake()
        self.judged = False
        self.told: list[Event] = []

    def open(self) -> None:
        """Open the table's side."""
        self.board = SpotBoard(self.peer.path, SPOTS, self.intake, self.limits)
        self.board.when_judged(self._judged)

    def _judged(self) -> None:
        self.judged = True

    async def until(self, wanted: Callable[[], bool]) -> None:
        """Wait until something is so; take what the table is told meanwhile."""
        async with asyncio.timeout(20):
            while not wanted():  # a peer in the same loop has no event for this
                await asyncio.sleep(0.002)
                self._take()
        self._take()

    def _take(self) -> None:
        while not self.intake.events.empty():
            self.told.append(self.intake.events.get_nowait())

    async def known(self) -> None:
        """Wait until the spots are known."""
        await self.until(lambda: self.board.known)

    def faults(self) -> list[str]:
        """List the faults that stand, by what the table was told."""
        standing: list[str] = []
        for event in self.told:
            if isinstance(event, FaultNoticed):
                standing.append(event.code)
            elif isinstance(event, FaultPassed) and event.code in standing:
                standing.remove(event.code)
        return standing

    def chips(self) -> dict[tuple[int, str], bool]:
        """Return which spots have a chip, by what the table was told."""
        sensed = [event for event in self.told if isinstance(event, CoinSensed)]
        return {(event.seat, event.bet): event.present for event in sensed}

    def close(self) -> None:
        """Take everything apart."""
        self.board.close()
        self.peer.close()


@asynccontextmanager
async def at_the_bench(limits: SensorLimits) -> AsyncIterator[Bench]:
    """Put a board on the bench, plugged in, and open the table's side."""
    bench = Bench(limits)
    bench.peer.plug_in()
    bench.open()
    try:
        yield bench
    finally:
        bench.close()


Play = Callable[[Bench], Awaitable[None]]


def play(scene: Play, limits: SensorLimits = LIMITS) -> None:
    """Play a scene with a board that is known already."""

    async def played() -> None:
        async with at_the_bench(limits) as bench:
            await bench.known()
            await scene(bench)

    in_a_loop(played)
