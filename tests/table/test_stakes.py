"""What rulings on stakes do to the money: refused excess, no ante, under the minimum once.

Antes keyed and assumed are in `test_bets.py`; what the dealer corrects is in
`test_stake_corrections.py`.
"""

import msgspec
import pytest
from msgspec.structs import replace

from firmware.protocol.obligations import Reversal
from firmware.rules.contract import BetResult
from firmware.rules.games import GAMES
from firmware.table.events import RoundPaid, RulingConfirmed
from firmware.table.settings import CardSource
from firmware.table.table import Table
from tests.table.playing import (
    ACE_HIGH,
    QUEEN_HIGH,
    SETTINGS,
    TENS,
    Playing,
    bets_placed,
    owed_in,
    play_to_the_end,
    prompt_in,
    remembered,
)
from tests.table.rounds import Round, settings_of

DOCUMENTS = ("rws-multilink-stud", "rws-casino-stud")
every_game = pytest.mark.parametrize("game", sorted(GAMES))
every_source = pytest.mark.parametrize("source", ["shoe", "shuffler", "manual"])


def result(playing: Playing, seat: int, bet: str) -> BetResult:
    """Give what the settlement says about a bet."""
    (found,) = (each for each in playing.state.round.results if each.seat == seat)
    return found.bets[bet]


# Excess that is refused before the close (RWS §5.1, Megalink §3.4)


@every_game
@pytest.mark.parametrize("keyed", [True, False])
def test_5_1_refused_excess_is_not_handed_back_again_at_settlement(game: str, keyed: bool) -> None:  # noqa: FBT001  # pytest names it
    played = Round(settings_of(game))
    played.open()
    played.chip(1)
    if keyed:
        played.ante(1, 250_000)
    played.report("over_max", seat=1)
    played.confirm()
    assert played.state.round.seats[1].stakes["ante"] == 100_000
    played.close()
    played.play_until("settling")
    ante = result(played, 1, "ante")
    assert (ante.stake, ante.returned in {0, 100_000}) == (100_000, True)
    assert played.state.last_ante_cents[1] == 100_000


def test_5_1_refused_excess_of_a_bonus_leaves_the_ante_alone() -> None:
    played = Round(replace(settings_of("rws-holdem"), bonus_max_cents=50_000))
    played.open()
    played.ante(1, 5_000)
    played.key(1, "bonus", 60_000)
    played.report("over_max", seat=1)
    played.confirm()
    assert played.state.round.seats[1].stakes == {"ante": 5_000, "bonus": 50_000}


def test_5_1_a_box_that_was_in_by_memory_has_what_remains_of_its_bet() -> None:
    playing = Playing()
    playing.open()
    playing.ante(2, 5_000)
    play_to_the_end(playing)
    playing.open()
    playing.report("over_max", seat=2)
    assert "Seat 2 keyed: ante $1,000.00." in prompt_in(playing.confirm())


def test_5_1_a_report_that_was_a_mistake_changes_no_stake() -> None:
    playing = bets_placed()
    playing.ante(1, 250_000)
    playing.report("over_max", seat=1)
    playing.cancel()
    assert playing.state.round.seats[1].stakes["ante"] == 250_000


def test_a_journal_from_before_keeps_the_stake_that_it_was_played_with() -> None:
    playing = bets_placed()
    playing.ante(1, 250_000)
    playing.report("over_max", seat=1)
    playing.confirm()
    old = [
        replace(event, remains={}) if isinstance(event, RulingConfirmed) else event
        for event in playing.journal
    ]
    table = Table.recovered(SETTINGS, old)
    assert table.state.round.seats[1].stakes["ante"] == 250_000


# A box without an ante (§5.4)


@every_game
@every_source
def test_5_4_a_box_without_ante_reported_before_the_first_card_is_dealt_no_hand(
    game: str, source: CardSource
) -> None:
    played = Round(settings_of(game, source))
    played.open()
    played.ante(1, 5_000)
    played.chip(3)
    played.close()
    if played.phase() == "drawing":
        played.lots("2c")
    played.report("jackpot_without_ante", seat=3)
    effects = played.confirm()
    assert [type(owed) for owed in owed_in(effects)] == [Reversal]
    assert played.state.round.dealt == [1]
    played.play_until("settling" if source != "manual" else "idle")
    assert played.state.round.seats[3].cards == []
    assert len(played.state.round.seats[1].cards) == (
        0 if source == "manual" else played.table.settings.rules.own_cards
    )


def test_5_4_a_box_without_ante_reported_after_the_first_card_keeps_its_place_in_the_deal() -> None:
    playing = bets_placed()
    playing.close()
    playing.draw("2d")
    playing.report("jackpot_without_ante", seat=3)
    playing.confirm()
    assert playing.state.round.dealt == [1, 3]


def test_5_4_if_the_only_box_has_no_ante_the_round_is_over() -> None:
    playing = Playing()
    playing.open()
    playing.chip(2)
    playing.close()
    playing.report("jackpot_without_ante", seat=2)
    assert "Seat 2 jackpot goes back: return $5.00" in prompt_in(playing.confirm())
    assert playing.phase() == "settling"


def lines_about(seat: int, playing: Playing) -> list[str]:
    """Give the first lines of what the panel says about a seat."""
    shown = prompt_in(playing.without_reports(playing.table.resumed()))
    return [line for line in shown if line.startswith(f"Seat {seat}")]


def without_ante(game: str, source: CardSource = "shoe") -> Round:
    """Report after the close that seat 3 has a jackpot bet and no ante."""
    played = Round(settings_of(game, source))
    played.open()
    played.ante(1, 5_000)
    played.chip(3)
    played.close()
    if played.phase() == "drawing":
        played.lots("2c")
    played.report("jackpot_without_ante", seat=3)
    played.confirm()
    return played


BACK_NOW = "Seat 3: no ante; return the jackpot bet."
BACK_LATER = "Seat 3: no ante; its jackpot bet goes back at the end of the round."


@pytest.mark.parametrize("game", sorted(game for game in GAMES if game.startswith("rws")))
def test_5_4_a_jackpot_bet_without_an_ante_goes_back_when_it_is_noticed_and_only_then(
    game: str,
) -> None:
    played = without_ante(game)
    assert lines_about(3, played) == [BACK_NOW]
    played.play_until("settling")
    assert lines_about(3, played) == []


@pytest.mark.parametrize("game", sorted(game for game in GAMES if game.startswith("mbs")))
def test_megalink_5_12_2_a_jackpot_bet_without_an_ante_goes_back_at_the_conclusion_and_only_then(
    game: str,
) -> None:
    played = without_ante(game)
    assert lines_about(3, played) == [BACK_LATER]
    played.play_until("settling")
    assert lines_about(3, played)[0] == "Seat 3: return $5.00."


def test_megalink_5_12_2_by_hand_it_goes_back_when_the_hands_are_up() -> None:
    played = without_ante("mbs-megalink-stud", "manual")
    assert lines_about(3, played) == [BACK_LATER]
    played.play_until("claiming")
    assert lines_about(3, played)[0] == BACK_NOW


def test_5_4_noticed_at_the_settlement_it_goes_back_with_the_rest() -> None:
    playing = bets_placed()
    playing.close()
    playing.deal({1: TENS, 3: QUEEN_HIGH}, ACE_HIGH)
    playing.bet(1)
    playing.bet(3)
    playing.reveal()
    playing.report("jackpot_without_ante", seat=3)
    playing.confirm_as("pit_supervisor")
    assert any("return $5.00" in line for line in lines_about(3, playing))


def test_5_4_a_void_round_does_not_order_it_back_again() -> None:
    played = without_ante("rws-multilink-stud")
    played.report("foreign_card")
    played.confirm()
    assert lines_about(3, played) == []
    assert any("return" in line for line in lines_about(1, played))


def test_a_seat_that_is_taken_out_and_had_no_jackpot_bet_gets_none_back() -> None:
    playing = Playing()
    playing.open()
    playing.chip(1)
    playing.ante(2, 2_500)
    playing.close()
    for card in ("2d", "Tc", "Qs"):
        playing.draw(card)
    playing.ante(2, 0)
    playing.confirm_as("pit_supervisor")
    assert not any("jackpot bet" in line for line in lines_about(2, playing))


def test_an_ante_that_was_there_after_all_keeps_the_jackpot_bet() -> None:
    playing = bets_placed()
    playing.close()
    playing.ante(3, 0)
    assert lines_about(3, playing) == [BACK_NOW]
    playing.ante(3, 2_500)
    assert playing.state.round.sent_back == []


# Under the minimum (Megalink §5.13, I-30)


@pytest.mark.parametrize("game", ["mbs-megalink-stud", "mbs-singapore-stud"])
@every_source
def test_megalink_5_13_a_wager_returned_because_its_player_was_absent_was_not_settled(
    game: str, source: CardSource
) -> None:
    played = Round(settings_of(game, source))
    played.answers = {1: "absent"}
    played.open()
    played.chip(1)
    played.ante(1, 1_000)
    played.chip(2)
    played.close()
    if source == "manual":
        played.play_until("claiming")
        played.decide(1, "absent")
    played.play_until("idle")
    assert played.state.under_min == []


def test_megalink_5_13_a_wager_that_was_folded_is_settled() -> None:
    played = Round(settings_of("mbs-megalink-stud"))
    played.answers = {1: "fold"}
    played.open()
    played.chip(1)
    played.ante(1, 1_000)
    played.close()
    played.play_until("idle")
    assert played.state.under_min == [1]


def test_a_journal_from_before_remembers_who_was_under_the_minimum_as_it_did() -> None:
    played = Round(settings_of("mbs-megalink-stud"))
    played.answers = {1: "absent"}
    played.open()
    played.chip(1)
    played.ante(1, 1_000)
    played.chip(2)
    played.close()
    played.play_until("idle")
    old = [
        replace(event, under_min=None) if isinstance(event, RoundPaid) else event
        for event in played.journal
    ]
    table = Table.recovered(played.table.settings, old)
    assert table.state.under_min == [1]
    again = Table.recovered(played.table.settings, played.journal)
    assert remembered(again.state) == remembered(played.state)
    assert b"under_min" in msgspec.json.encode(played.journal[-1])
