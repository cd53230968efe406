"""What becomes of a claim before PAID: confirmed by a supervisor, or withdrawn (I-37).

A void round, a hand that is taken out, and a supervisor's "not confirmed" withdraw a claim,
minor or major, whatever the jackpot controller has said of it by then. The verdict tells the
controller who and why, and an award is taken back there; the table pays nothing on it. Also
here: what the shift manager drops because the controller has rejected it. What is claimed and
paid is in `settlement.py`; who may confirm is in `irregularities/authority.py`.
"""

from collections.abc import Container, Iterable

from msgspec import Struct
from msgspec.structs import replace

from firmware.errors import Refused
from firmware.protocol.obligations import (
    AnyObligation,
    Contribution,
    Reversal,
    RoundReport,
    Verdict,
    Win,
)
from firmware.rules.words import by_pin
from firmware.table.awards import end_doubt, note_withdrawn
from firmware.table.events import MajorDenied
from firmware.table.state import (
    AT_REST,
    ClaimState,
    DenialState,
    RoundState,
    TableState,
    WithdrawnClaim,
)
from firmware.table.turn import Turn

_NAMES_OTHERS = 2
"""The edition from which a withdrawal names the others."""
REJECTED = "rejected by the jackpot controller; the shift manager has settled it"


class Withdrawal(Struct, frozen=True):
    """Who withdraws a claim, by staff number, and why; the dealer is whoever has signed on."""

    staff: str
    reason: str


def confirm_majors(turn: Turn, staff: str) -> None:
    """Make every major of the round final, with somebody's authority."""
    for claim_id, claim in turn.round.claims.items():
        if claim.unconfirmed:
            claim.confirmed_by = staff
            _owe_verdict(turn, claim_id, confirmed=True, staff=staff)


def report_paid(turn: Turn, claim_id: str) -> None:
    """Tell the jackpot controller that the table has paid a claim by itself (I-28)."""
    claim = turn.round.claims[claim_id]
    _drop_verdicts(turn, claim_id)
    _owe_verdict(
        turn,
        claim_id,
        confirmed=True,
        staff=claim.decided_by or claim.confirmed_by,
        paid_cents=claim.amount_cents,
    )


def withdraw_claims_of(turn: Turn, seats: Container[int], by: Withdrawal) -> None:
    """Withdraw the claims of these seats: nothing is paid on them."""
    claims = turn.round.claims
    withdraw(turn, [i for i, claim in claims.items() if claim.seat in seats], by)


def withdraw(turn: Turn, claim_ids: Iterable[str], by: Withdrawal) -> None:
    """Withdraw these claims: nothing is paid on them."""
    play, gone = turn.round, list(claim_ids)
    dealer = turn.state.on_duty if turn.state.edition > 1 else None
    staff = by.staff or (dealer.staff if dealer else "")
    from_meter = any(play.claims[claim_id].claim.percent is not None for claim_id in gone)
    for claim_id in gone:
        _drop_verdicts(turn, claim_id)
        others = (
            tuple(i for i in gone if i != claim_id) if turn.state.edition >= _NAMES_OTHERS else ()
        )
        _owe_verdict(
            turn,
            claim_id,
            confirmed=False,
            staff=staff,
            reason=by.reason,
            also_withdraws=others,
        )
        _set_aside(turn, claim_id, by.reason)
    if play.denying is not None and not _denied(play, play.denying):
        turn.drop("denying")
    if from_meter and turn.state.edition:
        _ask_again(turn, [claim for claim in play.claims.values() if _is_from_meter(claim)])


def award_anew(turn: Turn, newcomer: ClaimState) -> None:
    """Forget what the other majors of the round are awarded: with one more it is another amount.

    They share, or are paid in an order in which the newcomer may be first. A minor that is a share
    is paid at once from the meter as it stands, and stays as it is (I-43).
    """
    if turn.state.edition < _NAMES_OTHERS or not _is_major_share(newcomer):
        return
    _ask_again(turn, [each for each in turn.round.claims.values() if _is_major_share(each)])


def _is_from_meter(claim: ClaimState) -> bool:
    return claim.claim.percent is not None


def _is_major_share(claim: ClaimState) -> bool:
    return _is_from_meter(claim) and claim.claim.level == "major"


def _ask_again(turn: Turn, claims: Iterable[ClaimState]) -> None:
    """Forget what these are awarded from the meter: it is another amount now.

    No award is believed again before the controller has what changes it (`may_be_outdated`).
    """
    for claim in claims:
        if claim.awarded and claim.win is not None:
            claim.amount_cents = claim.award_cents = claim.reckoned_cents = None
            claim.held_before_cents = claim.locked_cents or claim.held_before_cents
            claim.locked_cents, claim.registered, claim.decided_by = None, False, ""
            claim.asked_again, claim.winners = True, 1
            end_doubt(turn, claim.win.id, by="another claim of its round")
            turn.owe(claim.win)


def may_be_outdated(turn: Turn, claim: ClaimState) -> bool:
    """Return whether an award may be from before a claim of its round was withdrawn or made (I-37).

    The controller answers in order: after its acknowledgement, what it awards is with or without it.
    """
    if not _is_from_meter(claim):
        return False
    owed = [each for each in turn.state.owed.values() if _is_of_round(turn, each)]
    withdrawn = any(isinstance(each, Verdict) and not each.confirmed for each in owed)
    return withdrawn or (claim.asked_again and any(_is_newcomer(turn, each) for each in owed))


def _is_of_round(turn: Turn, owed: AnyObligation) -> bool:
    return isinstance(owed, (Verdict, Win)) and owed.round == turn.round.number


def _is_newcomer(turn: Turn, owed: AnyObligation) -> bool:
    """Return whether the controller may not know yet of a major that changes what others are paid."""
    made = turn.round.claims.get(owed.id)
    unknown = made is not None and not made.asked_again and owed.id not in turn.state.entered
    return unknown and made is not None and _is_major_share(made)


def _set_aside(turn: Turn, claim_id: str, reason: str) -> None:
    """Take a claim out of what is paid, and keep it for the dealer to see."""
    play = turn.round
    end_doubt(turn, claim_id, by="the withdrawal of the claim")
    claim = play.claims.pop(claim_id)
    note_withdrawn(turn, claim_id, claim.award_cents)
    play.withdrawn[claim_id] = WithdrawnClaim(
        claim.seat,
        claim.words,
        reason,
        awarded=claim.awarded,
        told_cents=claim.told_cents,
        told_ms=claim.told_ms,
    )


def _owe_verdict(  # noqa: PLR0913  # the fields of a verdict
    turn: Turn,
    claim_id: str,
    *,
    confirmed: bool,
    staff: str,
    paid_cents: int | None = None,
    reason: str = "",
    also_withdraws: tuple[str, ...] = (),
) -> None:
    turn.owe(
        Verdict(
            id=turn.next_id(),
            table=turn.settings.name,
            round=turn.round.number,
            seat=turn.round.claims[claim_id].seat,
            at_ms=turn.at_ms,
            win=claim_id,
            confirmed=confirmed,
            paid_cents=paid_cents,
            staff=staff,
            reason=reason,
            also_withdraws=also_withdraws,
        )
    )


def _drop_verdicts(turn: Turn, claim_id: str) -> None:
    """Drop owed verdicts that would have the claim awarded: a new one replaces them."""
    owed = turn.state.owed
    for verdict in [o for o in owed.values() if isinstance(o, Verdict) and o.win == claim_id]:
        del owed[verdict.id]


# A supervisor who does not confirm


def major_denied(turn: Turn, event: MajorDenied) -> bool:
    """Note that a claim is not confirmed; the supervisor who says so comes next."""
    claims = turn.round.claims_of(event.seat)
    if not claims:
        raise Refused(f"Seat {event.seat} has no claim on the jackpot.")
    if turn.state.edition > 1 and event.which and len(claims) == 1:
        # There is nothing to count: the reason begins with a number.
        event = replace(event, which=0, reason=f"{event.which} {event.reason}".strip())
    if not event.reason:
        raise Refused(f"Key the reason too, such as NOTCONFIRMED {event.seat} wrong card.")
    if len(claims) > 1 and not 1 <= event.which <= len(claims):
        listed = (f"{place} {claim.words}" for place, claim in enumerate(claims, start=1))
        raise Refused(
            f"Which claim of seat {event.seat}? NOTCONFIRMED {event.seat} and: "
            + "; ".join(listed)
            + "."
        )
    turn.ask()
    turn.round.denying = DenialState(event.seat, event.reason, event.which)
    return True


def deny(turn: Turn, staff: str) -> None:
    """Withdraw what a supervisor does not confirm; the rest of the round stands."""
    denial = turn.round.denying
    if denial is None:
        raise AssertionError("no claim is waiting to be denied")
    turn.round.denying = None
    reason = f"not confirmed: {denial.reason}" if denial.reason else "not confirmed"
    denied = _denied(turn.round, denial)
    turn.round.denied += [turn.round.claims[claim_id].claim for claim_id in denied]
    withdraw(turn, denied, Withdrawal(staff, reason))


def _denied(play: RoundState, denial: DenialState) -> list[str]:
    """List what is not confirmed: the claim of the seat that was named."""
    of_seat = [i for i, claim in play.claims.items() if claim.seat == denial.seat]
    return of_seat[max(denial.which - 1, 0) :][:1]


def payable_cents(play: RoundState, claim: ClaimState) -> int | None:
    """Return what may be paid on a claim now; None before its amount is known and final.

    A seat is paid its jackpot once, in one sum: while one of its claims waits, all of them do.
    """
    denied = play.denying is not None and play.denying.seat == claim.seat
    # What is to be put right may change what is claimed.
    in_doubt = play.correction is not None or play.to_put_right is not None
    waits = any(
        each.unconfirmed or each.amount_cents is None for each in play.claims_of(claim.seat)
    )
    return None if waits or denied or in_doubt else claim.amount_cents


def why_not_final(play: RoundState) -> str:
    """Say why a round cannot end: a claim is not final, or has no amount; nothing if it can."""
    for claim in play.claims.values():
        if claim.unconfirmed:
            return f"Pit supervisor: check seat {claim.seat}, key and PIN."
        if claim.doubted:
            return f"Seat {claim.seat}'s award is in doubt: pay nothing on it before it is decided."
        if claim.amount_cents is None:
            return f"Seat {claim.seat} is still waiting for its jackpot award."
    return denied_words(play)


def denied_words(play: RoundState) -> str:
    """Say that it waits for a supervisor that a claim is not confirmed; nothing if none does."""
    if play.denying is None:
        return ""
    return f"{by_pin('pit supervisor')} Seat {play.denying.seat}: no JACKPOT."


# What the jackpot controller has rejected


def rejected_words(state: TableState, obligation_id: str) -> str:
    """Say what an obligation is about, for whoever has to settle it."""
    owed = state.owed.get(obligation_id)
    if owed is None:
        return ""
    about = (
        f"seat {owed.seat}, " if isinstance(owed, (Contribution, Reversal, Win, Verdict)) else ""
    )
    of_round = f"round {owed.round}" if isinstance(owed, _OF_ROUND) else owed.table
    return f"{_kind(owed)}, {about}{of_round}"


_OF_ROUND = (Contribution, Reversal, Win, Verdict, RoundReport)


def _kind(owed: AnyObligation) -> str:
    if isinstance(owed, Verdict):
        return "claim confirmed" if owed.confirmed else "claim withdrawn"
    return {Contribution: "contribution", Reversal: "reversal", Win: "claim"}.get(
        type(owed), "report"
    )


def drop_rejected(turn: Turn, obligation_id: str) -> None:
    """Owe no longer what the controller has rejected: the shift manager has settled it.

    The table's own count then says what the books say, and no claim waits for an answer that
    never comes.
    """
    state, play = turn.state, turn.round
    owed = state.owed.pop(obligation_id, None)
    if isinstance(owed, Contribution):
        _count(turn, -1, -owed.stake_cents)
        for player in play.seats.values():
            held = [bet for bet, i in player.contributions.items() if i == obligation_id]
            for bet in held:
                del player.contributions[bet]
                player.not_contributed.append(bet)
    elif isinstance(owed, Reversal):
        _count(turn, 1, owed.stake_cents)
    elif isinstance(owed, (Win, Verdict)):
        win = owed.win if isinstance(owed, Verdict) else owed.id
        strike_out_win(turn, win)
        if win in play.claims and state.phase not in AT_REST:
            play.denied.append(play.claims[win].claim)
            play.rejected.append(play.claims[win].claim)
            _set_aside(turn, win, REJECTED)


def _count(turn: Turn, contributions: int, cents: int) -> None:
    turn.state.totals.contributions += contributions
    turn.state.totals.contributed_cents += cents


def strike_out_win(turn: Turn, win: str) -> None:
    """Owe a win no longer."""
    turn.state.owed.pop(win, None)
    if win in turn.state.entered:
        turn.state.entered.remove(win)
