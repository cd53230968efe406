"""Boxes that take no bets: a fault under the house's policy, a barred or a restricted player.

Also what one player chooses for all his seats, and a failed jackpot that nobody has bet on.
"""

from typing import Literal

import pytest
from msgspec.structs import replace

from firmware.rules.games import GAMES
from firmware.table.effects import NOT_ACCEPTED
from firmware.table.events import (
    FaultClearAsked,
    FaultPassed,
    MeasureAsked,
    NewPlayer,
    Restarted,
    SeatsJoined,
)
from firmware.table.power import left_behind
from firmware.table.settings import HousePolicy
from firmware.table.state import Phase
from firmware.table.table import Table
from tests.table.playing import (
    SETTINGS,
    Effects,
    Playing,
    lamps_in,
    owed_in,
    prompt_in,
    refused,
    remembered,
    written,
)
from tests.table.rounds import Round, closed, settings_of

every_game = pytest.mark.parametrize("game", sorted(GAMES))
RWS = sorted(game for game in GAMES if game.startswith("rws"))
MEGALINK = settings_of("mbs-megalink-stud")
DISALLOWED = "Seat 3 takes no bets: its jackpot spot has a fault (§5.18.2)"
BARRED = "Seat 3 is barred (§5.9): take no bets there"


# The house allows no bets on the affected box (I-42)


def disallowing(policy: HousePolicy = "disallow_box") -> Playing:
    """Let the spot of seat 3 have a fault at a table with this policy."""
    playing = Playing(replace(SETTINGS, house_policy=policy))
    playing.fault("sensor_stuck", "seat 3")
    playing.open()
    return playing


def test_5_18_2_b_the_affected_box_takes_no_bets_of_any_kind_and_the_others_play_on() -> None:
    playing = disallowing()
    assert f"{DISALLOWED}." in prompt_in(playing.table.resumed())
    before = written(playing.state)
    for bet, cents in (("ante", 2_500), ("jackpot", 500)):
        assert playing.key(3, bet, cents) == refused(f"{DISALLOWED}.")
    assert written(playing.state) == before
    playing.chip(1)
    playing.chip(3)
    effects = playing.close()
    assert [owed.seat for owed in owed_in(effects)] == [1]
    assert list(playing.state.round.seats) == [1]


@pytest.mark.parametrize("policy", ["close_table", "no_jackpot_bets"])
def test_5_18_2_under_another_policy_the_box_plays_without_its_spot(policy: HousePolicy) -> None:
    playing = disallowing(policy)
    playing.ante(3, 2_500)
    playing.close()
    assert list(playing.state.round.seats) == [3]


def test_5_18_2_b_a_box_that_fails_while_bets_are_open_is_cleared_before_the_close() -> None:
    playing = Playing(replace(SETTINGS, house_policy="disallow_box"))
    playing.open()
    playing.ante(1, 2_500)
    playing.ante(3, 2_500)
    playing.fault("sensor_stuck", "seat 3")
    assert playing.close() == refused(
        f"{DISALLOWED}; hand back what lies there, and key 0 for what was keyed."
    )
    playing.ante(3, 0)
    playing.close()
    assert list(playing.state.round.seats) == [1]


def test_5_18_2_b_decided_at_the_table_it_lasts_as_long_as_the_fault() -> None:
    playing = Playing()
    playing.fault("sensor_stuck", "seat 3")
    playing.report("jackpot_fault_persists")
    playing.choose("disallow_box")
    playing.confirm_as("shift_manager")
    playing.restart()
    playing.open()
    assert playing.ante(3, 2_500) == refused(f"{DISALLOWED}.")
    playing.fault_passes("sensor_stuck", "seat 3")
    playing.clear("sensor_stuck", "seat 3")
    playing.confirm_as("pit_supervisor")
    assert playing.state.policy is None
    playing.ante(3, 2_500)
    assert list(playing.state.round.seats) == [3]


def test_5_18_2_b_with_the_link_lost_every_box_is_affected() -> None:
    playing = Playing(replace(SETTINGS, house_policy="disallow_box"))
    playing.link(healthy=False, problem="no route")
    assert playing.open() == refused(
        "The jackpot link is down and the house does not play without it: no route."
    )


# Players who are barred or restricted


def ask(playing: Playing, measure: str, seat: int = 3) -> Effects:
    """Press BAR, RESTRICT or LIFT."""
    return playing.press(MeasureAsked, seat=seat, measure=measure)


def barred() -> Playing:
    """Bar the player at seat 3 of a Megalink table, between rounds."""
    playing = Playing(MEGALINK)
    ask(playing, "bar")
    playing.confirm_as("shift_manager")
    return playing


def test_5_9_a_shift_manager_bars_a_player_and_nobody_below_does() -> None:
    playing = Playing(MEGALINK)
    lines = prompt_in(ask(playing, "bar"))
    who = "Gaming shift manager or above: key and PIN, or CANCEL."
    assert lines[0] == f"{who} To bar seat 3 (§5.9)."
    assert playing.confirm_as("pit_supervisor") == refused(NOT_ACCEPTED)
    playing.confirm_as("shift_manager")
    assert playing.state.barred == {3: "the shift_manager"}
    assert playing.state.measure is None
    assert ask(playing, "bar") == refused("Seat 3 is barred already.")


@pytest.mark.parametrize("phase", ["idle", "betting", "dealing", "deciding", "settling"])
@pytest.mark.parametrize("measure", ["bar", "restrict"])
def test_5_9_cancel_drops_what_waits_for_a_shift_manager_in_every_phase(
    phase: Phase, measure: Literal["bar", "restrict"]
) -> None:
    playing: Playing = Playing(MEGALINK)
    if phase == "betting":
        playing.open()
    elif phase != "idle":
        playing = closed(MEGALINK).play_until(phase)
    assert "or CANCEL." in prompt_in(ask(playing, measure))[0]
    playing.cancel()
    assert playing.state.measure is None
    assert playing.phase() == phase
    if phase != "betting":  # there it ends a round in which nobody bets
        assert playing.cancel() == refused("There is nothing to cancel.")


def test_5_9_cancel_drops_a_measure_before_the_report_that_it_came_into() -> None:
    played = closed(MEGALINK).play_until("deciding")
    played.report("other")
    ask(played, "bar")
    played.cancel()
    assert (played.phase(), played.state.measure) == ("ruling", None)
    played.cancel()
    assert played.phase() == "deciding"


def test_cancel_drops_a_fault_that_waits_to_be_cleared() -> None:
    playing = Playing()
    playing.fault("cover_open")
    playing.press(FaultClearAsked, code="cover_open", where="")
    if not playing.state.clearing:
        playing.take(FaultPassed(at_ms=playing.now(), code="cover_open", where=""))
        playing.press(FaultClearAsked, code="cover_open", where="")
    assert "or CANCEL." in prompt_in(playing.table.resumed())[0]
    playing.cancel()
    assert playing.state.clearing == ""


def test_5_9_a_barred_seat_takes_no_bets_until_it_is_lifted() -> None:
    playing = barred()
    assert lamps_in(playing.open())[1] == "slow_blink"
    shown = playing.table.resumed()
    assert lamps_in(shown)[3] == "off"
    assert f"{BARRED}." in prompt_in(shown)
    assert playing.ante(3, 2_500) == refused(f"{BARRED}.")
    playing.ante(1, 2_500)
    playing.chip(3)
    assert "Jackpot chips: none." in prompt_in(playing.table.resumed())
    assert playing.close() == refused(
        f"{BARRED}; hand back what lies there, and key 0 for what was keyed."
    )
    playing.lift(3)
    playing.close()
    assert list(playing.state.round.seats) == [1]


def test_5_9_a_bar_survives_rounds_restarts_and_a_new_player_until_it_is_lifted() -> None:
    playing = barred()
    playing.press(NewPlayer, seat=3)
    playing.restart()
    again = Table.recovered(playing.table.settings, playing.journal)
    assert remembered(again.state) == remembered(playing.state)
    assert 3 in playing.state.barred
    ask(playing, "lift")
    playing.confirm_as("pit_supervisor")
    assert 3 in playing.state.barred
    playing.confirm_as("shift_manager")
    assert not playing.state.barred
    playing.open()
    playing.ante(3, 2_500)
    assert 3 in playing.state.round.seats


def test_5_10_3_a_player_barred_while_bets_are_open_has_his_bets_lifted() -> None:
    playing = Playing(MEGALINK)
    playing.open()
    playing.ante(1, 2_500)
    playing.ante(3, 2_500)
    ask(playing, "bar")
    playing.confirm_as("shift_manager")
    playing.close()
    assert list(playing.state.round.seats) == [1]


def test_5_9_a_hand_in_play_is_not_touched_by_a_bar() -> None:
    played = closed(MEGALINK).play_until("deciding")
    ask(played, "bar")
    played.confirm_as("shift_manager")
    assert played.state.round.seats[3].in_round
    played.play_until("idle")
    assert played.stages[-1] == "settled"


def test_3_4_3_a_restricted_player_plays_one_position_only() -> None:
    playing = Playing(MEGALINK)
    who = "Pit manager or above: key and PIN, or CANCEL."
    lines = prompt_in(ask(playing, "restrict"))
    assert lines[0] == f"{who} To restrict seat 3 to one position (§3.4.3)."
    playing.confirm_as("pit_supervisor")
    assert not playing.state.restricted
    playing.confirm_as("shift_manager")
    playing.open()
    line = "Seat 3: the player may play this position only (§3.4.3)."
    assert line in prompt_in(playing.table.resumed())
    assert playing.press(SeatsJoined, seats=(2, 3)) == refused(
        "Seat 3's player is restricted to one position (§3.4.3)."
    )
    playing.ante(3, 2_500)
    assert 3 in playing.state.round.seats


def test_3_4_3_a_player_restricted_while_bets_are_open_keeps_one_position() -> None:
    playing = Playing(MEGALINK)
    playing.open()
    playing.press(SeatsJoined, seats=(2, 3, 4))
    for seat in (1, 2, 3, 4):
        playing.ante(seat, 2_500)
    ask(playing, "restrict")
    playing.confirm_as("shift_manager")
    assert sorted(playing.state.round.seats) == [1, 3]
    playing.chip(4)
    assert playing.close() == refused(
        "Seat 4: the player may play seat 3 only (§3.4.3); hand back what lies there."
    )


@every_game
def test_a_game_whose_rules_name_nobody_refers_to_its_shift_manager(game: str) -> None:
    playing = Playing(settings_of(game))
    ask(playing, "bar", 1)
    for role in ("dealer", "technician", "pit_supervisor"):
        playing.confirm_as(role)
        assert not playing.state.barred
    playing.confirm_as("shift_manager")
    assert 1 in playing.state.barred


def test_what_was_asked_is_dropped_when_asked_again_and_by_a_restart() -> None:
    playing = Playing(MEGALINK)
    ask(playing, "bar")
    ask(playing, "bar")
    assert playing.state.measure is None
    ask(playing, "bar")
    playing.take(Restarted(at_ms=playing.now()))
    assert playing.state.measure is None
    assert ask(playing, "lift") == refused("Seat 3 is neither barred nor restricted.")
    assert ask(playing, "bar", 7) == refused("No seat 7 at this table.")


def test_a_supervisor_confirms_a_ruling_while_a_bar_waits_for_the_shift_manager() -> None:
    played = closed(MEGALINK).play_until("settling")
    played.report("foreign_card")
    ask(played, "bar")
    played.confirm_as("pit_supervisor")
    assert played.state.round.void
    assert played.state.measure is not None


def test_a_changed_table_file_without_the_seat_drops_its_bar_and_names_it() -> None:
    playing = Playing(replace(MEGALINK, seats=5))
    for measure, seat in (("bar", 5), ("restrict", 5), ("bar", 3)):
        ask(playing, measure, seat)
        playing.confirm_as("shift_manager")
    fewer = replace(MEGALINK, seats=4)
    wanted = ("seat 5: barred", "seat 5: restricted")
    assert left_behind(playing.state, playing.table.settings, fewer) == wanted
    playing.take(Restarted(at_ms=playing.now(), settings=fewer))
    assert (list(playing.state.barred), playing.state.restricted) == ([3], {})


# One player, several seats (I-41)


def test_5_16_1_a_player_who_withdraws_withdraws_all_his_wagers() -> None:
    played = Round(MEGALINK)
    played.open()
    played.press(SeatsJoined, seats=(1, 2))
    for seat in (1, 2, 3):
        played.ante(seat, 2_500)
    played.close()
    played.play_until("deciding")
    played.restart()
    played.choose("withdraw", 2)
    assert played.state.incident.chosen == {1: "withdraw", 2: "withdraw"}
    played.choose("continue", 3)
    played.confirm_as("pit_supervisor")
    decisions = {seat: player.decision for seat, player in played.state.round.seats.items()}
    assert decisions == {1: "withdrawn", 2: "withdrawn", 3: None}


# A failed jackpot that nobody has bet on (I-36)


@pytest.mark.parametrize("game", RWS)
def test_5_17_with_no_jackpot_bet_in_the_round_play_goes_on(game: str) -> None:
    played = closed(settings_of(game), jackpot=False).play_until("dealing")
    lines = prompt_in(played.report("jackpot_fault", any_player_seen=False))
    assert "Jackpot fault: play continues as dealt. (I-36)" in lines
    played.confirm()
    assert played.phase() == "dealing"
    played.link(healthy=False)
    played.play_until("idle")
    assert played.stages[-1] == "settled"
    played.open()
    assert played.phase() == "idle"  # the next round follows the house's choice


@pytest.mark.parametrize("game", RWS)
def test_5_17_with_a_jackpot_bet_in_the_round_it_is_void(game: str) -> None:
    played = closed(settings_of(game)).play_until("dealing")
    played.report("jackpot_fault", any_player_seen=False)
    assert played.state.incident.ruling.action == "void"


@pytest.mark.parametrize("chip", [True, False])
def test_5_17_before_the_close_a_chip_on_a_spot_is_a_jackpot_bet(*, chip: bool) -> None:
    playing = Playing()
    playing.open()
    playing.ante(1, 2_500)
    if chip:
        playing.chip(1)
    playing.report("jackpot_fault", any_player_seen=False)
    assert playing.state.incident.ruling.action == ("void" if chip else "continue")


def test_a_bar_in_the_round_says_that_the_hand_in_play_is_a_matter_for_a_report() -> None:
    playing = closed(settings_of("mbs-megalink-stud")).play_until("deciding")
    playing.press(MeasureAsked, seat=1, measure="bar")
    told = "Seat 1 is barred and finishes this round. To give its bets back, report it."
    assert told in prompt_in(playing.confirm_as("shift_manager"))
