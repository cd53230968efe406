"""Who may confirm what: staff with number and PIN, the key switch, and the dealer on duty.

`devices/panel.py` has checked the PIN before an event comes here; a PIN is never in an event. A
person who identifies himself answers for whatever the table is waiting for: a fault to be
cleared, a ruling, a correction, a claim that is not confirmed, a major jackpot.
"""

from collections.abc import Mapping
from typing import Literal

from firmware.errors import Refused
from firmware.protocol.fault_catalogue import CLEARED_BY, FAULTS, Role
from firmware.rules.contract import Authority
from firmware.rules.words import spaced
from firmware.table.boxes import measure_of, take_measure
from firmware.table.corrections import correct_with_authority
from firmware.table.events import (
    DealerSignedOff,
    DealerSignedOn,
    KeyTurned,
    ReportWithdrawn,
    StaffIdentified,
    StaffRefused,
)
from firmware.table.faults import clear_fault
from firmware.table.irregularities.reports import authority_of, confirmer
from firmware.table.irregularities.rulings import carry_out, withdraw_noticed
from firmware.table.settlement import pay_from_registered_meter
from firmware.table.stake_corrections import carry_out_correction
from firmware.table.state import OnDuty, RoundState, StaffTries, sign_off
from firmware.table.turn import Turn
from firmware.table.verdicts import confirm_majors, deny

MOST_TRIES = 3
LOCKED_MS = 300_000
"""A number is locked for this long after this many wrong PINs."""

MAY: Mapping[Authority | Literal["pit_manager"], frozenset[Role]] = {
    "pit_supervisor": frozenset({"pit_supervisor", "shift_manager"}),
    # Staff have no such position, so a higher one acts (mbs-megalink-stud §6.2).
    "pit_manager": frozenset({"shift_manager"}),
    "gaming_shift_manager": frozenset({"shift_manager"}),
    "table_games_shift_manager": frozenset({"shift_manager"}),
    "house": frozenset({"shift_manager"}),
}
"""Who may act where the rules name an authority: that position, or a higher one."""


def key_turned(turn: Turn, event: KeyTurned) -> bool:
    """Note the key switch."""
    if turn.state.key_on == event.on:
        return False
    turn.state.key_on = event.on
    return True


def staff_refused(turn: Turn, event: StaffRefused) -> bool:
    """Count a wrong PIN; after a few the number is locked for a while."""
    tries = turn.state.tries.setdefault(event.staff, StaffTries())
    if turn.at_ms - tries.at_ms > LOCKED_MS:
        tries.count = 0
    tries.count += 1
    tries.at_ms = turn.at_ms
    return True


def staff_identified(turn: Turn, event: StaffIdentified) -> bool:
    """Let somebody confirm what the table is waiting for."""
    if not turn.state.key_on:
        raise Refused("Turn the key first, then enter your number and PIN.")
    _check_not_locked(turn, event.staff)
    _confirm(turn, event)
    turn.state.tries.pop(event.staff, None)
    return True


def _check_not_locked(turn: Turn, staff: str) -> None:
    tries = turn.state.tries.get(staff)
    if tries and tries.count >= MOST_TRIES and turn.at_ms - tries.at_ms <= LOCKED_MS:
        minutes = LOCKED_MS // 60_000
        raise Refused(f"Number {staff}: too many wrong PINs; locked for {minutes} minutes.")


def dealer_signed_on(turn: Turn, event: DealerSignedOn) -> bool:
    """Note who deals from now on; whoever dealt before no longer does."""
    _check_not_locked(turn, event.staff)
    if event.role == "technician":
        raise Refused(f"{event.name} is a technician: a dealer signs on.")
    turn.state.tries.pop(event.staff, None)
    turn.state.on_duty = OnDuty(event.staff, event.name)
    return True


def dealer_signed_off(turn: Turn, _event: DealerSignedOff) -> bool:
    """Note that the dealer leaves the table."""
    if turn.state.on_duty is None:
        raise Refused("No dealer has signed on.")
    sign_off(turn.state)
    return True


def _confirm(turn: Turn, event: StaffIdentified) -> None:
    """Confirm what the panel shows first: what was asked for comes before what the phase needs."""
    state = turn.state
    denied = turn.round.denying is not None
    unconfirmed = any(claim.unconfirmed for claim in turn.round.claims.values())
    majors = state.phase == "settling" and (denied or unconfirmed)
    ends = FAULTS[state.faults[state.clearing].code].ends if state.clearing else None
    asked = majors or not _nothing_to_put_right(turn.round)
    # A person who may not clear the fault may still confirm something else.
    if state.measure is not None and _may_take(turn, event, otherwise=ends or asked):
        take_measure(turn, state.measure, event.name)
    elif ends and (event.role in CLEARED_BY[ends] or not (state.phase == "ruling" or asked)):
        _check_role(event, CLEARED_BY[ends], spaced(ends))
        clear_fault(turn, event.name)
    elif turn.round.correction is not None:
        _check_role(event, MAY["pit_supervisor"], "pit supervisor")
        correct_with_authority(turn, event.name, event.staff)
    elif turn.round.to_put_right is not None:
        _check_role(event, MAY["pit_supervisor"], "pit supervisor")
        carry_out_correction(turn, event.name, event.staff)
    elif state.phase == "ruling":
        _rule(turn, event)
    elif majors:
        _check_role(event, MAY["pit_supervisor"], "pit supervisor")
        (deny if denied else confirm_majors)(turn, event.staff)
        pay_from_registered_meter(turn)
    else:
        raise Refused(f"{event.name}: nothing to confirm.")


def _nothing_to_put_right(play: RoundState) -> bool:
    return play.correction is None and play.to_put_right is None


def asked_cancelled(turn: Turn, _event: ReportWithdrawn) -> bool:
    """Drop what waits for somebody."""
    if not turn.drop_asked():
        raise Refused("There is nothing to cancel.")
    return True


def _may_take(turn: Turn, event: StaffIdentified, *, otherwise: object) -> bool:
    """Return whether somebody may do what was asked about a player; refuse, if it is all he can."""
    asked = turn.state.measure
    if asked is None:
        return False
    wanted = measure_of(turn.settings, turn.state, asked).authority
    if event.role in MAY[wanted]:
        return True
    if not otherwise and turn.state.phase != "ruling":
        _check_role(event, MAY[wanted], spaced(wanted))
    return False


def _rule(turn: Turn, event: StaffIdentified) -> None:
    incident = turn.state.incident
    if incident.withdrawing:
        _check_role(event, MAY["pit_supervisor"], "pit supervisor")
        withdraw_noticed(turn)
        return
    wanted = authority_of(turn.settings, turn.state)
    if wanted is None:
        raise Refused("The dealer can confirm this: press CONFIRM.")
    _check_role(event, MAY[wanted], confirmer(wanted))
    carry_out(turn, by=event.name, staff=event.staff)


def _check_role(event: StaffIdentified, allowed: frozenset[Role], wanted: str) -> None:
    if event.role not in allowed:
        above = " or above" if wanted.startswith("pit ") else ""
        raise Refused(f"{event.name} is a {spaced(event.role)}; this needs a {wanted}{above}.")
