"""The messages between a table and the jackpot controller, and their topics.

One JSON document a message, under one root. What a table says is under its own name,
so that a broker can keep it there; what is for a table is there too.

    <root>/table/<name>/status      table → controller, retained, last will
    <root>/table/<name>/owed        table → controller: a contribution or a win
    <root>/table/<name>/answer      controller → table: acknowledged, or an award
    <root>/controller/status        controller → all, retained, last will
    <root>/controller/meter         controller → all, retained

What is owed is an obligation of `table/outbox.py` as it stands. Every other message is
defined here; the connection is in `mqtt.py`.
"""

from msgspec import Struct

from firmware.rules.contract import Cents
from firmware.table.outbox import AnyObligation


class Message(Struct, frozen=True, kw_only=True, tag_field="message"):
    """A document on the link."""


class TableStatus(Message, frozen=True, kw_only=True, tag="table_status"):
    """Whether a table is on the link; the broker itself says so when it is no longer."""

    table: str
    journal: str
    online: bool


class ControllerStatus(Message, frozen=True, kw_only=True, tag="controller_status"):
    """Whether the jackpot controller is there."""

    online: bool


class MeterMessage(Message, frozen=True, kw_only=True, tag="meter"):
    """The meter as displayed; the sequence tells an old message from a new one."""

    meter_cents: Cents
    sequence: int


class Acknowledgement(Message, frozen=True, kw_only=True, tag="acknowledgement"):
    """The controller has committed what was owed, on its own disk."""

    id: str


class AwardMessage(Message, frozen=True, kw_only=True, tag="award"):
    """What a claim is paid."""

    id: str
    amount_cents: Cents


AnyAnswer = Acknowledgement | AwardMessage
"""What the controller says to one table."""

__all__ = [
    "Acknowledgement",
    "AnyAnswer",
    "AnyObligation",
    "AwardMessage",
    "ControllerStatus",
    "MeterMessage",
    "TableStatus",
    "Topics",
]


class Topics(Struct, frozen=True):
    """The names of the topics under a root."""

    root: str

    def status(self, table: str) -> str:
        """Name the topic on which a table says whether it is there."""
        return f"{self.root}/table/{table}/status"

    def owed(self, table: str) -> str:
        """Name the topic on which a table says what it owes."""
        return f"{self.root}/table/{table}/owed"

    def answer(self, table: str) -> str:
        """Name the topic on which a table is answered."""
        return f"{self.root}/table/{table}/answer"

    @property
    def controller(self) -> str:
        """The topic of the controller's status."""
        return f"{self.root}/controller/status"

    @property
    def meter(self) -> str:
        """The topic of the meter."""
        return f"{self.root}/controller/meter"
