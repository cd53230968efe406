"""Which of the pending majors may be paid now, and what the others wait for.

Pure: claims, their verdicts and the tables' statuses in, a decision out. The order is
that of `firmware.rules.award` (RWS by the time of the deal, I-17, I-19; MBS by
entry, I-18, I-32); this file says how much of that order is certain:

- Nothing is paid while a claim has no verdict, or the house has to say whether it is believed.
- A claim waits until its own table owes nothing: an older hand of its round may have lost
  its claim on the way, or they may share.
- By the time of the deal: a claim waits while another table may still have a hand that
  was dealt before it, until that round is paid: a correction may bring a claim so late.
- By entry: a claim waits until its own table knows of all claims of that round, and for no
  other table.
- A claim waits for every claim that is paid before it.

A table that the house has overruled is no longer waited for. The amounts, and the changes to
the accounts, are in `claims.py`.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from firmware.protocol.messages import TableStatus
from firmware.rules.award import award
from firmware.rules.contract import Claims, EnteredClaim, Meter
from firmware.rules.game import Game

TableStatuses = Mapping[str, TableStatus | None]
"""The newest status of each table of the link; None before its first."""


class UnpaidClaim(Struct, frozen=True, kw_only=True):
    """A major that is not paid yet; a minor is paid at once (I-43)."""

    claim: EnteredClaim
    dealt_at_ms: int
    decided: bool = False
    """Whether it has a verdict that stands, and is believed."""
    doubt: str = ""
    """What contradicts it, if anything does: then it waits for the house."""
    overruled: frozenset[str] = frozenset()
    """The tables that this claim need not wait for."""

    @property
    def id(self) -> str:
        """The id of the win."""
        return self.claim.id

    @property
    def words(self) -> str:
        """The claim in words."""
        return f"{self.claim.table} seat {self.claim.seat} ({self.id})"


class PaymentDecision(Struct, frozen=True):
    """The ids that may be paid now, in order, and what each of the others waits for."""

    payable: tuple[str, ...]
    waits: Mapping[str, tuple[str, ...]]


def decide(
    game: Game,
    waiting: Sequence[UnpaidClaim],
    statuses: TableStatuses,
    paid_beside: Sequence[EnteredClaim] = (),
) -> PaymentDecision:
    """Decide; `paid_beside` is what was paid in the same rounds, which matters for I-18."""
    payable: list[str] = []
    waits: dict[str, tuple[str, ...]] = {}
    undecided = [each for each in waiting if not each.decided]
    first_held: UnpaidClaim | None = None
    for each in in_order(game, waiting, paid_beside):
        reasons = [_undecided_words(other, own=other is each) for other in undecided]
        reasons += _held_by_tables(game, each, waiting, statuses)
        if first_held is not None:
            reasons.append(f"{first_held.words}, which is paid before it")
        if reasons:
            waits[each.id] = tuple(reasons)
            first_held = first_held or each
        else:
            payable.append(each.id)
    return PaymentDecision(tuple(payable), waits)


def _undecided_words(claim: UnpaidClaim, *, own: bool) -> str:
    """Say what a claim lacks before anything can be paid."""
    if claim.doubt:
        return f"the house{'' if own else f' about {claim.words}'}: {claim.doubt}"
    return "its verdict" if own else f"the verdict on {claim.words}"


def in_order(
    game: Game, waiting: Sequence[UnpaidClaim], paid_beside: Sequence[EnteredClaim] = ()
) -> list[UnpaidClaim]:
    """Return claims in the rules' order, which no amount influences."""
    by_id = {each.id: each for each in waiting}
    claims = (*(each.claim for each in waiting), *paid_beside)
    asked = Claims(game=game.id, meter=Meter(value=0, reset=0), claims=claims)
    return [by_id[paid.id] for paid in award(asked).awards if paid.id in by_id]


def _held_by_tables(
    game: Game, each: UnpaidClaim, waiting: Sequence[UnpaidClaim], statuses: TableStatuses
) -> Iterator[str]:
    """Return which tables a claim waits for, and why."""
    by_deal = game.payment.by == "dealt_at"
    for table, status in sorted(statuses.items()):
        own = table == each.claim.table
        if table in each.overruled or not (own or by_deal):
            continue
        reason = _not_answered(each, status)
        if reason is None and status is not None:
            reason = (
                _round_not_complete(each, waiting, status)
                if own
                else _may_still_claim(each, waiting, status)
            )
        if reason is not None:
            yield f"table {table}, which {reason}"


def _not_answered(each: UnpaidClaim, status: TableStatus | None) -> str | None:
    """Return why a status cannot be the answer to a published claim."""
    if status is None:
        return "has not been heard of yet"
    if not status.online:
        return "is offline"
    if each.id not in status.seen_pending:
        return "has not answered that it knows of this claim"
    if status.owed:
        return f"still owes {status.owed} messages about money"
    return None


def _may_still_claim(
    each: UnpaidClaim, waiting: Sequence[UnpaidClaim], status: TableStatus
) -> str | None:
    """Return why a hand at another table may come first, if it may: I-19.

    A table at the settlement that waits for a claim of its own has no more to say: it cannot be
    paid before that claim is, so two tables whose deals overlapped would wait for each other. Every
    other table waits for nothing but its own people, so nobody waits in a circle.
    """
    if status.dealt_at_ms is None:
        return None
    if (status.dealt_at_ms, status.table) > (each.dealt_at_ms, each.claim.table):
        return None
    if status.phase != "settling":
        return "plays a hand that was dealt before it"
    for other in waiting:
        claim = other.claim
        in_this_round = (claim.table, claim.round) == (status.table, status.round)
        if in_this_round and claim.id in status.seen_pending:
            return None
    return "has not paid its round, in which a hand was dealt before it"


def _round_not_complete(
    each: UnpaidClaim, waiting: Sequence[UnpaidClaim], status: TableStatus
) -> str | None:
    """Return why the claims of a round, of which one may come first or share, are not all known."""
    for other in waiting:
        claim = other.claim
        same_round = (claim.table, claim.round) == (each.claim.table, each.claim.round)
        if same_round and claim.id not in status.seen_pending:
            return f"has not answered that it knows of {other.words}"
    return None
