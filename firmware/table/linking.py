"""Handlers of the journal, the power and the jackpot link."""

from firmware.errors import Refused
from firmware.protocol.obligations import Verdict, Win
from firmware.table.events import (
    Acknowledged,
    AwardGranted,
    JournalOpened,
    LinkChanged,
    MeterMoved,
    PendingChanged,
    Restarted,
)
from firmware.table.irregularities.reports import interrupted, link_lost
from firmware.table.playing import register_meter
from firmware.table.settlement import pay_from_registered_meter
from firmware.table.turn import Turn

_AT_REST = frozenset({"idle", "closed", "service"})


def journal_opened(turn: Turn, event: JournalOpened) -> bool:
    """Begin a journal; a second beginning would let ids repeat."""
    if turn.state.journal:
        raise Refused("this table has a journal already")
    if event.table != turn.settings.name:
        raise Refused(f"this journal is of table {event.table}")
    turn.state.journal = event.journal
    return True


def restarted(turn: Turn, event: Restarted) -> bool:
    """Note the restart; what it interrupts follows the rules of the game."""
    changed = event.settings is not None and event.settings != turn.settings
    if changed and turn.state.phase not in _AT_REST:
        raise Refused("the table file was changed during a round; put it back until it is over")
    # Whoever was at work, at the key or at the other end of the link is not known any more.
    turn.state.link_healthy = False
    turn.state.link_problem = "the table has just started"
    turn.state.link_problem_code = "starting"
    turn.state.key_on = False
    turn.state.clearing = ""
    if turn.state.phase == "service":
        turn.state.phase = "closed"
    interrupted(turn)
    return True


def acknowledged(turn: Turn, event: Acknowledged) -> bool:
    """Strike out what the jackpot controller has committed; a win is owed until its award.

    The award could be lost on the way although the acknowledgement is not, so a win is
    sent until the table knows what it pays, or has said that it is withdrawn or paid.
    """
    owed, entered = turn.state.owed.get(event.id), turn.state.entered
    if owed is None or event.id in entered:
        return False
    if isinstance(owed, Win):
        entered.append(event.id)
        return True
    del turn.state.owed[event.id]
    if isinstance(owed, Verdict) and (not owed.confirmed or owed.paid_cents is not None):
        _strike_out_win(turn, owed.win)
    return True


def _strike_out_win(turn: Turn, win: str) -> None:
    turn.state.owed.pop(win, None)
    if win in turn.state.entered:
        turn.state.entered.remove(win)


def award_granted(turn: Turn, event: AwardGranted) -> bool:
    """Note what a claim is paid, and strike it out; what was paid already stays as it was."""
    was_owed = isinstance(turn.state.owed.get(event.id), Win)
    if was_owed:
        _strike_out_win(turn, event.id)
    claim = turn.round.claims.get(event.id)
    unpaid = claim is not None and turn.state.phase in {"settling", "ruling"}
    if claim is not None and unpaid and (claim.amount_cents is None or claim.registered):
        claim.amount_cents, claim.registered = event.amount_cents, False
        return True
    return was_owed


def meter_moved(turn: Turn, event: MeterMoved) -> bool:
    """Observe the meter; one that was overtaken on the way is dropped."""
    if event.sequence <= turn.state.meter_sequence:
        return False
    turn.state.meter_sequence = event.sequence
    turn.state.meter_cents = event.meter_cents
    turn.state.reset_cents = event.reset_cents
    return True


def pending_changed(turn: Turn, event: PendingChanged) -> bool:
    """Observe which majors wait on the link."""
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
        state.policy = None
    else:
        # A controller that comes back may count its meter messages from the beginning.
        state.meter_sequence = -1
    if lost:
        if state.phase not in _AT_REST:
            register_meter(turn.round, event.meter_cents, event.reset_cents)
        link_lost(turn)
    if state.phase == "settling":
        pay_from_registered_meter(turn)
    return True
