"""A round that a restart has found in a journal that may be out of date: nothing of it is paid here.

The jackpot controller refuses the unit, or the end of its journal is damaged. The round may be over,
by records that this table does not have.
"""

import pytest

from firmware.protocol.fault_catalogue import FAULTS, FaultCode
from firmware.protocol.obligations import OWED_MONEY, FaultReport, RoundReport, sequence_of
from firmware.rules.bounds import MOST_RECORD
from firmware.table.events import LinkChanged, Restarted, StaffRefused, WentOn
from firmware.table.held import CLOSED, HELD
from firmware.table.settlement import MAY_BE_PAID
from firmware.table.table import Table
from tests.table.playing import (
    FLUSH,
    SETTINGS,
    Playing,
    at_reveal,
    bets_placed,
    prompt_in,
    refused,
    written,
)

BOTH: tuple[FaultCode, ...] = ("unit_refused", "journal_damaged")


def restarted(playing: Playing) -> Playing:
    """Cut the power and start again, without a link."""
    playing.table = Table.recovered(SETTINGS, playing.journal)
    playing.take(Restarted(at_ms=playing.now()))
    return playing


def in_the_settlement() -> Playing:
    """Cut the power when seat 1 has been awarded a flush, and nothing is paid."""
    playing = at_reveal(FLUSH)
    playing.reveal()
    (claim_id,) = playing.state.round.claims
    playing.award(claim_id, 10_000)
    return restarted(playing)


def sign_of(playing: Playing) -> str:
    """Say what the sign shows."""
    return playing.table._viewed().sign.text  # type: ignore[union-attr]  # noqa: SLF001


def accepted_by_order(playing: Playing, through: int = 900) -> None:
    """Let the house accept the unit, from what the books have."""
    at_ms = playing.now()
    order = WentOn(
        at_ms=at_ms, through=through, round=9, contributions=12, contributed_cents=6_000, by="300"
    )
    playing.take(order)
    playing.fault("journal_damaged", "the books", f"it goes on after record {through}")
    playing.link(healthy=True)


@pytest.mark.parametrize("code", BOTH)
def test_a_settlement_that_is_held_is_not_paid_on_any_pin(code: FaultCode) -> None:
    playing = in_the_settlement()
    playing.fault(code)
    assert prompt_in(playing.table.resumed())[0] == HELD
    assert "wins" not in sign_of(playing)
    assert playing.paid() == refused(HELD)
    for role in ("pit_supervisor", "shift_manager"):
        assert playing.confirm_as(role) == refused(HELD)
    assert playing.paid() == refused(HELD)
    assert playing.report("misdeal") == refused(HELD)
    assert playing.state.phase == "settling"


@pytest.mark.parametrize("code", BOTH)
def test_nothing_is_ruled_or_returned_in_a_round_that_is_held(code: FaultCode) -> None:
    playing = restarted(at_reveal(FLUSH))
    playing.fault(code)
    assert playing.state.phase == "ruling"
    assert prompt_in(playing.table.resumed())[0] == HELD
    for effects in (playing.confirm(), playing.choose("void"), playing.cancel()):
        assert effects == refused(HELD)
    assert playing.confirm_as("shift_manager") == refused(HELD)
    assert not [owed for owed in playing.state.owed.values() if isinstance(owed, OWED_MONEY)]


def test_bets_that_are_held_are_neither_closed_nor_returned() -> None:
    playing = restarted(bets_placed())
    playing.fault("unit_refused")
    assert playing.close() == refused(HELD)
    assert playing.cancel() == refused(HELD)


def test_a_wrong_pin_is_told_the_same_as_a_right_one() -> None:
    playing = in_the_settlement()
    playing.fault("unit_refused")
    playing.turn_key()
    assert playing.press(StaffRefused, staff="pit_supervisor-7") == refused(HELD)
    assert not playing.state.tries


def test_a_fault_can_be_cleared_while_the_round_is_held_and_that_lets_nothing_go_on() -> None:
    playing = in_the_settlement()
    playing.fault("unit_refused")
    playing.clear("unit_refused")
    playing.cancel()
    assert playing.state.clearing == ""
    playing.clear("unit_refused")
    playing.confirm_as("technician")
    assert not playing.state.faults
    assert playing.paid() == refused(HELD)


def test_a_refusal_from_before_a_restart_still_holds_the_round() -> None:
    playing = at_reveal(FLUSH)
    playing.fault("unit_refused")
    playing.reveal()
    restarted(playing)
    assert playing.paid() == refused(HELD)


def test_a_unit_that_is_refused_without_a_restart_settles_what_it_has_seen_itself() -> None:
    playing = at_reveal(FLUSH)
    playing.reveal()
    playing.fault("unit_refused")
    assert prompt_in(playing.table.resumed())[0] != HELD
    assert playing.paid() != refused(HELD)


def test_a_unit_that_is_accepted_after_all_goes_on_with_its_round() -> None:
    playing = in_the_settlement()
    playing.fault("unit_refused", detail="another unit is on the link")
    playing.link(healthy=True)
    playing.paid()
    assert playing.state.phase == "idle"


def test_where_records_are_known_to_be_missing_an_accepted_journal_is_not_enough_to_pay() -> None:
    playing = in_the_settlement()
    playing.fault("journal_damaged", detail="record 40 cannot be read")
    playing.link(healthy=True)
    assert playing.paid() == refused(MAY_BE_PAID)
    playing.confirm_as("pit_supervisor")
    playing.paid()
    assert playing.state.phase == "idle"


def test_a_refusal_that_is_over_says_so_and_who_clears_it() -> None:
    playing = in_the_settlement()
    playing.fault("unit_refused", detail="its journal ends with record 133")
    playing.link(healthy=True)
    said = " ".join(prompt_in(playing.table.resumed()))
    assert f"{FAULTS['unit_refused'].over}." in said
    assert "order accept-unit" not in said
    playing.clear("unit_refused")
    playing.confirm_as("technician")
    assert not playing.state.faults


def test_7_3_a_unit_that_is_closed_is_told_no_order_that_would_not_help() -> None:
    playing = in_the_settlement()
    playing.fault("unit_refused", detail="another unit is on the link")
    playing.fault("unit_closed", detail="it was replaced")
    said = " ".join(prompt_in(playing.table.resumed()))
    assert said.startswith(CLOSED)
    assert "begin a new journal" in said
    assert "accept-unit" not in said
    assert playing.paid() == refused(CLOSED)
    assert playing.confirm_as("shift_manager") == refused(CLOSED)
    assert list(playing.state.faults) == ["unit_closed"]
    # Held through every restart, as it was found.
    assert restarted(playing).paid() == refused(CLOSED)
    playing.link(healthy=True)
    assert FAULTS["unit_closed"].over in " ".join(prompt_in(playing.table.resumed()))


@pytest.mark.parametrize("through", [900, 3])
def test_after_the_houses_order_the_table_has_the_books_count_and_reverses_nothing(
    through: int,
) -> None:
    """Even what the copy had voided before it was refused, and however far it was played on."""
    playing = restarted(at_reveal(FLUSH))
    playing.confirm()
    playing.confirm_as("pit_supervisor")
    assert any(isinstance(owed, OWED_MONEY) for owed in playing.state.owed.values())
    playing.fault("unit_refused")
    before = {*playing.state.owed}
    accepted_by_order(playing, through)
    state = playing.state
    assert state.phase == "idle"
    assert (state.totals.contributions, state.totals.contributed_cents) == (12, 6_000)
    assert not any(isinstance(owed, (*OWED_MONEY, RoundReport)) for owed in state.owed.values())
    assert all(sequence_of(each) > through or each in before for each in state.owed)
    assert playing.take(_order_again(through)) == ()
    assert not playing.decided
    assert Table.recovered(SETTINGS, playing.journal).state.totals == state.totals


def _order_again(through: int) -> WentOn:
    return WentOn(at_ms=1, through=through, round=9, contributions=12, contributed_cents=6_000)


def test_7_11_a_unit_that_is_refused_again_before_its_link_is_back_follows_the_next_order() -> None:
    playing = in_the_settlement()
    playing.fault("unit_refused")
    playing.take(_order_again(900))
    playing = restarted(playing)  # its power fails before the controller has heard of that
    playing.fault("unit_refused")
    assert playing.state.refused
    playing.take(_order_again(901))
    assert playing.state.went_on == 901
    assert "sequence_fell order" not in playing.state.faults


def test_a_link_that_is_lost_again_after_the_order_holds_nothing() -> None:
    playing = in_the_settlement()
    playing.fault("unit_refused")
    accepted_by_order(playing)
    playing.take(LinkChanged(at_ms=playing.now(), healthy=False, problem="gone"))
    assert HELD not in prompt_in(playing.table.resumed())


# An order for a unit that it is not for


def _in_a_settlement_that_was_awarded() -> Playing:
    playing = at_reveal(FLUSH)
    playing.reveal()
    (claim_id,) = playing.state.round.claims
    playing.award(claim_id, 10_000)
    return playing


def _left_alone(playing: Playing, before: bytes) -> bool:
    """Return whether an order has only led to its fault, and the report of that."""
    state = playing.state
    fault = state.faults.pop("sequence_fell order", None)
    for owed in [*state.owed.values()]:
        if isinstance(owed, FaultReport) and owed.code == "sequence_fell":
            del state.owed[owed.id]
    state.sequence -= 1
    return fault is not None and written(state) == before


@pytest.mark.parametrize("through", [0, 1, 900, MOST_RECORD])
def test_7_11_a_healthy_table_that_was_never_refused_follows_no_order_to_go_on(
    through: int,
) -> None:
    playing = _in_a_settlement_that_was_awarded()
    before = written(playing.state)
    playing.take(_order_again(through))
    assert playing.phase() == "settling"
    assert Table.recovered(SETTINGS, playing.journal).state.round == playing.state.round
    assert playing.take(_order_again(through)) == ()  # told once
    assert _left_alone(playing, before)


def test_7_11_a_table_that_was_accepted_since_it_was_refused_follows_no_order() -> None:
    playing = _in_a_settlement_that_was_awarded()
    playing.fault("unit_refused")
    playing.link(healthy=False)
    playing.link(healthy=True)
    before = written(playing.state)
    playing.take(_order_again(900))
    assert _left_alone(playing, before)


def test_7_11_a_refused_table_that_is_to_go_on_after_no_record_lacks_nothing() -> None:
    playing = in_the_settlement()
    playing.fault("unit_refused")
    playing.take(_order_again(0))
    assert playing.phase() == "settling"
    assert "lacks nothing" in playing.state.faults["sequence_fell order"].detail


def test_7_11_a_table_whose_fault_was_cleared_is_still_refused_and_follows_the_order() -> None:
    playing = in_the_settlement()
    playing.fault("unit_refused")
    playing.clear("unit_refused")
    playing.confirm_as("technician")
    accepted_by_order(playing)
    assert playing.phase() == "idle"
    assert playing.state.totals.contributions == 12
