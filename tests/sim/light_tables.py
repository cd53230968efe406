"""Light tables: `Table`, journal and link as the firmware has them, many in one process.

    python -m tests.sim.light_tables <folder>

What a light table lacks is hardware: a dealer puts the events in that devices would. He
goes by what the table remembers, so he goes on wherever a `kill -9` of the process has
left it. `<folder>/tables.json` says what is played. `<folder>/done.json` is written when
the last round of every table is over and nothing is owed; the tables stay on the link
until the process ends. What must hold is in the tests that start it.
"""

import asyncio
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from firmware.link.mqtt import JackpotLink
from firmware.link.settings import LinkSettings
from firmware.link.tasks import until_one_ends
from firmware.protocol.obligations import Contribution
from firmware.rules.cards import CODES
from firmware.rules.dealing import card_order
from firmware.shell.inbox import Inbox
from firmware.shell.runtime import Runtime
from firmware.table.effects import AnyEffect, PublishStatus, Send, StopSending
from firmware.table.events import (
    Acknowledged,
    BetsClosed,
    BetsOpened,
    CardDrawn,
    CardsRevealed,
    CoinSensed,
    Event,
    KeyTurned,
    OptionChosen,
    PlayerDecided,
    ReportWithdrawn,
    RoundPaid,
    RulingConfirmed,
    StaffIdentified,
)
from firmware.table.irregularities.reports import choices
from firmware.table.settings import TableSettings
from firmware.table.stages import current, undecided
from firmware.table.state import TableState
from sim import lifeline

HANDS = (
    ("Th", "Jh", "Qh", "Kh", "Ah"),  # a royal flush and a straight flush are majors,
    ("5d", "6d", "7d", "8d", "9d"),
    ("2c", "5c", "7c", "9c", "Jc"),  # a flush is a minor, and so is four of a kind
    ("3c", "3d", "3h", "3s", "8h"),
)
ENDED_WITHIN_S = 20.0
AGAIN_S = 0.1
"""How long a dealer waits before he tries again what was refused."""


class Play(Struct, frozen=True, kw_only=True):
    """What is played at the light tables of one process."""

    tables: tuple[TableSettings, ...]
    link: LinkSettings
    rounds: int
    seed: int
    lucky: float = 0.05
    """How often a seat gets a hand that wins."""
    round_s: float = 0.0
    """How long a round takes from its opening to the next one, if it is not over later."""


class Done(Struct, frozen=True):
    """What a process has to say in the end: how long each acknowledgement took."""

    acknowledged_s: tuple[float, ...]


class LightTable:
    """A table without hardware, and its dealer."""

    def __init__(self, settings: TableSettings, play: Play, folder: Path) -> None:
        self._settings = settings
        self._play = play
        self._runtime = Runtime(settings, folder / settings.name)
        self._inbox = Inbox()
        self._link = JackpotLink(
            play.link,
            settings.name,
            self.state.journal,
            self._inbox,
            end=self._runtime.heads,
            game=settings.game,
        )
        self._frame = max(self.state.last_frame.values(), default=0)
        self._sent_s: dict[str, float] = {}
        self.acknowledged_s: list[float] = []
        self.is_done = asyncio.Event()

    @property
    def state(self) -> TableState:
        """What the table remembers."""
        return self._runtime.table.state

    async def run(self) -> None:
        """Play until the last round is over, and stay on the link."""
        running = self._runtime.run(self._inbox, self._carry_out, self._happened)
        await until_one_ends([running, self._link.run(), self._deal()])

    def close(self) -> None:
        """Close the journal."""
        self._runtime.close()

    # What the wiring does

    def _carry_out(self, effect: AnyEffect) -> None:
        match effect:
            case Send(obligation):
                if isinstance(obligation, Contribution):
                    self._sent_s[obligation.id] = _now_s()
                self._link.send(obligation)
            case StopSending(obligation_id):
                self._link.stop_sending(obligation_id)
            case PublishStatus():
                self._link.publish_status(effect)

    def _happened(self, event: Event) -> None:
        if isinstance(event, Acknowledged) and event.id in self._sent_s:
            self.acknowledged_s.append(_now_s() - self._sent_s.pop(event.id))

    # The dealer

    async def _deal(self) -> None:
        random = self._random("start")
        await asyncio.sleep(random.uniform(0, self._play.round_s))
        next_s = _now_s()
        while True:
            if self.state.phase == "idle":
                await asyncio.sleep(next_s - _now_s())
                next_s = _now_s() + self._play.round_s
                if self.state.round.number >= self._play.rounds:
                    break
            before = self.state.sequence
            for event in self._next():
                await self._take(event)
            if self.state.sequence == before:
                await asyncio.sleep(AGAIN_S)
        while self.state.owed:  # noqa: ASYNC110  # the table has nobody to tell
            await asyncio.sleep(AGAIN_S)
        self.is_done.set()
        await asyncio.Event().wait()

    async def _take(self, event: Event) -> None:
        """Put an event in, and wait until it is decided and on the disk."""
        taken = asyncio.Event()
        self._inbox.put(event, taken.set)
        await taken.wait()

    def _next(self) -> Iterator[Event]:
        """Give what a dealer, the chips and the shoe do next."""
        at_ms, state = self._inbox.now_ms(), self.state
        match state.phase:
            case "idle":
                yield BetsOpened(at_ms=at_ms, frame=self._next_frame())
            case "betting":
                yield from self._bets(at_ms)
            case "dealing":
                yield from self._sweep(at_ms)
                card = self._deck()[len(state.round.drawn)]
                yield CardDrawn(at_ms=at_ms, frame=self._next_frame(), card=card)
            case "deciding":
                yield self._decision(at_ms)
            case "revealing":
                yield CardsRevealed(at_ms=at_ms, frame=self._next_frame())
            case "ruling":
                yield from self._ruling(at_ms)
            case "settling":
                yield from self._settlement(at_ms)

    def _bets(self, at_ms: int) -> Iterator[Event]:
        seats = self._seats(self.state.round.number)
        if [seat for seat, _ in self.state.chips()] == seats:
            yield BetsClosed(at_ms=at_ms, frame=self._next_frame())
            return
        yield from self._sweep(at_ms)
        for seat in seats:
            yield CoinSensed(at_ms=at_ms, seat=seat, present=True)

    def _sweep(self, at_ms: int) -> Iterator[Event]:
        for seat in range(1, self._settings.seats + 1):
            if self.state.spot(seat, "jackpot").chip:
                yield CoinSensed(at_ms=at_ms, seat=seat, present=False)

    def _decision(self, at_ms: int) -> Event:
        stage = current(self._settings, self.state.round)
        assert stage is not None
        seat = undecided(self.state.round, stage.step.bet)[0]
        bet = stage.step.bet
        frame = self._next_frame()
        return PlayerDecided(at_ms=at_ms, frame=frame, seat=seat, decision=bet)

    def _ruling(self, at_ms: int) -> Iterator[Event]:
        """Withdraw every second interruption; carry the other rulings out."""
        incident = self.state.incident
        withdrawn = incident.irregularity == "interruption" and self.state.round.number % 2
        offered = choices(incident)
        if withdrawn and not incident.withdrawing:
            yield ReportWithdrawn(at_ms=at_ms, frame=self._next_frame())
        elif offered and not incident.chosen and not incident.withdrawing:
            yield OptionChosen(at_ms=at_ms, frame=self._next_frame(), option=offered[0])
        elif incident.ruling.authority is None and not incident.withdrawing:
            yield RulingConfirmed(at_ms=at_ms, frame=self._next_frame())
        else:
            yield from self._authority(at_ms)

    def _settlement(self, at_ms: int) -> Iterator[Event]:
        claims = self.state.round.claims.values()
        if any(claim.unconfirmed for claim in claims):
            yield from self._authority(at_ms)
        elif all(claim.amount_cents is not None for claim in claims):
            yield RoundPaid(at_ms=at_ms, frame=self._next_frame())

    def _authority(self, at_ms: int) -> Iterator[Event]:
        yield KeyTurned(at_ms=at_ms, on=True)
        frame = self._next_frame()
        yield StaffIdentified(
            at_ms=at_ms, frame=frame, staff="300", name="Shift Manager", role="shift_manager"
        )
        yield KeyTurned(at_ms=at_ms, on=False)

    def _next_frame(self) -> int:
        self._frame += 1
        return self._frame

    # What is dealt, the same however often the process is killed

    def _seats(self, number: int) -> list[int]:
        seats = range(1, self._settings.seats + 1)
        random = self._random(f"seats {number}")
        return sorted(random.sample(seats, random.randint(len(seats) // 2, len(seats))))

    def _deck(self) -> list[str]:
        """Give the cards of the round in their order: at some tables, somebody is lucky."""
        number = self.state.round.number
        seats, random = self._seats(number), self._random(f"cards {number}")
        wanted: dict[int, list[str]] = {}
        if random.random() < self._play.lucky:
            wanted[random.choice(seats)] = list(random.choice(HANDS))
        given = {card for hand in wanted.values() for card in hand}
        spare = [card for card in CODES if card not in given]
        random.shuffle(spare)
        return [
            (wanted.get(target.seat) or spare).pop()
            for target in card_order(self._settings.rules, "shoe", seats)
        ]

    def _random(self, what: str) -> Random:
        return Random(f"{self._play.seed} {self._settings.name} {what}")


class LightTables:
    """A process of light tables, seen from outside."""

    def __init__(self, play: Play, folder: Path) -> None:
        self.play = play
        self.folder = folder
        self.process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)
        for journal in self.journals:
            journal.mkdir(exist_ok=True)
        (folder / "tables.json").write_bytes(msgspec.json.encode(play))

    @property
    def journals(self) -> list[Path]:
        """Where the journals of the tables are."""
        return [self.folder / table.name for table in self.play.tables]

    def start(self) -> None:
        """Start the process, the first time or again."""
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                lifeline.module("tests.sim.light_tables", str(self.folder)),
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
            )

    def end(self, number: signal.Signals) -> None:
        """End the process by a signal."""
        if self.process is not None:
            self.process.send_signal(number)
            try:
                self.process.wait(ENDED_WITHIN_S)
            except subprocess.TimeoutExpired:
                # Nothing is shown by how it ends; its journals are on the disk.
                self.process.kill()
                self.process.wait()

    async def until_done(self) -> Done:
        """Wait until all rounds are over; a process that ends by itself is an error."""
        path = self.folder / "done.json"
        while not path.exists():
            assert self.process is not None
            ended = self.process.poll()
            assert ended in {None, -signal.SIGKILL}, (self.folder / "log").read_text()[-2000:]
            await asyncio.sleep(0.2)
        return msgspec.json.decode(path.read_bytes(), type=Done)


async def _run(folder: Path) -> None:
    asyncio.get_running_loop().set_exception_handler(_failed)
    play = msgspec.json.decode((folder / "tables.json").read_bytes(), type=Play)
    tables = [LightTable(settings, play, folder) for settings in play.tables]
    running = [asyncio.create_task(table.run()) for table in tables]
    watching = asyncio.create_task(_tell_when_done(tables, folder))
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    stopping = asyncio.create_task(stop.wait())
    ended, _ = await asyncio.wait([stopping, *running], return_when=asyncio.FIRST_COMPLETED)
    for task in (watching, *running):
        task.cancel()
    await asyncio.gather(watching, *running, return_exceptions=True)
    for table in tables:
        table.close()
    for result in ended:
        result.result()


def _failed(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """End at once: a full table would be locked by whatever fails in its event loop."""
    loop.default_exception_handler(context)
    os._exit(1)


async def _tell_when_done(tables: list[LightTable], folder: Path) -> None:
    for table in tables:
        await table.is_done.wait()
    waits = [wait_s for table in tables for wait_s in table.acknowledged_s]
    (folder / "done.tmp").write_bytes(msgspec.json.encode(Done(tuple(waits))))
    (folder / "done.tmp").rename(folder / "done.json")


def _now_s() -> float:
    return asyncio.get_running_loop().time()


if __name__ == "__main__":
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", level=logging.WARNING)
    asyncio.run(_run(Path(sys.argv[1])))
