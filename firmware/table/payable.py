"""What the panel has said to pay on each claim of the round, and why it does not say so now.

A slip may have been printed of each such amount: one that is awarded anew, or withdrawn, must be
known to replace it. What may be paid is decided in `verdicts.py`; nothing is decided here.
"""

from firmware.table.state import AT_REST, ClaimState, RoundState, TableState
from firmware.table.verdicts import payable_cents

_KEPT_SINCE = 2
"""The edition whose records keep it."""


def note_payable(state: TableState, at_ms: int) -> None:
    """Remember what the panel says to pay now, unless it is what it said last; forget it after PAID.

    What was paid then is in the journal, and a table at rest is the one that older firmware wrote down.
    """
    if state.phase in AT_REST:
        _forget(state.round)
    if state.phase != "settling" or state.edition < _KEPT_SINCE:
        return
    for claim in state.round.claims.values():
        cents = shown_payable_cents(state.round, claim)
        if cents is not None and claim.told_cents[-1:] != [cents]:
            claim.told_cents.append(cents)
            claim.told_ms.append(at_ms)


def _forget(play: RoundState) -> None:
    for claim in play.claims.values():
        claim.told_cents, claim.told_ms, claim.winners = [], [], 1
    for withdrawn in play.withdrawn.values():
        withdrawn.told_cents, withdrawn.told_ms = [], []


def shown_payable_cents(play: RoundState, claim: ClaimState) -> int | None:
    """Return what the panel says to pay on a claim; not what may have been paid before a restart."""
    return None if play.may_be_paid else payable_cents(play, claim)


def why_not_payable(play: RoundState, claim: ClaimState) -> str:
    """Say what a claim waits for, as what follows `the claim`; nothing if it may be paid."""
    if shown_payable_cents(play, claim) is not None:
        return ""
    reasons = (
        (play.may_be_paid, "may have been paid before a restart; a supervisor says whether it was"),
        (claim.unconfirmed, "is not confirmed yet"),
        (_is_denied(play, claim), "waits for the pit supervisor who refuses it"),
        (claim.doubted, IN_DOUBT),
        (
            claim.amount_cents is None and claim.asked_again,
            AWARDED_ANEW,
        ),
        (claim.amount_cents is None, NOT_AWARDED),
        (
            play.correction is not None or play.to_put_right is not None,
            "waits for a correction that a supervisor has not confirmed",
        ),
    )
    return next((words for so, words in reasons if so), OTHER_CLAIM)


OTHER_CLAIM = "waits for another claim of its seat"
IN_DOUBT = "has an award that is in doubt"
AWARDED_ANEW = "is being awarded anew, because another claim of the round was made or withdrawn"
NOT_AWARDED = "is not awarded yet"
WITHOUT_AWARD = frozenset({IN_DOUBT, AWARDED_ANEW, NOT_AWARDED})
"""What a claim waits for that has no amount: what the panel said before is not paid on it."""


def _is_denied(play: RoundState, claim: ClaimState) -> bool:
    return play.denying is not None and play.denying.seat == claim.seat
