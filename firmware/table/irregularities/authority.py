"""Who may confirm what: staff with number and PIN, and the key switch.

The shell has checked the PIN before an event comes here; a PIN is never in an event. A
person who identifies himself answers for what the table is waiting for: a fault to be
cleared, a ruling, a major jackpot.
"""

from collections.abc import Mapping

from firmware.errors import Refused
from firmware.protocol.fault_catalogue import CLEARED_BY, FAULTS, Role
from firmware.rules.contract import Authority
from firmware.rules.words import spaced
from firmware.table.events import KeyTurned, StaffIdentified, StaffRefused
from firmware.table.faults import clear_fault
from firmware.table.irregularities.rulings import carry_out, withdraw_noticed
from firmware.table.settlement import confirm_majors
from firmware.table.state import StaffTries
from firmware.table.turn import Turn

MOST_TRIES = 3
LOCKED_MS = 300_000
"""A number whose PIN was wrong so often does not count for so long."""

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
    """Count a PIN that did not fit; after a few the number does not count for a while."""
    tries = turn.state.tries.setdefault(event.staff, StaffTries())
    if turn.at_ms - tries.at_ms > LOCKED_MS:
        tries.count = 0
    tries.count += 1
    tries.at_ms = turn.at_ms
    return True


def staff_identified(turn: Turn, event: StaffIdentified) -> bool:
    """Let somebody confirm what the table waits for."""
    if not turn.state.key_on:
        raise Refused("turn the key switch first, then enter number and PIN")
    tries = turn.state.tries.get(event.staff)
    if tries and tries.count >= MOST_TRIES and turn.at_ms - tries.at_ms <= LOCKED_MS:
        minutes = LOCKED_MS // 60_000
        raise Refused(
            f"number {event.staff} was tried too often; it counts again in {minutes} minutes"
        )
    _confirm(turn, event)
    turn.state.tries.pop(event.staff, None)
    return True


def _confirm(turn: Turn, event: StaffIdentified) -> None:
    state = turn.state
    majors = any(claim.unconfirmed for claim in turn.round.claims.values())
    ends = FAULTS[state.faults[state.clearing].code].ends if state.clearing else None
    # Whoever may not clear the fault may still confirm what else is waiting.
    if ends and (event.role in CLEARED_BY[ends] or not (state.phase == "ruling" or majors)):
        _check_role(event, CLEARED_BY[ends], spaced(ends))
        clear_fault(turn, event.name)
    elif state.phase == "ruling":
        _rule(turn, event)
    elif majors:
        _check_role(event, MAY["pit_supervisor"], "pit supervisor")
        confirm_majors(turn, event.staff)
    else:
        raise Refused(f"{event.name}: nothing waits to be confirmed")


def _rule(turn: Turn, event: StaffIdentified) -> None:
    incident = turn.state.incident
    if incident.withdrawing:
        _check_role(event, MAY["pit_supervisor"], "pit supervisor")
        withdraw_noticed(turn)
    elif incident.ruling.authority is None:
        raise Refused("the dealer may confirm this: press CONFIRM")
    else:
        wanted = incident.ruling.authority
        # The house itself has no number and no PIN; at the table its shift manager speaks for it.
        who = "shift manager" if wanted == "house" else spaced(wanted)
        _check_role(event, MAY[wanted], who)
        carry_out(turn, by=event.name)


def _check_role(event: StaffIdentified, allowed: frozenset[Role], wanted: str) -> None:
    if event.role not in allowed:
        raise Refused(f"{event.name} is a {spaced(event.role)}; this needs a {wanted} or above")
