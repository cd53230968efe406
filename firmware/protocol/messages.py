"""The messages between a table and the jackpot controller, and their topics.

One JSON document per message, under one root. What a table says is under its own name, so
that a broker can confine it there; what is meant for a table is there too.

    <root>/table/<name>/status      table → controller, retained, last will
    <root>/table/<name>/owed        table → controller: what it owes, oldest first
    <root>/table/<name>/answer      controller → table: acknowledged, an award, a refusal
    <root>/controller/status        controller → all, retained, last will
    <root>/controller/meter         controller → all, retained
    <root>/controller/pending       controller → all, retained: majors that wait

What is owed is an obligation of `obligations.py` as it is. Every other message is defined
here; the connection is in `link/mqtt.py`.
"""

from msgspec import Struct

from firmware.protocol.obligations import AnyObligation
from firmware.rules.contract import Cents


class Message(Struct, frozen=True, kw_only=True, tag_field="message"):
    """A document on the link."""


class TableStatus(Message, frozen=True, kw_only=True, tag="table_status"):
    """Whether a table is on the link, and how far its round has got.

    The broker itself sends `online` false when a table is gone (its last will). The rest
    lets the controller put claims in order: a hand dealt earlier and still in play may
    still claim first. `seen_pending` repeats the ids of the pending claims that the table
    has heard of, so that a status that answers can be told from one that is only late.
    """

    table: str
    journal: str
    online: bool
    game: str = ""
    at_ms: int = 0
    round: int = 0
    phase: str = ""
    dealt_at_ms: int | None = None
    """When the first hand of the round under way was complete; None if none is."""
    owed: int = 0
    """How many obligations about money are not acknowledged yet."""
    contributions: int = 0
    contributed_cents: int = 0
    """What this journal has contributed, less what it has reversed, since it began."""
    seen_pending: tuple[str, ...] = ()
    version: str = ""


class ControllerStatus(Message, frozen=True, kw_only=True, tag="controller_status"):
    """Whether the jackpot controller is online; `books` names the books it keeps."""

    online: bool
    books: str = ""
    game: str = ""


class MeterMessage(Message, frozen=True, kw_only=True, tag="meter"):
    """The meter as displayed; within one `books` the sequence tells old messages from new ones."""

    meter_cents: Cents
    sequence: int
    reset_cents: Cents = 0
    books: str = ""


class PendingClaim(Struct, frozen=True, kw_only=True):
    """A pending major: it waits for its verdict, or for a hand dealt before it."""

    id: str
    table: str
    seat: int
    tier: str
    dealt_at_ms: int


class PendingMessage(Message, frozen=True, kw_only=True, tag="pending"):
    """The majors that hold the meter, for every table to see; empty when there are none."""

    claims: tuple[PendingClaim, ...]
    sequence: int
    books: str = ""


class Acknowledgement(Message, frozen=True, kw_only=True, tag="acknowledgement"):
    """The controller has committed what was owed to its own disk."""

    id: str


class AwardMessage(Message, frozen=True, kw_only=True, tag="award"):
    """What a claim is paid."""

    id: str
    amount_cents: Cents


class Rejection(Message, frozen=True, kw_only=True, tag="rejection"):
    """The controller will never accept something; `reason` is for the technician.

    What only came too early, before something that it rests on, is not answered at all: the
    table repeats it.
    """

    id: str
    reason: str


class Mismatch(Message, frozen=True, kw_only=True, tag="mismatch"):
    """The table's own count and the controller's differ."""

    journal: str
    contributions: int
    contributed_cents: int
    """What the controller has from this journal."""


class UnitRefused(Message, frozen=True, kw_only=True, tag="unit_refused"):
    """The journal may not speak for the table: it is closed, or another unit is live."""

    journal: str
    reason: str


AnyAnswer = Acknowledgement | AwardMessage | Rejection | Mismatch | UnitRefused
"""What the controller says to one table."""

__all__ = [
    "Acknowledgement",
    "AnyAnswer",
    "AnyObligation",
    "AwardMessage",
    "ControllerStatus",
    "MeterMessage",
    "Mismatch",
    "PendingClaim",
    "PendingMessage",
    "Rejection",
    "TableStatus",
    "Topics",
    "UnitRefused",
]


class Topics(Struct, frozen=True):
    """The names of the topics under a root."""

    root: str

    def status(self, table: str) -> str:
        """Return the topic on which a table says whether it is online."""
        return f"{self.root}/table/{table}/status"

    def owed(self, table: str) -> str:
        """Return the topic on which a table says what it owes."""
        return f"{self.root}/table/{table}/owed"

    def answer(self, table: str) -> str:
        """Return the topic on which a table is answered."""
        return f"{self.root}/table/{table}/answer"

    @property
    def controller(self) -> str:
        """The topic of the controller's status."""
        return f"{self.root}/controller/status"

    @property
    def meter(self) -> str:
        """The topic of the meter."""
        return f"{self.root}/controller/meter"

    @property
    def pending(self) -> str:
        """The topic of the pending majors."""
        return f"{self.root}/controller/pending"
