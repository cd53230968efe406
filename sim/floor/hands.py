r"""The hands and eyes of a technician at a simulated table, over a socket in its folder.

    {"do": "chip", "seat": 3, "bet": "jackpot", "on": true}\n   put a chip down, or lift it
    {"do": "press", "key": "CLOSETABLE"}\n                       press a key on the panel
    {"do": "switch", "switch": "cover", "on": false}\n          move the cover, the key or the main
                                                               supply ("power_good")
    {"do": "draw"}\n                                             have the card source read a card
    {"do": "rest", "on": true}\n                                stop the dealer opening rounds
    {"do": "look"}\n                                             report lamps, panel and sign
    {"do": "say", "sentence": "coins 1 3"}\n                    a sentence of the scenario language
    {"do": "complete", "sentence": "coi"}\n                     list the sentences that begin so
    {"do": "language"}\n                                        list every form; "sentence": with these words

Every line is answered with one document, which says what is visible then. `underfelt test --auto`
uses the moves, `underfelt-sim hands` the sentences (`saying.py`); nothing is moved but the
simulated hardware.
"""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from firmware.rules.cards import CODES
from sim.floor.dealer import Dealer
from sim.floor.floor_stage import FloorStage
from sim.floor.saying import Saying, Visit
from sim.table.visible import VisibleTable, visible

HANDS_FILE = "hands.sock"
_TAKEN_S = 10.0


class Move(Struct, frozen=True, forbid_unknown_fields=True):
    """One action of the hands or eyes."""

    do: Literal["chip", "press", "switch", "draw", "rest", "look", "say", "complete", "language"]
    seat: int = 0
    bet: str = "jackpot"
    on: bool = False
    key: str = ""
    switch: Literal["power_good", "cover", "key"] = "key"
    sentence: str = ""
    block: tuple[str, ...] = ()
    """The hands below a deal."""
    stay: bool = False
    """Whether the dealer rests on when whoever says this has hung up."""
    glance: bool = False
    """Whether to answer before it can be told what the lamps do."""


class Hands:
    """Serves the socket beside a table."""

    def __init__(self, dealer: Dealer, stage: FloorStage) -> None:
        self._dealer = dealer
        self._saying = Saying(stage, dealer.shift)
        self._hardware = dealer.hardware
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Start serving."""
        path = self._hardware.folder / HANDS_FILE
        _remove(path)
        self._server = await asyncio.start_unix_server(self._serve, path)

    def close(self) -> None:
        """Stop serving."""
        if self._server is not None:
            self._server.close()
            _remove(self._hardware.folder / HANDS_FILE)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        visit = Visit()
        try:
            with suppress(ConnectionError, asyncio.CancelledError, ValueError):
                while line := await reader.readline():
                    writer.write(msgspec.json.encode(await self._answer(visit, line)) + b"\n")
        finally:
            self._saying.leave(visit)
            writer.close()

    async def _answer(self, visit: Visit, line: bytes) -> Struct | dict[str, object]:
        try:
            move = msgspec.json.decode(line, type=Move)
            if move.do == "complete":
                return {"completions": self._saying.completions(move.sentence)}
            if move.do == "language":
                return {"language": self._saying.language(move.sentence)}
            if move.do == "say":
                visit.stays = visit.stays or move.stay
                return await self._saying.say(visit, move.sentence, move.block, glance=move.glance)
            await self._move(move)
        except (msgspec.DecodeError, KeyError, TimeoutError) as error:
            return {"error": str(error)}
        return self._seen()

    async def _move(self, move: Move) -> None:
        table = self._hardware
        if move.do == "chip":
            (table.place_chip if move.on else table.lift_chip)(move.seat, move.bet)
        elif move.do == "press":
            table.screen.refusal = ""
            async with asyncio.timeout(_TAKEN_S):
                await table.press(move.key)
        elif move.do == "switch":
            table.set_switch(move.switch, on=move.on)
        elif move.do == "rest":
            self._dealer.rests = move.on
        elif move.do == "draw":
            async with asyncio.timeout(_TAKEN_S):
                await self._draw()

    async def _draw(self) -> None:
        table = self._hardware
        if table.settings.card_source == "shuffler":
            await table.dispense(list(CODES)[: table.settings.rules.own_cards])
        else:
            await table.draw(next(iter(CODES)))

    def _seen(self) -> VisibleTable:
        return visible(self._hardware)


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)
