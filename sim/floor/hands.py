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
    {"do": "state"}\n                                           report at once, whatever is going on
    {"do": "stop"}\n                                            end the sentence that is being carried out

Every line but the last is answered with one document, which says what is visible then. Whoever hangs
up ends what he has begun. `underfelt test --auto` uses the moves, `underfelt-sim hands` the sentences
(`saying.py`); nothing is moved but the simulated hardware.
"""

import asyncio
import select
import socket
from collections.abc import Coroutine
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
_LOOKED_S = 0.1
"""How often it is looked whether somebody is still there."""
Answer = Struct | dict[str, object]


class Move(Struct, frozen=True, forbid_unknown_fields=True):
    """One action of the hands or eyes."""

    do: Literal[
        "chip",
        "press",
        "switch",
        "draw",
        "rest",
        "look",
        "say",
        "complete",
        "language",
        "state",
        "stop",
    ]
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
                await self._converse(visit, reader, writer)
        finally:
            if visit.has_sent_to_rest:
                self._dealer.rests = False
            self._saying.leave(visit)
            writer.close()

    async def _converse(
        self, visit: Visit, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Answer line by line; the next one is read meanwhile, because it may say stop."""
        coming = asyncio.ensure_future(reader.readline())
        try:
            while line := await coming:
                coming = asyncio.ensure_future(reader.readline())
                if not _says_stop(line):  # else it is over already
                    over = _told_to_stop(coming, writer.get_extra_info("socket"))
                    answer = await self._unless(over, visit, line)
                    writer.write(msgspec.json.encode(answer) + b"\n")
        finally:
            coming.cancel()

    async def _unless(self, over: Coroutine[None, None, None], visit: Visit, line: bytes) -> Answer:
        """Do what a line says, until it is done or nobody wants it any more."""
        doing = asyncio.ensure_future(self._answer(visit, line))
        stopping = asyncio.ensure_future(over)
        try:
            await asyncio.wait([doing, stopping], return_when=asyncio.FIRST_COMPLETED)
            if doing.done():
                return doing.result()
        finally:
            doing.cancel()
            stopping.cancel()
        await asyncio.wait([doing])
        stopping.result()  # raises if nobody is there to be answered
        return self._saying.state(visit, "stopped; what was done before is done")

    async def _answer(self, visit: Visit, line: bytes) -> Answer:
        try:
            move = msgspec.json.decode(line, type=Move)
            if move.do in {"complete", "language", "state"}:
                return self._told(visit, move)
            if move.do == "say":
                visit.stays = visit.stays or move.stay
                return await self._saying.say(visit, move.sentence, move.block, glance=move.glance)
            await self._move(visit, move)
        except (msgspec.DecodeError, KeyError, TimeoutError) as error:
            return {"error": str(error)}
        return self._seen()

    def _told(self, visit: Visit, move: Move) -> Answer:
        if move.do == "complete":
            return {"completions": self._saying.completions(move.sentence)}
        if move.do == "language":
            return {"language": self._saying.language(move.sentence)}
        return self._saying.state(visit)

    async def _move(self, visit: Visit, move: Move) -> None:
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
            # Whoever hangs up in between must not leave it resting.
            self._dealer.rests = visit.has_sent_to_rest = move.on
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


def _says_stop(line: bytes) -> bool:
    with suppress(msgspec.DecodeError):
        return msgspec.json.decode(line, type=Move).do == "stop"
    return False


async def _told_to_stop(coming: asyncio.Future[bytes], connection: socket.socket) -> None:
    """Return when somebody says stop; fail when nobody is there any more.

    Whoever only has no more to say, as a shell's pipe, still waits for the answer.
    """
    await asyncio.wait([coming])
    if coming.exception() is None and _says_stop(coming.result()):
        return
    poll = select.poll()
    poll.register(connection.fileno(), 0)  # hanging up is told in any case
    while not poll.poll(0):  # noqa: ASYNC110  # nobody would set an event
        await asyncio.sleep(_LOOKED_S)
    raise ConnectionError


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)
