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

from typing import Annotated

from msgspec import Meta, Struct

from firmware.protocol.obligations import AnyObligation
from firmware.rules.bounds import (
    MOST_WHOLE,
    Count,
    Percent,
    RecordNumber,
    Several,
    Tally,
    Text,
    Whole,
    Word,
)
from firmware.rules.contract import Cents, SeatNumber

MOST_CENTS_PER_S = 200_000
"""More than a link can contribute: a thousand tables, each with seven bets of $5 every 17 s.

A house sets what its own floor can (`most_meter_rise_cents_per_s` in the table file).
"""
UNHEARD_S = 2
"""A meter that moves is published several times a second; so much of it may be under way."""
UNHEARD_CENTS = UNHEARD_S * MOST_CENTS_PER_S
"""By how much a meter may have moved since it was heard, if the house has set nothing else."""


class Message(Struct, frozen=True, kw_only=True, tag_field="message"):
    """A document on the link."""


class SignedHead(Struct, frozen=True, kw_only=True):
    """The end of a table's journal: its last record, that record's chain, and who says so."""

    record: RecordNumber
    chain: Word
    """The SHA-256 over this record and, through the chain before it, over all before it."""
    key: Word
    """The table's public key (Ed25519), in hexadecimal."""
    signature: Word
    """Of `signed_text`, in hexadecimal."""
    went_on: RecordNumber = 0
    """The `through` of the last order (`GoesOn`) that is in the journal; 0 if there is none."""


class Proof(Struct, frozen=True, kw_only=True):
    """The chain of an earlier record, as the controller has asked for it (`HeadAsked`).

    It is signed with the question's own `nonce`: a status can be recorded and said again by
    anybody, but only the start that was asked can answer a new question.
    """

    record: RecordNumber
    chain: Word
    nonce: Word = ""
    """As in the question."""
    signature: Word = ""
    """Of `proved_text`, with the key of the head, in hexadecimal."""


def signed_text(  # noqa: PLR0913  # the parts of the text
    table: str, journal: str, boot: str, connection: str, head: SignedHead, *, online: bool = True
) -> bytes:
    """Return what a table signs about its head; that of a farewell is no other status's."""
    kind = "head" if online else "farewell"
    end = f"{head.record} {head.chain} {head.went_on}"
    return f"underfelt-{kind} {table} {journal} {boot} {connection} {end}".encode()


def proved_text(table: str, journal: str, boot: str, proof: Proof) -> bytes:
    """Return what a table signs when it answers a question."""
    answer = f"{proof.nonce} {proof.record} {proof.chain}"
    return f"underfelt-proof {table} {journal} {boot} {answer}".encode()


class TableStatus(Message, frozen=True, kw_only=True, tag="table_status"):
    """Whether a table is on the link, and how far its round has got.

    The broker itself sends `online` false when a table is gone (its last will). The rest
    lets the controller put claims in order: a hand dealt earlier may still claim first, as long
    as its round is neither paid nor void. So long `dealt_at_ms` is when the first hand of the
    round was complete. `seen_pending` repeats the ids of the pending claims that the table
    has heard of, so that a status that answers can be told from one that is only late.
    """

    table: Word
    journal: Word
    online: bool
    game: Word = ""
    at_ms: Whole = 0
    round: Count = 0
    phase: Word = ""
    dealt_at_ms: Whole | None = None
    """When the first hand of the round under way was complete; None if none is, or it is void."""
    owed: Count = 0
    """How many obligations about money are not acknowledged yet."""
    contributions: Whole = 0
    contributed_cents: Whole = 0
    """What this journal has contributed, less what it has reversed, since it began."""
    seen_pending: Several[Word] = ()
    version: Word = ""
    boot: Word = ""
    """A random number of this start of the firmware: it tells two units with one journal apart."""
    connection: Word = ""
    """A random number of this connection to a broker: a farewell ends that one and no other."""
    head: SignedHead | None = None
    proof: Proof | None = None
    waits: bool = False
    """Whether the table waits for `UnitAccepted`: until then it sends nothing that it owes."""


class ControllerStatus(Message, frozen=True, kw_only=True, tag="controller_status"):
    """Whether the jackpot controller is online; `books` names the books it keeps."""

    online: bool
    books: Word = ""
    game: Word = ""


class MeterMessage(Message, frozen=True, kw_only=True, tag="meter"):
    """The meter as displayed; within one `books` the sequence tells old messages from new ones.

    A sequence that falls, or a meter that rises by more than a link can contribute in the time
    since the one before, is not believed by a table; if it lasts, it is a fault there. The sequence
    is then followed, the meter only when the shift manager has compared it with the books.
    """

    meter_cents: Cents
    sequence: Count
    reset_cents: Cents = 0
    books: Word = ""


class PendingClaim(Struct, frozen=True, kw_only=True):
    """A pending major: it waits for its verdict, or for a hand dealt before it."""

    id: Word
    table: Word
    seat: SeatNumber
    tier: Word
    dealt_at_ms: Whole
    percent: Percent | None = None
    """The share of the meter that it claims; None if it claims a fixed amount."""


class PendingMessage(Message, frozen=True, kw_only=True, tag="pending"):
    """The majors that hold the meter, for every table to see; empty when there are none.

    `locked_cents` is the meter that they hold, less what was awarded from it since: what the
    next of them is paid from. It is published again whenever that changes. A table keeps it with
    its claim: it checks the award by it, and pays from it if the link is lost before the award. One
    that cannot be beside the meters it has heard, or falls although nothing was listed that could
    take from it, is not kept, and is the fault `meter_doubted`.
    """

    claims: Several[PendingClaim]
    sequence: Count
    books: Word = ""
    locked_cents: Cents | None = None
    """None where nothing is pending."""
    reset_cents: Cents = 0


class Acknowledgement(Message, frozen=True, kw_only=True, tag="acknowledgement"):
    """The controller has committed what was owed to its own disk."""

    id: Word


class AwardMessage(Message, frozen=True, kw_only=True, tag="award"):
    """What a claim is paid; sent again, as it is, whenever the win is.

    A share of the meter says what it is a share of. A table that finds that the claim cannot be
    worth this, or that an earlier award said something else, pays nothing before a person has
    decided, and reports the fault `award_doubted`.
    """

    id: Word
    amount_cents: Cents
    meter_cents: Cents | None = None
    """The meter before it was paid, and before those who share with it were; None if it is a
    fixed amount."""
    winners: Annotated[int, Meta(ge=1, le=MOST_WHOLE)] = 1
    """How many claims of the same table, round and tier share, this one included."""


class Rejection(Message, frozen=True, kw_only=True, tag="rejection"):
    """The controller will never accept something; `reason` is for the technician.

    What only came too early, before something that it rests on, is not answered at all: the
    table repeats it.
    """

    id: Word
    reason: Text


class Mismatch(Message, frozen=True, kw_only=True, tag="mismatch"):
    """The table's own count and the controller's differ."""

    journal: Word
    contributions: Whole
    contributed_cents: Whole
    """What the controller has from this journal."""


class UnitRefused(Message, frozen=True, kw_only=True, tag="unit_refused"):
    """The unit may not speak for the table: it is closed, older than the books, or a second one."""

    journal: Word
    reason: Text
    boot: Word = ""
    """Of the status that this answers: a refusal of another start is not believed."""
    closed: bool = False
    """Whether the unit is closed: then nobody can order that it goes on."""


class GoesOn(Struct, frozen=True, kw_only=True):
    """What the books have from a journal that lacks records: the house lets it go on from there."""

    through: RecordNumber
    """The last record that the books know; the table gives new ids after it."""
    round: Tally
    contributions: Tally
    contributed_cents: Cents
    by: Word
    """The staff number of the person who ordered it."""


class UnitAccepted(Message, frozen=True, kw_only=True, tag="unit_accepted"):
    """The unit speaks for the table: its journal continues the one that the books know."""

    journal: Word
    boot: Word
    books: Word = ""
    goes_on: GoesOn | None = None


class HeadAsked(Message, frozen=True, kw_only=True, tag="head_asked"):
    """The table is to prove what it has at the record that the books know last."""

    journal: Word
    boot: Word
    record: RecordNumber
    nonce: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{0,64}\Z")] = ""
    """Made at random for this question; the answer is signed with it."""


AnyAnswer = (
    Acknowledgement | AwardMessage | Rejection | Mismatch | UnitRefused | UnitAccepted | HeadAsked
)
"""What the controller says to one table."""

__all__ = [
    "Acknowledgement",
    "AnyAnswer",
    "AnyObligation",
    "AwardMessage",
    "ControllerStatus",
    "GoesOn",
    "HeadAsked",
    "MeterMessage",
    "Mismatch",
    "PendingClaim",
    "PendingMessage",
    "Proof",
    "Rejection",
    "SignedHead",
    "TableStatus",
    "Topics",
    "UnitAccepted",
    "UnitRefused",
    "proved_text",
    "signed_text",
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
