"""A spot board that is gone: what lies on the spots is held, and nothing is opened or closed.

How the table learns that it is gone and back is in `tests/devices/test_spot_board.py`.
"""

from collections.abc import Callable
from itertools import product

import pytest
from msgspec.structs import replace

from firmware.protocol.obligations import Contribution
from firmware.rules.games import GAMES
from firmware.table.events import CoinSensed, JournalOpened
from firmware.table.state import Phase
from firmware.table.table import Table
from tests.table.playing import (
    SETTINGS,
    Effects,
    Money,
    Playing,
    bets_placed,
    owed_in,
    prompt_in,
    refused,
)
from tests.table.rounds import Round, settings_of

BOARD = "spot board"
PHASES: tuple[Phase, ...] = ("idle", "betting", "dealing", "deciding", "revealing", "settling")
UNKNOWN = (
    "It is not known what lies on the coin spots: leave the chips and wait a moment, or report "
    "with MENU that the jackpot does not work."
)


def cable_out(playing: Playing) -> Effects:
    """Let the spot board go."""
    playing.fault("device_gone", BOARD, "unplugged")
    return playing.fault("spots_unknown", BOARD, "it is not there")


def cable_back(playing: Playing) -> None:
    """Let it come back and say what lies there, which is what lay there before."""
    playing.fault_passes("device_gone", BOARD)
    levels = [
        (seat, bet, spot.chip)
        for seat, spots in playing.state.spots.items()
        for bet, spot in spots.items()
    ]
    for seat, bet, present in levels:
        playing.take(CoinSensed(at_ms=playing.now(), seat=seat, bet=bet, present=present))
        assert not playing.decided, "what is known already is no record"
    playing.fault_passes("spots_unknown", BOARD)


def test_bets_are_neither_opened_nor_closed_while_nobody_knows_what_lies_there() -> None:
    playing = bets_placed()
    cable_out(playing)
    assert playing.close() == refused(UNKNOWN)
    playing.fault_passes("device_gone", BOARD)
    assert playing.close() == refused(UNKNOWN), "back, and still not known"
    cable_back(playing)
    assert [owed.seat for owed in owed_in(playing.close())] == [1, 3]
    idle = Playing()
    cable_out(idle)
    idle.open()
    assert idle.phase() == "idle"


def test_a_board_that_is_gone_is_no_empty_spot() -> None:
    playing = bets_placed()
    cable_out(playing)
    assert playing.state.chips() == [(1, "jackpot"), (3, "jackpot")]
    assert any(line.startswith("F206 ") for line in prompt_in(playing.table.resumed()))


@pytest.mark.parametrize(("game", "chips"), list(product(sorted(GAMES), (True, False))))
def test_an_open_round_ends_by_the_rules_of_a_jackpot_that_does_not_work(
    game: str,
    chips: bool,  # noqa: FBT001  # with chips or without any that were sensed
) -> None:
    playing = Playing(settings_of(game))
    playing.open()
    playing.ante(1, 5_000)
    if chips:
        playing.chip(1)
    cable_out(playing)
    playing.report("jackpot_fault", any_player_seen=False)
    action = playing.state.incident.ruling.action
    if action == "void":
        playing.confirm()
    else:
        playing.choose("void")
        playing.confirm_as("shift_manager")
    assert playing.state.round.void
    playing.paid()
    assert playing.phase() == "idle"
    assert not [owed for owed in playing.state.owed.values() if isinstance(owed, Contribution)]


def test_a_round_whose_bets_cannot_be_handed_back_unseen_says_how_it_ends() -> None:
    playing = bets_placed()
    cable_out(playing)
    assert playing.cancel() == refused(
        "Bets lie on the table: hand them back first, or report with MENU that the jackpot does not "
        "work."
    )


def money_of(playing: Round, phase: Phase | None) -> list[tuple[str, int, int | None]]:
    """Play a round to its end, with the cable out for a moment when it reaches a phase."""
    owed: list[Money] = []

    def take(act: Callable[[], Effects]) -> None:
        nonlocal phase
        if playing.state.phase == phase:
            cable_out(playing)
            cable_back(playing)
            phase = None
        effects = act()
        assert playing.decided, effects
        owed.extend(owed_in(effects))

    take(playing.open)
    for seat in (1, 3):
        take(lambda seat=seat: playing.ante(seat, 5_000))  # type: ignore[misc]  # bound at once
        for bet in playing.table.settings.rules.jackpot_bets:
            take(lambda seat=seat, bet=bet: playing.chip(seat, bet))  # type: ignore[misc]  # the same
    take(playing.close)
    while playing.state.phase != "idle":
        take(playing.go_on)
    assert phase in {None, "revealing"}, "the phase was reached, if the game has it"
    return [
        (type(each).__name__, each.seat, getattr(each, "stake_cents", None))
        for each in owed
        if hasattr(each, "seat")
    ]


@pytest.mark.parametrize(("game", "phase"), list(product(sorted(GAMES), PHASES)))
def test_a_cable_that_is_out_for_a_moment_has_no_consequence_for_money(
    game: str, phase: Phase
) -> None:
    undisturbed, disturbed = Round(settings_of(game)), Round(settings_of(game))
    money = money_of(undisturbed, None)
    assert money
    assert money_of(disturbed, phase) == money
    assert disturbed.state.totals == undisturbed.state.totals
    assert not disturbed.state.faults


# What is heard late


@pytest.mark.parametrize(
    ("before_ms", "told"), [(-101, False), (-100, True), (0, True), (2_000, True), (2_001, False)]
)
def test_a_chip_that_was_lifted_before_the_close_and_is_heard_of_after_it_is_told(
    before_ms: int,
    told: bool,  # noqa: FBT001  # whether it is
) -> None:
    playing = bets_placed()
    playing.at_ms += 10_000
    playing.close()
    closed_ms = playing.at_ms
    playing.take(CoinSensed(at_ms=closed_ms - before_ms, seat=3, bet="jackpot", present=False))
    assert playing.state.round.lifted_late == ([(3, "jackpot")] if told else [])


def heard_after_paid(*, clock_back_ms: int = 0) -> Round:
    """Hear of a chip on seat 3 in the next round that was put down before PAID of the one before."""
    playing = Round(settings_of("rws-multilink-stud"))
    playing.at_ms = 10_000_000
    money_of_one_round(playing)
    put_down_ms = playing.state.paid_at_ms - 1_000
    playing.at_ms -= clock_back_ms
    playing.take(CoinSensed(at_ms=put_down_ms, seat=3, bet="jackpot", present=False))
    playing.take(CoinSensed(at_ms=put_down_ms + 500, seat=3, bet="jackpot", present=True))
    playing.open()
    return playing


def money_of_one_round(playing: Round) -> None:
    """Play one round in which the chips are left on the felt."""
    playing.open()
    playing.chip(3)
    playing.close()
    while playing.state.phase != "idle":
        playing.at_ms += 2_000
        playing.go_on()


def test_a_chip_put_down_before_paid_and_heard_of_after_it_is_no_bet_of_the_next_round() -> None:
    playing = heard_after_paid()
    assert playing.state.chips() == []
    playing.lift(3)
    playing.chip(3)
    assert playing.state.chips() == [(3, "jackpot")]


def test_a_chip_put_down_after_paid_is_a_bet() -> None:
    playing = Round(settings_of("rws-multilink-stud"))
    money_of_one_round(playing)
    playing.lift(3)
    playing.chip(3)
    playing.open()
    assert playing.state.chips() == [(3, "jackpot")]


def test_a_clock_that_was_set_back_after_paid_refuses_no_chip_of_the_next_round() -> None:
    playing = heard_after_paid(clock_back_ms=3_600_000)
    playing.lift(3)
    playing.chip(3)
    assert playing.state.chips() == [(3, "jackpot")]


def test_a_journal_of_the_edition_before_is_replayed_as_it_was_played() -> None:
    playing = bets_placed()
    playing.close()
    lifted = CoinSensed(at_ms=playing.at_ms - 500, seat=3, bet="jackpot", present=False)
    playing.take(lifted)
    assert playing.state.round.lifted_late
    opened, *rest = playing.journal
    assert isinstance(opened, JournalOpened)
    old = Table.recovered(SETTINGS, [replace(opened, edition=2), *rest])
    assert old.state.round.lifted_late == []
    again = Table.recovered(SETTINGS, playing.journal)
    assert again.state.round.lifted_late == [(3, "jackpot")]
