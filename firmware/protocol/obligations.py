"""What a table owes the jackpot controller until it has answered in full.

An obligation is born with the journal record that causes it and takes its id from
there: `<table>.<journal>.<record>.<number within it>`. It is part of the
state, so it survives whatever the journal survives, and it is sent until the
controller has answered that id: a win is owed until its award is known. How it travels is in `link/`.
"""

from datetime import UTC, datetime, timedelta
from typing import Literal

from msgspec import Struct

from firmware.rules.bounds import Several, Text, Whole, Word
from firmware.rules.contract import Claim

ClockQuality = Literal["synchronised", "free"]
"""Whether the clock that stamped a time was synchronised to a time server, or ran free."""


class Obligation(Struct, frozen=True, kw_only=True, tag_field="message"):
    """Something that the jackpot controller must be told exactly once."""

    id: Word
    table: Word
    at_ms: Whole


class OfRound(Obligation, frozen=True, kw_only=True):
    """Something about one round."""

    round: Whole


class OfSeat(OfRound, frozen=True, kw_only=True):
    """Something about one seat of a round."""

    seat: Whole


# Money: each of these moves the meter or pays from it.


class Contribution(OfSeat, frozen=True, kw_only=True, tag="contribution"):
    """A jackpot bet that was on the layout when the bets closed."""

    bet: Word
    stake_cents: Whole


class Reversal(OfSeat, frozen=True, kw_only=True, tag="reversal"):
    """A contribution that is returned: the round is void, or the seat is out of it."""

    contribution: Word
    """The id of the contribution that this reverses in full."""
    stake_cents: Whole


class Win(OfSeat, frozen=True, kw_only=True, tag="win"):
    """A claim on the jackpot, once the hand is face up.

    A minor is mostly `final` at once, and then paid at once, whatever is pending: a percentage
    from the meter as it is displayed. A major waits, and holds the meter, until its `Verdict`
    comes.
    """

    claim: Claim
    dealt_at_ms: Whole
    clock: ClockQuality = "free"
    final: bool = True


class Verdict(OfSeat, frozen=True, kw_only=True, tag="verdict"):
    """What became of a win: confirmed, withdrawn, or paid while the link was down.

    `confirmed` false withdraws the claim, confirmed or awarded before or not: nothing is paid
    on it, and an award is taken back (I-37). If several are withdrawn at once, as in a void round,
    each verdict names the other wins in `also_withdraws`: none of them is awarded any more, even
    if its own verdict is still on the way. `paid_cents` says what the table has paid by itself:
    from the last registered meter (I-28), or because somebody decided against the award.
    """

    win: Word
    """The id of the win."""
    confirmed: bool
    paid_cents: Whole | None = None
    staff: Word = ""
    """The staff number of the person who confirmed or withdrew it; the dealer alone has none."""
    reason: Text = ""
    """Why it is withdrawn, in words for the house."""
    also_withdraws: Several[Word] = ()
    """The ids of the other wins that are withdrawn with it, each by a verdict of its own."""


# What the controller keeps besides the money, to order claims and for the auditor.


class RoundReport(OfRound, frozen=True, kw_only=True, tag="round"):
    """A round was opened, its hands were complete, or it is over."""

    stage: Literal["opened", "dealt", "settled", "void"]


class FaultReport(Obligation, frozen=True, kw_only=True, tag="fault"):
    """A fault of the table, or the end of one and who cleared it."""

    code: Word
    where: Text
    text: Text
    cleared: bool = False
    by: Text = ""


AnyObligation = Contribution | Reversal | Win | Verdict | RoundReport | FaultReport
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
OWED_MONEY = (Contribution, Reversal, Win, Verdict)
"""The kinds by which the books of table and controller are reconciled."""


def sequence_of(obligation_id: str) -> int:
    """Return the journal record that an obligation came with."""
    return int(obligation_id.rsplit(".", 2)[1])


def moment(at_ms: int) -> datetime:
    """Return a time of the table's clock in the form that the rules core takes."""
    return _EPOCH + timedelta(milliseconds=at_ms)
