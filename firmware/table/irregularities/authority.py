"""Who may confirm what: staff with number and PIN, the key switch, and the dealer on duty.

`devices/panel.py` has checked the PIN before an event comes here; a PIN is never in an event. A
person who identifies himself answers for whatever the table is waiting for: a fault to be
cleared, a ruling, a correction, a claim that is not confirmed, a major jackpot.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from firmware.errors import Refused
from firmware.protocol.fault_catalogue import CLEARED_BY, FAULTS, Role
from firmware.rules.contract import Authority
from firmware.table.awards import decide_award, decides_awards, pay_from_registered_meter
from firmware.table.boxes import measure_of, take_measure
from firmware.table.corrections import correct_with_authority
from firmware.table.effects import NOT_ACCEPTED, NOT_ASKED
from firmware.table.events import (
    DealerSignedOff,
    DealerSignedOn,
    KeyTurned,
    ReportWithdrawn,
    StaffIdentified,
    StaffRefused,
)
from firmware.table.faults import clear_fault
from firmware.table.held import held_words, is_held
from firmware.table.irregularities.reports import authority_of
from firmware.table.irregularities.rulings import (
    carry_out,
    confirmed_stakes,
    set_stakes,
    withdraw_noticed,
)
from firmware.table.irregularities.tries import (
    BY_UPTIME,
    count_by_the_clock,
    count_wrong,
    must_wait,
)
from firmware.table.settings import TableSettings
from firmware.table.stake_corrections import carry_out_correction
from firmware.table.state import OnDuty, TableState, sign_off
from firmware.table.turn import Turn, asked_words
from firmware.table.verdicts import confirm_majors, deny

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
    """Count a number and PIN that were not accepted, and say no more than that."""
    state = turn.state
    if state.edition < BY_UPTIME:
        count_by_the_clock(state, event.staff, turn.at_ms)
        return True
    if not event.signing_on:
        _check_key(turn)
        _check_asked_of_held(turn)
    answer = NOT_ACCEPTED if event.signing_on else _no(turn)
    _check_may_try(turn, event, answer)
    if not event.nothing_to_do:
        count_wrong(state, "panel", event.staff, event.up_ms)
    turn.refusal = answer
    return True


def staff_identified(turn: Turn, event: StaffIdentified) -> bool:
    """Let somebody confirm what the table is waiting for."""
    _check_key(turn)
    _check_asked_of_held(turn)
    confirm = _asked_of(turn.settings, turn.state, event)
    if confirm is None:
        raise Refused(_no(turn))
    _check_may_try(turn, event)
    asked = asked_words(turn.state)
    confirm(turn, event)
    if asked and asked == turn.round.dropped:
        turn.round.dropped = ""
    turn.state.tries.pop(event.staff, None)
    return True


def _check_key(turn: Turn) -> None:
    """Refuse every number and PIN, right or wrong, while the key is not turned."""
    if not turn.state.key_on:
        raise Refused("Turn the key first, then enter your number and PIN.")


def _check_asked_of_held(turn: Turn) -> None:
    """Refuse every number and PIN for a round that is held; a fault can still be cleared."""
    state = turn.state
    if is_held(state) and not state.clearing and state.measure is None:
        raise Refused(held_words(state))


def _no(turn: Turn) -> str:
    """Choose the answer to a PIN by what is asked for, never by the PIN: it tells nothing of it."""
    asked = any(True for _ in _asked(turn.settings, turn.state))
    return NOT_ACCEPTED if asked else NOT_ASKED


def _check_may_try(
    turn: Turn,
    event: StaffIdentified | StaffRefused | DealerSignedOn,
    answer: str = NOT_ACCEPTED,
) -> None:
    """Refuse while wrong PINs are waited for, whatever this one is."""
    if must_wait(turn.state, "panel", event.staff, event.up_ms):
        raise Refused(answer)


def may_sign_on(event: DealerSignedOn) -> bool:
    """Return whether somebody deals: a technician does not."""
    return event.role != "technician"


def dealer_signed_on(turn: Turn, event: DealerSignedOn) -> bool:
    """Note who deals from now on; whoever dealt before no longer does."""
    if not may_sign_on(event):
        raise Refused(NOT_ACCEPTED)
    _check_may_try(turn, event)
    turn.state.tries.pop(event.staff, None)
    turn.state.on_duty = OnDuty(event.staff, event.name)
    return True


def dealer_signed_off(turn: Turn, _event: DealerSignedOff) -> bool:
    """Note that the dealer leaves the table."""
    if turn.state.on_duty is None:
        raise Refused("No dealer has signed on.")
    sign_off(turn.state)
    return True


def may_confirm(settings: TableSettings, state: TableState, event: StaffIdentified) -> bool:
    """Return whether the table waits for something that this person may confirm."""
    return _asked_of(settings, state, event) is not None


def awaited(settings: TableSettings, state: TableState) -> frozenset[Role]:
    """Return who is waited for with number and PIN; nobody where the dealer alone goes on."""
    roles, confirm = next(_asked(settings, state), (frozenset[Role](), None))
    ruled_by_dealer = (
        confirm is _carry_out
        and not state.incident.withdrawing
        and authority_of(settings, state) is None
    )
    return frozenset() if ruled_by_dealer else roles


_Confirm = Callable[[Turn, StaffIdentified], None]


def _asked_of(
    settings: TableSettings, state: TableState, event: StaffIdentified
) -> _Confirm | None:
    """Choose what somebody confirms: the first thing that is asked for and that he may.

    None if there is nothing. Who may not do the first may still confirm the next.
    """
    asked = _asked(settings, state)
    return next((confirm for roles, confirm in asked if event.role in roles), None)


def _asked(
    settings: TableSettings, state: TableState
) -> Iterator[tuple[frozenset[Role], _Confirm]]:
    """List what waits for a PIN, and whose: what was asked for before what the phase needs."""
    if state.measure is not None:
        yield _measured_by(settings, state), _take_measure
    if state.clearing:
        yield CLEARED_BY[FAULTS[state.faults[state.clearing].code].ends], _clear_fault
    if not is_held(state):
        yield from _asked_of_round(settings, state)


def _asked_of_round(
    settings: TableSettings, state: TableState
) -> Iterator[tuple[frozenset[Role], _Confirm]]:
    """List what was asked for in the round; what its phase needs only if nothing was.

    A PIN for that may be meant for what was dropped: it takes note of that and does nothing else.
    """
    play, pit = state.round, MAY["pit_supervisor"]
    if play.correction is not None:
        yield pit, _correct
    elif play.to_put_right is not None:
        yield pit, _put_right
    elif play.deciding_award is not None:
        yield MAY[decides_awards(settings.rules)], _decide_award
    elif play.denying is not None and state.phase in {"claiming", "settling"}:
        yield pit, _deny
    else:
        other = play.dropped not in {"", asked_words(state)}
        for roles, confirm in _needed(settings, state):
            yield roles, _take_note if other else confirm


def _needed(
    settings: TableSettings, state: TableState
) -> Iterator[tuple[frozenset[Role], _Confirm]]:
    """List what the phase needs a PIN for; that a payment is still to be made comes first."""
    play, pit = state.round, MAY["pit_supervisor"]
    if state.phase == "ruling":
        yield _ruled_by(settings, state), _carry_out
    elif state.phase == "settling" and play.may_be_paid:
        yield pit, _say_unpaid
    elif state.phase == "settling" and any(claim.unconfirmed for claim in play.claims.values()):
        yield pit, _confirm_majors


def told_first(settings: TableSettings, state: TableState) -> str:
    """Say what was dropped, if a PIN would now take note of that and do nothing else."""
    dropped = state.round.dropped
    asked = _asked(settings, state) if dropped else ()
    return dropped if any(confirm is _take_note for _, confirm in asked) else ""


def _measured_by(settings: TableSettings, state: TableState) -> frozenset[Role]:
    asked = state.measure
    return MAY[measure_of(settings, state, asked).authority] if asked is not None else frozenset()


def _ruled_by(settings: TableSettings, state: TableState) -> frozenset[Role]:
    if state.incident.withdrawing:
        return MAY["pit_supervisor"]
    wanted = authority_of(settings, state)
    # What the dealer may confirm, a higher position may (mbs-megalink-stud §6.2).
    return MAY[wanted if wanted is not None else "pit_supervisor"]


def _take_measure(turn: Turn, event: StaffIdentified) -> None:
    if turn.state.measure is not None:
        take_measure(turn, turn.state.measure, event.name)


def _clear_fault(turn: Turn, event: StaffIdentified) -> None:
    clear_fault(turn, event.name)


def _correct(turn: Turn, event: StaffIdentified) -> None:
    correct_with_authority(turn, event.name, event.staff)


def _put_right(turn: Turn, event: StaffIdentified) -> None:
    carry_out_correction(turn, event.name, event.staff)


def _say_unpaid(turn: Turn, _event: StaffIdentified) -> None:
    turn.round.may_be_paid = False


def _decide_award(turn: Turn, event: StaffIdentified) -> None:
    decide_award(turn, event.staff, event.name)


def _carry_out(turn: Turn, event: StaffIdentified) -> None:
    if turn.state.incident.withdrawing:
        withdraw_noticed(turn)
    else:
        if authority_of(turn.settings, turn.state) is None:
            set_stakes(turn, *confirmed_stakes(turn.settings, turn.state))
        carry_out(turn, by=event.name, staff=event.staff)


def _deny(turn: Turn, event: StaffIdentified) -> None:
    deny(turn, event.staff)
    pay_from_registered_meter(turn)


def _confirm_majors(turn: Turn, event: StaffIdentified) -> None:
    confirm_majors(turn, event.staff)
    pay_from_registered_meter(turn)


def _take_note(turn: Turn, _event: StaffIdentified) -> None:
    """Tell what was dropped: whoever came for that meant nothing of what the phase needs."""
    play = turn.round
    turn.refusal = f"Nothing confirmed; dropped before: {play.dropped} PIN again confirms."
    play.dropped = ""


def asked_cancelled(turn: Turn, _event: ReportWithdrawn) -> bool:
    """Drop what waits for somebody."""
    if not turn.drop_asked():
        raise Refused("There is nothing to cancel.")
    return True
