"""Handlers of faults, and of opening, closing and servicing the table.

The faults, what they stop and who clears them are in `protocol/fault_catalogue.py`; who may
confirm anything else is in `irregularities/authority.py`.
"""

from functools import partial

from firmware.errors import Refused
from firmware.protocol.fault_catalogue import FAULTS, FaultCode
from firmware.protocol.obligations import FaultReport
from firmware.table.boxes import forget_policy
from firmware.table.events import (
    ClockJudged,
    FaultClearAsked,
    FaultNoticed,
    FaultPassed,
    ServiceBegun,
    ServiceDone,
    ServiceEnded,
    TableClosed,
    TableOpened,
)
from firmware.table.irregularities.reports import device_failed
from firmware.table.state import FaultState, TableState, sign_off
from firmware.table.turn import Turn
from firmware.table.verdicts import drop_rejected, rejected_words


def fault_noticed(turn: Turn, event: FaultNoticed) -> bool:
    """Note a fault; one already known is not noted twice."""
    key = fault_key(event.code, event.where)
    known = turn.state.faults.get(key)
    if known is not None and not known.passed:
        return False
    detail = event.detail
    if event.code == "message_rejected":
        detail = ": ".join(filter(None, (rejected_words(turn.state, event.where), detail)))
    turn.state.faults[key] = FaultState(event.code, event.where, detail, turn.at_ms)
    _report(turn, turn.state.faults[key])
    if turn.state.clearing == key:
        turn.state.clearing = ""
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
        raise Refused(f"No such fault: {f'{event.code} {event.where}'.rstrip()}.")
    kind = FAULTS[event.code]
    if kind.ends == "by_itself":
        raise Refused(f"{kind.number} clears by itself once fixed: {kind.remedy}.")
    if kind.lasting and not fault.passed:
        raise Refused(f"{kind.number} is still there: {kind.remedy}.")
    if turn.state.clearing != key:
        turn.ask()
    turn.state.clearing = key
    return True


def clear_fault(turn: Turn, name: str) -> None:
    """Clear the fault that was asked for, in somebody's name."""
    fault = turn.state.faults[turn.state.clearing]
    end_fault(turn, turn.state.clearing, by=name)
    turn.state.clearing = ""
    if fault.code == "message_rejected":
        drop_rejected(turn, fault.where)


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
    turn.state.phase = "service"
    return True


def service_done(_turn: Turn, _event: ServiceDone) -> bool:
    """Record what was done in service mode."""
    return True


def service_ended(turn: Turn, _event: ServiceEnded) -> bool:
    """End service; the table stays closed."""
    turn.state.phase = "closed"
    return True


def fault_key(code: FaultCode, where: str) -> str:
    """Return the key of a fault in the table's state."""
    return f"{code} {where}".rstrip()


def fault_sentences(state: TableState) -> list[str]:
    """Describe every fault in a sentence, those that lock the table first."""
    order = {"table": 0, "spot": 1, "nothing": 2}
    faults = sorted(state.faults.values(), key=lambda fault: order[FAULTS[fault.code].lock])
    return [FAULTS[fault.code].sentence(fault.where, fault.detail) for fault in faults]


def check_not_locked(state: TableState) -> None:
    """Refuse a round while a fault locks the table, and say which."""
    for fault in state.faults.values():
        if FAULTS[fault.code].lock == "table":
            raise Refused(FAULTS[fault.code].sentence(fault.where))


def end_fault(turn: Turn, key: str, *, by: str) -> None:
    """Remove a fault, and tell the jackpot controller who or what cleared it."""
    _report(turn, turn.state.faults.pop(key), cleared_by=by)
    if turn.state.policy == "disallow_box" and turn.state.link_healthy:
        forget_policy(turn.state)


def _report(turn: Turn, fault: FaultState, *, cleared_by: str = "") -> None:
    turn.owe(
        FaultReport(
            id=turn.next_id(),
            table=turn.settings.name,
            at_ms=turn.at_ms,
            code=fault.code,
            where=fault.where,
            text=FAULTS[fault.code].sentence(fault.where, fault.detail),
            cleared=bool(cleared_by),
            by=cleared_by,
        )
    )
