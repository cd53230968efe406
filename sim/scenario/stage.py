"""What a scenario is played on: a table process, its hardware, a broker, a jackpot controller.

The table is the real `underfelt-table` with simulated pins and serial lines; only those
and MQTT are touched. Not simulated here: other tables of the link, and time (a scenario
takes as long as its table does).
"""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import aiomqtt
import msgspec

from firmware.errors import BadInput
from firmware.journal.reader import records
from firmware.link.settings import LinkSettings
from firmware.rules.dealing import card_order
from firmware.table.settings import TableSettings
from firmware.table.table import Table
from sim.broker import HOST, Broker
from sim.dealer import ends_of_dealing, read_by
from sim.hardware import TableHardware
from sim.jackpot import schema as jackpots
from sim.jackpot.process import JackpotProcess
from sim.line_device import LineDevice
from sim.scenario.language import Head, cents

ROOT = "underfelt"
PATIENCE_S = 10.0
_SENSED_S = 0.15
"""Longer than the debouncing of a coin spot."""


class Stage:
    """One table, ready to play: `async with Stage(head, folder, broker) as stage`."""

    def __init__(self, head: Head, folder: Path, broker: Broker) -> None:
        self.head = head
        self.folder = folder
        self.deck: list[str] = []
        self._dealt = 0
        self.messages: list[tuple[str, dict[str, Any]]] = []
        self._broker = broker
        self._stack = AsyncExitStack()
        settings, jackpot = table_settings(head), jackpot_settings(head)
        link = LinkSettings(host=HOST, port=broker.port, root=ROOT)
        self.hardware = TableHardware(settings, link, folder / settings.name)
        self.jackpot = JackpotProcess(jackpot, folder, broker)

    async def __aenter__(self) -> Self:
        try:
            self._stack.push_async_callback(self.hardware.close)
            self._stack.push_async_callback(self.jackpot.stop)
            await self.jackpot.start()
            listener = asyncio.create_task(self._listen())
            self._stack.callback(listener.cancel)
            await self.power_on()
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._stack.aclose()

    # What the sentences do

    async def press(self, key: str) -> None:
        """Press a key of the panel; what the last key was refused for is forgotten."""
        self.hardware.screen.refusal = ""
        await self.within(self.hardware.press(key), f"the panel's key {key}")

    async def authority(self, number: str) -> None:
        """Let somebody confirm with key, number and PIN."""
        self.hardware.screen.refusal = ""
        await self.within(self.hardware.authority(number), f"number {number}")

    async def settle_sensors(self) -> None:
        """Give the table the time that a sensor needs to be believed."""
        await asyncio.sleep(_SENSED_S)

    def dealt_seats(self) -> list[int]:
        """List the seats that are dealt a hand, as the table remembers it."""
        events = (record.event for record in records(self.hardware.folder))
        dealt = Table.recovered(self.hardware.settings, events).state.round.dealt
        if not dealt:
            raise BadInput("deal", "nobody is to be dealt a hand; are the bets closed?")
        return dealt

    async def deal_on(self) -> None:
        """Deal from the deck until the table waits for a decision or a key."""
        settings, source = self.hardware.settings, read_by(self.hardware.settings)
        seats = self.dealt_seats()
        order = card_order(settings.rules, source, seats)
        until = next(end for end in ends_of_dealing(settings, seats) if end > self._dealt)
        while self._dealt < until:
            rest, count = order[self._dealt : until], 1
            if source == "shuffler":
                count = len(next(list(alike) for _, alike in groupby(rest)))
            cards = self.deck[self._dealt : self._dealt + count]
            self._dealt += count
            if source == "shuffler":
                await self.within(self.hardware.dispense(cards), "the shuffler")
            else:
                await self.within(self.hardware.draw(cards[0]), "the shoe")
        await self.until(lambda: self.hardware.screen.code != "dealing")

    def new_deck(self, deck: list[str]) -> None:
        """Put a deck into the source."""
        self.deck, self._dealt = deck, 0

    async def power_on(self) -> None:
        """Start the firmware and wait until its panel shows something and the link is up."""
        screen = self.hardware.screen
        screen.code, screen.meter_cents = "", None
        await self.hardware.start()
        if not await self.until(lambda: bool(screen.code) and screen.meter_cents is not None):
            raise BadInput("the table", f"did not start; see {self.hardware.folder}/firmware.log")

    async def switch(self, part: str, *, on: bool) -> None:
        """Stop or start the broker or the jackpot controller."""
        if part == "broker":
            await asyncio.to_thread(self._broker.start if on else self._broker.kill)
        elif on:
            await self.jackpot.start()
        else:
            await self.jackpot.kill()

    def device(self, name: str) -> LineDevice:
        """Find a serial device by its name."""
        devices = {"panel": self.hardware.panel, "sign": self.hardware.sign}
        return devices.get(name, self.hardware.cards)

    async def spoil_sensor(self, seat: int, how: str) -> None:
        """Let the sensor of a spot chatter for a second, or stay on whatever lies there."""
        if how == "chatters":
            await self.hardware.chatter(seat, times=50, hz=50)
        else:
            self.hardware.stick_sensor(seat, level=True)

    # What is seen

    def journal(self) -> list[dict[str, Any]]:
        """Read what the table has written down so far."""
        return [msgspec.to_builtins(r.event) for r in records(self.hardware.folder)]

    def distinct_messages(self) -> list[dict[str, Any]]:
        """List what the table has said on the link, each message once."""
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
        """Wait for something to be seen, and say whether it was."""
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_S):
                await self.hardware.until(wanted)
                return True
        return False

    async def within(self, work: Any, what: str) -> None:  # noqa: ANN401  # any awaitable
        """Wait for a device to be heard; a table that does not listen is a failure."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                await work
        except TimeoutError:
            raise BadInput(what, f"was not taken by the table within {PATIENCE_S:g} s") from None

    async def _listen(self) -> None:
        while True:
            try:
                async with aiomqtt.Client(HOST, self._broker.port) as client:
                    await client.subscribe(f"{ROOT}/#", qos=1)
                    async for message in client.messages:
                        document = msgspec.json.decode(bytes(message.payload))
                        self.messages.append((message.topic.value, document))
            except aiomqtt.MqttError:
                await asyncio.sleep(0.2)


def table_settings(head: Head) -> TableSettings:
    """Make the settings of the table that a scenario names."""
    chosen = head.settings
    low, _, high = chosen.get("ante", "$25 to $1,000").partition(" to ")
    document = {
        "name": "T1",
        "game": head.game,
        "seats": head.seats,
        "card_source": "shoe" if head.source == "angel-eye" else head.source,
        "ante_min_cents": cents(low),
        "ante_max_cents": cents(high),
        "jackpot_bet_cents": cents(chosen.get("jackpot bet", "$5")),
        "house_policy": chosen.get("policy", "close table").replace(" ", "_"),
        "lucky_seat_one_in": int(chosen.get("lucky seat", "0")),
        "lucky_dealer_one_in": int(chosen.get("lucky dealer", "0")),
    }
    return msgspec.convert(document, TableSettings)


def jackpot_settings(head: Head) -> jackpots.LinkSettings:
    """Make the link that a scenario names; a fifth of each stake goes to its meter."""
    chosen = head.settings
    return jackpots.LinkSettings(
        head.game, cents(chosen.get("meter", "$100,000")), rate_basis_points=2_000, root=ROOT
    )
