"""Rounds that the dealer plays himself: who folded, and when it was keyed.

A reader that fails in mid-round, and the keying of hands, are in `test_readers.py`.
"""

from itertools import product
from typing import Literal

import pytest

from firmware.protocol.obligations import Reversal, Verdict, Win
from firmware.rules.cards import CODES, pretty
from firmware.rules.games import GAMES
from firmware.table.events import CardsCorrected, PlayerDecided, RoundPaid
from firmware.table.public import public
from firmware.table.state import Phase
from firmware.table.table import Table
from tests.table.playing import (
    FLUSH,
    TENS,
    Playing,
    at_reveal,
    owed_in,
    prompt_in,
    refused,
)
from tests.table.rounds import closed, noticed, settings_of

DOCUMENTS = ("rws-casino-stud", "rws-multilink-stud", "rws-holdem")
ROYAL = ("As", "Ks", "Qs", "Js", "Ts")
FORFEITS = ("rws-casino-stud", "rws-holdem")
"""The games in which a fold forfeits what the player's own hand wins on the jackpot."""


def by_hand(game: str, phase: Phase) -> Playing:
    playing = closed(settings_of(game, "manual"))
    if playing.phase() == "drawing":
        playing.lots("2c")
    playing.dealt()
    if phase == "claiming":
        playing.reveal()
    assert playing.phase() == phase
    return playing


def test_3_12_1_a_claim_that_a_fold_forfeits_is_asked_about_first() -> None:
    playing = by_hand("rws-casino-stud", "claiming")
    lines = prompt_in(playing.cards(1, *ROYAL))
    assert "Seat 1: did the player fold? Key BET or FOLD." in lines
    assert playing.paid() == refused("Seat 1: key BET or FOLD first (§3.12.1).")
    playing.fold(1)
    assert not [owed for owed in owed_in(playing.paid()) if isinstance(owed, Win)]
    assert playing.phase() == "idle"


def test_3_12_1_a_player_who_stayed_in_claims() -> None:
    playing = by_hand("rws-casino-stud", "claiming")
    playing.cards(1, *FLUSH)
    playing.bet(1)
    assert playing.bet(1) == refused("Seat 1 has already decided: bet.")
    (win,) = [owed for owed in owed_in(playing.paid()) if isinstance(owed, Win)]
    assert win.seat == 1


@pytest.mark.parametrize("game", sorted(GAMES))
def test_nobody_is_asked_where_a_fold_keeps_the_jackpot_bet_or_nothing_is_claimed(
    game: str,
) -> None:
    playing = by_hand(game, "claiming")
    own = GAMES[game].own_cards
    asked = [line for line in prompt_in(playing.cards(1, *ROYAL[:own])) if "did the" in line]
    assert bool(asked) == (game in FORFEITS)
    playing = by_hand(game, "claiming")
    assert not str(playing.paid()).startswith("(ShowRefusal")


@pytest.mark.parametrize("game", FORFEITS)
def test_5_7_1_a_fold_keyed_when_it_happens_is_an_outcome_if_the_power_is_cut(game: str) -> None:
    playing = by_hand(game, "revealing")
    assert "Seat 1: folded." in prompt_in(playing.fold(1))
    playing.restart()
    assert playing.phase() == "revealing"
    assert any("§5.7.1" in line for line in playing.state.round.rulings)


def test_5_7_2_without_a_fold_the_same_cut_voids_the_round() -> None:
    playing = by_hand("rws-casino-stud", "revealing")
    playing.bet(1)
    playing.restart()
    assert noticed(playing) == "interruption"
    assert playing.state.incident.ruling.action == "void"


def test_a_record_from_before_this_was_asked_still_replays() -> None:
    playing = by_hand("rws-casino-stud", "claiming")
    playing.cards(1, *FLUSH)
    old = RoundPaid(at_ms=playing.now(), frame=playing.frame())
    table = Table.recovered(playing.table.settings, [*playing.journal, old])
    assert [claim.seat for claim in table.state.round.claims.values()] == [1]


def test_what_is_keyed_when_it_happens_is_not_asked_again() -> None:
    playing = by_hand("rws-holdem", "revealing")
    playing.decide(1, "flop")
    assert playing.decide(1, "turn") == refused("Seat 1 has already decided: flop.")
    playing.decide(1, "absent")
    assert playing.decide(1, "fold") == refused("Seat 1 has already decided: absent.")
    playing.decide(3, "flop")
    playing.reveal()
    assert not any("did the" in line for line in prompt_in(playing.cards(3, "As", "Ks")))


# Keyed cards, and who answers for them


def test_a_claim_on_cards_that_the_shoe_should_have_read_needs_a_supervisor_even_a_minor() -> None:
    playing = at_reveal(TENS)
    playing.press(CardsCorrected, how="lost", places=("1",))
    playing.confirm_as("pit_supervisor")
    playing.reveal()
    playing.cards(1, "8s", "8h", "8d", "8c", "3s")
    effects = playing.paid()
    (win,) = [owed for owed in owed_in(effects) if isinstance(owed, Win)]
    assert (win.claim.level, win.final) == ("minor", False)
    assert "Seat 1: JACKPOT, do not pay yet." in prompt_in(effects)
    (verdict,) = owed_in(playing.confirm_as("pit_supervisor"))
    assert isinstance(verdict, Verdict)
    assert verdict.confirmed


def test_a_hand_that_was_forgotten_by_hand_is_keyed_after_the_others_have_claimed() -> None:
    playing = by_hand("rws-multilink-stud", "claiming")
    playing.cards(1, *FLUSH)
    playing.paid()
    assert playing.phase() == "settling"
    playing.cards(3, "5d", "6d", "7d", "8d", "9d")
    assert playing.phase() == "claiming"
    wins = [owed for owed in owed_in(playing.paid()) if isinstance(owed, Win)]
    assert [(win.seat, win.claim.tier) for win in wins] == [(3, "straight_flush")]
    assert {claim.seat for claim in playing.state.round.claims.values()} == {1, 3}


def test_cards_of_a_claim_that_is_final_are_not_keyed_again() -> None:
    playing = by_hand("rws-multilink-stud", "claiming")
    playing.cards(1, *FLUSH)
    playing.paid()
    (claim,) = playing.state.round.claims
    playing.award(claim, 10_000)
    assert playing.cards(1, *TENS) == refused(
        "Seat 1's claim is final: NOTCONFIRMED 1 and a pit supervisor first."
    )
    assert playing.phase() == "settling"


def test_a_card_of_a_hand_that_claims_is_not_keyed_for_another() -> None:
    playing = at_reveal(FLUSH)
    playing.reveal()
    playing.press(CardsCorrected, how="lost", places=("3",))
    playing.confirm_as("pit_supervisor")
    card = FLUSH[0]
    assert playing.cards(3, card, "2d", "3d", "4d", "6c") == refused(
        f"{pretty([card])} lies face up at seat 1; check the cards, or LOST 1 first."
    )


def test_a_deal_that_lacks_a_card_is_ended_by_the_dealer_once_something_was_ruled() -> None:
    playing = closed(settings_of("rws-multilink-stud")).play_until("dealing")
    for _ in range(15):
        playing.next_cards()
    assert playing.dealt() == refused("DEALT is not needed: the shoe reads the cards.")
    playing.report("player_count_wrong", seat=3, reconstructable=False)
    playing.confirm()
    assert playing.phase() == "dealing"
    playing.press(CardsCorrected, how="went", places=("3", "dealer"))
    playing.dealt()
    assert playing.phase() == "deciding"
    assert playing.state.round.lost == {}
    playing.bet(1)
    playing.reveal()
    assert [result.seat for result in playing.state.round.results if result.bets["ante"].stake]


@pytest.mark.parametrize("card", ["Jh", "2d"])
def test_what_is_keyed_tells_nothing_of_a_hand_that_lies_face_down(card: str) -> None:
    playing = at_reveal(TENS)
    folded = at_reveal(TENS)
    for each in (playing, folded):
        each.press(CardsCorrected, how="lost", places=("3",))
        each.confirm_as("pit_supervisor")
    folded.state.round.seats[1].cards[0] = card
    for each in (playing, folded):
        each.state.round.seats[1].decision = "fold"
        each.reveal()
    keyed = (card, "4h", "6h", "7h", "8h")
    assert playing.cards(3, *keyed) == folded.cards(3, *keyed)


def test_the_dealer_is_told_whose_bets_go_back_before_he_presses_paid() -> None:
    told = "Seat 3: give back every bet; the hand takes no part."
    played = closed(settings_of("mbs-megalink-stud", "manual")).play_until("claiming")
    assert told not in prompt_in(played.table.resumed())
    assert told in prompt_in(played.press(PlayerDecided, seat=3, decision="absent"))
    reversed_seats = [o.seat for o in owed_in(played.paid()) if isinstance(o, Reversal)]
    assert reversed_seats == [3]


@pytest.mark.parametrize("fails", ["reader", "hand"])
def test_keyed_cards_are_not_compared_with_a_hand_that_nobody_sees(fails: str) -> None:
    """A refusal, or a hand that is lost all at once, would tell which card lies face down."""

    def told(keyed_from: str) -> str:
        played = closed(settings_of("rws-multilink-stud"), jackpot=False)
        played.answers[3] = "fold"
        played.play_until("revealing")
        if fails == "reader":
            played.unread()
        else:
            played.press(CardsCorrected, how="lost", places=("1",))
            played.confirm_as("pit_supervisor")
        played.reveal()
        folded, unused = played.state.round.seats[3].cards, played.next_unused()
        others = [card for card in CODES if card not in {*played.state.round.drawn, unused}]
        card = folded[0] if keyed_from == "the folded hand" else unused
        heard = str((*played.cards(1, card, *others[:4]), *played.paid()))
        # What the dealer keys he reads as he keyed it; nothing else may differ.
        return heard.replace(pretty([card]), "the keyed card")

    assert told("the folded hand") == told("the deck")


@pytest.mark.parametrize(
    ("game", "lost"),
    [*product(DOCUMENTS, ("1", "dealer", "reader")), ("rws-holdem", "board")],
)
@pytest.mark.parametrize("how", ["fold", "hidden"])
def test_a_jackpot_bet_lets_no_keyed_card_be_compared_with_a_hand_face_down(
    game: str, lost: str, how: str
) -> None:
    """Whether a folded or hidden hand holds a card that was keyed elsewhere is told by nothing."""
    settings = settings_of(game, "shuffler")
    where: dict[str, tuple[Literal["dealer", "community"], int]] = {
        "dealer": ("dealer", settings.rules.dealer_cards),
        "board": ("community", settings.rules.community_cards),
    }

    def told(*, held: bool) -> tuple[object, ...]:
        played = closed(settings)
        if how == "fold":
            played.answers[3] = "fold"
        played.play_until("revealing")
        if how == "hidden":
            played.hidden(3)
        play = played.state.round
        *keyed, one = [card for card in CODES if card not in play.drawn]
        if held:
            play.drawn[play.drawn.index(play.seats[3].cards[0])] = one
            play.seats[3].cards[0] = one
        if lost == "reader":
            played.unread()
        else:
            played.press(CardsCorrected, how="lost", places=(lost,))
            played.confirm_as("pit_supervisor")
        played.play_until("claiming")
        place, count = where.get(lost, (1, settings.rules.own_cards))
        cards = (one, *keyed[: count - 1])
        effects = [played.cards(place, *cards), played.paid()]
        assert played.decided
        effects += [played.cards(place, *cards), played.paid()]
        return effects, public(settings, played.state)

    assert told(held=True) == told(held=False)


def test_3_12_1_a_folded_hand_claims_although_another_one_was_keyed() -> None:
    """A fold keeps the jackpot in this game, so the hand is not given up with nobody being told."""
    playing = at_reveal(FLUSH)
    playing.state.round.seats[1].decision = "fold"
    playing.state.round.seats[1].stakes.pop("bet")
    playing.press(CardsCorrected, how="lost", places=("3",))
    playing.confirm_as("pit_supervisor")
    playing.reveal()
    playing.cards(3, "5d", "6d", "8d", "Tc", "Kc")
    playing.paid()
    assert [claim.seat for claim in playing.state.round.claims.values()] == [1]


def test_a_claim_with_a_card_that_was_keyed_elsewhere_is_refused_by_name() -> None:
    playing = at_reveal(FLUSH)
    playing.state.round.seats[1].decision = "fold"
    playing.state.round.seats[1].stakes.pop("bet")
    playing.press(CardsCorrected, how="lost", places=("3",))
    playing.confirm_as("pit_supervisor")
    playing.reveal()
    playing.cards(3, "Ah", "6d", "8d", "Tc", "Kc")
    assert playing.paid() == refused("Seat 1 claims with A♥; check the cards, or LOST 1 first.")
