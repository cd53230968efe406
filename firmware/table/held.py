"""A round that a restart has found, while it is not known whether this journal still speaks for it.

The jackpot controller has refused the unit, or the end of its journal is damaged: the round may
have been paid, by records that are not here. Nothing of it is ruled, paid or returned at this table
before the controller lets the unit go on: by accepting it after all, or by the shift manager's
order, after which what was under way is settled by hand (`linking.went_on`).
"""

from firmware.errors import Refused
from firmware.protocol.fault_catalogue import REFUSALS, FaultCode
from firmware.table.events import Event, FromPanel, ReportWithdrawn
from firmware.table.state import AT_REST, FaultState, TableState

HELD = (
    "This round may be over: the jackpot controller refuses this unit, or journal records are "
    "missing. Rule, pay and return nothing of it. Have the shift manager order accept-unit at the "
    "jackpot controller, then settle it by hand."
)
CLOSED = (
    "This round may be over: the jackpot controller has closed this unit. Rule, pay and return "
    "nothing of it here. Have the shift manager settle it by the books."
)
HOLDS: frozenset[FaultCode] = frozenset({*REFUSALS, "journal_damaged"})
"""The faults that say that what a restart has found may be out of date."""


def find_round(state: TableState) -> None:
    """Note that a restart has found the round; one that was refused before stays refused."""
    state.found_round = 0 if state.phase in AT_REST else state.round.number
    if any(not fault.passed for fault in _refusals(state)):
        hold_found(state)


def _refusals(state: TableState) -> list[FaultState]:
    return [state.faults[code] for code in REFUSALS if code in state.faults]


def hold_found(state: TableState) -> None:
    """Let nothing happen in a round that a restart has found."""
    state.held_round = state.found_round or state.held_round


def let_go_on(state: TableState) -> None:
    """Let the round go on: the jackpot controller has accepted the journal that it is in."""
    state.refused = False
    state.found_round = state.held_round = 0
    for fault in _refusals(state):
        fault.passed = True


def is_held(state: TableState) -> bool:
    """Return whether the round under way is held."""
    return 0 < state.held_round == state.round.number and state.phase not in AT_REST


def held_words(state: TableState) -> str:
    """Say why nothing happens in the round, and what to do: no order opens a closed unit."""
    closed = state.faults.get("unit_closed")
    return CLOSED if closed is not None and not closed.passed else HELD


def check_not_held(state: TableState, event: Event) -> None:
    """Refuse a key of a round that is held; what else was asked for can be cancelled."""
    asked = isinstance(event, ReportWithdrawn) and (state.clearing or state.measure is not None)
    if isinstance(event, FromPanel) and is_held(state) and not asked:
        raise Refused(held_words(state))
