"""Starts of the kit's tables: each has a journal and its head, and waits until it is accepted."""

import secrets
import time
from typing import Self

import msgspec
from msgspec.structs import replace

from firmware.link.client import LinkClient
from firmware.protocol.messages import (
    ControllerStatus,
    HeadAsked,
    Message,
    Proof,
    SignedHead,
    TableStatus,
    UnitAccepted,
    UnitRefused,
)
from sim.conformance.journals import KitJournal
from sim.conformance.watching import Watch


class Wrong(Exception):  # noqa: N818  # it is the controller's error, not one of the kit
    """What the controller does wrong, in one sentence."""


class KitStart:
    """One start of one unit, as it speaks on the link."""

    client: LinkClient

    def __init__(
        self, name: str, watch: Watch, patience_s: float, records: KitJournal | None = None
    ) -> None:
        self.name = name
        self.watch = watch
        self.patience_s = patience_s
        self.records = records or KitJournal()
        self.journal = self.records.name
        self.boot = secrets.token_hex(8)
        self.connection = secrets.token_hex(8)
        self.status = TableStatus(table=name, journal=self.journal, online=True, phase="idle")
        self.others: list[Self] = []
        """Other units, or starts, that speak in this table's name on the same connection."""
        self.shows_head = True
        self._accepted_by: str | None = None
        self._proof: Proof | None = None

    # ── what it says ─────────────────────────────────────────────────────────

    async def say_status(self, **changes: object) -> None:
        """Say where the table stands; what is changed stays so."""
        was_gone = not self.status.online
        self.status = replace(self.status, **changes)
        if was_gone and self.status.online:
            self.reconnect()
        if not self.status.online:
            self._accepted_by = None
        await self.publish_status(self.status)

    async def publish_status(self, status: TableStatus) -> None:
        """Say any status."""
        await self.say_again(self.encoded(status))

    async def say_again(self, said: bytes) -> None:
        """Say a status as it was said, which anybody can who has heard it."""
        topic = self.watch.topics.status(self.name)
        await self.client.publish(topic, said, qos=1, retain=True)

    def encoded(self, status: TableStatus) -> bytes:
        """Write a status as this start says it now."""
        said = replace(
            status,
            at_ms=now_ms(),
            boot=self.boot,
            connection=self.connection,
            head=self._head(online=status.online),
            proof=self._proof,
            waits=status.online and not self.accepted,
        )
        return msgspec.json.encode(said)

    def _head(self, *, online: bool) -> SignedHead | None:
        """Sign the end of its journal, if it shows that."""
        if not self.shows_head:
            return None
        return self.records.head(self.name, self.boot, self.connection, online=online)

    # ── whether it is accepted ───────────────────────────────────────────────

    @property
    def accepted(self) -> bool:
        """Whether the controller has accepted this start, in the name of the books it has now."""
        newest = self.watch.newest(ControllerStatus)
        return newest is not None and self._accepted_by == newest.books

    def another(self, records: KitJournal | None = None) -> Self:
        """Make another unit of this table, or another start with a copy of its journal."""
        other = type(self)(self.name, self.watch, self.patience_s, records)
        other.client = self.client
        if other.journal == self.journal:
            other.status = self.status
        self.others.append(other)
        return other

    def become(self, other: Self) -> None:
        """Go on as another start of this table, which is accepted."""
        self.records, self.boot, self._proof = other.records, other.boot, other._proof
        self.status, self._accepted_by = other.status, other._accepted_by
        self.connection = other.connection
        self.others.remove(other)

    def restart(self) -> None:
        """Begin another start; nobody is told, as when the broker loses its power too."""
        self.boot, self.connection = secrets.token_hex(8), secrets.token_hex(8)
        self.records.write()
        self._accepted_by = self._proof = None

    def reconnect(self) -> None:
        """Connect once more: from then on it waits until it is accepted (7.6)."""
        self.connection, self._accepted_by = secrets.token_hex(8), None

    async def come(self, **changes: object) -> None:
        """Come to the link and wait to be accepted, as a table does before it plays."""
        seen = len(self.watch.heard)
        await self.say_status(online=True, **changes)
        answer = await self.judged(seen)
        if isinstance(answer, UnitRefused):
            raise Wrong(f"table {self.name} continues its journal, and is refused: {answer.reason}")
        if answer is None:
            raise Wrong(
                f"table {self.name} waits, and is neither accepted nor refused within"
                f" {self.patience_s:g} s"
            )
        if not self.accepted:
            raise Wrong(f"it accepts table {self.name} in the name of books {answer.books!r}")

    def verdicts(self, since: int) -> list[UnitAccepted | UnitRefused]:
        """Return what was said about this start."""
        return [
            each.message
            for each in self.watch.heard[since:]
            if each.by == self.name
            and isinstance(each.message, UnitAccepted | UnitRefused)
            and self._is_meant(each.message)
        ]

    async def judged(self, since: int) -> UnitAccepted | UnitRefused | None:
        """Wait until the controller says whether this start speaks for the table."""
        await self.watch.until(lambda: bool(self.verdicts(since)), self.patience_s)
        return next(iter(self.verdicts(since)), None)

    def _is_meant(self, answer: UnitAccepted | UnitRefused | HeadAsked) -> bool:
        return (answer.journal, answer.boot) == (self.journal, self.boot)

    async def hear(self, message: Message | None) -> None:
        """Take what is said about this start, and prove what it is asked for.

        A table that is off the link hears nothing, not even a late answer.
        """
        kinds = UnitAccepted | UnitRefused | HeadAsked
        if not isinstance(message, kinds) or not self._is_meant(message):
            return
        if not self.status.online:
            return
        if isinstance(message, HeadAsked):
            self._proof = self.records.proved(self.name, message)
            await self.publish_status(self.status)
        else:
            self._accepted_by = message.books if isinstance(message, UnitAccepted) else None


def now_ms() -> int:
    """Return the time as tables tell it."""
    return time.time_ns() // 1_000_000
