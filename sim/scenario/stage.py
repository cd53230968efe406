"""What a scenario is played on: a table process, its hardware, a broker, a jackpot controller.

The table is the real `underfelt-table` with simulated pins and serial lines; only those
and MQTT are touched. Not simulated here: other tables of the link, and time (a scenario
takes as long as its table does).
"""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import aiomqtt
import msgspec

from firmware.errors import BadInput
from firmware.journal.reader import records_of
from firmware.link.settings import BrokerAddress, LinkSettings
from firmware.rules.dealing import card_order
from firmware.table.settings import TableSettings
from sim.broker import HOST, Broker
from sim.hardware import TableHardware
from sim.jackpot.process import JackpotProcess, JackpotSettings
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
        self.messages: list[tuple[str, dict[str, Any]]] = []
        self._broker = broker
        self._dealt = 0
        self._stack = AsyncExitStack()
        settings, jackpot = table_settings(head), jackpot_settings(head)
        link = LinkSettings(brokers=(BrokerAddress(host=HOST, port=broker.port),), root=ROOT)
        self.hardware = TableHardware(settings, link, folder / settings.name)
        self.jackpot = JackpotProcess(jackpot, folder, broker, ROOT)

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

    async def authority(self, number: str, pin: str) -> None:
        """Turn the key, let somebody enter number and PIN, and turn it back."""
        self.hardware.set_switch("key", on=True)
        await self.settle_sensors()
        await self.press(f"AUTH {number} {pin}")
        self.hardware.set_switch("key", on=False)
        await self.settle_sensors()

    async def settle_sensors(self) -> None:
        """Give the table the time that a sensor needs to be believed."""
        await asyncio.sleep(_SENSED_S)

    def dealt_seats(self) -> list[int]:
        """List the seats that are dealt a hand, as the journal has them."""
        closed = [event for event in self.journal() if event["event"] == "bets_closed"]
        if not closed:
            raise BadInput("deal", "the bets are not closed yet")
        return self.hardware.dealt_seats()

    async def deal_on(self) -> None:
        """Deal from the deck until the table waits for something else."""
        screen, settings = self.hardware.screen, self.hardware.settings
        source = "shuffler" if settings.card_source == "shuffler" else "shoe"
        order = card_order(settings.rules, source, self.dealt_seats())
        self._dealt = len(order) - len(self.deck)
        while screen.code == "dealing" and self.deck:
            first = self._dealt
            count = 1
            while source == "shuffler" and order[first : first + count + 1] == (
                (order[first],) * (count + 1)
            ):
                count += 1
            cards, self.deck = self.deck[:count], self.deck[count:]
            self._dealt += count
            before = screen.shown
            if source == "shuffler":
                await self.within(self.hardware.dispense(cards), "the shuffler")
            else:
                await self.within(self.hardware.draw(cards[0]), "the shoe")
            await self.until(lambda before=before: screen.shown != before)

    async def power_on(self) -> None:
        """Start the firmware and wait until its panel shows something and the link is up."""
        self.hardware.screen.code = ""
        await self.hardware.start()
        await self.until(lambda: bool(self.hardware.screen.code))

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
        """Let the sensor of a spot chatter for a second, or stay on."""
        if how == "is stuck":
            self.hardware.place_chip(seat)
            return
        for level in range(60):
            if level % 2:
                self.hardware.lift_chip(seat)
            else:
                self.hardware.place_chip(seat)
            await asyncio.sleep(0.01)
        self.hardware.lift_chip(seat)

    # What is seen

    def journal(self) -> list[dict[str, Any]]:
        """Read what the table has written down so far."""
        return [msgspec.to_builtins(r.event) for r in records_of(self.hardware.journal_folder)]

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


def jackpot_settings(head: Head) -> JackpotSettings:
    """Make the link that a scenario names; a whole stake goes to the meter unless told."""
    chosen = head.settings
    return JackpotSettings(
        game=head.game,
        reset_cents=cents(chosen.get("reset", "$50,000")),
        start_cents=cents(chosen.get("meter", "$100,000")),
        rate_basis_points=2_000,
    )
