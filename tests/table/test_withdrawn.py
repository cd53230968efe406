"""Claims that are withdrawn before PAID, whatever became of them by then (I-37).

Void rounds, hands taken out, a supervisor who does not confirm; and what the jackpot
controller rejects. What the controller does about a withdrawal is in
`tests/sim/test_jackpot_withdrawn.py`.
"""

from collections.abc import Callable, Iterable

import pytest
from msgspec.structs import replace

from firmware.protocol.obligations import FaultReport, Reversal, Verdict, Win
from firmware.table.effects import NOT_ACCEPTED, Send, ShowSign, StopSending
from firmware.table.events import MajorDenied
from firmware.table.public import public
from firmware.table.table import Table
from tests.table.playing import (
    FLUSH,
    STRAIGHT_FLUSH,
    Effects,
    Playing,
    at_reveal,
    bets_placed,
    owed_in,
    prompt_in,
    refused,
    remembered,
)
from tests.table.test_link_lost import won
from tests.table.test_majors import ROYAL, WORDS

DOCUMENTS = ("rws-multilink-stud",)


def royal_and_flush() -> tuple[Playing, Win, Win]:
    """Settle a round in which seat 1 claims a major and seat 3 a minor; both are entered."""
    playing = at_reveal(ROYAL, FLUSH)
    major, minor = owed_in(playing.reveal())
    assert isinstance(major, Win)
    assert isinstance(minor, Win)
    playing.acknowledge(major.id)
    playing.acknowledge(minor.id)
    return playing, major, minor


def unconfirmed(_playing: Playing, _win: Win) -> None:
    """Leave the claim as it is."""


def confirmed(playing: Playing, _win: Win) -> None:
    """Confirm the major; its verdict is on its way."""
    playing.confirm_as("pit_supervisor")


def entered(playing: Playing, _win: Win) -> None:
    """Confirm the major; the controller has acknowledged that."""
    (verdict,) = owed_in(playing.confirm_as("pit_supervisor"))
    playing.acknowledge(verdict.id)


def awarded(playing: Playing, win: Win) -> None:
    """Let the controller award the major."""
    entered(playing, win)
    playing.award(win.id, 5_001_050)


def by_meter(playing: Playing, win: Win) -> None:
    """Lose the link, so that the confirmed claim has an amount from the registered meter."""
    entered(playing, win)
    playing.meter(9_000_000, 9)
    playing.link(healthy=False)


every_way = pytest.mark.parametrize("becomes", [unconfirmed, confirmed, entered, awarded, by_meter])


def carried_out(playing: Playing) -> Effects:
    """Let whoever has to confirm the ruling confirm it."""
    effects = playing.confirm()
    return playing.confirm_as("pit_supervisor") if playing.phase() == "ruling" else effects


def withdrawals(effects: Effects) -> list[tuple[str, str, str]]:
    """List which wins some effects withdraw, by whom and why."""
    verdicts = [owed for owed in owed_in(effects) if isinstance(owed, Verdict)]
    assert not any(verdict.confirmed for verdict in verdicts)
    return [(verdict.win, verdict.staff, verdict.reason) for verdict in verdicts]


@every_way
def test_5_8_1_a_void_round_withdraws_its_claims_whatever_became_of_them(
    becomes: Callable[[Playing, Win], None],
) -> None:
    playing, major, minor = royal_and_flush()
    becomes(playing, major)
    playing.report("foreign_card")
    effects = carried_out(playing)
    why = "foreign card (§5.8.1)"
    found = [(win, reason) for win, _, reason in withdrawals(effects)]
    assert found == [(major.id, why), (minor.id, why)]
    assert not playing.state.round.claims
    assert len([owed for owed in owed_in(effects) if isinstance(owed, Reversal)]) == 2
    lines = prompt_in(effects)
    assert not any("JACKPOT" in line and ": pay" in line for line in lines)
    assert any(line.startswith("Seat 1 JACKPOT") and "do not pay it" in line for line in lines)
    playing.paid()
    assert playing.phase() == "idle"
    again = Table.recovered(playing.table.settings, playing.journal)
    assert remembered(again.state) == remembered(playing.state)


def test_5_8_1_a_minor_that_was_awarded_is_withdrawn_with_the_void_round() -> None:
    playing, major, minor = royal_and_flush()
    playing.award(minor.id, 10_000)
    playing.report("foreign_card")
    assert [win for win, *_ in withdrawals(carried_out(playing))] == [major.id, minor.id]


def named_in(owed: Iterable[object]) -> dict[str, tuple[str, ...]]:
    """List what each withdrawal names beside its own win."""
    verdicts = [each for each in owed if isinstance(each, Verdict) and not each.confirmed]
    return {each.win: each.also_withdraws for each in verdicts}


def test_what_is_withdrawn_together_is_named_in_each_withdrawal() -> None:
    playing, major, minor = royal_and_flush()
    playing.report("foreign_card")
    together = {major.id: (minor.id,), minor.id: (major.id,)}
    assert named_in(owed_in(carried_out(playing))) == together
    # Records of the edition before named nobody, and the same id must say the same again.
    journal = [replace(playing.journal[0], edition=1), *playing.journal[1:]]
    before = Table.recovered(playing.table.settings, journal)
    assert named_in(before.state.owed.values()) == {major.id: (), minor.id: ()}


def test_5_15_an_invalid_hand_withdraws_its_own_claim_alone() -> None:
    playing, major, minor = royal_and_flush()
    playing.award(minor.id, 10_000)
    awarded(playing, major)
    playing.report("player_count_wrong", seat=3, reconstructable=False)
    effects = carried_out(playing)
    assert [win for win, *_ in withdrawals(effects)] == [minor.id]
    assert list(playing.state.round.claims) == [major.id]
    playing.paid()
    assert playing.phase() == "idle"


def test_a_lost_mbs_link_voids_a_round_that_was_awarded_as_the_shift_manager_decides() -> None:
    playing = won("mbs-megalink-stud")
    first, third = owed_in(playing.reveal())
    playing.award(first.id, 100_000)
    playing.link(healthy=False)
    playing.choose("void")
    found = withdrawals(playing.confirm_as("shift_manager"))
    why = "jackpot fault (§6.1)"
    assert found == [(win.id, "shift_manager-7", why) for win in (first, third)]
    assert playing.state.round.void


def test_a_shift_managers_void_withdraws_what_was_awarded() -> None:
    playing, major, minor = royal_and_flush()
    awarded(playing, major)
    playing.award(minor.id, 10_000)
    playing.report("other")
    playing.choose("void")
    found = withdrawals(playing.confirm_as("shift_manager"))
    assert [(win, staff) for win, staff, _ in found] == [
        (major.id, "shift_manager-7"),
        (minor.id, "shift_manager-7"),
    ]


def test_an_award_that_was_on_its_way_is_told_and_not_paid() -> None:
    playing, major, _ = royal_and_flush()
    entered(playing, major)
    playing.report("foreign_card")
    carried_out(playing)
    effects = playing.award(major.id, 5_001_050)
    assert playing.journal[-1] == playing.last, "the auditor must see that it came"
    assert not any(isinstance(effect, ShowSign) for effect in effects)
    (line,) = (line for line in prompt_in(effects) if line.startswith("Seat 1 JACKPOT"))
    assert "withdrawn, do not pay it, whatever the award says" in line
    assert "$50,010.50" not in line
    assert StopSending(major.id) in effects
    assert playing.award(major.id, 5_001_050) == ()
    assert playing.journal[-1] != playing.last
    playing.paid()
    assert playing.phase() == "idle"


def test_a_withdrawal_survives_the_power_until_it_is_acknowledged() -> None:
    playing, major, _ = royal_and_flush()
    awarded(playing, major)
    playing.report("foreign_card")
    carried_out(playing)
    verdicts = [owed for owed in owed_in(playing.restart()) if isinstance(owed, Verdict)]
    assert [verdict.confirmed for verdict in verdicts] == [False, False]
    for owed in list(playing.state.owed):
        playing.acknowledge(owed)
    assert owed_in(playing.restart()) == []


# A supervisor who does not confirm


def deny(playing: Playing, seat: int, reason: str = "a card from another deck") -> Effects:
    """Key that a seat's claim is not confirmed."""
    return playing.press(MajorDenied, seat=seat, reason=reason)


@every_way
def test_a_supervisor_says_no_to_a_major_and_the_rest_of_the_round_stands(
    becomes: Callable[[Playing, Win], None],
) -> None:
    playing, major, minor = royal_and_flush()
    playing.award(minor.id, 10_000)
    becomes(playing, major)
    lines = prompt_in(deny(playing, 1))
    assert "Reason: a card from another deck." in lines
    assert not any(line.startswith("Seat 1 JACKPOT") and ": pay" in line for line in lines)
    before = playing.state.round.results[:]
    effects = playing.confirm_as("pit_supervisor")
    why = "not confirmed: a card from another deck"
    assert withdrawals(effects) == [(major.id, "pit_supervisor-7", why)]
    assert list(playing.state.round.claims) == [minor.id]
    assert playing.state.round.results == before
    assert not any(isinstance(owed, Reversal) for owed in owed_in(effects))
    playing.paid()
    assert playing.phase() == "idle"
    assert playing.stages[-1] == "settled"


def test_the_prompt_offers_the_no_next_to_the_yes() -> None:
    playing, _, _ = royal_and_flush()
    lines = prompt_in(playing.table.resumed())
    assert lines[0] == "Pit supervisor: check seat 1, key and PIN."
    no = "If not confirmed: first NOTCONFIRMED 1 and the reason."
    assert lines[lines.index("Seat 1: JACKPOT, do not pay yet.") + 1] == no


def test_a_no_needs_a_supervisor_and_can_be_cancelled_before_he_comes() -> None:
    playing, major, minor = royal_and_flush()
    playing.award(minor.id, 10_000)
    awarded(playing, major)
    assert deny(playing, 2) == refused("Seat 2 has no claim on the jackpot.")
    deny(playing, 1)
    assert playing.paid() == refused("Pit supervisor: key and PIN, or CANCEL. Seat 1: no JACKPOT.")
    assert playing.confirm_as("dealer") == refused(NOT_ACCEPTED)
    playing.cancel()
    assert list(playing.state.round.claims) == [major.id, minor.id]
    playing.paid()
    assert playing.phase() == "idle"


def test_a_no_without_a_major_is_about_the_minor() -> None:
    playing, _, minor = royal_and_flush()
    playing.award(minor.id, 10_000)
    assert deny(playing, 3, reason="") == refused(
        "Key the reason too, such as NOTCONFIRMED 3 wrong card."
    )
    deny(playing, 3, reason="a wrong card")
    found = withdrawals(playing.confirm_as("shift_manager"))
    assert found == [(minor.id, "shift_manager-7", "not confirmed: a wrong card")]


def test_a_void_forgets_the_no_that_was_waiting() -> None:
    playing, _, _ = royal_and_flush()
    deny(playing, 1)
    playing.report("foreign_card")
    playing.confirm_as("pit_supervisor")  # who takes note that the no was dropped
    carried_out(playing)
    assert playing.state.round.denying is None
    playing.paid()
    assert playing.phase() == "idle"


# What may be paid


def test_no_amount_is_told_to_be_paid_before_the_major_is_confirmed() -> None:
    playing, major, _ = royal_and_flush()
    playing.meter(5_001_050, 9)
    playing.link(healthy=False)
    assert playing.state.round.claims[major.id].amount_cents == 5_001_050
    shown = playing.table.resumed()
    assert "50,010.50" not in " ".join(prompt_in(shown))
    (sign,) = (effect.text for effect in shown if isinstance(effect, ShowSign))
    assert "50,010.50" not in sign
    seen = public(playing.table.settings, playing.state)
    assert [claim.amount_cents for claim in seen.claims] == [None, 10_000]
    playing.confirm_as("pit_supervisor")
    assert "pay $50,010.50 from" in " ".join(prompt_in(playing.table.resumed()))


# What the jackpot controller rejects


def rejected(playing: Playing, obligation: str) -> Effects:
    """Let the controller reject something."""
    return playing.fault("message_rejected", obligation, "win: it is paid already")


def test_what_was_rejected_has_a_name_blocks_no_floor_and_is_settled_by_the_shift_manager() -> None:
    playing, major, minor = royal_and_flush()
    playing.award(minor.id, 10_000)
    (verdict,) = owed_in(playing.confirm_as("pit_supervisor"))
    assert playing.status is not None
    assert playing.status.owed == 1
    lines = prompt_in(rejected(playing, verdict.id))
    assert playing.status.owed == 0, "every later major of the link would wait for it"
    (line,) = (line for line in lines if line.startswith("F503"))
    assert line == (
        "F503 The jackpot controller has rejected what this table owes it at "
        f"{verdict.id} (claim confirmed, seat 1, round 1: win: it is paid already): "
        "have the shift manager settle it with the house and clear this: then it is dropped."
    )
    assert owed_in(playing.restart())[-1] == verdict, "until then it is owed"
    playing.reports.clear()
    playing.clear("message_rejected", verdict.id)
    assert playing.confirm_as("technician") == refused(NOT_ACCEPTED)
    effects = playing.confirm_as("shift_manager")
    assert {StopSending(verdict.id), StopSending(major.id)} <= set(effects)
    (told,) = playing.reports
    assert isinstance(told, FaultReport)
    assert (told.cleared, told.by) == (True, "the shift_manager")
    assert owed_in(playing.restart()) == []
    playing.paid()
    assert playing.phase() == "idle"
    playing.open()
    assert playing.phase() == "betting"


def test_a_rejected_withdrawal_is_dropped_with_its_win() -> None:
    playing, major, _ = royal_and_flush()
    playing.report("foreign_card")
    carried_out(playing)
    for owed in [o for o in playing.state.owed.values() if isinstance(o, Verdict)]:
        rejected(playing, owed.id)
        playing.clear("message_rejected", owed.id)
        playing.confirm_as("shift_manager")
    assert major.id not in playing.state.owed
    assert not any(isinstance(owed, Verdict) for owed in playing.state.owed.values())


@pytest.mark.parametrize("voided", [False, True])
def test_the_count_follows_what_was_rejected_and_dropped(*, voided: bool) -> None:
    playing = bets_placed()
    first, third = owed_in(playing.close())
    playing.acknowledge(third.id)
    if voided:
        playing.acknowledge(first.id)
        playing.report("foreign_card")
        effects = carried_out(playing)
        taken_back = [owed for owed in owed_in(effects) if isinstance(owed, Reversal)]
        playing.acknowledge(taken_back[1].id)
        first = taken_back[0]
    rejected(playing, first.id)
    playing.clear("message_rejected", first.id)
    playing.confirm_as("shift_manager")
    totals = playing.state.totals
    assert (totals.contributions, totals.contributed_cents) == (1, 500)
    if not voided:
        playing.report("foreign_card")
        sent = [effect.obligation for effect in carried_out(playing) if isinstance(effect, Send)]
        assert len([owed for owed in sent if isinstance(owed, Reversal)]) == 1


def test_a_rejection_of_what_is_no_longer_owed_can_be_cleared_too() -> None:
    playing = at_reveal(STRAIGHT_FLUSH)
    rejected(playing, "T1.fresh.1.1")
    playing.clear("message_rejected", "T1.fresh.1.1")
    totals = playing.state.totals.contributions
    playing.confirm_as("shift_manager")
    assert playing.state.totals.contributions == totals
    assert WORDS in " ".join(prompt_in(playing.reveal()))


def test_a_reason_that_begins_with_a_number_is_the_reason_and_denies_the_claim() -> None:
    playing = won("rws-multilink-stud")
    playing.reveal()
    claims = [claim.seat for claim in playing.state.round.claims.values()]
    assert claims.count(1) == 1
    playing.press(MajorDenied, seat=1, which=10, reason="of spades is from another deck")
    owed = owed_in(playing.confirm_as("pit_supervisor"))
    (verdict,) = [each for each in owed if isinstance(each, Verdict)]
    assert (verdict.seat, verdict.confirmed) == (1, False)
    assert verdict.reason == "not confirmed: 10 of spades is from another deck"
    assert playing.state.round.claims_of(1) == []
