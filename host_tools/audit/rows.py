"""What an audit is made of: a row for each round, contribution, win, fault and staff action."""

from msgspec import Struct, field

END_OF_TIME_MS = 253_402_300_799_999
"""The end of the year 9999: what claims to be later has no place in a chart."""

PENDING = "pending"
AWARDED = "awarded"
PAID = "paid"
PAID_BY_TABLE = "paid by the table from its registered meter"
WITHDRAWN = "withdrawn"
DROPPED = "dropped by the shift manager after a rejection"


class RoundRow(Struct):
    """One round."""

    number: int
    opened_ms: int
    closed_ms: int | None = None
    ended_ms: int | None = None
    seats: int = 0
    staked_cents: int = 0
    contributions: int = 0
    contributed_cents: int = 0
    meter_cents: int | None = None
    outcome: str = "under way"
    dealer: str = ""
    """Who had signed on when the round was opened."""


class ContributionRow(Struct):
    """One contribution to the jackpot, and what became of it."""

    id: str
    round: int
    seat: int
    bet: str
    stake_cents: int
    at_ms: int
    acknowledged_ms: int | None = None
    reversed_by: str = ""
    dropped_ms: int | None = None
    """When the shift manager dropped it, because the controller had rejected it."""


class WinRow(Struct):
    """One claim on the jackpot, and what became of it at the table."""

    id: str
    table: str
    game: str
    round: int
    seat: int
    claim: str
    level: str
    hand: str
    dealer: str
    board: str
    dealt_ms: int
    claimed_ms: int
    clock: str
    record: int
    chain: str
    amount_cents: int | None = None
    """What is paid on it, as far as the table knows; nothing once it is withdrawn."""
    paid_ms: int | None = None
    award_cents: int | None = None
    """What the jackpot controller awarded, and when, even if it came too late to be paid."""
    awarded_ms: int | None = None
    authority: str = ""
    outcome: str = PENDING
    reason: str = ""
    """Why it was withdrawn."""

    @property
    def is_paid(self) -> bool:
        """Whether the table has paid it."""
        return self.outcome in {PAID, PAID_BY_TABLE}

    @property
    def paid_cents(self) -> int:
        """What the table has paid on it."""
        return (self.amount_cents or 0) if self.is_paid else 0


class FaultRow(Struct):
    """One fault, and who ended it."""

    code: str
    where: str
    text: str
    at_ms: int
    ended_ms: int | None = None
    ended_by: str = ""


class StaffRow(Struct):
    """One action of a member of staff."""

    at_ms: int
    record: int
    words: str


class Audit(Struct):
    """Everything that an auditor needs for one period."""

    table: str = ""
    game: str = ""
    journal: str = ""
    first_record: int = 0
    last_record: int = 0
    last_chain: str = ""
    since_ms: int = 0
    until_ms: int = END_OF_TIME_MS
    first_ms: int | None = None
    last_ms: int | None = None
    rounds: list[RoundRow] = field(default_factory=list)
    contributions: list[ContributionRow] = field(default_factory=list)
    wins: list[WinRow] = field(default_factory=list)
    faults: list[FaultRow] = field(default_factory=list)
    staff: list[StaffRow] = field(default_factory=list)
    taken_back: int = 0
    taken_back_cents: int = 0
    """The contributions reversed in the period."""
    dropped: int = 0
    dropped_cents: int = 0
    """The contributions that the shift manager dropped in it, less the reversals dropped."""
    counted: int = 0
    """What the table itself has counted since the journal began: number and cents."""
    counted_cents: int = 0
    counted_before: int = 0
    counted_before_cents: int = 0
    """The same before the period."""

    @property
    def contributed_cents(self) -> int:
        """The sum of the period's contributions, less those reversed or dropped."""
        gross = sum(row.stake_cents for row in self.contributions)
        return gross - self.taken_back_cents - self.dropped_cents

    @property
    def paid_cents(self) -> int:
        """The sum paid on the period's wins."""
        return sum(row.paid_cents for row in self.wins)
