"""A table as the sentences of the language have it: its hardware, its cards, its link, its journal.

Whatever table it is: one that a scenario is played on (`stage.py`), or one of a running floor
(`sim/floor/handover.py`). Only what is outside the firmware is touched.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from firmware.errors import BadInput
from firmware.journal.reader import records
from sim.broker import Broker
from sim.jackpot_controller.process import JackpotProcess
from sim.scenario_language.cards import Cards
from sim.scenario_language.disk import Disk
from sim.spot_board.process import SpotBoardProcess
from sim.table.angel_eye_shoe import AngelEyeShoe
from sim.table.chips import noticed_chips
from sim.table.hardware import SWITCHED_S, Screen, TableHardware
from sim.table.pty_port import PluggedDevice
from sim.table.table_file import CLOCK_FILE, PIN

_FAULT = re.compile(r"F[0-9]{3} ")
_SENSED_S = 0.15
"""Longer than the debouncing of a coin spot."""
_NOTICED_S = 5.0
"""A chip that is not noticed for so long lies where the table does not believe the sensor."""
_SHOWN_S = 5.0
"""How long the panel may take to show a settlement before PAID is pressed."""
_ANSWERED_S = 0.03
"""Long enough for a refusal to come back, so that the next sentence can expect it."""
OFF = "the table is off; 'power on' switches it on"
SPOT_BOARD = "spot board"
_QUIET_S = 0.2
_NEVER_QUIET_S = 3.0
_FIRST_PICTURE_S = 10.0
"""How long the panel of a table that has just been switched on may show nothing."""
_LAMPS_S = 1.7
"""After this long, a cycle of the slowest pattern, it can be told what a lamp does."""


class TableStage:
    """One table that runs, and everything around it that a sentence can reach."""

    hardware: TableHardware
    cards: Cards
    disk: Disk
    jackpot: JackpotProcess
    broker: Broker
    angel_eye: AngelEyeShoe | None = None

    def __init__(self) -> None:
        self._stopped: set[str] = set()

    # What differs from table to table

    @property
    def patience_s(self) -> float:
        """How long to wait for what must come; what takes longer is taken for never."""
        raise NotImplementedError

    @property
    def messages(self) -> Sequence[tuple[str, dict[str, Any]]]:
        """What was said on the link, with its topics."""
        raise NotImplementedError

    @property
    def expects_s(self) -> float:
        """How long to wait for what is expected."""
        return self.patience_s

    def hears(self) -> bool:
        """Return whether what is said on the link is heard here."""
        raise NotImplementedError

    async def let_dealer(self, what: str) -> None:
        """Let a simulated dealer play, rest or finish its round; only a table of a floor has one."""
        raise BadInput(
            f"let the dealer {what}", "this table has no dealer that plays by itself; a floor's has"
        )

    @property
    def _journal_folder(self) -> Path:
        return self.disk.folder

    # What the sentences do

    async def press(self, key: str) -> None:
        """Press a key on the panel; the last refusal is forgotten."""
        self.hardware.screen.refusal = ""
        await self.within(self.hardware.press(key), f"the panel's key {key}")
        await asyncio.sleep(_ANSWERED_S)

    async def awards_known(self) -> None:
        """Wait as a dealer does before ending a round: until every award has arrived."""
        screen = self.hardware.screen

        def known() -> bool:
            waits = any(": pending, " in line for line in screen.lines)
            return not waits or any("Pit supervisor: check" in line for line in screen.lines)

        with suppress(TimeoutError):
            async with asyncio.timeout(_SHOWN_S):
                await self.hardware.until(lambda: screen.code in {"settling", "claiming", "idle"})
        await self.until(known)

    async def authority(self, number: str, *, key: bool = True, pin: str = PIN) -> None:
        """Enter somebody's number and PIN, with the key turned or without."""
        if key:
            self.hardware.set_switch("key", on=True)
            await asyncio.sleep(SWITCHED_S)
        try:
            await self.within(self.hardware.enter(number, pin), "number and PIN")
            await asyncio.sleep(_ANSWERED_S)
        finally:
            refusal = self.hardware.screen.refusal
            if key:
                self.hardware.set_switch("key", on=False)
        if key:
            await asyncio.sleep(SWITCHED_S)
            self.hardware.screen.refusal = self.hardware.screen.refusal or refusal

    async def settle_sensors(self) -> None:
        """Wait until the table has noticed what lies on its spots, if it is going to."""
        await asyncio.sleep(_SENSED_S)
        with suppress(TimeoutError):
            async with asyncio.timeout(_NOTICED_S):
                await self.hardware.until(self._chips_are_noticed)

    def _chips_are_noticed(self) -> bool:
        hardware = self.hardware
        if not self.is_on or not hardware.spots_are_heard:
            return True
        return noticed_chips(self._journal_folder) == hardware.chips()

    async def deal(self, count: int | None) -> None:
        """Deal from the deck; without a number, until the table waits for something else."""
        await self.within(self.cards.deal(count), "the card source")
        if count is None:
            await self.until(lambda: self.hardware.screen.code != "dealing")

    @property
    def is_on(self) -> bool:
        """Whether the firmware runs."""
        process = self.hardware.process
        return process is not None and process.returncode is None

    async def pull_the_plug(self) -> None:
        """Cut the power to the table."""
        if not self.is_on:
            raise BadInput("pull the plug", OFF)
        await self.hardware.kill()

    async def power_on(self) -> None:
        """Start the firmware and wait until its panel shows something and the link is up."""
        if self.is_on:
            raise BadInput("power on", "the table is on")
        screen = self.hardware.screen
        screen.code, screen.meter_cents = "", None
        await self.hardware.start()

        def linked() -> bool:
            # The sign of a table that a fault has locked invites no bets, whatever the link.
            invites = "no jackpot bets" not in screen.sign or _shows_a_fault(screen)
            return screen.meter_cents is not None and invites

        if not await self.until(lambda: bool(screen.code) and (bool(self._stopped) or linked())):
            raise BadInput("the table", f"did not start: {self.log()[-300:]}")

    async def switch(self, part: str, *, on: bool) -> None:
        """Stop or start the broker or the jackpot controller."""
        (self._stopped.discard if on else self._stopped.add)(part)
        if part == "broker":
            await (self._start_broker if on else self._kill_broker)()
        elif on:
            await self.jackpot.start()
        else:
            await self.jackpot.kill()

    async def _kill_broker(self) -> None:
        await asyncio.to_thread(self.broker.kill)
        await self.until(lambda: not self.hears())

    async def _start_broker(self) -> None:
        """Start the broker, and see to it that nothing about money is said on it unheard.

        A table says such things only to a controller that is there, and once it is answered
        never again; so the controller is held until they are heard here.
        """
        self.jackpot.hold()
        try:
            await asyncio.to_thread(self.broker.start)
            await self._until_heard()
        finally:
            self.jackpot.let_go()

    async def _until_heard(self) -> None:
        if not await self.until(self.hears):
            raise BadInput("the broker", f"takes no subscription within {self.patience_s:g} s")

    def device(self, name: str) -> PluggedDevice:
        """Return a serial device by its name."""
        if name == SPOT_BOARD:
            return self.spot_board
        devices = {"panel": self.hardware.panel, "sign": self.hardware.sign}
        return devices.get(name, self.angel_eye or self.hardware.cards)

    @property
    def spot_board(self) -> SpotBoardProcess:
        """The spot board, where there is one."""
        board = self.hardware.spot_board
        if board is None:
            raise BadInput(SPOT_BOARD, "this table has none")
        return board

    async def spoil_sensor(self, seat: int, bet: str, how: str) -> None:
        """Let the sensor of a spot chatter for a second, stay on, or work again."""
        if how == "chatters":
            await self.hardware.chatter(seat, bet, times=50, hz=50)
        else:
            level = True if how == "is stuck" else None
            self.hardware.stick_sensor(seat, bet, level=level)
            await self.settle_sensors()

    def keep_clock(self, *, kept: bool) -> None:
        """Let a time server set the table's clock, or none."""
        file = self.hardware.folder / CLOCK_FILE
        if kept:
            file.touch()
        else:
            file.unlink(missing_ok=True)

    # What is seen

    def journal(self) -> list[dict[str, Any]]:
        """Return the journal so far."""
        return [msgspec.to_builtins(r.event) for r in records(self._journal_folder)]

    def log(self) -> str:
        """Return what the firmware has written to standard error."""
        path = self.hardware.folder / "firmware.log"
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    def distinct_messages(self) -> list[dict[str, Any]]:
        """List the messages that the table has sent, each once."""
        seen: dict[str, dict[str, Any]] = {}
        for topic, message in self.messages:
            if topic.endswith("/owed"):
                seen.setdefault(str(message.get("id")), message)
            else:
                seen[f"{topic} {len(seen)}"] = message
        return list(seen.values())

    def unanswered(self) -> list[str]:
        """List what the table has sent and the controller has not acknowledged."""
        sent = {m["id"] for topic, m in self.messages if topic.endswith("/owed")}
        answered = {
            m["id"]
            for topic, m in self.messages
            if topic.endswith("/answer") and m.get("message") in {"acknowledgement", "award"}
        }
        return sorted(sent - answered)

    # Patience

    async def until(self, wanted: Callable[[], bool], patience_s: float | None = None) -> bool:
        """Wait for a condition; return whether it was met."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self.patience_s if patience_s is None else patience_s):
                await self.hardware.until(wanted)
                return True
        return False

    async def until_quiet(self, *, lamps: bool) -> None:
        """Wait until the panel has said what it has to say, and the lamps can be told if wanted."""
        await self.until(self._has_a_picture, _FIRST_PICTURE_S)
        loop = asyncio.get_running_loop()
        began_s = changed_s = loop.time()
        shown, moves = self._shown(), False
        while loop.time() - began_s < _NEVER_QUIET_S:
            await asyncio.sleep(0.02)
            moves = moves or not self.hardware.lamps_rest()
            if self._shown() != shown:
                shown, changed_s = self._shown(), loop.time()
            told = not (lamps and moves) or loop.time() - began_s > _LAMPS_S
            if told and loop.time() - changed_s > _QUIET_S:
                return

    def _has_a_picture(self) -> bool:
        screen = self.hardware.screen
        return not self.is_on or bool(screen.code and screen.lines)

    def _shown(self) -> tuple[object, ...]:
        screen = self.hardware.screen
        return screen.code, screen.lines, screen.refusal, screen.sign

    async def within(self, work: Awaitable[None], what: str) -> None:
        """Wait until the table has taken a device's message; if it does not, fail."""
        if not self.is_on:
            if asyncio.iscoroutine(work):
                work.close()
            raise BadInput(what, OFF)
        try:
            async with asyncio.timeout(self.patience_s):
                await work
        except TimeoutError:
            raise BadInput(
                what, f"was not taken by the table within {self.patience_s:g} s"
            ) from None


def _shows_a_fault(screen: Screen) -> bool:
    return any(_FAULT.match(line) for line in screen.lines)
