"""The jackpot controller as a separate process, for floors and scenarios."""

import asyncio
import signal
from pathlib import Path

from firmware.link.settings import LinkSettings
from sim import lifeline
from sim.broker import HOST, Broker
from sim.connection import as_options
from sim.jackpot_controller.schema import JackpotLinkSettings


class JackpotProcess:
    """One link's controller; its books are in the folder and outlive the process."""

    def __init__(
        self,
        link: JackpotLinkSettings,
        folder: Path,
        broker: Broker,
        connection: LinkSettings | None = None,
    ) -> None:
        """Take what it serves, and where: a broker of this machine, or any connection."""
        self.process: asyncio.subprocess.Process | None = None
        self._link = link
        self._folder = folder
        self._connection = connection or LinkSettings(host=HOST, port=broker.port, root=link.root)

    async def start(self) -> None:
        """Start or restart it."""
        link = self._link
        with (self._folder / "jackpot.log").open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *lifeline.module("sim.jackpot_controller", "run", *as_options(self._connection)),
                *("--game", link.game),
                *("--database", str(self._folder / "jackpot.sqlite")),
                *("--reset-cents", str(link.reset_cents)),
                *("--rate-basis-points", str(link.rate_basis_points)),
                stdin=asyncio.subprocess.PIPE,
                stdout=log,
                stderr=log,
                # Control-C is for the parent, which then stops it.
                process_group=0,
            )

    async def stop(self) -> None:
        """Ask it to end, and wait until it has."""
        await self._end(signal.SIGTERM)

    async def kill(self) -> None:
        """End it as a power cut would."""
        await self._end(signal.SIGKILL)

    def hold(self) -> None:
        """Let it do nothing, until it is let go."""
        self._signal(signal.SIGSTOP)

    def let_go(self) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT)

    async def _end(self, number: signal.Signals) -> None:
        self._signal(number)
        if self.process is not None:
            await self.process.wait()

    def _signal(self, number: signal.Signals) -> None:
        if self.process is not None and self.process.returncode is None:
            self.process.send_signal(number)
