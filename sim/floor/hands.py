r"""The hands and eyes of a technician at a simulated table, over a socket in its folder.

    {"do": "chip", "seat": 3, "bet": "jackpot", "on": true}\n   put a chip down, or lift it
    {"do": "press", "key": "CLOSETABLE"}\n                       press a key on the panel
    {"do": "switch", "switch": "cover", "on": false}\n          move the cover, the key or the main
                                                               supply ("power_good")
    {"do": "draw"}\n                                             have the card source read a card
    {"do": "rest", "on": true}\n                                stop the dealer opening rounds
    {"do": "look"}\n                                             report lamps, panel and sign

Every line is answered with what is visible then. `underfelt test --auto` uses this; it
moves nothing but the simulated hardware.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from firmware.rules.cards import CODES
from sim.floor.dealer import Dealer

HANDS_FILE = "hands.sock"
_TAKEN_S = 10.0


class Move(Struct, frozen=True, forbid_unknown_fields=True):
    """One action of the hands or eyes."""

    do: Literal["chip", "press", "switch", "draw", "rest", "look"]
    seat: int = 0
    bet: str = "jackpot"
    on: bool = False
    key: str = ""
    switch: Literal["power_good", "cover", "key"] = "key"


class VisibleTable(Struct, frozen=True):
    """What is visible: each lamp by its spot, the panel's lines, the sign."""

    lamps: Mapping[str, str]
    panel: tuple[str, ...]
    code: str
    sign: str
    refusal: str = ""


class Hands:
    """Serves the socket beside a table."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
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
        with suppress(ConnectionError, asyncio.CancelledError):
            while line := await reader.readline():
                try:
                    await self._move(msgspec.json.decode(line, type=Move))
                except (msgspec.DecodeError, KeyError, TimeoutError) as error:
                    writer.write(msgspec.json.encode({"error": str(error)}) + b"\n")
                    continue
                writer.write(msgspec.json.encode(self._seen()) + b"\n")
        writer.close()

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
        table = self._hardware
        lamps = {f"{seat} {bet}": table.visible_pattern(seat, bet) for seat, bet in table.spots}
        screen = table.screen
        return VisibleTable(lamps, screen.lines, screen.code, screen.sign, screen.refusal)


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)
