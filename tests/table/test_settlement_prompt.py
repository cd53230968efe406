"""What the panel says at settlement: one seat after another, the jackpot first, one sum each way."""

import re
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from firmware.devices.panel_pages import SMALLEST
from firmware.devices.panel_screen import PanelScreen
from firmware.table.effects import ShowPrompt, ShowRefusal
from firmware.table.events import CardsCorrected, MajorDenied, Restarted
from firmware.table.prompts import prompt as prompt_of
from firmware.table.public import public
from firmware.table.settings import TableSettings
from tests.table.playing import (
    ACE_HIGH,
    FLUSH,
    QUEEN_HIGH,
    SETTINGS,
    STRAIGHT_FLUSH,
    TENS,
    Playing,
    at_reveal,
    bets_placed,
    owed_in,
    prompt_in,
)

NO_HAND = ("Qh", "Jc", "8s", "6c", "4h")


def revealed(
    first: tuple[str, ...], third: tuple[str, ...], dealer: tuple[str, ...], **changed: object
) -> Playing:
    """Play seats 1 and 3 to the settlement; both bet."""
    settings: TableSettings = replace(SETTINGS, **changed)
    playing = bets_placed(settings)
    playing.close()
    if settings.rules.shoe[0].kind == "burn":
        playing.draw("2d")
    for round_of_cards in zip(first, third, dealer, strict=True):
        for card in round_of_cards:
            playing.draw(card)
    playing.bet(1)
    playing.bet(3)
    playing.reveal()
    return playing


def lines_of(playing: Playing) -> tuple[str, ...]:
    """Give what the panel says now."""
    return prompt_of(playing.table.settings, playing.state).lines


def test_a_seat_has_one_sum_to_pay_and_one_to_take() -> None:
    lines = lines_of(revealed(TENS, QUEEN_HIGH, ACE_HIGH))
    assert [line for line in lines if re.match(r"Seat \d:", line)] == [
        "Seat 1: pay $75.00.",
        "Seat 3: take $75.00.",
    ]


@pytest.mark.parametrize("game", ["mbs-megalink-stud", "rws-multilink-stud"])
def test_a_dealer_who_does_not_qualify_is_told_no_hand(game: str) -> None:
    lines = lines_of(revealed(TENS, QUEEN_HIGH, NO_HAND, game=game))
    assert lines[0] == "Dealer: No hand."
    assert "Seat 1: pay $25.00, return $50.00." in lines
    assert "Seat 3: pay $25.00, return $50.00." in lines


@pytest.mark.parametrize(
    ("dealer", "said"),
    [
        (ACE_HIGH, "Dealer qualifies: ace and king."),
        (("2h", "2c", "3d", "5h", "7s"), "Dealer qualifies: one pair."),
    ],
)
def test_a_dealer_who_qualifies_is_told_his_hand(dealer: tuple[str, ...], said: str) -> None:
    assert lines_of(revealed(TENS, QUEEN_HIGH, dealer))[0] == said


def test_no_hand_of_the_dealer_is_named_while_it_lies_face_down() -> None:
    playing = Playing()
    playing.open()
    playing.ante(1, 2_500)
    playing.close()
    playing.deal({1: TENS}, ACE_HIGH)
    playing.fold(1)
    assert playing.state.phase == "settling"
    assert lines_of(playing)[0] == "Seat 1: take $25.00."


def test_the_jackpot_of_a_seat_comes_before_its_other_bets() -> None:
    playing = at_reveal(QUEEN_HIGH, FLUSH)
    (win,) = owed_in(playing.reveal())
    playing.award(win.id, 10_000)
    lines = [line for line in lines_of(playing) if re.match(r"Seat \d:", line)]
    assert lines == [
        "Seat 1: take $75.00.",
        "Seat 3: JACKPOT, pay $100.00.",
        "Seat 3: leave the cards face up.",
        "Seat 3: pay $275.00.",
    ]


def test_a_major_is_never_to_be_paid_before_it_is_confirmed() -> None:
    playing = at_reveal(STRAIGHT_FLUSH)
    (win,) = owed_in(playing.reveal())
    assert "Seat 1: JACKPOT, do not pay yet." in lines_of(playing)
    assert not any("JACKPOT" in line and "pay $" in line for line in lines_of(playing))
    playing.confirm_as()
    assert "Seat 1: JACKPOT, wait for the amount." in lines_of(playing)
    assert "Seat 1: JACKPOT, pay $777.00." in prompt_in(playing.award(win.id, 77_700))


def test_a_folded_hand_that_wins_the_jackpot_is_to_be_turned_up() -> None:
    playing = bets_placed()
    playing.close()
    playing.deal({1: FLUSH, 3: QUEEN_HIGH}, ACE_HIGH)
    playing.fold(1)
    playing.bet(3)
    playing.reveal()
    assert "Seat 1: turn the cards face up." in lines_of(playing)


def test_a_small_display_shows_one_seat_at_a_time_and_paid_with_the_last() -> None:
    playing = revealed(TENS, QUEEN_HIGH, NO_HAND)
    screen = PanelScreen(SMALLEST)
    shown: ShowPrompt = prompt_of(playing.table.settings, playing.state)
    pages = [screen.show(shown), screen.pressed("KEY NEXT")[0]]
    assert [page.split("|")[1:-1] for page in pages] == [
        ["Dealer: No hand.", "Seat 1: pay $25.00,", "return $50.00."],
        ["Seat 3: pay $25.00,", "return $50.00.", "Then press PAID."],
    ]


def test_while_a_correction_waits_an_award_that_is_known_is_not_called_pending() -> None:
    playing = revealed(FLUSH, QUEEN_HIGH, ACE_HIGH)
    (claim,) = playing.state.round.claims
    playing.award(claim, 10_000)
    playing.ante(3, 5_000)
    lines = lines_of(playing)
    assert "Seat 1: JACKPOT, do not pay yet: a correction waits." in lines
    assert not any("wait for the amount" in line or "pending" in line for line in lines)
    assert not any("JACKPOT" in line and "pay $" in line for line in lines)


def test_after_a_restart_no_amount_is_shown_before_it_may_be_paid() -> None:
    playing = revealed(TENS, QUEEN_HIGH, ACE_HIGH)
    playing.table = type(playing.table).recovered(SETTINGS, playing.journal)
    playing.take(Restarted(at_ms=playing.now()))
    assert playing.state.round.may_be_paid
    assert not any("$" in line for line in lines_of(playing))
    playing.confirm_as("pit_supervisor")
    assert "Seat 1: pay $75.00." in lines_of(playing)


ROYAL = ("As", "Ks", "Qs", "Js", "Ts")


def two_claims() -> Playing:
    """Let seat 1 of a Singapore table win a lucky player's minor and a major on the dealer's hand."""
    playing = Playing(replace(SETTINGS, game="mbs-singapore-stud", card_source="shuffler"))
    playing.open()
    playing.chip(1)
    playing.chip(1, "jackpot_dealer")
    playing.close()
    playing.lots("As", lucky_seat=1, lucky_dealer=True)
    playing.dispense(*TENS)
    playing.dispense(*ROYAL)
    playing.bet(1)
    playing.reveal()
    return playing


def orders(playing: Playing) -> list[str]:
    """List every line that lets the dealer pay something of a jackpot, and what the sign says."""
    said = [line for line in lines_of(playing) if "JACKPOT" in line and "pay $" in line]
    sign = public(playing.table.settings, playing.state).sign
    return [*said, sign] if "wins" in sign else said


def claim_lines(playing: Playing) -> list[str]:
    """Give the lines of the single claims."""
    return [line for line in lines_of(playing) if re.match(r"Seat \d JACKPOT ", line)]


def test_a_seat_is_paid_its_jackpot_in_one_sum_and_no_line_says_otherwise_before() -> None:
    playing = two_claims()
    claims = playing.state.round.claims
    minors = [i for i, claim in claims.items() if not claim.unconfirmed]
    majors = [i for i, claim in claims.items() if claim.unconfirmed]
    assert minors
    assert majors
    for each in minors:
        playing.award(each, claims[each].claim.amount or 0)
    assert "Seat 1: JACKPOT, do not pay yet." in lines_of(playing)
    assert not orders(playing)
    assert all("do not pay yet" in line for line in claim_lines(playing))
    table = public(playing.table.settings, playing.state)
    assert [claim.amount_cents for claim in table.claims] == [None] * len(claims)
    playing.confirm_as()
    assert "Seat 1: JACKPOT, wait for the amount." in lines_of(playing)
    assert not orders(playing)
    for each in majors:
        playing.award(each, 77_700)
    assert "Seat 1: JACKPOT, pay " in "".join(lines_of(playing))
    assert all(": pay $" in line for line in claim_lines(playing))


def press_paid(playing: Playing) -> bool:
    """Say whether the panel names PAID as the next key."""
    return any("PAID" in line for line in lines_of(playing))


def test_the_panel_says_to_press_paid_when_paid_is_taken_and_never_before() -> None:
    playing = two_claims()
    said = []
    steps: tuple[Callable[[], object], ...] = (
        lambda: playing.press(MajorDenied, seat=1, which=2, reason="a wrong card"),
        playing.cancel,
        playing.confirm_as,  # that it was dropped
        playing.confirm_as,
        lambda: playing.ante(1, 5_000),
        playing.cancel,
    )
    for step in steps:
        step()
        said.append(press_paid(playing))
        assert any(isinstance(effect, ShowRefusal) for effect in playing.paid())
    assert not any(said)
    for each, claim in playing.state.round.claims.items():
        playing.award(each, claim.claim.amount or 77_700)
    assert press_paid(playing)
    playing.ante(1, 5_000)
    assert not press_paid(playing)
    playing.cancel()
    assert press_paid(playing)
    playing.paid()
    assert playing.phase() == "idle"


def test_while_hands_are_keyed_paid_is_not_asked_for_before_a_correction_is_confirmed() -> None:
    playing = revealed(FLUSH, QUEEN_HIGH, ACE_HIGH)
    playing.press(CardsCorrected, how="lost", places=("3",))
    assert not press_paid(playing)
    playing.confirm_as()
    assert playing.state.phase == "claiming"
    assert press_paid(playing)
    playing.press(CardsCorrected, how="lost", places=("1",))
    assert not press_paid(playing)
    playing.cancel()
    assert press_paid(playing)


def test_of_several_claims_of_a_seat_the_panel_names_the_one_that_is_not_confirmed() -> None:
    playing = two_claims()
    (line,) = [line for line in lines_of(playing) if "NOTCONFIRMED" in line]
    assert line == (
        "If the royal flush (dealer's hand) is not confirmed: "
        "first NOTCONFIRMED 1 2 and the reason."
    )
    playing.press(MajorDenied, seat=1, which=2, reason="a wrong card")
    assert lines_of(playing)[0] == (
        "Pit supervisor: key and PIN, or CANCEL. Seat 1: no JACKPOT on royal flush (dealer's hand)."
    )
