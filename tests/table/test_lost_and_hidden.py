"""Money around hands that are lost, hidden, keyed or not confirmed: who may take a claim away.

Whatever a dealer keys alone, no other hand is forgotten for it, nothing is paid on it alone where
the source reads the cards, and no claim that was made goes away without a pit supervisor.
"""

from collections.abc import Callable
from typing import Literal

import pytest
from msgspec.structs import replace

from firmware.protocol.obligations import Verdict, Win
from firmware.rules.cards import pretty
from firmware.table.effects import ShowPrompt, ShowRefusal
from firmware.table.events import (
    CardsCorrected,
    CorrectionKind,
    DealerSignedOn,
    DecisionCorrected,
    HandNotShown,
    KeyTakenBack,
    MajorDenied,
    MeasureAsked,
    RestDecided,
    SeatsJoined,
)
from firmware.table.table import Table
from tests.table.playing import (
    ACE_HIGH,
    FLUSH,
    QUEEN_HIGH,
    SETTINGS,
    Effects,
    Playing,
    owed_in,
    prompt_in,
    refused,
    remembered,
)

DOCUMENTS = ("rws-multilink-stud", "rws-casino-stud", "rws-holdem")
ROYAL = ("Ac", "Kc", "Qc", "Jc", "Tc")
NOTHING = ("Th", "8h", "5s", "4h", "3c")


def started(
    game: str = "rws-multilink-stud", source: Literal["shoe", "manual"] = "shoe"
) -> Playing:
    """Let seats 1 and 3 bet, their jackpot bets acknowledged and the chips swept."""
    playing = Playing(replace(SETTINGS, game=game, card_source=source))
    playing.open()
    playing.chip(1)
    playing.chip(3)
    playing.close()
    for owed in list(playing.state.owed):
        playing.acknowledge(owed)
    playing.lift(1)
    playing.lift(3)
    return playing


def dealt(first: tuple[str, ...], third: tuple[str, ...]) -> Playing:
    """Deal two hands; everybody stays in, and all is ready for the reveal."""
    playing = started()
    playing.deal({1: first, 3: third}, ACE_HIGH)
    playing.press(RestDecided)
    return playing


def settled(first: tuple[str, ...], third: tuple[str, ...]) -> Playing:
    """Turn two hands up."""
    playing = dealt(first, third)
    playing.reveal()
    assert playing.phase() == "settling"
    return playing


def one_lost(first: tuple[str, ...], third: tuple[str, ...]) -> Playing:
    """Turn two hands up of which the table does not know the first."""
    playing = dealt(first, third)
    tell(playing, "lost", 1)
    playing.confirm_as("pit_supervisor")
    playing.reveal()
    assert playing.phase() == "claiming"
    return playing


def by_hand(game: str = "rws-multilink-stud") -> Playing:
    """Deal and turn up by hand."""
    playing = started(game, "manual")
    playing.dealt()
    playing.reveal()
    return playing


def tell(playing: Playing, how: CorrectionKind, *places: int | str) -> Effects:
    return playing.press(CardsCorrected, how=how, places=tuple(map(str, places)))


def deny(playing: Playing, seat: int = 1) -> Effects:
    return playing.press(MajorDenied, seat=seat, reason="nine, not ace")


def shown(playing: Playing, seat: int = 1) -> Effects:
    return playing.press(HandNotShown, seat=seat, shown=True)


def screen(playing: Playing) -> tuple[str, ...]:
    return next(e.lines for e in playing.table.resumed() if isinstance(e, ShowPrompt))


def reasons(effects: Effects) -> list[str]:
    return [effect.reason for effect in effects if isinstance(effect, ShowRefusal)]


def wins(effects: Effects) -> list[tuple[int, str, bool]]:
    made = [owed for owed in owed_in(effects) if isinstance(owed, Win)]
    return [(win.seat, win.claim.tier, win.final) for win in made]


def verdicts(effects: Effects) -> list[tuple[bool, str, str]]:
    made = [owed for owed in owed_in(effects) if isinstance(owed, Verdict)]
    return [(verdict.confirmed, verdict.staff, verdict.reason) for verdict in made]


# A card that lies elsewhere


@pytest.mark.parametrize(
    ("card", "where", "place"), [("Ac", "seat 3", "3"), ("As", "the dealer", "dealer")]
)
def test_a_mistyped_card_is_refused_by_name_and_takes_no_other_hand_away(
    card: str, where: str, place: str
) -> None:
    playing = one_lost(NOTHING, ROYAL)
    before = remembered(playing.state)
    told = playing.cards(1, card, *NOTHING[1:])
    assert told == refused(
        f"{pretty([card])} lies face up at {where}; check the cards, or LOST {place} first."
    )
    assert remembered(playing.state) == before
    playing.cards(1, *NOTHING)
    assert wins(playing.paid()) == [(3, "royal_flush", False)]


def test_a_folded_hand_that_claims_is_not_lost_to_a_mistyped_card() -> None:
    playing = started()
    playing.deal({1: NOTHING, 3: ROYAL}, ACE_HIGH)
    playing.bet(1)
    playing.fold(3)
    tell(playing, "lost", 1)
    playing.confirm_as("pit_supervisor")
    playing.reveal()
    playing.cards(1, "Ac", *NOTHING[1:])  # nothing is told: that hand lies face down
    assert playing.decided
    assert playing.paid() == refused("Seat 3 claims with A♣; check the cards, or LOST 3 first.")
    playing.cards(1, *NOTHING)
    assert wins(playing.paid()) == [(3, "royal_flush", False)]


def test_a_hand_shown_after_another_was_keyed_with_its_card_is_not_lost_to_it() -> None:
    playing = dealt(NOTHING, FLUSH)
    tell(playing, "lost", 1)
    playing.confirm_as("pit_supervisor")
    playing.hidden(3)
    playing.reveal()
    playing.cards(1, "Ah", *NOTHING[1:])
    shown(playing, 3)
    assert playing.paid() == refused("A♥ lies face up at seat 3; check the cards, or LOST 3 first.")


def test_hands_that_a_failed_reader_crossed_are_keyed_after_a_supervisor_agrees() -> None:
    playing = dealt(NOTHING, FLUSH)
    dealt_at_ms = playing.state.round.seats[3].dealt_at_ms
    playing.unread()
    playing.reveal()
    assert (playing.state.round.source, playing.phase()) == ("manual", "claiming")
    assert reasons(playing.cards(1, *FLUSH)) == ["Seat 1 was read. LOST 1 first if wrong."]
    tell(playing, "lost", 1)
    playing.confirm_as("pit_supervisor")
    assert reasons(playing.cards(1, *FLUSH)) == [
        "A♥ lies face up at seat 3; check the cards, or LOST 3 first."
    ]
    tell(playing, "lost", 3)
    assert playing.state.round.seats[3].cards
    playing.confirm_as("pit_supervisor")
    playing.cards(1, *FLUSH)
    assert playing.state.round.seats[3].dealt_at_ms == dealt_at_ms
    assert wins(playing.paid()) == [(1, "flush", False)]


def test_at_a_failed_reader_a_claim_on_a_lost_hand_is_withdrawn_in_the_supervisors_name() -> None:
    playing = dealt(NOTHING, FLUSH)
    playing.unread()
    playing.reveal()
    assert wins(playing.paid()) == [(3, "flush", True)]
    tell(playing, "lost", 3)
    withdrawn = verdicts(playing.confirm_as("pit_supervisor"))
    words = "The table does not know the cards of seat 3"
    assert withdrawn == [(False, "pit_supervisor-7", words)]
    assert playing.phase() == "claiming"


# What was keyed, and who answers for it


def royal_board(*, supervised: bool) -> Playing:
    """Play hold'em with a lost board that is keyed as a royal flush."""
    playing = started("rws-holdem")
    playing.draw("2d")
    if not supervised:
        tell(playing, "lost", "board")
        assert "board" in playing.state.round.lost
    for card in ("As", "Qs", "Ad", "Qd"):
        playing.draw(card)
    if supervised:
        tell(playing, "lost", "board")
        playing.confirm_as("pit_supervisor")
    for street in (("3d", "7h", "8d", "9c"), ("3h", "2s"), ("3s", "4c")):
        playing.press(RestDecided)
        for card in street:
            playing.draw(card)
        playing.reveal()
    playing.draw("Kc")
    playing.draw("Ks")
    playing.reveal()
    playing.cards("community", "Ah", "Kh", "Qh", "Jh", "Th")
    return playing


@pytest.mark.parametrize("supervised", [False, True])
def test_a_claim_on_a_keyed_board_needs_a_supervisor(supervised: bool) -> None:  # noqa: FBT001  # a parameter
    playing = royal_board(supervised=supervised)
    claims = [(1, "royal_flush", False), (3, "royal_flush", False)]
    assert wins(playing.paid()) == claims
    assert playing.paid() == refused("Pit supervisor: check seat 1, key and PIN.")
    assert [said[0] for said in verdicts(playing.confirm_as("pit_supervisor"))] == [True, True]


def test_a_keyed_board_stays_as_it_is_once_a_claim_on_it_is_final() -> None:
    playing = royal_board(supervised=True)
    playing.paid()
    playing.confirm_as("pit_supervisor")
    assert playing.cards("community", "2h", "4h", "6h", "8h", "9h") == refused(
        "Seat 1's claim is final: NOTCONFIRMED 1 and a pit supervisor first."
    )


def test_a_claim_on_the_dealers_keyed_hand_needs_a_supervisor() -> None:
    playing = Playing(replace(SETTINGS, game="mbs-singapore-stud"))
    playing.open()
    playing.ante(1, 2_500)
    playing.chip(1, "jackpot_dealer")
    playing.close()
    playing.lots("2h")
    tell(playing, "lost", "dealer")
    for card in [card for pair in zip(NOTHING, ACE_HIGH, strict=True) for card in pair]:
        playing.draw(card)
    playing.press(RestDecided)
    playing.reveal()
    playing.cards("dealer", "9s", "9h", "9d", "9c", "2s")
    assert wins(playing.paid()) == [(1, "four_of_a_kind", False)]


def test_i_39_other_cards_for_a_claim_that_was_made_need_a_supervisor() -> None:
    playing = one_lost(NOTHING, QUEEN_HIGH)
    playing.cards(1, *ROYAL)
    assert wins(playing.paid()) == [(1, "royal_flush", False)]
    told = playing.cards(1, *NOTHING)
    assert owed_in(told) == []
    asked = "Seat 1 keyed again: 10♥ 8♥ 5♠ 4♥ 3♣."
    assert asked in prompt_in(told)[0]
    assert reasons(playing.paid())
    withdrawn = verdicts(playing.confirm_as("pit_supervisor"))
    assert withdrawn == [(False, "pit_supervisor-7", asked)]
    assert wins(playing.paid()) == []
    assert playing.state.round.claims == {}


def test_i_39_the_same_from_the_phase_in_which_another_hand_is_keyed() -> None:
    playing = by_hand()
    playing.cards(1, *ROYAL)
    playing.paid()
    playing.cards(3, *NOTHING)
    assert playing.phase() == "claiming"
    assert playing.cards(1, *QUEEN_HIGH) != ()
    assert playing.decided
    assert playing.state.round.seats[1].cards == [*ROYAL]
    playing.cancel()
    assert owed_in(playing.paid()) == []
    assert [claim.seat for claim in playing.state.round.claims.values()] == [1]


def test_5_11_a_player_who_has_claimed_by_hand_does_not_leave_by_the_dealers_key_alone() -> None:
    playing = by_hand("mbs-megalink-stud")
    playing.cards(1, *ROYAL)
    playing.paid()
    playing.cards(3, *NOTHING)
    assert playing.decide(1, "absent") == refused(
        "Seat 1 has claimed: NOTCONFIRMED 1 and a pit supervisor first."
    )


def test_5_11_nor_by_a_correction_whose_consequence_nobody_is_shown() -> None:
    playing = by_hand("mbs-megalink-stud")
    playing.bet(1)
    playing.cards(1, *ROYAL)
    playing.paid()
    playing.cards(3, *NOTHING)
    assert playing.press(DecisionCorrected, seat=1, decision="absent") == refused(
        "Seat 1: the claims are made; settle the difference by hand."
    )


# Hands that are not shown


def test_4_3_a_claim_is_not_hidden_by_the_dealer_alone_and_the_verdict_says_who_and_why() -> None:
    playing = settled(ROYAL, QUEEN_HIGH)
    playing.press(DealerSignedOn, staff="100", name="Ann", role="dealer")
    told = playing.hidden(1)
    words = "Seat 1: hand not shown, no JACKPOT."
    assert owed_in(told) == []
    assert words in prompt_in(told)[0]
    assert reasons(playing.paid())
    assert verdicts(playing.confirm_as("pit_supervisor")) == [(False, "pit_supervisor-7", words)]
    assert "Seat 1: hand not shown." in screen(playing)


def test_4_3_a_hand_without_a_claim_is_hidden_at_the_settlement_with_a_supervisor_too() -> None:
    playing = settled(ROYAL, QUEEN_HIGH)
    playing.hidden(3)
    assert playing.state.round.seats[3].shown
    assert "Seat 3: hand not shown." in prompt_in(playing.confirm_as("pit_supervisor"))
    assert not playing.state.round.seats[3].shown


def test_4_3_a_hand_that_lies_face_up_is_not_hidden_before_its_claim_is_made() -> None:
    playing = one_lost(NOTHING, ROYAL)
    playing.hidden(3)
    assert playing.state.round.seats[3].shown
    playing.press(KeyTakenBack)
    assert wins(playing.paid()) == [(3, "royal_flush", False)]


def test_a_hidden_hand_is_not_keyed_before_it_is_shown() -> None:
    playing = by_hand()
    assert "Not shown: seat 1. SHOWN and the seat if it is." in prompt_in(playing.hidden(1))[:3]
    assert playing.cards(1, *ROYAL) == refused(
        "Seat 1 is HIDDEN: SHOWN 1 first, if its hand lies face up."
    )
    shown(playing)
    playing.cards(1, *ROYAL)
    assert wins(playing.paid()) == [(1, "royal_flush", False)]


def test_a_hidden_hand_is_named_before_the_reveal_too() -> None:
    playing = dealt(ROYAL, QUEEN_HIGH)
    assert "Not shown: seat 1. SHOWN and the seat if it is." in prompt_in(playing.hidden(1))


def test_i_39_a_stake_put_right_while_hands_are_keyed_withdraws_in_the_supervisors_name() -> None:
    playing = Playing(replace(SETTINGS, game="mbs-megalink-stud", card_source="manual"))
    playing.state.under_min.append(1)
    playing.open()
    playing.chip(1)
    playing.chip(3)
    playing.close()
    playing.press(DealerSignedOn, staff="100", name="Ann", role="dealer")
    playing.dealt()
    playing.reveal()
    playing.cards(1, *FLUSH)
    playing.paid()
    playing.cards(3, *NOTHING)
    playing.ante(1, 1_000)  # under the minimum again: every bet goes back
    words = "Seat 1: ante $25.00 becomes $10.00."
    assert verdicts(playing.confirm_as("pit_supervisor")) == [(False, "pit_supervisor-7", words)]
    assert verdicts(playing.paid()) == []


@pytest.mark.parametrize("phase", ["claiming", "settling"])
def test_4_3_a_hand_hidden_while_hands_are_keyed_is_withdrawn_by_who_agreed_and_why(
    phase: str,
) -> None:
    playing = by_hand()
    playing.press(DealerSignedOn, staff="100", name="Ann", role="dealer")
    playing.cards(1, *ROYAL)
    playing.paid()
    if phase == "claiming":
        playing.cards(3, *NOTHING)
    assert playing.phase() == phase
    playing.hidden(1)
    words = "Seat 1: hand not shown, no JACKPOT."
    assert verdicts(playing.confirm_as("pit_supervisor")) == [(False, "pit_supervisor-7", words)]
    assert f"{words} Confirmed by the pit_supervisor." in playing.state.round.rulings
    assert playing.phase() == "claiming"
    assert verdicts(playing.paid()) == []


def test_4_3_what_the_dealers_hand_has_won_stays_claimed_when_a_hand_is_hidden() -> None:
    playing = Playing(replace(SETTINGS, game="mbs-singapore-stud", card_source="manual"))
    playing.open()
    playing.ante(1, 2_500)
    playing.chip(1)
    playing.chip(1, "jackpot_dealer")
    playing.close()
    playing.lots("2h")
    playing.dealt()
    playing.reveal()
    playing.cards(1, *ROYAL)
    playing.bet(1)
    playing.cards("dealer", "9s", "9h", "9d", "9c", "2s")
    playing.paid()
    playing.hidden(1)
    withdrawn = verdicts(playing.confirm_as("pit_supervisor"))
    assert [said[1] for said in withdrawn] == ["pit_supervisor-7"]
    assert [claim.claim.on for claim in playing.state.round.claims.values()] == ["dealer"]


# What is said to be settled by whom


def test_5_15_once_the_lost_hand_is_taken_out_the_table_settles_the_rest() -> None:
    playing = one_lost(NOTHING, ROYAL)
    playing.report("player_count_wrong", seat=1, reconstructable=False)
    playing.confirm_as("pit_supervisor")
    assert screen(playing)[0] == "Press PAID: the table then says what to pay."
    assert not any("yourself" in line for line in screen(playing))
    assert "Seat 3: pay $12,525.00." in prompt_in(playing.paid())


def test_a_void_round_is_not_settled_by_anybody() -> None:
    playing = one_lost(NOTHING, QUEEN_HIGH)
    playing.report("foreign_card")
    lines = prompt_in(playing.confirm_as("pit_supervisor"))
    assert "Seat 1: return $80.00." in lines
    assert not any("yourself" in line for line in lines)


def test_5_15_a_wrong_number_of_cards_at_the_settlement_is_ruled_on_before_paid() -> None:
    playing = settled(FLUSH, QUEEN_HIGH)
    tell(playing, "went", 3, 1)
    told = playing.confirm_as("pit_supervisor")
    assert [said[:2] for said in verdicts(told)] == [(False, "pit_supervisor-7")]
    assert prompt_in(told)[:3] == (
        "Report it, or say where the cards lie: WENT, SWAP or LOST.",
        "Seat 1 has 6 cards: wrong.",
        "Seat 3 has 4 cards: wrong.",
    )
    assert playing.paid() == refused(
        "Seat 1 has 6 cards. Report it, or say where they lie: WENT, SWAP or LOST."
    )
    playing.press(DecisionCorrected, seat=3, decision="fold")
    playing.confirm_as("pit_supervisor")
    assert playing.state.round.lost == {}
    for seat in (1, 3):
        playing.report("player_count_wrong", seat=seat, reconstructable=False)
        playing.confirm_as("pit_supervisor")
    lines = prompt_in(playing.paid())
    assert {"Seat 1: return $80.00.", "Seat 3: return $30.00."} <= {*lines}


def test_a_card_that_went_wrong_at_the_settlement_goes_back_with_a_second_step() -> None:
    playing = settled(FLUSH, QUEEN_HIGH)
    for places in ((3, 1), (1, 3)):
        tell(playing, "went", *places)
        told = playing.confirm_as("pit_supervisor")
    assert wins(told) == [(1, "flush", True)]
    assert playing.phase() == "settling"


# Not confirmed, and taken back


def test_i_37_a_claim_that_was_not_confirmed_by_mistake_is_made_again_with_a_supervisor() -> None:
    playing = settled(ROYAL, QUEEN_HIGH)
    deny(playing)
    (first,) = playing.state.round.claims
    lines = prompt_in(playing.confirm_as("pit_supervisor"))
    assert "If seat 1 has its JACKPOT after all: SHOWN 1 and a pit supervisor." in lines
    asked = shown(playing)
    assert wins(asked) == []
    assert "Seat 1: JACKPOT claimed again." in prompt_in(asked)[0]
    assert reasons(playing.paid())
    assert wins(playing.confirm_as("pit_supervisor")) == [(1, "royal_flush", False)]
    (again,) = playing.state.round.claims
    assert again != first
    assert any("claimed again, pay it once" in line for line in screen(playing))
    assert [said[0] for said in verdicts(playing.confirm_as("pit_supervisor"))] == [True]
    before = remembered(playing.state)
    playing.table = Table.recovered(playing.table.settings, playing.journal)
    assert remembered(playing.state) == before


def test_i_37_the_same_by_hand() -> None:
    playing = by_hand()
    playing.cards(1, *ROYAL)
    playing.paid()
    deny(playing)
    playing.confirm_as("pit_supervisor")
    shown(playing)
    playing.confirm_as("pit_supervisor")
    assert wins(playing.paid()) == [(1, "royal_flush", False)]


def test_what_the_shift_manager_has_settled_by_hand_is_not_claimed_again() -> None:
    playing = settled(FLUSH, QUEEN_HIGH)
    (claim,) = playing.state.round.claims
    playing.fault("message_rejected", claim, "no")
    playing.clear("message_rejected", claim)
    playing.confirm_as("shift_manager")
    assert playing.state.round.claims == {}
    assert shown(playing) == ()
    assert not playing.decided


def _report(playing: Playing) -> None:
    playing.report("late_bet", seat=3)
    playing.confirm()


def _undo(playing: Playing) -> None:
    playing.press(KeyTakenBack)


@pytest.mark.parametrize("drop", [_report, _undo, Playing.cancel])
@pytest.mark.parametrize("asked", ["no", "lost", "hidden"])
def test_a_pin_meant_for_what_was_dropped_confirms_no_major(
    drop: Callable[[Playing], object], asked: str
) -> None:
    playing = settled(ROYAL, QUEEN_HIGH)
    keys: dict[str, tuple[Callable[[], object], str]] = {
        "no": (lambda: deny(playing), "Seat 1: no JACKPOT."),
        "lost": (lambda: tell(playing, "lost", 1), "LOST 1."),
        "hidden": (lambda: playing.hidden(1), "Seat 1: hand not shown, no JACKPOT."),
    }
    press, words = keys[asked]
    press()
    drop(playing)
    assert screen(playing)[0] == f"Dropped, key it again if meant: {words}"
    told = playing.confirm_as("pit_supervisor")
    assert reasons(told) == [f"Nothing confirmed; dropped before: {words} PIN again confirms."]
    assert verdicts(told) == []
    assert playing.decided
    assert not any("Dropped" in line for line in screen(playing))
    assert [said[0] for said in verdicts(playing.confirm_as("pit_supervisor"))] == [True]


def test_what_was_dropped_and_then_done_is_no_longer_told() -> None:
    playing = settled(ROYAL, QUEEN_HIGH)
    deny(playing)
    _report(playing)
    deny(playing)
    assert [said[0] for said in verdicts(playing.confirm_as("pit_supervisor"))] == [False]
    assert playing.state.round.dropped == ""


def test_after_a_no_the_panel_says_by_which_hand_the_main_game_is_settled() -> None:
    playing = settled(ROYAL, QUEEN_HIGH)
    deny(playing)
    lines = prompt_in(playing.confirm_as("pit_supervisor"))
    paid = lines.index("Seat 1: pay $12,525.00.")
    assert lines[paid + 1] == "Seat 1: by the hand as read. If it is another: LOST 1, then CARDS."


# By the dealer's keys alone, once more


def failed_reader(first: tuple[str, ...]) -> Playing:
    """Deal and decide with a shoe that fails before the reveal, when it has read every hand."""
    playing = started()
    playing.deal({1: first, 3: NOTHING}, ACE_HIGH)
    playing.bet(1)
    playing.bet(3)
    playing.unread()
    playing.reveal()
    return playing


def test_a_hand_that_was_read_before_the_reader_failed_is_keyed_only_after_it_is_lost() -> None:
    playing = failed_reader(ROYAL)
    assert playing.cards(1, "8c", "8d", "8h", "8s", "3c") == refused(
        "Seat 1 was read. LOST 1 first if wrong."
    )
    assert wins(playing.paid()) == [(1, "royal_flush", False)]


def test_a_claim_on_cards_keyed_after_the_reader_failed_needs_a_supervisor() -> None:
    playing = failed_reader(QUEEN_HIGH)
    tell(playing, "lost", 1)
    playing.confirm_as("pit_supervisor")
    playing.cards(1, "6c", "6d", "6h", "6s", "Jh")
    assert wins(playing.paid()) == [(1, "four_of_a_kind", False)]


def test_a_hand_that_wins_is_hidden_only_with_a_supervisor() -> None:
    playing = started()
    playing.deal({1: ROYAL, 3: NOTHING}, ACE_HIGH)
    playing.bet(1)
    playing.bet(3)
    playing.reveal()
    playing.press(HandNotShown, seat=3, shown=False)
    assert playing.state.round.seats[3].shown
    playing.confirm_as("pit_supervisor")
    assert not playing.state.round.seats[3].shown


def test_a_folded_royal_is_not_lost_to_a_card_keyed_for_the_dealer() -> None:
    playing = started()
    playing.deal({1: NOTHING, 3: ROYAL}, ACE_HIGH)
    tell(playing, "lost", "dealer")
    playing.confirm_as("pit_supervisor")
    playing.bet(1)
    playing.fold(3)
    playing.reveal()
    card = ROYAL[0]
    playing.cards("dealer", card, *ACE_HIGH[1:])
    assert playing.paid() == refused(
        f"Seat 3 claims with {pretty([card])}; check the cards, or LOST 3 first."
    )


def test_a_pin_meant_to_bar_somebody_confirms_no_major_after_that_was_dropped() -> None:
    playing = started()
    playing.deal({1: ROYAL, 3: NOTHING}, ACE_HIGH)
    playing.bet(1)
    playing.bet(3)
    playing.reveal()
    playing.press(MeasureAsked, seat=3, measure="bar")
    playing.cancel()
    playing.confirm_as("shift_manager")
    assert all(claim.unconfirmed for claim in playing.state.round.claims.values())


def test_5_6_whoever_has_bet_by_hand_does_not_leave_his_claim_behind() -> None:
    playing = Playing(replace(SETTINGS, game="mbs-megalink-stud", card_source="manual"))
    playing.open()
    for seat in (1, 2, 3):
        playing.chip(seat)
    playing.press(SeatsJoined, seats=(2, 3))
    playing.close()
    playing.dealt()
    playing.decide(1, "bet")
    assert playing.decide(1, "absent") == refused("Seat 1 has already decided: bet.")
    playing.decide(2, "absent")
    assert playing.state.round.seats[3].decision == "absent"
