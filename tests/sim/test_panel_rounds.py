"""Whole rounds played by what a small display shows, and what they cost the dealer.

The player reads rows and turns pages; it knows nothing that the display does not say. `make strokes`
prints what it counts.
"""

from itertools import product
from pathlib import Path

import pytest
from msgspec import convert

from firmware.devices.panel_pages import SMALLEST, USUAL, Display
from firmware.rules.games import GAMES
from firmware.table.settings import CardSource
from sim.panel.count import GAMES as COUNTED
from sim.panel.count import (
    SOURCES,
    minimum,
    other,
    second_round,
    settings_of,
    with_bonus,
    with_card_shown,
)
from sim.panel.player import PanelDealer, strokes_of

REST_IS_THERE = PanelDealer(settings_of("rws-multilink-stud", "shoe", 5), USUAL).has_rest
README = (Path(__file__).parents[2] / "hw" / "README.md").read_text(encoding="utf-8")
MOST_STROKES = {"rws-multilink-stud": 10, "rws-holdem": 20}
"""What an uneventful round with five seats may take, pages of a small display and all."""


@pytest.mark.parametrize("display", [SMALLEST, USUAL, Display(20, 16), Display(40, 4)], ids=str)
@pytest.mark.parametrize(("game", "source"), list(product(GAMES, SOURCES)))
def test_a_whole_round_can_be_played_by_what_the_display_shows(
    game: str, source: CardSource, display: Display
) -> None:
    settings = settings_of(game, source, 4)
    dealer = PanelDealer(settings, display)
    for bets in (minimum(settings), other(settings), with_bonus(settings)):
        dealer.play(bets)
        assert dealer.felt.code == "idle"
        assert len(dealer.felt.rows) <= display.rows
    assert dealer.felt.table.state.round.number == 3


def test_a_settlement_that_fits_is_read_without_turning_a_page() -> None:
    settings = settings_of("rws-multilink-stud", "shoe", 7)
    assert second_round(settings, USUAL, minimum(settings)).turns == 0


def test_a_small_display_has_at_most_a_page_for_every_seat_at_settlement() -> None:
    settings = settings_of("rws-multilink-stud", "shoe", 7)
    assert 0 < second_round(settings, SMALLEST, minimum(settings)).turns <= 7


def test_the_table_in_the_document_is_what_the_counter_counts() -> None:
    rows = [line.strip("| ").split(" | ") for line in README.splitlines() if " seats, " in line]
    bets = {
        "minimum antes": minimum,
        "other antes": other,
        "every bet": with_bonus,
        "UP keyed": with_card_shown,
    }
    assert len(rows) == 8
    for words, _before, usual, smallest in rows:
        game, source, seats, placed = words.split(", ")
        settings = settings_of(COUNTED[game], convert(source, CardSource), int(seats[0]))
        for display, strokes in ((USUAL, usual), (SMALLEST, smallest)):
            counted = second_round(settings, display, bets[placed](settings))
            assert counted.strokes == int(strokes), words


@pytest.mark.skipif(not REST_IS_THERE, reason="there is no key for all who have not answered")
@pytest.mark.parametrize("source", ["shoe", "shuffler", "manual"])
@pytest.mark.parametrize("game", MOST_STROKES)
def test_an_uneventful_round_with_five_seats_takes_few_strokes(
    game: str, source: CardSource
) -> None:
    settings = settings_of(game, source, 5)
    for bets in (minimum(settings), other(settings), with_bonus(settings)):
        for display in (SMALLEST, USUAL):
            assert second_round(settings, display, bets).strokes <= MOST_STROKES[game]
    shown = second_round(settings, USUAL, with_card_shown(settings))
    assert shown.strokes <= MOST_STROKES[game]


@pytest.mark.parametrize(
    ("key", "strokes"),
    [
        ("OPEN", 1),
        ("BET 3", 2),
        ("REST", 1),
        ("REST FOLD", 2),
        ("AMOUNT 3 ante 2500", 8),
        ("UP As", 3),
    ],
)
def test_a_stroke_is_a_key_or_a_digit(key: str, strokes: int) -> None:
    assert strokes_of(key) == strokes
