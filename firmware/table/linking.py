"""Handlers of the journal, the power and the jackpot link."""

from firmware.errors import Refused
from firmware.table.events import (
    Acknowledged,
    AwardGranted,
    JournalOpened,
    LinkChanged,
    MeterMoved,
    Restarted,
)
from firmware.table.outbox import Contribution
from firmware.table.turn import Turn


def journal_opened(turn: Turn, event: JournalOpened) -> bool:
    """Begin a journal; a second beginning would let ids repeat."""
    if turn.state.journal:
        raise Refused("this table has a journal already")
    if event.table != turn.settings.name:
        raise Refused(f"this journal is of table {event.table}")
    turn.state.journal = event.journal
    return True


def restarted(turn: Turn, event: Restarted) -> bool:
    """Note the restart; the round goes on where it was, by the settings that it began with."""
    changed = event.settings is not None and event.settings != turn.settings
    if changed and turn.state.phase != "idle":
        raise Refused("the table file was changed during a round; put it back until it is over")
    return True


def acknowledged(turn: Turn, event: Acknowledged) -> bool:
    """Strike out what the jackpot controller has committed; a win is owed until its award.

    The award could be lost on the way although the acknowledgement is not, so a win is
    sent until the table knows what it pays.
    """
    if not isinstance(turn.state.owed.get(event.id), Contribution):
        return False
    del turn.state.owed[event.id]
    return True


def award_granted(turn: Turn, event: AwardGranted) -> bool:
    """Note what a claim of this round is paid, and strike it out."""
    claim = turn.state.round.claims.get(event.id)
    if claim is None or claim.amount_cents is not None:
        return False
    claim.amount_cents = event.amount_cents
    turn.state.owed.pop(event.id, None)
    return True


def meter_moved(turn: Turn, event: MeterMoved) -> bool:
    """Observe the meter; one that was overtaken on the way is dropped."""
    if event.sequence <= turn.state.meter_sequence:
        return False
    turn.state.meter_sequence = event.sequence
    turn.state.meter_cents = event.meter_cents
    return True


def link_changed(turn: Turn, event: LinkChanged) -> bool:
    """Observe whether the jackpot link is healthy."""
    if not event.healthy:
        # A controller that comes back may count its meter messages from the beginning.
        turn.state.meter_sequence = -1
    turn.state.link_healthy = event.healthy
    return True
