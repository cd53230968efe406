"""What a scenario is played on: a table process, its hardware, a broker, a jackpot controller.

The table is the real `underfelt-table` with simulated pins and serial lines; only those
and MQTT are touched. Not simulated here: other tables of the link, and time (a scenario
takes as long as its table does).
"""

import asyncio
import re
import secrets
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import aiomqtt
import msgspec

from firmware.errors import BadInput
from firmware.journal.reader import records
from firmware.link.settings import LinkSettings
from sim.broker import HOST, Broker
from sim.jackpot_controller.process import JackpotProcess
from sim.scenario_language import table_setup
from sim.scenario_language.cards import Cards
from sim.scenario_language.disk import Disk
from sim.scenario_language.reader import Head
from sim.table.angel_eye_shoe import AngelEyeShoe
from sim.table.chips import noticed_chips
from sim.table.hardware import SWITCHED_S, Screen, TableHardware
from sim.table.line_device import LineDevice
from sim.table.table_file import CLOCK_FILE, PIN

EXPECT_TIMEOUT_S = 60.0
"""What takes longer is taken for never; on a busy machine much takes seconds."""
_FAULT = re.compile(r"F[0-9]{3} ")
_SENSED_S = 0.15
"""Longer than the debouncing of a coin spot."""
_NOTICED_S = 5.0
"""A chip that is not noticed for so long lies where the table does not believe the sensor."""
_SHOWN_S = 5.0
"""How long the panel may take to show a settlement before PAID is pressed."""
_ANSWERED_S = 0.03
"""Long enough for a refusal to come back, so that the next sentence can expect it."""


class ScenarioStage:
    """One table, ready to play: `async with ScenarioStage(head, folder, broker) as stage`."""

    def __init__(self, head: Head, folder: Path, broker: Broker) -> None:
        """Build everything; nothing runs yet. One broker may serve many stages, by root topic."""
        self.messages: list[tuple[str, dict[str, Any]]] = []
        self._head = head
        self._folder = folder
        self._broker = broker
        self._stopped: set[str] = set()
        self._hears = False
        """Whether what is said on the link is heard here."""
        self._root = f"underfelt/{secrets.token_hex(4)}"
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        try:
            self._set_up()
            self._stack.push_async_callback(self.hardware.close)
            self._stack.push_async_callback(self.jackpot.stop)
            await self.jackpot.start()
            listener = asyncio.create_task(self._listen())
            self._stack.callback(listener.cancel)
            self._stack.push_async_callback(self._start_broker_again)
            await self._until_heard()
            await self.power_on()
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    def _set_up(self) -> None:
        head, settings = self._head, table_setup.table_settings(self._head)
        place = self._folder / settings.name
        self.disk = Disk(place, table_setup.disk_mb(head))
        self._stack.callback(self.disk.close)
        self._journal_folder = self.disk.folder
        link = LinkSettings(host=HOST, port=self._broker.port, root=self._root)
        self.hardware = TableHardware(settings, link, place, table_setup.display(head))
        file = place / "table.toml"
        text = table_setup.with_additions(
            file.read_text(encoding="utf-8"), head, self._journal_folder
        )
        file.write_text(text, encoding="utf-8")
        self._angel_eye: AngelEyeShoe | None = None
        if head.source == "angel-eye":
            self.hardware.cards.close()
            self._angel_eye = AngelEyeShoe(place / "cards")
            self._stack.callback(self._angel_eye.close)
        self.cards = Cards(self.hardware, self._journal_folder, self._angel_eye)
        jackpot = table_setup.jackpot_settings(head, self._root)
        self.jackpot = JackpotProcess(jackpot, self._folder, self._broker)

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._stack.aclose()

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
            waits = any(line.endswith(": pending") for line in screen.lines)
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
        await self.within(self.hardware.enter(number, pin), "number and PIN")
        await asyncio.sleep(_ANSWERED_S)
        refusal = self.hardware.screen.refusal
        if key:
            self.hardware.set_switch("key", on=False)
            await asyncio.sleep(SWITCHED_S)
            self.hardware.screen.refusal = self.hardware.screen.refusal or refusal

    async def settle_sensors(self) -> None:
        """Wait until the table has noticed what lies on its spots, if it is going to."""
        await asyncio.sleep(_SENSED_S)
        with suppress(TimeoutError):
            async with asyncio.timeout(_NOTICED_S):
                await self.hardware.until(self._chips_are_noticed)

    def _chips_are_noticed(self) -> bool:
        process = self.hardware.process
        is_off = process is None or process.returncode is not None
        return is_off or noticed_chips(self._journal_folder) == self.hardware.chips()

    async def deal(self, count: int | None) -> None:
        """Deal from the deck; without a number, until the table waits for something else."""
        await self.within(self.cards.deal(count), "the card source")
        if count is None:
            await self.until(lambda: self.hardware.screen.code != "dealing")

    async def power_on(self) -> None:
        """Start the firmware and wait until its panel shows something and the link is up."""
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
        await asyncio.to_thread(self._broker.kill)
        await self.until(lambda: not self._hears)

    async def _start_broker(self) -> None:
        """Start the broker, and see to it that nothing about money is said on it unheard.

        A table says such things only to a controller that is there, and once it is answered
        never again; so the controller is held until they are heard here.
        """
        self.jackpot.hold()
        try:
            await asyncio.to_thread(self._broker.start)
            await self._until_heard()
        finally:
            self.jackpot.let_go()

    async def _until_heard(self) -> None:
        if not await self.until(lambda: self._hears):
            raise BadInput("the broker", f"takes no subscription within {EXPECT_TIMEOUT_S:g} s")

    async def _start_broker_again(self) -> None:
        """Leave the broker clean for the next stage."""
        if "broker" in self._stopped:
            await self.switch("broker", on=True)

    def device(self, name: str) -> LineDevice | AngelEyeShoe:
        """Return a serial device by its name."""
        devices = {"panel": self.hardware.panel, "sign": self.hardware.sign}
        return devices.get(name, self._angel_eye or self.hardware.cards)

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

    async def until(self, wanted: Callable[[], bool]) -> bool:
        """Wait for a condition; return whether it was met."""
        with suppress(TimeoutError):
            async with asyncio.timeout(EXPECT_TIMEOUT_S):
                await self.hardware.until(wanted)
                return True
        return False

    async def within(self, work: Awaitable[None], what: str) -> None:
        """Wait until the table has taken a device's message; if it does not, fail."""
        try:
            async with asyncio.timeout(EXPECT_TIMEOUT_S):
                await work
        except TimeoutError:
            raise BadInput(
                what, f"was not taken by the table within {EXPECT_TIMEOUT_S:g} s"
            ) from None

    async def _listen(self) -> None:
        while True:
            try:
                async with aiomqtt.Client(HOST, self._broker.port) as client:
                    await client.subscribe(f"{self._root}/#", qos=1)
                    self._hears = True
                    async for message in client.messages:
                        document = msgspec.json.decode(bytes(message.payload))
                        self.messages.append((message.topic.value, document))
            except aiomqtt.MqttError:
                self._hears = False
                await asyncio.sleep(0.02)


def _shows_a_fault(screen: Screen) -> bool:
    return any(_FAULT.match(line) for line in screen.lines)
