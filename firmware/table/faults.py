"""Handlers of faults, and of opening, closing and servicing the table.

The faults, what they stop and who clears them are in `protocol/fault_catalogue.py`; who may
confirm anything else is in `irregularities/authority.py`.
"""

from functools import partial

from firmware.errors import Refused
from firmware.protocol.fault_catalogue import FAULTS, place_words
from firmware.table.awards import check_decided
from firmware.table.boxes import forget_policy
from firmware.table.events import (
    ClockJudged,
    FaultClearAsked,
    FaultNoticed,
    FaultPassed,
    ServiceBegun,
    ServiceDone,
    ServiceEnded,
    ServiceRefused,
    TableClosed,
    TableOpened,
)
from firmware.table.held import HOLDS, hold_found
from firmware.table.irregularities.reports import device_failed
from firmware.table.irregularities.tries import count_wrong, must_wait
from firmware.table.state import FaultState, TableState, sign_off
from firmware.table.turn import Turn, fault_key
from firmware.table.verdicts import drop_rejected, rejected_words

_LONGEST_SHOWN = 20
"""So many characters of a place that nobody knows are shown."""


def fault_noticed(turn: Turn, event: FaultNoticed) -> bool:
    """Note a fault; one already known is not noted twice, unless it names another meter.

    What somebody clears is followed: it is the meter that they were told of, and no other.
    """
    key = fault_key(event.code, event.where)
    known = turn.state.faults.get(key)
    anew = known is not None and event.code == "meter_doubted" and known.detail != event.detail
    if known is not None and not known.passed and not anew:
        return False
    detail = event.detail
    if event.code == "message_rejected":
        detail = ": ".join(filter(None, (rejected_words(turn.state, event.where), detail)))
    turn.begin_fault(event.code, event.where, detail)
    # After a restart none is believed yet: the one from before it goes on to count.
    turn.state.believed_meter = event.believed or turn.state.believed_meter
    if event.code in HOLDS:
        hold_found(turn.state)
        turn.state.refused |= event.code == "unit_refused"
    if event.code == "unit_closed" and "unit_refused" in turn.state.faults:
        # What would help a unit that is only refused does not help this one.
        end_fault(turn, "unit_refused", by="itself")
    if turn.state.clearing == key:
        turn.drop("clearing")
    turn.follow.append(partial(device_failed, event=event))
    return True


def fault_passed(turn: Turn, event: FaultPassed) -> bool:
    """Note that a fault is over; one that somebody has to clear stays."""
    key = fault_key(event.code, event.where)
    fault = turn.state.faults.get(key)
    if fault is None or fault.passed:
        return False
    if FAULTS[event.code].ends == "by_itself":
        end_fault(turn, key, by="itself")
    else:
        fault.passed = True
    return True


def fault_clear_asked(turn: Turn, event: FaultClearAsked) -> bool:
    """Note which fault is to be cleared; the person with authority comes next."""
    key = fault_key(event.code, event.where)
    fault = turn.state.faults.get(key)
    if fault is None:
        named = f"{FAULTS[event.code].number} {place_words(event.where)[:_LONGEST_SHOWN]}".rstrip()
        raise Refused(f"{named} is not there. MENU has the faults that are.")
    kind = FAULTS[event.code]
    if kind.ends == "by_itself":
        raise Refused(f"{kind.number} clears by itself once fixed: {kind.remedy}.")
    if kind.lasting and not fault.passed:
        raise Refused(f"{kind.number} is still there: {kind.remedy}.")
    if event.code == "award_doubted":
        check_decided(turn.state, event.where)
    if turn.state.clearing != key:
        turn.ask()
    turn.state.clearing = key
    return True


def clear_fault(turn: Turn, name: str) -> None:
    """Clear the fault that was asked for, in somebody's name."""
    key, turn.state.clearing = turn.state.clearing, ""
    fault = turn.state.faults[key]
    end_fault(turn, key, by=name)
    if fault.code == "message_rejected":
        drop_rejected(turn, fault.where)
    if not turn.state.meter_doubted:
        _believe_meter(turn.state)


def _believe_meter(state: TableState) -> None:
    """Go by the meter that was doubted, if one was: somebody has compared it with the books."""
    state.believed_meter = None
    if state.doubted_meter is not None:
        state.meter_cents, state.reset_cents = state.doubted_meter
        state.doubted_meter = None


def clock_judged(turn: Turn, event: ClockJudged) -> bool:
    """Note the quality of the clock; each win carries it."""
    if event.quality == turn.state.clock:
        return False
    turn.state.clock = event.quality
    return True


def table_closed(turn: Turn, _event: TableClosed) -> bool:
    """Take no more rounds; the dealer's duty ends, and whoever plays when it opens again is new."""
    turn.state.without_chip, turn.state.last_bonus_cents = [], {}
    turn.state.phase = "closed"
    sign_off(turn.state)
    return True


def table_opened(turn: Turn, _event: TableOpened) -> bool:
    """Take rounds again."""
    turn.state.phase = "idle"
    return True


def service_begun(turn: Turn, event: ServiceBegun) -> bool:
    """Let a technician work on the closed table."""
    if event.role != "technician":
        raise Refused(f"{event.name} is not a technician.")
    if must_wait(turn.state, "maintenance", event.staff, event.up_ms):
        return False
    turn.state.tries.pop(event.staff, None)
    turn.state.phase = "service"
    return True


def service_refused(turn: Turn, event: ServiceRefused) -> bool:
    """Count a PIN that was not accepted."""
    if must_wait(turn.state, "maintenance", event.staff, event.up_ms):
        return False
    count_wrong(turn.state, "maintenance", event.staff, event.up_ms)
    return True


def service_done(turn: Turn, event: ServiceDone) -> bool:
    """Record what was done in service mode; a cover that was opened for it faults nothing."""
    cover = turn.state.faults.get("cover_open")
    if event.cover_closed_by and cover is not None and cover.passed:
        end_fault(turn, "cover_open", by=event.cover_closed_by)
    return True


def service_ended(turn: Turn, _event: ServiceEnded) -> bool:
    """End service; the table stays closed."""
    turn.state.phase = "closed"
    return True


def locking_faults(state: TableState) -> list[FaultState]:
    """List the faults that lock the table, the newest first."""
    return [fault for fault in reversed(state.faults.values()) if _locks(fault)]


def other_faults(state: TableState) -> list[FaultState]:
    """List the faults that do not lock the table: those of a payment first, the newest of a kind."""
    order = ("payment", "jackpot", "spot", "nothing")
    faults = [each for each in reversed(state.faults.values()) if not _locks(each)]
    return sorted(faults, key=lambda fault: order.index(FAULTS[fault.code].lock))


def _locks(fault: FaultState) -> bool:
    return FAULTS[fault.code].lock == "table"


def fault_sentence(fault: FaultState) -> str:
    """Describe a fault in a sentence."""
    return FAULTS[fault.code].sentence(fault.where, fault.detail, passed=fault.passed)


def fault_sentences(state: TableState) -> list[str]:
    """Describe every fault in a sentence, those that lock the table first."""
    return [fault_sentence(fault) for fault in (*locking_faults(state), *other_faults(state))]


def check_not_locked(state: TableState) -> None:
    """Refuse a round while a fault locks the table, and say which."""
    for fault in locking_faults(state):
        raise Refused(FAULTS[fault.code].sentence(fault.where, passed=fault.passed))


def end_fault(turn: Turn, key: str, *, by: str) -> None:
    """Remove a fault; what was decided about a jackpot that had failed may end with it."""
    turn.end_fault(key, by=by)
    if turn.state.policy == "disallow_box" and turn.state.link_healthy:
        forget_policy(turn.state)
