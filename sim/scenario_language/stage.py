"""What a scenario is played on: a table process, its hardware, a broker, a jackpot controller.

The table is the real `underfelt-table` with simulated pins and serial lines; only those
and MQTT are touched. Not simulated here: other tables of the link, and time (a scenario
takes as long as its table does).
"""

import asyncio
import secrets
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import aiomqtt
import msgspec
from msgspec import Struct

from firmware.link.settings import LinkSettings
from firmware.table.settings import TableSettings
from sim.broker import HOST, Broker
from sim.emulator.steps import BuildError
from sim.floor.naming import announced_freely
from sim.jackpot_controller.process import JackpotProcess
from sim.scenario_language import table_setup
from sim.scenario_language.cards import Cards
from sim.scenario_language.disk import CannotBePlayed, Disk
from sim.scenario_language.keeping import keep_journal
from sim.scenario_language.reader import Head
from sim.scenario_language.table_stage import TableStage
from sim.table.angel_eye_shoe import AngelEyeShoe
from sim.table.hardware import Fitting, TableHardware

EXPECT_TIMEOUT_S = 60.0
"""What takes longer is taken for never; on a busy machine much takes seconds."""


class Staging(Struct, frozen=True, kw_only=True):
    """How a table is put on: it is found as `sim:` and the name, its journal is copied to `keep`."""

    name: str = table_setup.NAME
    seed: int = 0
    keep: Path | None = None

    @property
    def shuffled_by(self) -> str:
        """What shuffles the cards that nobody names."""
        return f"{self.seed} {self.name}"


_AS_USUAL = Staging()


class ScenarioStage(TableStage):
    """One table, ready to play: `async with ScenarioStage(head, folder, broker) as stage`."""

    def __init__(
        self, head: Head, folder: Path, broker: Broker, staging: Staging = _AS_USUAL
    ) -> None:
        """Build everything; nothing runs yet. One broker may serve many stages, by root topic."""
        super().__init__()
        self.broker = broker
        self._said: list[tuple[str, dict[str, Any]]] = []
        self._head = head
        self._folder = folder
        self._staging = staging
        self.name = staging.name
        self._hears = False
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
            self._announce()
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    def _announce(self) -> None:
        """Let tools find the table while it plays: `underfelt watch sim:NAME`."""
        wanted = {self.name: self.hardware.folder}
        [self.name] = self._stack.enter_context(announced_freely(wanted))

    def _set_up(self) -> None:
        head, settings = self._head, table_setup.table_settings(self._head)
        place = self._folder / settings.name
        self.disk = Disk(place, table_setup.disk_mb(head))
        self._stack.callback(self.disk.close)
        if self._staging.keep is not None:
            # After the firmware has ended, and before its disk is gone.
            self._stack.callback(keep_journal, self.disk.folder, place, self._staging.keep)
        link = LinkSettings(host=HOST, port=self.broker.port, root=self._root)
        self.hardware = self._hardware(settings, link, place)
        file = place / "table.toml"
        text = table_setup.with_additions(file.read_text(encoding="utf-8"), head, self.disk.folder)
        file.write_text(text, encoding="utf-8")
        if head.source == "angel-eye":
            self.hardware.cards.close()
            self.angel_eye = AngelEyeShoe(place / "cards")
            self._stack.callback(self.angel_eye.close)
        self.cards = Cards(
            self.hardware, self.disk.folder, self.angel_eye, self._staging.shuffled_by
        )
        jackpot = table_setup.jackpot_settings(head, self._root)
        self.jackpot = JackpotProcess([jackpot], self._folder, self.broker)

    def _hardware(self, settings: TableSettings, link: LinkSettings, place: Path) -> TableHardware:
        head = self._head
        fitted = Fitting(display=table_setup.display(head), wiring=table_setup.wiring(head))
        try:
            return TableHardware(settings, link, place, fitted)
        except BuildError as error:
            raise CannotBePlayed(f"the table needs a spot board, but {error}") from None

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._stack.aclose()

    @property
    def patience_s(self) -> float:
        """How long to wait for what must come."""
        return EXPECT_TIMEOUT_S

    @property
    def messages(self) -> Sequence[tuple[str, dict[str, Any]]]:
        """What was said on the link, with its topics."""
        return self._said

    def hears(self) -> bool:
        """Return whether what is said on the link is heard here."""
        return self._hears

    async def _start_broker_again(self) -> None:
        """Leave the broker clean for the next stage."""
        if "broker" in self._stopped:
            await self.switch("broker", on=True)

    async def _listen(self) -> None:
        while True:
            try:
                async with aiomqtt.Client(HOST, self.broker.port) as client:
                    await client.subscribe(f"{self._root}/#", qos=1)
                    self._hears = True
                    async for message in client.messages:
                        document = msgspec.json.decode(bytes(message.payload))
                        self._said.append((message.topic.value, document))
            except aiomqtt.MqttError:
                self._hears = False
                await asyncio.sleep(0.02)
