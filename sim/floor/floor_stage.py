"""A table of a running floor as the sentences of the scenario language have it.

Its broker and its jackpot controller are those of the whole floor. Who has the table, the
dealer or somebody's hands, is in `shift.py`; how sentences arrive is in `hands.py`.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from firmware.errors import BadInput
from sim.floor.dealer import Dealer
from sim.scenario_language.cards import Cards
from sim.scenario_language.disk import Disk
from sim.scenario_language.table_stage import OFF, TableStage

if TYPE_CHECKING:
    # The floor has such a stage for each of its tables.
    from sim.floor.floor import Floor

_PATIENCE_S = 60.0
_NO_DISK = "no table of a floor has one, but a scenario's may: 'underfelt-sim play'"
_EXPECTED_S = 20.0
"""How long a person waits for what should be seen; a scenario waits longer."""


class FloorStage(TableStage):
    """One table of a floor."""

    def __init__(self, dealer: Dealer, floor: "Floor") -> None:
        super().__init__()
        self._stopped = floor.stopped_parts
        self._floor = floor
        self._dealer = dealer
        self.hardware = dealer.hardware
        self.broker, self.jackpot = floor.broker, floor.jackpot
        self.disk = Disk(self.hardware.folder, None, remedy=_NO_DISK)
        seed = f"{floor.settings.seed} hands at {self.hardware.settings.name}"
        self.cards = Cards(self.hardware, self.hardware.folder, None, seed)
        self.cards.goes_on = True

    @property
    def name(self) -> str:
        """The name by which people find the table."""
        return self._floor.name_of(self.hardware.settings.name)

    @property
    def patience_s(self) -> float:
        """How long the table may take."""
        return _PATIENCE_S

    @property
    def expects_s(self) -> float:
        """How long to wait for what is expected."""
        return _EXPECTED_S

    @property
    def messages(self) -> Sequence[tuple[str, dict[str, Any]]]:
        """What was said on the link lately, to and by this table."""
        mine = f"table/{self.hardware.settings.name}/"
        said = [(topic, text) for topic, text in list(self._floor.messages) if mine in topic]
        told: list[tuple[str, dict[str, Any]]] = []
        for topic, text in said:
            with suppress(msgspec.DecodeError):
                told.append((topic, msgspec.json.decode(text)))
        return told

    def hears(self) -> bool:
        """Say that the link is heard: the floor listens as long as it runs."""
        return True

    async def let_dealer(self, what: str) -> None:
        """Let the simulated dealer go on, stop it, or let it finish its round first."""
        shift = self._dealer.shift
        if what == "play":
            await self._open_table()
            self._dealer.rests = False
            shift.give_back()
        elif what == "rest":
            await shift.take()
        else:
            await self._let_finish()

    async def _open_table(self) -> None:
        """Open a table that somebody has closed: else the dealer would wait for ever."""
        if self.is_on and self.hardware.screen.code == "closed":
            await self.press("OPENTABLE")

    async def _let_finish(self) -> None:
        if not self.is_on:
            raise BadInput("let the dealer finish", OFF)
        shift, screen = self._dealer.shift, self.hardware.screen
        self._dealer.rests = True
        try:
            shift.give_back()
            over = await self.until(lambda: screen.code in {"idle", "closed"})
            await shift.take()
        finally:
            self._dealer.rests = False
        if not over:
            raise BadInput(
                "let the dealer finish", "the round does not end; the panel says what it waits for"
            )

    async def switch(self, part: str, *, on: bool) -> None:
        """Stop or start the broker or the jackpot controller, of the whole floor."""
        settings = self._floor.settings
        if settings.link is not None if part == "broker" else not settings.controller:
            raise BadInput(f"the {part}", "was not started by this floor, so it cannot be stopped")
        if on == (part not in self._stopped):
            raise BadInput(f"the {part}", "runs already" if on else "is stopped already")
        (self._stopped.discard if on else self._stopped.add)(part)
        if part == "broker":
            await asyncio.to_thread(self.broker.start if on else self.broker.kill)
        elif on:
            await self.jackpot.start()
        else:
            await self.jackpot.kill()
