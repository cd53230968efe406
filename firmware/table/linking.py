"""Handlers of the jackpot link: its health, its meter, and what the controller answers."""

from msgspec.structs import replace

from firmware.protocol.obligations import (
    OWED_MONEY,
    RoundReport,
    Verdict,
    Win,
    sequence_of,
)
from firmware.table.awards import (
    AWARDS_CHECKED,
    judge_award,
    judge_late_award,
    pay_from_registered_meter,
)
from firmware.table.boxes import forget_policy
from firmware.table.events import (
    Acknowledged,
    AwardGranted,
    LinkChanged,
    MeterMoved,
    PendingChanged,
    WentOn,
)
from firmware.table.held import let_go_on
from firmware.table.irregularities.reports import link_lost
from firmware.table.settlement import register_meter
from firmware.table.state import AT_REST, RoundState, TableState, Totals
from firmware.table.turn import Turn, fault_key
from firmware.table.verdicts import may_be_outdated, strike_out_win

ORDER_PLACE = "order"
"""Where the fault of an order is that is not followed."""


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

    An award that was on its way when the table withdrew the claim is noted and not paid. One
    that may be from before another claim of the round was withdrawn or made is not believed: the
    win stays owed, and is asked for again. What the claim cannot be worth is doubted (`awards.py`).
    """
    claim = turn.round.claims.get(event.id)
    if claim is not None and turn.state.edition and may_be_outdated(turn, claim):
        return False
    checked, unpaid = turn.state.edition >= AWARDS_CHECKED, turn.state.phase not in AT_REST
    was_owed = isinstance(turn.state.owed.get(event.id), Win)
    news = was_owed and (not checked or _is_entered(turn.state, event.id))
    if news:
        strike_out_win(turn, event.id)
    withdrawn = turn.round.withdrawn.get(event.id)
    if withdrawn is not None and not withdrawn.awarded:
        withdrawn.awarded = news = True
    if checked:
        if claim is not None and unpaid:
            return judge_award(turn, claim, event) or news
        return judge_late_award(turn, event, was_owed=was_owed) or news
    if claim is not None and unpaid and (claim.amount_cents is None or claim.registered):
        claim.amount_cents, claim.registered = event.amount_cents, False
        return True
    return news


def _is_entered(state: TableState, win: str) -> bool:
    """Return whether the controller has a win that it awards: it has said so, or was sent it.

    While the link is down nobody knows. The win stays owed then, or what is paid on it might be in
    no books; sent again, it is awarded and acknowledged again.
    """
    return win in state.entered or state.link_healthy


def meter_moved(turn: Turn, event: MeterMoved) -> bool:
    """Observe the meter; one that is not believed is kept aside, and shown to nobody.

    So is any after a restart while the meter is in doubt: nobody has compared it. The link judges it
    by the one that was believed before (`TableState.believed_meter`).
    """
    state = turn.state
    if event.doubted or (state.meter_cents is None and state.meter_doubted):
        state.doubted_meter = (event.meter_cents, event.reset_cents)
        return True
    state.meter_cents, state.reset_cents = event.meter_cents, event.reset_cents
    state.meter_books = event.books
    state.doubted_meter = None
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
        _accepted(state)
    if lost:
        stands = any(claim.stands_registered for claim in turn.round.claims.values())
        if state.phase not in AT_REST and not stands:
            register_meter(turn.round, event.meter_cents, event.reset_cents)
        turn.follow.append(link_lost)
    turn.follow.append(_pay_if_settling)
    return True


def _accepted(state: TableState) -> None:
    """Go by this journal: the controller knows no record after its end.

    A payment that it has not heard of either stays unknown: one that fell while the link was down,
    in a journal of which an older copy is used now. Where records are known to be missing, a
    supervisor says what is still to be paid, as long as nobody has settled it by the books.
    """
    if state.edition >= 2:  # noqa: PLR2004  # an edition
        let_go_on(state)
    if "journal_damaged" not in state.faults:
        state.round.may_be_paid = False


def went_on(turn: Turn, event: WentOn) -> bool:
    """Go on from what the controller has in its books; what was under way is settled by hand.

    Only a unit that was refused does: nothing that any other has may be thrown away.
    """
    state = turn.state
    if event.through and event.through <= state.went_on:
        return False  # said once more
    if not state.refused or event.through < 1:
        return _doubt_order(turn, event)
    state.went_on, state.refused = event.through, False
    state.skipped = max(state.skipped, event.through - state.sequence)
    state.totals = Totals(event.contributions, event.contributed_cents)
    number = max(turn.round.number, event.round)
    state.found_round = state.held_round = 0
    if state.edition >= 2:  # noqa: PLR2004  # an edition
        let_go_on(state)  # a refusal after this one is a new one, though nobody has cleared that
    turn.begin_round(RoundState(number=number, first_record=state.sequence + 1))
    if state.phase not in AT_REST:
        state.phase = "idle"
    _owe_by_the_books(turn, event)
    return True


def _doubt_order(turn: Turn, event: WentOn) -> bool:
    """Note an order that is not for this unit; return whether that is news."""
    if fault_key("sequence_fell", ORDER_PLACE) in turn.state.faults:
        return False
    why = "and lacks nothing" if turn.state.refused else "and was not refused"
    detail = f"this unit is to go on after record {event.through}, {why}"
    turn.begin_fault("sequence_fell", ORDER_PLACE, detail)
    return True


def _owe_by_the_books(turn: Turn, event: WentOn) -> None:
    """Owe only what the books cannot have: they say what was contributed, claimed and played.

    What this start has reported besides has ids that may be something else in the books.
    """
    owed, state = list(turn.state.owed.values()), turn.state
    state.owed, state.entered = {}, []
    for each in owed:
        if isinstance(each, OWED_MONEY) or (
            isinstance(each, RoundReport) and each.round <= event.round
        ):
            continue
        old = sequence_of(each.id) <= event.through
        turn.owe(replace(each, id=turn.next_id()) if old else each)


def _pay_if_settling(turn: Turn) -> None:
    if turn.state.phase == "settling":
        pay_from_registered_meter(turn)
