"""Every game from shoe and shuffler: a whole round through `Table.step`, and what games differ in.

Draws, the streets of hold'em, hands that are not shown, players who have walked away. What
a bet pays is proved with the rules; one round effect by effect is in `test_round.py`.
"""

from itertools import groupby
from typing import Literal

import pytest
from msgspec.structs import replace

from firmware.protocol.obligations import Contribution
from firmware.rules.dealing import card_order
from firmware.rules.games import GAMES
from firmware.table.effects import DrawLots
from firmware.table.public import public
from firmware.table.state import Phase
from tests.table.playing import (
    ACE_HIGH,
    QUEEN_HIGH,
    TENS,
    Effects,
    Playing,
    owed_in,
    prompt_in,
    refused,
)
from tests.table.rounds import Round, closed, settings_of

Source = Literal["shoe", "shuffler"]

every_game = pytest.mark.parametrize("game", sorted(GAMES))
both_sources = pytest.mark.parametrize("source", ["shoe", "shuffler"])

STUD = ["betting", "dealing", "deciding", "revealing", "settling", "idle"]
STREET = ["dealing", "revealing"]
PHASES: dict[tuple[str, Source], list[str]] = {
    **{
        (game, source): STUD
        for game in ("rws-multilink-stud", "rws-casino-stud", "mbs-megalink-stud")
        for source in ("shoe", "shuffler")
    },
    **{
        ("mbs-singapore-stud", source): ["betting", "drawing", *STUD[1:]]
        for source in ("shoe", "shuffler")
    },
    ("rws-holdem", "shoe"): [
        "betting",
        "dealing",
        "deciding",  # flop
        *STREET,
        "deciding",  # turn
        *STREET,
        "deciding",  # river
        *STREET,
        *STREET,  # the dealer's hand
        "settling",
        "idle",
    ],
    ("rws-holdem", "shuffler"): [
        "betting",
        "dealing",
        "deciding",  # flop
        "revealing",
        "deciding",  # turn
        "revealing",
        "deciding",  # river
        "revealing",
        "settling",
        "idle",
    ],
}


# A whole round


@every_game
@both_sources
def test_a_round_goes_through_its_phases_to_a_result_for_every_seat(
    game: str, source: Source
) -> None:
    settings = settings_of(game, source)
    played = closed(settings)
    phases: list[Phase] = ["betting", played.state.phase]
    owed = {(owed.seat, owed.bet) for owed in contributions(played)}
    assert owed == {(seat, bet) for seat in (1, 3) for bet in settings.rules.jackpot_bets}
    for phase, effects in played.rest():
        assert not any(isinstance(owed, Contribution) for owed in owed_in(effects))
        phases.append(phase)
    assert [phase for phase, _ in groupby(phases)] == PHASES[game, source]
    assert [result.seat for result in played.state.round.results] == [1, 3]
    for result in played.state.round.results:
        assert {bet for bet, of in result.bets.items() if of.stake} == set(settings.rules.bets) - {
            "bonus"
        }
    assert len(played.state.round.drawn) == len(card_order(settings.rules, source, [1, 3]))
    assert played.stages == ["opened", "dealt", "settled"]


def contributions(played: Playing) -> list[Contribution]:
    """List the contributions that are owed, each of which must be another one."""
    found = [owed for owed in played.state.owed.values() if isinstance(owed, Contribution)]
    assert len({owed.id for owed in found}) == len(found)
    assert len({(owed.seat, owed.bet) for owed in found}) == len(found)
    assert all(owed.stake_cents == 500 for owed in found)
    return found


@every_game
def test_cards_go_where_the_game_says(game: str) -> None:
    rules = GAMES[game]
    for source in ("shoe", "shuffler"):
        played = closed(settings_of(game, source)).play_until("settling").state.round
        assert [len(seat.cards) for seat in played.seats.values()] == [rules.own_cards] * 2
        assert len(played.dealer) == rules.dealer_cards
        assert len(played.community) == rules.community_cards


# Keyed bets


def test_a_bet_keyed_as_zero_is_taken_away() -> None:
    played = Round(settings_of("rws-holdem"))
    played.open()
    played.ante(1, 5_000)
    played.key(1, "bonus", 2_500)
    played.key(1, "jackpot", 500)
    played.key(1, "jackpot", 0)
    assert owed_in(played.close()) == []
    played.play_until("settling")
    (result,) = played.state.round.results
    assert "jackpot" not in {bet for bet, of in result.bets.items() if of.stake}
    assert result.bets["bonus"].stake == 2_500


def test_a_seat_with_nothing_but_bets_taken_away_is_not_in_the_round() -> None:
    played = Round(settings_of("rws-multilink-stud"))
    played.open()
    played.key(2, "jackpot", 0)
    assert played.close() == refused("Nobody has bet yet. Press CANCEL if nobody wants to.")
    played.ante(1, 5_000)
    played.close()
    assert list(played.state.round.seats) == [1]


# Draws


def draws_wanted(effects: Effects) -> list[DrawLots]:
    return [effect for effect in effects if isinstance(effect, DrawLots)]


@both_sources
def test_lots_are_asked_for_once_between_the_close_and_the_first_card(source: Source) -> None:
    settings = replace(
        settings_of("mbs-singapore-stud", source), lucky_seat_one_in=3, lucky_dealer_one_in=7
    )
    played = Round(settings)
    wanted = [*draws_wanted(played.open()), *draws_wanted(played.chip(1))]
    assert wanted == []
    assert draws_wanted(played.close()) == [DrawLots(4, 3, 7)]
    assert played.phase() == "drawing"
    assert draws_wanted(played.chip(2)) == []
    for _, effects in played.rest():
        assert draws_wanted(effects) == []


@pytest.mark.parametrize("game", sorted(set(GAMES) - {"mbs-singapore-stud"}))
def test_a_game_without_draws_asks_for_none(game: str) -> None:
    played = closed(settings_of(game))
    assert played.phase() == "dealing"
    assert draws_wanted(played.table.resumed()) == []
    assert played.state.round.draws is None


def test_no_card_is_dealt_before_the_lots_are_drawn_and_they_are_drawn_once() -> None:
    played = closed(settings_of("mbs-singapore-stud"))
    assert played.draw("As") == refused("Drawing a card is not possible now: lots are being drawn.")
    effects = played.lots("As", lucky_seat=3)
    assert "Drawn: magic card ace of spades, lucky player seat 3." in prompt_in(effects)
    again = played.lots("Kd", lucky_dealer=True)
    assert again == refused("Drawing lots is not possible now: cards are being dealt.")
    assert played.state.round.draws is not None
    assert played.state.round.draws.magic_card == "As"
    assert played.state.round.draws.lucky_seat == 3


def test_lots_are_drawn_again_after_a_power_cut_only_if_none_was_written_down() -> None:
    played = closed(settings_of("mbs-singapore-stud"))
    assert draws_wanted(played.restart()) == []  # the shift manager decides first
    assert played.phase() == "ruling"
    played.choose("continue")
    assert len(draws_wanted(played.confirm_as("shift_manager"))) == 1
    played.lots("As")
    played.restart()
    played.choose("continue")
    assert draws_wanted(played.confirm_as("shift_manager")) == []
    assert played.phase() == "dealing"


def test_a_lucky_seat_wins_on_its_jackpot_bet() -> None:
    played = closed(settings_of("mbs-singapore-stud"))
    played.lots("As", lucky_seat=3)
    played.play_until("settling")
    claims = played.state.round.claims.values()
    assert [(claim.seat, claim.bet) for claim in claims if "lucky" in claim.words] == [
        (3, "jackpot")
    ]


# The streets of hold'em


@both_sources
def test_a_player_who_checks_stays_in_without_the_bet(source: Source) -> None:
    played = closed(settings_of("rws-holdem", source)).play_until("deciding")
    assert played.decide(1, "check") == refused("Seat 1: choose flop, fold or absent.")
    played.decide(1, "flop")
    played.decide(3, "flop")
    played.play_until("deciding")
    assert played.decide(1, "fold") == refused("Seat 1: choose turn, check or absent.")
    assert played.decide(1, "river") == refused("Seat 1: choose turn, check or absent.")
    played.decide(1, "check")
    assert played.decide(1, "turn") == refused("Seat 1 has already decided: check.")
    played.decide(3, "turn")
    played.play_until("deciding")
    played.decide(1, "river")
    played.decide(3, "check")
    played.play_until("settling")
    stakes = {seat: play.stakes for seat, play in played.state.round.seats.items()}
    ante = {"ante": 5_000, "jackpot": 500, "flop": 10_000}
    assert stakes == {1: {**ante, "river": 5_000}, 3: {**ante, "turn": 5_000}}


@both_sources
def test_a_player_who_folds_is_asked_no_more(source: Source) -> None:
    played = closed(settings_of("rws-holdem", source)).play_until("deciding")
    assert prompt_in(played.table.resumed()) == (
        "FLOP or FOLD: seats 1, 3.",
        "REST: they all FLOP.",
    )
    played.fold(1)
    played.decide(3, "flop")
    played.play_until("deciding")
    assert prompt_in(played.table.resumed()) == ("TURN or CHECK: seat 3.",)
    assert played.decide(1, "turn") == refused("Seat 1 has already decided: fold.")


@both_sources
def test_when_all_have_folded_without_a_jackpot_bet_the_round_is_settled(source: Source) -> None:
    played = closed(settings_of("rws-holdem", source), jackpot=False).play_until("deciding")
    drawn = len(played.state.round.drawn)
    played.fold(1)
    played.fold(3)
    assert played.phase() == "settling"
    assert len(played.state.round.drawn) == drawn
    outcomes = [result.bets["ante"].outcome for result in played.state.round.results]
    assert outcomes == ["lose", "lose"]


@both_sources
def test_when_all_have_folded_the_board_still_counts_for_their_jackpot_bets(
    source: Source,
) -> None:
    played = closed(settings_of("rws-holdem", source)).play_until("deciding")
    played.fold(1)
    played.fold(3)
    assert played.phase() == {"shoe": "dealing", "shuffler": "revealing"}[source]
    for phase, _ in played.rest("settling"):
        assert phase != "deciding"
    assert len(played.state.round.community) == 5
    assert [result.seat for result in played.state.round.results] == [1, 3]


@both_sources
def test_a_board_that_was_begun_is_finished_when_all_walk_away(source: Source) -> None:
    played = closed(settings_of("rws-holdem", source), jackpot=False).play_until("deciding")
    played.decide(1, "flop")
    played.decide(3, "flop")
    played.play_until("deciding")
    played.decide(1, "absent")
    played.decide(3, "absent")
    played.play_until("settling")
    assert len(played.state.round.community) == 5
    assert [result.seat for result in played.state.round.results] == [1, 3]


# Not shown, not there


@every_game
@both_sources
def test_a_hand_that_is_not_shown_is_settled_as_the_game_says(game: str, source: Source) -> None:
    settings = settings_of(game, source)
    played = closed(settings, jackpot=False).play_until("revealing")
    played.hidden(1)
    records = len(played.journal)
    assert played.hidden(1) == ()
    assert len(played.journal) == records
    assert played.hidden(2) == refused("Seat 2 is not in this round.")
    played.play_until("settling")
    first, third = played.state.round.results
    hidden = settings.rules.paragraphs.hidden
    assert set(hidden) <= set(first.rules)
    assert first.bets["ante"].outcome == "lose"
    assert not set(hidden) <= set(third.rules)


@every_game
@both_sources
def test_a_player_who_has_walked_away_is_settled_as_the_game_says(
    game: str, source: Source
) -> None:
    settings = settings_of(game, source)
    played = closed(settings, jackpot=False).play_until("deciding")
    played.answers[1] = "absent"
    played.play_until("settling")
    first, third = played.state.round.results
    assert set(settings.rules.paragraphs.absent) <= set(first.rules)
    expected = {"folded": "lose", "returned": "returned"}[settings.rules.absent]
    assert first.bets["ante"].outcome == expected
    assert third.bets[settings.rules.stay].stake == 10_000


def test_a_stud_hand_that_is_hidden_shows_no_card() -> None:
    played = Round(settings_of("rws-multilink-stud"))
    played.open()
    played.chip(1)
    played.chip(3)
    played.close()
    played.deal({1: TENS, 3: QUEEN_HIGH}, ACE_HIGH)
    played.bet(1)
    played.bet(3)
    played.hidden(1)
    effects = played.reveal()
    assert "Seat 1 ante loses: take $25.00" in prompt_in(effects)
    assert owed_in(effects) == []


def test_the_board_is_shown_as_far_as_it_is_turned_up_and_until_the_round_is_paid() -> None:
    played = closed(settings_of("rws-holdem"))
    shown = [len(public(played.table.settings, played.state).community)]
    for _phase, _effects in played.rest():
        shown.append(len(public(played.table.settings, played.state).community))
    assert shown == [*sorted(shown[:-1]), 0]
    assert set(shown) == {0, 3, 4, 5}
