"""Who may confirm what: staff with number and PIN, and the key switch.

`devices/panel.py` has checked the PIN before an event comes here; a PIN is never in an event. A
person who identifies himself answers for whatever the table is waiting for: a fault to be
cleared, a ruling, a major jackpot.
"""

from collections.abc import Mapping

from firmware.errors import Refused
from firmware.protocol.fault_catalogue import CLEARED_BY, FAULTS, Role
from firmware.rules.contract import Authority
from firmware.rules.words import spaced
from firmware.table.corrections import correct_with_authority
from firmware.table.events import KeyTurned, StaffIdentified, StaffRefused
from firmware.table.faults import clear_fault
from firmware.table.irregularities.reports import confirmer
from firmware.table.irregularities.rulings import carry_out, withdraw_noticed
from firmware.table.settlement import confirm_majors
from firmware.table.state import StaffTries
from firmware.table.turn import Turn

MOST_TRIES = 3
LOCKED_MS = 300_000
"""A number is locked for this long after this many wrong PINs."""

MAY: Mapping[Authority, frozenset[Role]] = {
    "pit_supervisor": frozenset({"pit_supervisor", "shift_manager"}),
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
    tries = turn.state.tries.get(event.staff)
    if tries and tries.count >= MOST_TRIES and turn.at_ms - tries.at_ms <= LOCKED_MS:
        minutes = LOCKED_MS // 60_000
        raise Refused(f"Number {event.staff}: too many wrong PINs; locked for {minutes} minutes.")
    _confirm(turn, event)
    turn.state.tries.pop(event.staff, None)
    return True


def _confirm(turn: Turn, event: StaffIdentified) -> None:
    state = turn.state
    majors = any(claim.unconfirmed for claim in turn.round.claims.values())
    ends = FAULTS[state.faults[state.clearing].code].ends if state.clearing else None
    waits = state.phase == "ruling" or majors or turn.round.correction is not None
    # A person who may not clear the fault may still confirm something else.
    if ends and (event.role in CLEARED_BY[ends] or not waits):
        _check_role(event, CLEARED_BY[ends], spaced(ends))
        clear_fault(turn, event.name)
    elif turn.round.correction is not None:
        _check_role(event, MAY["pit_supervisor"], "pit supervisor")
        correct_with_authority(turn, by=event.name)
    elif state.phase == "ruling":
        _rule(turn, event)
    elif majors:
        _check_role(event, MAY["pit_supervisor"], "pit supervisor")
        confirm_majors(turn, event.staff)
    else:
        raise Refused(f"{event.name}: nothing to confirm.")


def _rule(turn: Turn, event: StaffIdentified) -> None:
    incident = turn.state.incident
    if incident.withdrawing:
        _check_role(event, MAY["pit_supervisor"], "pit supervisor")
        withdraw_noticed(turn)
    elif incident.ruling.authority is None:
        raise Refused("The dealer can confirm this: press CONFIRM.")
    else:
        wanted = incident.ruling.authority
        _check_role(event, MAY[wanted], confirmer(wanted))
        carry_out(turn, by=event.name)


def _check_role(event: StaffIdentified, allowed: frozenset[Role], wanted: str) -> None:
    if event.role not in allowed:
        above = " or above" if wanted == "pit supervisor" else ""
        raise Refused(f"{event.name} is a {spaced(event.role)}; this needs a {wanted}{above}.")
