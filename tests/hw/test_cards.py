"""The cards of prompts and keys are what the table says and takes today."""

import re

import pytest

from firmware.devices.panel_keys import KEYS, PERSON_KEYS, PLAIN_KEYS
from firmware.devices.panel_screen import SCREEN_KEYS
from firmware.rules.games import GAMES
from sim.panel.cards import FOLDER, card

WORD = re.compile(r"\b[A-Z]{2,}\b")


def test_every_game_has_its_card_and_nothing_else_has_one() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_a_card_has_every_key_of_the_panel_and_no_other(game: str) -> None:
    rows = [line.split("|") for line in card(GAMES[game]).splitlines() if line.startswith("| ")]
    # The tables of keys, and of what is pressed when, are those with two columns.
    named = {word for row in rows if len(row) == 4 for cell in row for word in WORD.findall(cell)}
    answers = {answer.upper() for answer in GAMES[game].answers}
    asked = {"JACKPOT", "PIN"}
    driver = {*KEYS, *PLAIN_KEYS, *PERSON_KEYS, *SCREEN_KEYS}
    assert driver - named == set()
    assert named - driver - answers - asked == set()


@pytest.mark.parametrize("game", GAMES)
def test_a_card_asks_in_words(game: str) -> None:
    text = card(GAMES[game])
    assert "()" not in text
    assert "_" not in text.replace("do not edit it", "")


@pytest.mark.parametrize("game", GAMES)
def test_a_card_is_up_to_date(game: str) -> None:
    written = (FOLDER / f"{game}.md").read_text(encoding="utf-8")
    assert written == card(GAMES[game]), "run `make docs`"


def test_rws_holdem_3_11_the_card_says_each_time_that_a_card_is_burnt() -> None:
    shoe = card(GAMES["rws-holdem"]).partition("### From the shuffler")[0]
    assert shoe.count("Burn a card.") == 4
