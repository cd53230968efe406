"""Majors: pending, confirmed by a supervisor, awarded in the controller's order, paid.

Payment while the link is down is in `test_link_lost.py`; minors are in `test_winning.py`.
"""

from firmware.protocol.obligations import Verdict, Win
from firmware.table.effects import NOT_ACCEPTED, NOT_ASKED, ShowSign, StopSending
from firmware.table.events import ClockJudged
from tests.table.playing import (
    FLUSH,
    METER_CENTS,
    STRAIGHT_FLUSH,
    Playing,
    at_reveal,
    lamps_in,
    owed_in,
    prompt_in,
    refused,
    sign,
)

OTHER_STRAIGHT_FLUSH = ("4d", "5d", "6d", "7d", "8d")
ROYAL = ("Tc", "Jc", "Qc", "Kc", "Ac")
WORDS = "straight flush (player's hand), major, 10 % of the meter"


def claimed(first: tuple[str, ...], third: tuple[str, ...]) -> tuple[Playing, list[Win]]:
    """Reveal two hands, and give what they claim."""
    playing = at_reveal(first, third)
    wins = [owed for owed in owed_in(playing.reveal()) if isinstance(owed, Win)]
    return playing, wins


def test_a_major_is_claimed_as_not_final_with_the_clock_it_was_dealt_by() -> None:
    playing = at_reveal(STRAIGHT_FLUSH)
    playing.take(ClockJudged(at_ms=playing.now(), quality="synchronised"))
    (win,) = owed_in(playing.reveal())
    assert isinstance(win, Win)
    assert (win.final, win.clock, win.claim.level) == (False, "synchronised", "major")


def test_the_dealer_sees_pending_then_the_supervisor_then_the_amount() -> None:
    playing, (win,) = claimed(STRAIGHT_FLUSH, (*FLUSH[:4], "2c"))
    lines = prompt_in(playing.table.resumed())
    assert f"Seat 1 JACKPOT {WORDS}: to be confirmed, do not pay yet" in lines
    assert lines[0] == "Pit supervisor: check seat 1, key and PIN."
    assert playing.paid() == refused("Pit supervisor: check seat 1, key and PIN.")
    playing.turn_key()
    effects = playing.identify("pit_supervisor")
    (verdict,) = owed_in(effects)
    assert verdict == Verdict(
        id=f"T1.fresh.{playing.state.sequence}.1",
        table="T1",
        at_ms=playing.at_ms,
        round=1,
        seat=1,
        win=win.id,
        confirmed=True,
        staff="pit_supervisor-7",
    )
    assert not any("pit supervisor" in line for line in prompt_in(effects))
    assert playing.paid() == refused("Seat 1 is still waiting for its jackpot award.")
    effects = playing.award(win.id, 77_700)
    assert f"Seat 1 JACKPOT {WORDS}: pay $777.00" in prompt_in(effects)
    assert sign(METER_CENTS, "Seat 1 wins $777.00") in effects
    assert StopSending(win.id) in effects
    assert lamps_in(playing.paid()) == {1: "off", 3: "off"}


def test_only_a_supervisor_or_a_manager_makes_a_major_final_and_only_with_the_key() -> None:
    playing, (win,) = claimed(STRAIGHT_FLUSH, (*FLUSH[:4], "2c"))
    assert playing.identify() == refused("Turn the key first, then enter your number and PIN.")
    playing.turn_key(on=False)
    assert not playing.decided, "a key that is where it was is not written down"
    playing.turn_key()
    for role in ("dealer", "technician"):
        assert playing.identify(role) == refused(NOT_ACCEPTED)
    playing.identify("shift_manager")
    assert playing.state.round.claims[win.id].confirmed_by == "shift_manager-7"
    assert playing.identify("shift_manager") == refused(NOT_ASKED)


def test_an_award_is_not_shown_on_the_sign_before_the_supervisor_has_confirmed() -> None:
    playing, (win,) = claimed(STRAIGHT_FLUSH, (*FLUSH[:4], "2c"))
    effects = playing.award(win.id, 77_700)
    assert not any(isinstance(effect, ShowSign) for effect in effects)
    playing.confirm_as("pit_supervisor")
    assert sign(METER_CENTS, "Seat 1 wins $777.00") in playing.table.resumed()


def test_several_majors_are_confirmed_together_and_awarded_each_by_its_own_message() -> None:
    playing, wins = claimed(STRAIGHT_FLUSH, OTHER_STRAIGHT_FLUSH)
    assert [win.seat for win in wins] == [1, 3]
    verdicts = owed_in(playing.confirm_as("pit_supervisor"))
    assert [getattr(v, "win", "") for v in verdicts] == [win.id for win in wins]
    playing.award(wins[1].id, 90_000)
    assert playing.paid() == refused("Seat 1 is still waiting for its jackpot award.")
    playing.award(wins[0].id, 100_000)
    playing.paid()
    assert playing.phase() == "idle"


def test_a_minor_beside_a_major_is_final_as_it_stands() -> None:
    playing, wins = claimed(ROYAL, FLUSH)
    assert [(win.claim.tier, win.final) for win in wins] == [
        ("royal_flush", False),
        ("flush", True),
    ]
    verdicts = owed_in(playing.confirm_as("pit_supervisor"))
    assert [getattr(v, "win", "") for v in verdicts] == [wins[0].id]


def test_a_win_and_its_verdict_survive_the_power_until_they_are_answered() -> None:
    playing, (win,) = claimed(STRAIGHT_FLUSH, (*FLUSH[:4], "2c"))
    (verdict,) = owed_in(playing.confirm_as("pit_supervisor"))
    assert owed_in(playing.restart()) == [win, verdict]
    playing.acknowledge(verdict.id)
    playing.acknowledge(win.id)
    assert owed_in(playing.restart()) == [win]
    playing.award(win.id, 500)
    assert owed_in(playing.restart()) == []


def test_an_award_for_what_is_no_win_strikes_nothing_out() -> None:
    playing = at_reveal(FLUSH)
    playing.restart()
    reports = list(playing.state.owed)
    assert reports
    playing.award(reports[0], 500)
    assert list(playing.state.owed)[: len(reports)] == reports
    assert list(playing.state.faults) == ["award_doubted no claim"]
