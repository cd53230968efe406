"""What waits for somebody's PIN: one thing at a time, shown first, and gone with a void round."""

from collections.abc import Callable

import pytest

from firmware.protocol.obligations import Contribution, Verdict, Win
from firmware.table.events import (
    DecisionCorrected,
    HandNotShown,
    MajorDenied,
    MeasureAsked,
    RestDecided,
)
from tests.table.playing import (
    ACE_HIGH,
    FLUSH,
    QUEEN_HIGH,
    TENS,
    Effects,
    Playing,
    at_reveal,
    bets_placed,
    owed_in,
    prompt_in,
    refused,
)
from tests.table.rounds import closed, settings_of
from tests.table.test_corrections import tell

ACE_HIGH_REDS = ("Ad", "Kd", "9c", "7c", "2c")
WAITS = "Something waits for a PIN already: confirm it, or press CANCEL first."

Ask = Callable[[Playing], Effects]


def settling() -> Playing:
    """Play a flush up to its settlement."""
    playing = at_reveal(FLUSH)
    playing.reveal()
    return playing


def ante(playing: Playing) -> Effects:
    """Ask for another ante."""
    return playing.key(1, "ante", 5_000)


def swap(playing: Playing) -> Effects:
    """Ask for two hands to be exchanged."""
    return tell(playing, "swap", 1, 3)


def denial(playing: Playing) -> Effects:
    """Ask for a claim not to be confirmed."""
    return playing.press(MajorDenied, seat=1, reason="a wrong card")


def bar(playing: Playing) -> Effects:
    """Ask for a player to be barred."""
    return playing.press(MeasureAsked, seat=1, measure="bar")


ASKED = [ante, swap, denial, bar]


@pytest.mark.parametrize("first", ASKED)
@pytest.mark.parametrize("second", ASKED)
def test_only_one_thing_is_asked_for_at_a_time(first: Ask, second: Ask) -> None:
    playing = settling()
    first(playing)
    if first is not second or first is not bar:  # asked again, a bar is dropped
        assert second(playing) == refused(WAITS)
    playing.cancel()
    if first is second is bar:
        return
    assert second(playing) != refused(WAITS)


@pytest.mark.parametrize("ask", ASKED)
def test_what_waits_falls_away_when_a_ruling_opens_and_the_panel_says_so(ask: Ask) -> None:
    playing = settling()
    ask(playing)
    first, second, *_ = prompt_in(playing.report("foreign_card"))
    assert first.startswith("Dropped, key it again if meant: ")
    assert second.endswith("Foreign card found.")
    playing.confirm_as("pit_supervisor")
    assert playing.phase() == "ruling"
    lines = prompt_in(playing.confirm_as("pit_supervisor"))
    assert playing.state.round.void
    assert "What waited for a PIN is dropped: key it again if need be." in lines


@pytest.mark.parametrize("ask", [ante, swap, denial])
def test_nothing_that_waited_is_carried_out_on_a_void_round(ask: Ask) -> None:
    playing = settling()
    playing.report("foreign_card")
    if ask is swap:
        ask(playing)
    playing.confirm_as("pit_supervisor")
    if ask is swap:
        playing.confirm_as("pit_supervisor")
    effects = (*ask(playing), *playing.confirm_as("pit_supervisor"))
    assert playing.state.round.void
    assert not [owed for owed in owed_in(effects) if isinstance(owed, Win | Contribution)]
    assert playing.state.round.claims == {}


def test_an_award_is_taken_in_while_a_hand_is_keyed_after_a_correction() -> None:
    playing = settling()
    (claim,) = playing.state.round.claims
    tell(playing, "lost", 3)
    playing.confirm_as("pit_supervisor")
    assert playing.phase() == "claiming"
    playing.award(claim, 10_000)
    playing.paid()
    playing.paid()
    assert playing.phase() == "idle"


def test_5_14_the_supervisor_exchanges_the_two_cards_that_were_drawn_at_once() -> None:
    playing = bets_placed()
    playing.close()
    for card in ("2d", "2c", "3c"):
        playing.draw(card)
    tell(playing, "order")
    for card in ("4c", "5c"):
        playing.draw(card)
    playing.confirm_as("pit_supervisor")
    play = playing.state.round
    assert (play.seats[1].cards, play.seats[3].cards, play.dealer) == (["3c", "5c"], ["2c"], ["4c"])


def test_a_correction_of_a_decision_is_not_carried_out_on_a_later_one() -> None:
    played = closed(settings_of("rws-holdem")).play_until("deciding")
    while played.state.round.seats[1].stakes.get("turn") is None:
        played.go_on()
    played.press(DecisionCorrected, seat=1, decision="check")
    before = dict(played.state.round.seats[1].stakes)
    while "river" not in played.state.round.seats[1].stakes:
        played.go_on()
    assert played.confirm_as("pit_supervisor") == refused(
        "Seat 1 has decided since: key it again. Press CANCEL."
    )
    assert played.state.round.seats[1].stakes.items() >= before.items()


def test_all_others_wait_until_the_hands_have_the_right_number_of_cards() -> None:
    playing = bets_placed()
    playing.close()
    playing.deal({1: TENS, 3: QUEEN_HIGH}, ACE_HIGH)
    tell(playing, "went", 1, 3)
    single = playing.bet(1)
    assert playing.press(RestDecided, decision="bet") == single


# What was settled by hand, and what is reckoned again


def test_a_rejected_contribution_that_was_settled_by_hand_is_not_contributed_again() -> None:
    playing = bets_placed()
    rejected = owed_in(playing.close())[0]
    playing.fault("message_rejected", rejected.id, "no")
    playing.clear("message_rejected", rejected.id)
    playing.confirm_as("shift_manager")
    playing.deal({1: TENS, 3: QUEEN_HIGH}, ACE_HIGH)
    playing.bet(1)
    playing.bet(3)
    assert not [owed for owed in owed_in(playing.reveal()) if isinstance(owed, Contribution)]


def test_a_rejected_claim_that_was_settled_by_hand_is_not_claimed_again() -> None:
    playing = settling()
    (claim,) = playing.state.round.claims
    playing.fault("message_rejected", claim, "no")
    playing.clear("message_rejected", claim)
    playing.confirm_as("shift_manager")
    assert playing.state.round.claims == {}
    assert not [o for o in owed_in(playing.key(1, "bet", 4_000)) if isinstance(o, Win)]


def test_i_28_what_falls_away_is_not_taken_from_the_registered_meter() -> None:
    playing = bets_placed()
    playing.meter(10_000_000, 1)
    playing.close()
    playing.deal(
        {1: ("5h", "6h", "7h", "8h", "9h"), 3: ("Ts", "Js", "Qs", "Ks", "As")}, ACE_HIGH_REDS
    )
    playing.bet(1)
    playing.bet(3)
    playing.reveal()
    playing.link(healthy=False)
    by_seat = {claim.seat: claim for claim in playing.state.round.claims.values()}
    straight_flush_cents = by_seat[1].amount_cents
    assert straight_flush_cents == 1_000_000
    assert by_seat[3].amount_cents == 10_000_000 - straight_flush_cents
    playing.press(MajorDenied, seat=1, reason="a wrong card")
    playing.confirm_as("pit_supervisor")
    (left,) = playing.state.round.claims.values()
    assert (left.seat, left.amount_cents) == (3, 10_000_000)


def test_a_rejected_claim_is_dropped_while_another_hand_is_keyed() -> None:
    playing = settling()
    (claim,) = playing.state.round.claims
    tell(playing, "lost", 3)
    playing.confirm_as("pit_supervisor")
    playing.fault("message_rejected", claim, "no")
    playing.clear("message_rejected", claim)
    playing.confirm_as("shift_manager")
    playing.paid()
    playing.paid()
    assert playing.phase() == "idle"


def test_4_3_a_player_declines_at_settlement_or_shows_after_all() -> None:
    playing = settling()
    (claim,) = playing.state.round.claims
    assert owed_in(playing.press(HandNotShown, seat=1)) == []
    withdrawn = owed_in(playing.confirm_as("pit_supervisor"))
    assert [(v.win, v.confirmed) for v in withdrawn if isinstance(v, Verdict)] == [(claim, False)]
    assert playing.state.round.claims == {}
    assert owed_in(playing.press(HandNotShown, seat=1, shown=True)) == []
    again = owed_in(playing.confirm_as("pit_supervisor"))
    (win,) = [owed for owed in again if isinstance(owed, Win)]
    playing.award(win.id, 10_000)
    assert playing.press(HandNotShown, seat=1) == refused(
        "Seat 1's claim is final: NOTCONFIRMED 1 first."
    )


def test_i_28_a_later_referred_matter_leaves_the_registered_meter_in_force() -> None:
    played = closed(settings_of("mbs-megalink-stud")).play_until("deciding")
    played.meter(10_000_000, 1)
    played.link(healthy=False)
    played.choose("pay_registered")
    played.confirm_as("shift_manager")
    assert played.state.round.by_registered_meter
    played.report("other")
    played.choose("continue")
    played.confirm_as("shift_manager")
    assert played.state.round.by_registered_meter


@pytest.mark.parametrize("ask", [ante, swap])
def test_no_amount_is_called_payable_while_something_is_to_be_put_right(ask: Ask) -> None:
    playing = settling()
    (claim,) = playing.state.round.claims
    playing.award(claim, 10_000)
    assert "Seat 1: JACKPOT, pay $100.00." in prompt_in(playing.table.resumed())
    told = prompt_in(ask(playing))
    assert "Seat 1: JACKPOT, do not pay yet: a correction waits." in told
    assert not [line for line in told if "JACKPOT" in line and "pay $100.00" in line]
