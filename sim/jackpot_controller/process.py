"""The jackpot controller as a separate process, for floors and scenarios: of one link, or of several."""

import asyncio
import signal
from collections.abc import Sequence
from pathlib import Path

import msgspec

from firmware.link.settings import LinkSettings
from sim import lifeline
from sim.broker import HOST, Broker
from sim.connection import as_options
from sim.jackpot_controller.schema import JackpotLinkSettings


class JackpotProcess:
    """The controller of one link or several; its books are in the folder and outlive the process."""

    def __init__(
        self,
        links: JackpotLinkSettings | Sequence[JackpotLinkSettings],
        folder: Path,
        broker: Broker,
        connection: LinkSettings | None = None,
    ) -> None:
        """Take what it serves, and where: a broker of this machine, or any connection."""
        self.process: asyncio.subprocess.Process | None = None
        self._links = [links] if isinstance(links, JackpotLinkSettings) else list(links)
        self._folder = folder
        root = self._links[0].root
        self._connection = connection or LinkSettings(host=HOST, port=broker.port, root=root)

    async def start(self) -> None:
        """Start or restart it."""
        with (self._folder / "jackpot.log").open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *lifeline.module("sim.jackpot_controller", "run", *as_options(self._connection)),
                *("--database", str(self._folder / "jackpot.sqlite")),
                *self._served(),
                stdin=asyncio.subprocess.PIPE,
                stdout=log,
                stderr=log,
                # Control-C is for the parent, which then stops it.
                process_group=0,
            )

    def _served(self) -> list[str]:
        """Return the options that describe what it serves: several links are in a file."""
        if len(self._links) == 1:
            link = self._links[0]
            cents = ("--reset-cents", str(link.reset_cents))
            return ["--game", link.game, *cents, f"--rate-basis-points={link.rate_basis_points}"]
        file = self._folder / "links.toml"
        lines = []
        for link in self._links:
            given = {k: v for k, v in msgspec.to_builtins(link).items() if v is not None}
            lines += [
                "[[link]]",
                *(f"{k} = {msgspec.json.encode(v).decode()}" for k, v in given.items()),
            ]
        file.write_text("\n".join([*lines, ""]), encoding="utf-8")
        return ["--links", str(file)]

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
