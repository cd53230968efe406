"""Faults: what they say, what they lock, who clears them; PINs, service, closing.

The list of faults is in `faults.py`. What a failing sensor or reader does to a round is in
`test_noticed.py`.
"""

from typing import get_args

import pytest

from firmware.protocol.fault_catalogue import CLEARED_BY, FAULTS, FaultCode, Role
from firmware.protocol.obligations import FaultReport
from firmware.table.effects import NOT_ACCEPTED, ShowRefusal
from firmware.table.events import (
    ServiceBegun,
    ServiceDone,
    ServiceEnded,
    TableClosed,
    TableOpened,
)
from firmware.table.state import Phase
from firmware.table.view import view
from tests.table.playing import (
    STRAIGHT_FLUSH,
    Playing,
    at_reveal,
    bets_placed,
    lamps_in,
    prompt_in,
    refused,
)

every_fault = pytest.mark.parametrize("code", sorted(FAULTS))
WHERE = {
    "spot": "seat 3",
    "payment": "T1.fresh.9.1",
    "jackpot": "meter",
    "table": "shoe",
    "nothing": "",
}


def where_of(code: FaultCode) -> str:
    return WHERE[FAULTS[code].lock]


def fault_reports(playing: Playing) -> list[FaultReport]:
    return [report for report in playing.reports if isinstance(report, FaultReport)]


@every_fault
def test_a_fault_says_what_where_and_what_to_do_and_is_owed_to_the_controller(
    code: FaultCode,
) -> None:
    playing = Playing()
    fault = FAULTS[code]
    place = f" at {where_of(code)}" if where_of(code) else ""
    sentence = f"{fault.number} {fault.what}{place} (12 times): {fault.remedy}."
    assert sentence in prompt_in(playing.fault(code, where_of(code), "12 times"))
    (report,) = fault_reports(playing)
    assert (report.code, report.where, report.text) == (code, where_of(code), sentence)
    assert not report.cleared
    again = playing.fault(code, where_of(code), "13 times")
    if code == "meter_doubted":
        # It names another meter: whoever clears it must know which one is followed then.
        assert sentence.replace("12", "13") in prompt_in(again)
    else:
        assert (again, playing.decided) == ((), False)


@every_fault
def test_the_sign_invites_no_jackpot_bets_while_a_fault_locks_the_table(code: FaultCode) -> None:
    playing = Playing()
    playing.fault(code, where_of(code))
    text = view(playing.table.settings, playing.table.state).sign.text
    assert ("no jackpot bets are accepted" in text) == (FAULTS[code].lock in {"jackpot", "table"})


def test_every_fault_has_a_number_of_its_own() -> None:
    assert set(FAULTS) == set(get_args(FaultCode))
    assert len({fault.number for fault in FAULTS.values()}) == len(FAULTS)


@every_fault
def test_a_fault_locks_what_it_says_through_every_restart(code: FaultCode) -> None:
    playing = Playing()
    playing.fault(code, where_of(code))
    for _ in range(2):
        playing.restart()
        effects = playing.open()
        if FAULTS[code].lock == "table":
            assert effects == refused(FAULTS[code].sentence(where_of(code)))
            assert playing.phase() == "idle"
        else:
            open_spot = "off" if FAULTS[code].lock == "jackpot" else "slow_blink"
            spot = "double_blink" if FAULTS[code].lock == "spot" else open_spot
            assert lamps_in(playing.table.resumed())[3] == spot
            assert lamps_in(playing.table.resumed())[1] == open_spot
            playing.report("interruption")
            playing.confirm()


@every_fault
def test_a_fault_ends_by_itself_or_by_somebody_named(code: FaultCode) -> None:
    playing, where, kind = Playing(), where_of(code), FAULTS[code]
    playing.fault(code, where)
    if kind.ends == "by_itself":
        assert playing.clear(code, where) == refused(
            f"{kind.number} clears by itself once fixed: {kind.remedy}."
        )
        playing.fault_passes(code, where)
    else:
        if kind.lasting:
            assert playing.clear(code, where) == refused(
                f"{kind.number} is still there: {kind.remedy}."
            )
        playing.fault_passes(code, where)
        assert playing.state.faults
        clear_by_everybody(playing, code, where)
    assert not playing.state.faults
    report = fault_reports(playing)[-1]
    assert report.cleared
    assert (report.by == "itself") == (kind.ends == "by_itself")
    playing.open()
    assert playing.phase() == "betting"


def clear_by_everybody(playing: Playing, code: FaultCode, where: str) -> None:
    """Let those try to clear a fault who may not, and then somebody who may."""
    allowed = CLEARED_BY[FAULTS[code].ends]
    for role in sorted(set(get_args(Role)) - allowed):
        playing.clear(code, where)
        (refusal,) = playing.confirm_as(role)
        assert refusal == ShowRefusal(NOT_ACCEPTED)
        assert playing.state.faults
    name = min(allowed)
    playing.clear(code, where)
    playing.confirm_as(name)
    assert fault_reports(playing)[-1].by == f"the {name}"


def test_what_is_no_fault_cannot_be_cleared() -> None:
    assert Playing().clear("cover_open") == refused(
        "F301 is not there. MENU has the faults that are."
    )


def test_a_fault_that_comes_back_must_be_asked_for_again() -> None:
    playing = Playing()
    playing.fault("cover_open")
    playing.fault_passes("cover_open")
    playing.clear("cover_open")
    playing.fault("cover_open")
    playing.confirm_as("technician")
    assert playing.state.faults
    assert not playing.state.clearing


def test_a_table_that_is_locked_while_bets_are_open_does_not_close_them() -> None:
    playing = bets_placed()
    playing.fault("device_gone", "shoe")
    assert playing.close() == refused(FAULTS["device_gone"].sentence("shoe"))
    playing.fault_passes("device_gone", "shoe")
    playing.close()
    assert playing.phase() == "dealing"


def test_a_fault_to_be_cleared_does_not_keep_a_supervisor_from_confirming_a_major() -> None:
    playing = at_reveal(STRAIGHT_FLUSH)
    playing.reveal()
    playing.fault("clock_jumped")
    playing.clear("clock_jumped")
    playing.confirm_as("pit_supervisor")
    assert not any(claim.unconfirmed for claim in playing.state.round.claims.values())
    playing.confirm_as("technician")
    assert not playing.state.faults


# Closing and service


def begin_service(playing: Playing, role: Role = "technician") -> object:
    event = ServiceBegun(at_ms=playing.now(), staff="9", name="Tan", role=role)
    return playing.take(event)


def test_service_is_for_a_technician_at_a_closed_table_and_ends_closed() -> None:
    playing = Playing()
    assert begin_service(playing) == refused(
        "Starting service is not possible now: no round is under way."
    )
    playing.press(TableClosed)
    assert begin_service(playing, "shift_manager") == refused("Tan is not a technician.")
    begin_service(playing)
    assert playing.phase() == "service"
    playing.take(ServiceDone(at_ms=playing.now(), what="lamp test"))
    assert playing.decided
    playing.take(ServiceEnded(at_ms=playing.now()))
    assert playing.open() == refused("Opening the bets is not possible now: the table is closed.")
    playing.press(TableOpened)
    playing.open()
    assert playing.phase() == "betting"


@pytest.mark.parametrize(("during", "after"), [("service", "closed"), ("closed", "closed")])
def test_a_closed_table_stays_closed_through_a_restart(during: Phase, after: Phase) -> None:
    playing = Playing()
    playing.press(TableClosed)
    if during == "service":
        begin_service(playing)
    assert playing.phase() == during
    playing.restart()
    assert playing.phase() == after
