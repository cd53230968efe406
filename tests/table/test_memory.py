"""A dealer's minute: who is in play by memory, all others at once, what the panel lists at CLOSE.

Being in by memory never contributes to the jackpot; only a chip or a keyed jackpot bet does.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.devices.panel_keys import event_of
from firmware.protocol.obligations import Contribution
from firmware.rules.games import GAMES
from firmware.table.events import (
    BetKeyed,
    BetsOpened,
    KeyTakenBack,
    NewPlayer,
    RestDecided,
    TableClosed,
    TableOpened,
)
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
    refused,
)
from tests.table.rounds import Round, closed, settings_of

BY_MEMORY = "Seat 2 by memory: ante $75.00; OUT 2 takes it out."


def second_round() -> Playing:
    """Play a round of seat 1 with a chip and seat 2 without one, and open the next."""
    playing = Playing()
    playing.open()
    playing.chip(1)
    playing.ante(2, 7_500)
    playing.close()
    playing.lift(1)
    play_to_the_end(playing)
    playing.open()
    return playing


def test_a_seat_that_played_without_a_chip_is_in_the_next_round() -> None:
    playing = second_round()
    assert BY_MEMORY in prompt_in(playing.table.resumed())
    effects = playing.close()
    assert owed_in(effects) == []
    assert playing.state.round.dealt == [2]
    assert "Seat 2: ante $75.00 (by memory)." in prompt_in(effects)


def test_a_seat_that_played_with_a_chip_is_in_only_if_it_has_one_again() -> None:
    playing = second_round()
    playing.close()
    assert 1 not in playing.state.round.seats
    playing = second_round()
    playing.chip(1)
    playing.close()
    assert playing.state.round.dealt == [1, 2]


def test_one_key_takes_a_box_out_and_it_stays_out() -> None:
    playing = second_round()
    playing.chip(1)
    assert BY_MEMORY not in prompt_in(playing.ante(2, 0))
    playing.close()
    assert playing.state.round.dealt == [1]
    playing.lift(1)
    play_to_the_end(playing)
    assert "by memory" not in " ".join(prompt_in(playing.open()))
    assert playing.state.last_ante_cents[2] == 7_500


def test_a_chip_on_a_remembered_seat_bets_on_the_jackpot_with_the_last_ante() -> None:
    playing = second_round()
    assert BY_MEMORY not in prompt_in(playing.chip(2))
    (contribution,) = owed_in(playing.close())
    assert isinstance(contribution, Contribution)
    assert (contribution.seat, contribution.stake_cents) == (2, 500)
    assert playing.state.round.seats[2].stakes == {"ante": 7_500, "jackpot": 500}
    # From now on the chip tells.
    playing.lift(2)
    play_to_the_end(playing)
    playing.open()
    assert playing.close() == refused("Nobody has bet yet. Press CANCEL if nobody wants to.")


def test_a_new_player_is_not_in_by_memory() -> None:
    playing = second_round()
    assert "by memory" not in " ".join(prompt_in(playing.press(NewPlayer, seat=2)))
    assert playing.close() == refused("Nobody has bet yet. Press CANCEL if nobody wants to.")


def test_a_player_who_walked_away_is_not_in_the_next_round() -> None:
    playing = Playing()
    playing.open()
    for seat in (1, 2):
        playing.ante(seat, 5_000)
    playing.close()
    playing.deal({1: TENS, 2: QUEEN_HIGH}, ACE_HIGH)
    playing.bet(1)
    playing.decide(2, "absent")
    playing.reveal()
    playing.paid()
    playing.open()
    assert sorted(playing.state.round.seats) == [1]


def test_a_table_that_was_closed_remembers_nobody() -> None:
    playing = Playing()
    playing.open()
    playing.ante(2, 5_000)
    play_to_the_end(playing)
    playing.press(TableClosed)
    playing.press(TableOpened)
    playing.open()
    assert playing.state.round.seats == {}


def test_a_jackpot_bet_that_was_keyed_is_not_remembered() -> None:
    playing = Playing()
    playing.open()
    playing.ante(2, 5_000)
    playing.key(2, "jackpot", 500)
    play_to_the_end(playing)
    playing.open()
    assert playing.state.round.seats[2].stakes == {"ante": 5_000}
    assert owed_in(playing.close()) == []


def test_a_journal_from_before_knows_nobody_by_memory() -> None:
    playing = second_round()
    old = [
        replace(event, by_memory=()) if isinstance(event, BetsOpened) else event
        for event in playing.journal
    ]
    assert Table.recovered(SETTINGS, old).state.round.seats == {}
    again = Table.recovered(SETTINGS, playing.journal)
    assert list(again.state.round.seats) == [2]


def test_the_panel_lists_at_close_who_is_in_play_with_what() -> None:
    played = Round(settings_of("rws-holdem"))
    played.open()
    played.chip(1)
    played.ante(3, 5_000)
    played.key(3, "bonus", 1_000)
    lines = prompt_in(played.close())
    assert lines[:3] == (
        "Burn a card.",
        "Seat 1: ante $25.00, jackpot $5.00.",
        "Seat 3: ante $50.00, bonus $10.00.",
    )
    assert not any(line.startswith("Seat") for line in prompt_in(played.next_cards()))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    game=st.sampled_from(sorted(GAMES)),
    rounds=st.lists(
        st.tuples(
            st.sets(st.integers(1, 4)),
            st.dictionaries(st.integers(1, 4), st.sampled_from([0, 2_500, 7_500])),
        ),
        max_size=5,
    ),
)
def test_memory_never_charges_a_jackpot_contribution(
    game: str, rounds: list[tuple[set[int], dict[int, int]]]
) -> None:
    played = Round(replace(settings_of(game), card_source="manual"))
    for chips, antes in rounds:
        before = played.state.totals.contributed_cents
        played.open()
        for seat in chips:
            played.chip(seat)
        for seat, cents in antes.items():
            played.ante(seat, cents)
        played.close()
        if played.decided:
            betting = [seat for seat in chips if antes.get(seat, 1)]
            assert played.state.totals.contributed_cents - before == 500 * len(betting)
            played.play_until("idle")
        else:
            played.report("other")
            played.choose("void")
            played.confirm_as("shift_manager")
        for seat in chips:
            played.lift(seat)


# All others at once


def test_rest_is_the_answer_of_everybody_who_has_not_answered() -> None:
    played = Round(settings_of("rws-multilink-stud"))
    played.open()
    for seat in (1, 2, 3, 4):
        played.ante(seat, 2_500)
    played.close()
    played.play_until("deciding")
    played.fold(2)
    played.press(RestDecided, decision="bet")
    decisions = {seat: p.decision for seat, p in played.state.round.seats.items()}
    assert decisions == {1: "bet", 2: "fold", 3: "bet", 4: "bet"}
    event = played.journal[-1]
    assert isinstance(event, RestDecided)
    assert event.seats == (1, 3, 4)
    assert played.phase() == "revealing"


@pytest.mark.parametrize("game", sorted(GAMES))
def test_rest_is_the_same_as_each_seat_alone(game: str) -> None:
    together, alone = (closed(settings_of(game)) for _ in range(2))
    while together.phase() != "settling":
        if together.phase() == "deciding":
            bet = prompt_in(together.table.resumed())[0].split()[0].lower()
            together.press(RestDecided, decision=bet)
        else:
            together.go_on()
    alone.play_until("settling")
    assert together.state.round.results == alone.state.round.results


def test_rest_takes_no_answer_that_needs_a_look_at_each_seat() -> None:
    playing = bets_placed()
    playing.close()
    playing.deal({1: TENS, 3: QUEEN_HIGH}, ACE_HIGH)
    choose = refused("All others: choose bet or fold.")
    for answer in ("absent", "check", "sing"):
        assert playing.press(RestDecided, decision=answer) == choose


# How many strokes a round takes: a key is one, and so is each number or answer after it


def strokes(played: "FiveSeats", *keys: str) -> int:
    """Press keys as a panel sends them, dealing in between; count the strokes."""
    for key in keys:
        while played.phase() == "dealing":
            played.next_cards()
        event = event_of(f"KEY {key}", played.frame(), played.now(), played.game_answers)
        assert event is not None
        played.take(event)
        assert played.decided, key
        if played.phase() == "drawing":
            played.lots("2c")
    while played.phase() == "dealing":
        played.next_cards()
    return sum(len(key.split()) for key in keys)


class FiveSeats(Round):
    """Five boxes that have played a round: two with a jackpot chip, all with antes of their own."""

    def __init__(self, game: str) -> None:
        super().__init__(replace(settings_of(game), seats=5))
        self.game_answers = self.table.settings.rules.answers
        self.open()
        for seat in range(1, 6):
            self.ante(seat, 2_500 + 500 * seat)
        self.chip(1)
        self.chip(2)
        self.close()
        self.play_until("idle")
        self.refill()
        for seat in (1, 2):
            self.lift(seat)
            self.chip(seat)


def antes(played: Round) -> dict[int, int]:
    """Give the antes of the round."""
    return {seat: play.stakes["ante"] for seat, play in played.state.round.seats.items()}


@pytest.mark.parametrize("game", sorted(game for game in GAMES if game != "rws-holdem"))
def test_a_stud_round_of_five_remembered_boxes_needs_at_most_ten_strokes(game: str) -> None:
    played = FiveSeats(game)
    count = strokes(played, "OPEN", "CLOSE", "FOLD 2", "FOLD 5", "REST BET", "REVEAL")
    for claim in list(played.state.round.claims):
        played.award(claim, played.worth_cents(claim))
    assert antes(played) == {seat: 2_500 + 500 * seat for seat in range(1, 6)}
    assert count + strokes(played, "PAID") <= 10
    assert played.phase() == "idle"


def test_a_holdem_round_of_five_remembered_boxes_needs_at_most_twenty_strokes() -> None:
    played = FiveSeats("rws-holdem")
    flop = ("OPEN", "CLOSE", "FOLD 2", "REST FLOP", "REVEAL")
    count = strokes(played, *flop, "TURN 1", "REST CHECK", "REVEAL", "REST CHECK", "REVEAL")
    count += strokes(played, "REVEAL")
    for claim in list(played.state.round.claims):
        played.award(claim, played.worth_cents(claim))
    assert antes(played) == {seat: 2_500 + 500 * seat for seat in range(1, 6)}
    assert count + strokes(played, "PAID") <= 20
    assert played.phase() == "idle"


# The bonus, where the game has one

HOLDEM = replace(SETTINGS, game="rws-holdem", card_source="shuffler")


def with_bonus() -> Round:
    """Play a round in which seat 1 has a chip and a bonus, and seat 3 an ante alone."""
    playing = Round(HOLDEM)
    playing.open()
    playing.chip(1)
    playing.key(1, "bonus", 5_000)
    playing.ante(3, 2_500)
    playing.close()
    playing.play_until("idle")
    playing.lift(1)
    return playing


def test_a_bonus_is_placed_again_and_the_panel_says_so_before_close_and_after() -> None:
    playing = with_bonus()
    assert not any("onus by memory" in line for line in prompt_in(playing.open()))
    lines = prompt_in(playing.chip(1))
    assert "Bonus by memory: seat 1 $50.00; OUT, seat, bonus takes it out." in lines
    lines = prompt_in(playing.close())
    assert "Seat 1: ante $25.00, jackpot $5.00, bonus $50.00 (by memory)." in lines
    assert playing.state.round.seats[1].stakes["bonus"] == 5_000
    assert "bonus" not in playing.state.round.seats[3].stakes


def test_one_key_takes_a_bonus_out_and_it_is_not_remembered_again() -> None:
    playing = with_bonus()
    playing.open()
    playing.chip(1)
    out = event_of("KEY OUT 1 bonus", playing.frame(), playing.now(), HOLDEM.rules.answers)
    assert isinstance(out, BetKeyed)
    assert not any("onus by memory" in line for line in prompt_in(playing.take(out)))
    playing.close()
    assert not playing.state.round.seats[1].stakes["bonus"]
    assert not playing.state.last_bonus_cents


def test_undo_brings_back_a_bonus_that_was_taken_out() -> None:
    playing = with_bonus()
    playing.open()
    playing.chip(1)
    playing.key(1, "bonus", 0)
    playing.press(KeyTakenBack)
    playing.close()
    assert playing.state.round.seats[1].stakes["bonus"] == 5_000


@pytest.mark.parametrize("how", ["new player", "absent seat", "out", "table closed"])
def test_a_bonus_is_not_placed_for_whoever_is_not_there_any_more(how: str) -> None:
    playing = with_bonus()
    if how == "new player":
        playing.press(NewPlayer, seat=1)
    if how == "table closed":
        playing.press(TableClosed)
        playing.press(TableOpened)
    playing.open()
    if how == "out":
        playing.ante(1, 0)
        playing.ante(1, 2_500)
    if how != "absent seat":
        playing.chip(1)
    playing.ante(2, 2_500)
    playing.close()
    stakes = [player.stakes for player in playing.state.round.seats.values()]
    assert not any(each.get("bonus") for each in stakes)


def test_a_bonus_is_forgotten_when_the_seat_sat_a_round_out() -> None:
    playing = with_bonus()
    playing.open()
    playing.close()
    playing.play_until("idle")
    playing.open()
    playing.chip(1)
    playing.close()
    assert not playing.state.round.seats[1].stakes.get("bonus")


def test_a_journal_from_before_places_no_bonus_by_memory() -> None:
    playing = with_bonus()
    playing.open()
    playing.chip(1)
    playing.close()
    old = [replace(e, bonuses=()) if isinstance(e, BetsOpened) else e for e in playing.journal]
    again = Table.recovered(playing.table.settings, old)
    assert "bonus" not in again.state.round.seats[1].stakes
