"""The cards of prompts and keys are what the table says and takes today."""

import pytest

from firmware.rules.games import GAMES
from sim.panel.cards import FOLDER, card


def test_every_game_has_its_card_and_nothing_else_has_one() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_a_card_is_up_to_date(game: str) -> None:
    written = (FOLDER / f"{game}.md").read_text(encoding="utf-8")
    assert written == card(GAMES[game]), "run `make cards`"
