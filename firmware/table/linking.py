"""Handlers of the jackpot link: its health, its meter, and what the controller answers."""

from firmware.protocol.obligations import Verdict, Win
from firmware.table.boxes import forget_policy
from firmware.table.events import (
    Acknowledged,
    AwardGranted,
    LinkChanged,
    MeterMoved,
    PendingChanged,
)
from firmware.table.irregularities.reports import link_lost
from firmware.table.settlement import pay_from_registered_meter, register_meter
from firmware.table.state import AT_REST
from firmware.table.turn import Turn
from firmware.table.verdicts import strike_out_win


def acknowledged(turn: Turn, event: Acknowledged) -> bool:
    """Drop what the jackpot controller has committed; a win is owed until its award.

    The award could be lost even if the acknowledgement is not, so a win is sent until the
    table knows what it pays, or has said that it is withdrawn or paid.
    """
    owed, entered = turn.state.owed.get(event.id), turn.state.entered
    if owed is None or event.id in entered:
        return False
    if isinstance(owed, Win):
        entered.append(event.id)
        return True
    del turn.state.owed[event.id]
    if isinstance(owed, Verdict) and (not owed.confirmed or owed.paid_cents is not None):
        strike_out_win(turn, owed.win)
    return True


def award_granted(turn: Turn, event: AwardGranted) -> bool:
    """Note what a claim is paid, and drop it; what has already been paid stays as it is.

    An award that was on its way when the table withdrew the claim is noted and not paid.
    """
    was_owed = isinstance(turn.state.owed.get(event.id), Win)
    if was_owed:
        strike_out_win(turn, event.id)
    withdrawn = turn.round.withdrawn.get(event.id)
    if withdrawn is not None and not withdrawn.awarded:
        withdrawn.awarded = True
        return True
    claim = turn.round.claims.get(event.id)
    unpaid = claim is not None and turn.state.phase not in AT_REST
    if claim is not None and unpaid and (claim.amount_cents is None or claim.registered):
        claim.amount_cents, claim.registered = event.amount_cents, False
        return True
    return was_owed


def meter_moved(turn: Turn, event: MeterMoved) -> bool:
    """Observe the meter; one overtaken on the way is dropped."""
    if event.sequence <= turn.state.meter_sequence:
        return False
    turn.state.meter_sequence = event.sequence
    turn.state.meter_cents = event.meter_cents
    turn.state.reset_cents = event.reset_cents
    return True


def pending_changed(turn: Turn, event: PendingChanged) -> bool:
    """Observe which majors are pending on the link."""
    turn.state.pending_ids, turn.state.pending_words = event.ids, event.words
    return True


def link_changed(turn: Turn, event: LinkChanged) -> bool:
    """Note whether the jackpot link is healthy; the rules say what its loss means."""
    state = turn.state
    if event.healthy == state.link_healthy and event.problem == state.link_problem:
        return False
    lost = state.link_healthy and not event.healthy
    state.link_healthy, state.link_problem = event.healthy, event.problem
    state.link_problem_code = event.code
    if event.healthy:
        forget_policy(state)
    else:
        # A controller that comes back may number its meter messages from the start again.
        state.meter_sequence = -1
    if lost:
        if state.phase not in AT_REST:
            register_meter(turn.round, event.meter_cents, event.reset_cents)
        turn.follow.append(link_lost)
    turn.follow.append(_pay_if_settling)
    return True


def _pay_if_settling(turn: Turn) -> None:
    if turn.state.phase == "settling":
        pay_from_registered_meter(turn)
