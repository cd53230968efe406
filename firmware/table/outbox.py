"""What a table owes the jackpot controller until it is acknowledged.

An obligation is born with the journal record that causes it and takes its id from
there: table, journal, sequence of the record, number within it. It is part of the
state, so it survives whatever the journal survives, and it is sent until the
controller has acknowledged that id. How it travels is in `link/`.
"""

from msgspec import Struct

from firmware.rules.contract import Claim


class Obligation(Struct, frozen=True, kw_only=True, tag_field="message"):
    """Something that the jackpot controller must be told exactly once."""

    id: str
    table: str
    round: int
    seat: int
    at_ms: int


class Contribution(Obligation, frozen=True, kw_only=True, tag="contribution"):
    """A jackpot bet that was on the layout when the bets closed."""

    bet: str
    stake_cents: int


class Win(Obligation, frozen=True, kw_only=True, tag="win"):
    """A claim on the jackpot, once the hand is face up."""

    claim: Claim
    dealt_at_ms: int


AnyObligation = Contribution | Win


def obligation_id(table: str, journal: str, sequence: int, number: int) -> str:
    """Make the id of the nth obligation of a journal record."""
    return f"{table}.{journal}.{sequence}.{number}"
