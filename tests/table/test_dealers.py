"""Dealers sign on, and what voids a round once cards were seen is not left to one of them alone.

The journal knows who dealt, reported and confirmed. Number and PIN are checked in
`devices/panel.py`; what an authority may do besides is in `test_irregularities.py`.
"""

from typing import get_args

import pytest
from msgspec.structs import replace

from firmware.protocol.fault_catalogue import Role
from firmware.rules.games import GAMES
from firmware.table.effects import NOT_ACCEPTED
from firmware.table.events import (
    BetsClosed,
    BetsOpened,
    ByDealer,
    DealerSignedOff,
    DealerSignedOn,
    IrregularityReported,
    Restarted,
    RoundPaid,
    RulingConfirmed,
    StaffRefused,
    TableClosed,
    TableOpened,
)
from firmware.table.irregularities.tries import PERSON
from firmware.table.settings import CardSource
from firmware.table.state import OnDuty, Phase
from firmware.table.table import Table
from tests.table.playing import (
    SETTINGS,
    Effects,
    Playing,
    prompt_in,
    refused,
    remembered,
    written,
)
from tests.table.rounds import Round, closed, settings_of

NOBODY = "No dealer has signed on: press SIGNON, then enter your number and PIN."
SUPERVISOR = "The pit supervisor must confirm this."


def sign_on(playing: Playing, staff: str = "100", role: Role = "dealer") -> Effects:
    """Let a dealer sign on."""
    return playing.press(DealerSignedOn, staff=staff, name=f"Dealer {staff}", role=role)


# Who deals


def test_every_key_for_which_a_dealer_answers_is_in_the_journal_with_his_number() -> None:
    playing = Round(settings_of("rws-multilink-stud"))
    sign_on(playing)
    playing.open()
    playing.ante(1, 5_000)
    playing.close()
    playing.report("late_bet", seat=1)
    playing.confirm()
    sign_on(playing, "101")
    playing.play_until("idle")
    keyed = [event for event in playing.journal if isinstance(event, ByDealer)]
    assert {(type(event), event.dealer) for event in keyed} == {
        (BetsOpened, "100"),
        (BetsClosed, "100"),
        (IrregularityReported, "100"),
        (RulingConfirmed, "100"),
        (RoundPaid, "101"),
    }
    assert playing.state.round.rulings[-1].endswith("Confirmed by the dealer Dealer 100.")
    again = Table.recovered(playing.table.settings, playing.journal)
    assert remembered(again.state) == remembered(playing.state)


def test_another_dealer_replaces_the_one_before_without_a_key_switch() -> None:
    playing = Playing()
    assert "Dealer on duty: Dealer 100." in prompt_in(sign_on(playing))
    assert "Dealer on duty: Dealer 101." in prompt_in(sign_on(playing, "101"))
    assert playing.state.on_duty == OnDuty("101", "Dealer 101")
    assert not playing.state.key_on


def test_a_dealer_signs_off_once() -> None:
    playing = Playing()
    sign_on(playing)
    assert NOBODY in prompt_in(playing.press(DealerSignedOff))
    assert playing.press(DealerSignedOff) == refused("No dealer has signed on.")


@pytest.mark.parametrize("role", get_args(Role))
def test_everybody_may_deal_but_a_technician(role: Role) -> None:
    playing = Playing()
    effects = sign_on(playing, role=role)
    if role == "technician":
        assert effects == refused(NOT_ACCEPTED)
    assert (playing.state.on_duty is None) == (role == "technician")


def test_a_number_with_too_many_wrong_pins_cannot_sign_on() -> None:
    playing = Playing()
    playing.between_tries_ms = 0
    for _ in range(PERSON.free):
        playing.press(StaffRefused, staff="100", signing_on=True)
    assert sign_on(playing) == refused(NOT_ACCEPTED)


def test_a_power_cut_in_a_round_leaves_the_dealer_on_duty_and_one_between_rounds_does_not() -> None:
    playing = Playing()
    sign_on(playing)
    playing.open()
    playing.take(Restarted(at_ms=playing.now()))
    assert playing.state.on_duty is not None
    playing = Playing()
    sign_on(playing)
    playing.take(Restarted(at_ms=playing.now()))
    assert playing.state.on_duty is None


def test_closing_the_table_ends_a_dealers_duty() -> None:
    playing = Playing()
    sign_on(playing)
    playing.press(TableClosed)
    playing.press(TableOpened)
    assert playing.state.on_duty is None


def test_the_panel_says_once_that_nobody_has_signed_on() -> None:
    playing = Round(settings_of("rws-multilink-stud"))
    assert NOBODY in prompt_in(playing.table.resumed())
    playing.open()
    playing.ante(1, 5_000)
    playing.close()
    playing.play_until("idle")
    assert NOBODY not in prompt_in(playing.table.resumed())


def test_a_house_may_ask_for_a_dealer_before_a_round_is_opened() -> None:
    playing = Playing(replace(SETTINGS, dealer_must_sign_on=True))
    before = written(playing.state)
    assert playing.open() == refused(NOBODY)
    assert written(playing.state) == before
    sign_on(playing)
    playing.open()
    assert playing.phase() == "betting"


# Who voids


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("source", get_args(CardSource))
def test_a_dealer_alone_cannot_void_a_lost_round_at_its_settlement(
    game: str, source: CardSource
) -> None:
    if source == "manual":
        played = closed(settings_of(game, source)).play_until("claiming")
    else:
        played = closed(settings_of(game, source)).play_until("settling")
    played.report("foreign_card")
    first = prompt_in(played.table.resumed())[0]
    assert first == "Pit supervisor: key and PIN, or CANCEL. Foreign card found."
    assert played.confirm() == refused(SUPERVISOR)
    played.confirm_as("dealer")
    assert played.phase() == "ruling"
    played.confirm_as("pit_supervisor")
    assert played.state.round.void
    assert played.state.round.rulings[-1].endswith("Confirmed by the pit_supervisor.")


@pytest.mark.parametrize("phase", ["dealing", "deciding"])
def test_5_7_2_a_round_that_is_cut_off_is_void_by_the_dealer_until_cards_are_seen(
    phase: Phase,
) -> None:
    played = closed(settings_of("rws-multilink-stud")).play_until(phase)
    played.restart()
    effects = played.confirm()
    assert (effects == refused(SUPERVISOR)) == (phase == "deciding")
    assert played.state.round.void == (phase == "dealing")


def test_5_10_3_a_hand_goes_back_with_a_supervisor_and_play_goes_on_without_one() -> None:
    for option, needed in (("continue_reconstructed", False), ("withdraw", True)):
        played = closed(settings_of("rws-multilink-stud")).play_until("deciding")
        played.report("dealing_error", reconstructable=True)
        played.choose(option, 1)
        assert (played.confirm() == refused(SUPERVISOR)) == needed


def test_a_house_may_leave_it_to_the_dealer() -> None:
    played = closed(
        replace(settings_of("rws-multilink-stud"), seen_cards_authority="dealer")
    ).play_until("settling")
    played.report("foreign_card")
    played.confirm()
    assert played.state.round.void


def test_a_journal_of_the_edition_before_is_replayed_with_the_dealers_confirmation() -> None:
    played = closed(settings_of("rws-multilink-stud")).play_until("settling")
    journal = [replace(played.journal[0], edition=0), *played.journal[1:]]
    table = Table.recovered(played.table.settings, journal)
    report = IrregularityReported(at_ms=10**9, frame=800, irregularity="foreign_card")
    assert table.step(report).decided
    assert table.step(RulingConfirmed(at_ms=10**9, frame=801)).decided
    assert table.state.round.void
