"""A floor of linked tables: a broker, a jackpot controller and tables, each its own process.

Every table has its own seeded dealer, so a seed deals the same rounds to the same tables;
how fast each table plays is up to the machine. Tables of one game share a link; where several games
are played, one controller serves a link of each. The display is in `view.py`.
"""

import asyncio
import os
from collections import deque
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from functools import partial
from itertools import cycle
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Literal, Self

import aiomqtt
from msgspec import Struct
from msgspec.structs import replace

from firmware.errors import UnderfeltError
from firmware.link.mqtt import LinkSettings
from firmware.table.settings import TableSettings
from sim.broker import HOST, Broker, EmbeddedBroker
from sim.connection import connected, named
from sim.floor.dealer import Dealer
from sim.floor.floor_stage import FloorStage
from sim.floor.hands import Hands
from sim.floor.left_open import changed_while_open
from sim.floor.naming import announced_freely
from sim.floor.onlookers import Onlookers
from sim.floor.running import held
from sim.jackpot_controller import schema as jackpots
from sim.jackpot_controller.process import JackpotProcess
from sim.table.hardware import Fitting, TableHardware

ROOT = "underfelt"
_MESSAGES_KEPT = 200


class FloorError(UnderfeltError):
    """Something on the floor ended unexpectedly."""


class FloorSettings(Struct, frozen=True, kw_only=True):
    """What a floor is made of."""

    tables: int = 3
    seed: int = 7
    seats: int = 5
    game: str = "rws-multilink-stud"
    games: tuple[str, ...] = ()
    """Of several, the tables take them in turn, and each has its own link; empty: only `game`."""
    card_source: Literal["shoe", "shuffler", "manual", "angel-eye"] = "shoe"
    royals: tuple[tuple[int, int], ...] = ()
    """Tables and seats that are dealt a royal flush, each in the next round of its table."""
    reset_cents: int = 10_000_000
    rate_basis_points: int = 5_000
    pause_s: float = 0.0
    broker: type[Broker] = EmbeddedBroker
    link: LinkSettings | None = None
    """A broker that runs already, with its certificates; then none is started."""
    controller: bool = True
    """Whether to start the stand-in controller."""
    hardware: Callable[[TableSettings, LinkSettings, Path], TableHardware] = TableHardware

    @property
    def played(self) -> tuple[str, ...]:
        """The games on the floor."""
        return self.games or (self.game,)

    def game_of(self, number: int) -> str:
        """Return the game of a table, counted from 1."""
        return self.played[(number - 1) % len(self.played)]


class Floor:
    """A running floor: `async with Floor(folder, settings) as floor`."""

    def __init__(self, folder: Path, settings: FloorSettings) -> None:
        self.settings = settings
        self.folder = folder
        self.tables: list[TableHardware] = []
        self.dealers: list[Dealer] = []
        self.names: dict[str, str] = {}
        """By which names the tables are found; as they are called, unless another floor has such."""
        self.messages: deque[tuple[str, str]] = deque(maxlen=_MESSAGES_KEPT)
        self.onlookers = Onlookers()
        self.on_change: Callable[[], None] = lambda: None
        self.stopped_parts: set[str] = set()
        """What hands at any table have stopped: the broker, the jackpot controller."""
        self.broker = settings.broker(folder)
        self.link = settings.link or LinkSettings(host=HOST, port=self.broker.port, root=ROOT)
        links = [
            jackpots.JackpotLinkSettings(
                game, settings.reset_cents, settings.rate_basis_points, root=self._root_of(game)
            )
            for game in settings.played
        ]
        self.jackpot = JackpotProcess(links, folder, self.broker, named(self.link, "controller"))
        self._listening = asyncio.Event()
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        try:
            await self._start()
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

    async def play(self, rounds: int | None = None) -> None:
        """Let every dealer play, for ever if no number is given; a table that ends is an error."""
        watching = [asyncio.create_task(self._watch(dealer)) for dealer in self.dealers]
        playing = asyncio.create_task(self._all_play(rounds))
        try:
            await asyncio.wait([playing, *watching], return_when=asyncio.FIRST_COMPLETED)
            for ended in watching:
                if ended.done():
                    ended.result()
            await playing
        finally:
            for task in (playing, *watching):
                task.cancel()

    async def _all_play(self, rounds: int | None) -> None:
        async with asyncio.TaskGroup() as tasks:
            for dealer in self.dealers:
                tasks.create_task(dealer.play(rounds))

    async def _watch(self, dealer: Dealer) -> None:
        """Fail if a table ends, unless somebody's hands have switched it off."""
        table = dealer.hardware
        while table.process is not None:
            process = table.process
            status = await process.wait()
            if not dealer.shift.is_by_hand:
                log = table.folder / "firmware.log"
                raise FloorError(
                    f"table {table.settings.name} has ended with status {status}: see {log}"
                )
            await table.until(lambda ended=process: table.process is not ended)  # type: ignore[misc]

    async def _start(self) -> None:
        self._stack.callback(self.onlookers.leave)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._stack.enter_context(held(self.folder))
        tables = map(self._table, range(1, self.settings.tables + 1))
        if changed := changed_while_open(self.folder, tables):
            raise FloorError(changed)
        if self.settings.link is None:
            self._stack.enter_context(self.broker)
        if self.settings.controller:
            self._stack.push_async_callback(self.jackpot.stop)
            await self.jackpot.start()
        listener = asyncio.create_task(self._listen())
        self._stack.callback(listener.cancel)
        # So that nothing that a table says goes unheard.
        await self._listening.wait()
        for number in range(1, self.settings.tables + 1):
            hardware = self._hardware(number)
            self._stack.push_async_callback(hardware.close)
            hardware.on_change = self._changed
            rng = Random(f"{self.settings.seed} table {number}")
            self.tables.append(hardware)
            dealer = Dealer(hardware, rng, pause_s=self.settings.pause_s)
            dealer.royals += [seat for table, seat in self.settings.royals if table == number]
            self.dealers.append(dealer)
            await hardware.start()
        await self._show_in()

    async def _show_in(self) -> None:
        """Let tools find the tables by their names, and let hands reach them."""
        wanted = {table.settings.name: table.folder for table in self.tables}
        known_as = self._stack.enter_context(announced_freely(wanted))
        self.names = dict(zip(wanted, known_as, strict=True))
        for dealer in self.dealers:
            hands = Hands(dealer, FloorStage(dealer, self))
            await hands.start()
            self._stack.callback(hands.close)

    def name_of(self, table: str) -> str:
        """Return the name by which a table is found on this machine, where other floors may run."""
        return self.names.get(table, table)

    def _hardware(self, number: int) -> TableHardware:
        settings, make = self._table(number), self.settings.hardware
        root = self._root_of(settings.game)
        link = replace(named(self.link, settings.name), root=root)
        if self.settings.card_source == "angel-eye":
            make = partial(TableHardware, fitted=Fitting(card_protocol="angel-eye"))
        return make(settings, link, self.folder / settings.name)

    def _root_of(self, game: str) -> str:
        """Return the root topic of a game: that of the floor if no other game is played."""
        alone = len(self.settings.played) == 1
        return self.link.root if alone else f"{self.link.root}/{game}"

    def _table(self, number: int) -> TableSettings:
        source = self.settings.card_source
        return TableSettings(
            name=f"T{number}",
            game=self.settings.game_of(number),
            card_source="shoe" if source == "angel-eye" else source,
            seats=self.settings.seats,
            ante_min_cents=2_500,
            ante_max_cents=100_000,
            jackpot_bet_cents=500,
        )

    async def _listen(self) -> None:
        """Keep what passes over the link, for the view.

        Where certificates confine it, it sees what the controller may see, or a table.
        """
        link = named(self.link, "controller" if self.settings.controller else "T1")
        for broker in cycle(link.brokers):
            with suppress(aiomqtt.MqttError, OSError):
                async with connected(link, broker, f"view-{os.getpid()}") as client:
                    await client.subscribe(f"{link.root}/#")
                    self._listening.set()
                    async for message in client.messages:
                        topic = message.topic.value.removeprefix(f"{link.root}/")
                        self.messages.append((topic, bytes(message.payload).decode()))
                        self._changed()
            await asyncio.sleep(0.5)

    def _changed(self) -> None:
        self.on_change()
