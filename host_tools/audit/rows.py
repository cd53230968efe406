"""What an audit is made of: a row for each round, payout, contribution, win, fault and staff action.

A row names the casino, the table and the currency as they were when it was written; sums are kept
for each currency by itself. How a row is found is in `collect.py` and `wins.py`.
"""

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct, field

from firmware.rules.words import DOLLARS, money

Amounts = dict[str, int]
"""Cents by currency: what is in two currencies cannot be added."""

END_OF_TIME_MS = 253_402_300_799_999
"""The end of the year 9999: what claims to be later has no place in a chart."""

PENDING = "pending"
AWARDED = "awarded"
BY_TABLE = "to be paid by the table from its registered meter"
PAID = "paid"
PAID_BY_TABLE = "paid by the table from its registered meter"
WITHDRAWN = "withdrawn"
DROPPED = "dropped by the shift manager after a rejection"


class Placed(Struct, kw_only=True):
    """Where a row is from, as the settings of the table said then."""

    casino: str = ""
    table: str = ""


class InMoney(Placed, kw_only=True):
    """A row with amounts, in the currency that was in force."""

    currency: str = DOLLARS

    def money(self, cents: int) -> str:
        """Write an amount of the row."""
        return money(cents, self.currency)


class RoundRow(InMoney):
    """One round."""

    number: int
    opened_ms: int
    closed_ms: int | None = None
    ended_ms: int | None = None
    seats: int = 0
    staked_cents: int = 0
    """Every bet on the layout, the jackpot bets too."""
    contributions: int = 0
    contributed_cents: int = 0
    paid_cents: int = 0
    """What the house has paid on the bets of the main game: winnings, without stakes."""
    meter_cents: int | None = None
    outcome: str = "under way"
    dealer: str = ""
    """Who had signed on when the round was opened."""


class PayoutRow(InMoney):
    """One bet of the main game, and what the dealer did with it; jackpots are in the wins."""

    round: int
    seat: int
    settled_ms: int
    decision: str
    bet: str
    stake_cents: int
    outcome: str
    paid_cents: int
    returned_cents: int
    rules: str
    """The paragraphs that decided the seat."""


class ContributionRow(InMoney):
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


class WinRow(InMoney):
    """One claim on the jackpot, and what became of it at the table."""

    id: str
    game: str
    title: str
    """The name of the game in its document."""
    round: int
    seat: int
    claim: str
    level: str
    paragraph: str
    """Where the document has the line of the pay table."""
    hand: str
    hand_name: str
    """What the hand is worth, with the board where there is one; empty if a card is not known."""
    dealer: str
    board: str
    dealt_ms: int
    claimed_ms: int
    clock: str
    record: int
    chain: str
    meter_cents: int | None = None
    """The meter before the win, as the award states it that was paid: nobody else knows it."""
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
    shared: str = ""
    """How it was shared with other claims of its round, and with which of them (`sharing.py`)."""
    shared_with: str = ""
    earlier_cents: tuple[int, ...] = ()
    """Every amount that the panel had said to pay on it before: slips of them are not to be paid."""
    earlier_ms: tuple[int, ...] = ()
    """Since when the panel had said each of them."""
    payable_ms: int | None = None
    """Since when the panel says to pay it, or said so until it was paid."""

    @property
    def is_paid(self) -> bool:
        """Whether the table has paid it."""
        return self.outcome in {PAID, PAID_BY_TABLE}

    @property
    def paid_cents(self) -> int:
        """What the table has paid on it."""
        return (self.amount_cents or 0) if self.is_paid else 0


class FaultRow(Placed):
    """One fault, and who ended it."""

    code: str
    where: str
    text: str
    at_ms: int
    ended_ms: int | None = None
    ended_by: str = ""


class StaffRow(Placed):
    """One action of a member of staff."""

    at_ms: int
    record: int
    words: str


class Audit(Struct):
    """Everything that an auditor needs for one period."""

    casino: str = ""
    table: str = ""
    game: str = ""
    currency: str = DOLLARS
    """The last that was in force."""
    journal: str = ""
    first_record: int = 0
    last_record: int = 0
    last_chain: str = ""
    since_ms: int = 0
    until_ms: int = END_OF_TIME_MS
    first_ms: int | None = None
    last_ms: int | None = None
    rounds: list[RoundRow] = field(default_factory=list)
    payouts: list[PayoutRow] = field(default_factory=list)
    contributions: list[ContributionRow] = field(default_factory=list)
    wins: list[WinRow] = field(default_factory=list)
    faults: list[FaultRow] = field(default_factory=list)
    staff: list[StaffRow] = field(default_factory=list)
    taken_back: int = 0
    taken_back_by: Amounts = field(default_factory=dict)
    """The contributions reversed in the period."""
    dropped: int = 0
    dropped_by: Amounts = field(default_factory=dict)
    """The contributions that the shift manager dropped in it, less the reversals dropped."""
    counted: int = 0
    """What the table itself has counted in the period."""
    counted_by: Amounts = field(default_factory=dict)

    @property
    def gross_by(self) -> Amounts:
        """The sum of the period's contributions."""
        return added((row.currency, row.stake_cents) for row in self.contributions)

    @property
    def contributed_by(self) -> Amounts:
        """The same, less those reversed or dropped."""
        less = [*self.taken_back_by.items(), *self.dropped_by.items()]
        return added([*self.gross_by.items(), *((each, -cents) for each, cents in less)])

    @property
    def paid_by(self) -> Amounts:
        """The sum paid on the period's wins."""
        return added((row.currency, row.paid_cents) for row in self.wins)

    @property
    def agrees(self) -> bool:
        """Whether the contributions are what the table itself has counted."""
        return added(self.contributed_by.items()) == added(self.counted_by.items())

    @property
    def contributed_cents(self) -> int:
        """What was contributed, in cents of whatever currency."""
        return sum(self.contributed_by.values())

    @property
    def counted_cents(self) -> int:
        """What the table has counted, in cents of whatever currency."""
        return sum(self.counted_by.values())

    @property
    def paid_cents(self) -> int:
        """What was paid on wins, in cents of whatever currency."""
        return sum(self.paid_by.values())

    @property
    def currencies(self) -> list[str]:
        """Every currency of the period."""
        rows: list[InMoney] = [*self.rounds, *self.contributions, *self.wins]
        return list(dict.fromkeys([row.currency for row in rows])) or [self.currency]

    def money(self, amounts: Amounts) -> str:
        """Write an amount: one sum, or one for each currency."""
        sums = added(amounts.items()) or {self.currency: 0}
        return " and ".join(money(cents, currency) for currency, cents in sums.items())


def added(amounts: Iterable[tuple[str, int]]) -> Amounts:
    """Add up amounts, each currency by itself; one that comes to nothing is left out."""
    sums: Counter[str] = Counter()
    for currency, cents in amounts:
        sums[currency] += cents
    return {currency: cents for currency, cents in sums.items() if cents}
