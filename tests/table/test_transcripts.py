"""A full round of every game from every card source, with every effect of every event.

The rounds are written down in `transcripts/`; how they are read is in `transcript.py`.
"""

from pathlib import Path
from typing import get_args

import pytest

from firmware.rules.games import GAMES
from firmware.table.settings import CardSource
from tests.table.transcript import FOLDER, Told, steps

SCENARIOS = sorted(FOLDER.glob("*.txt"))


def test_every_game_has_a_round_from_every_card_source() -> None:
    assert {path.stem for path in SCENARIOS} == {
        f"{game}.{source}" for game in GAMES for source in get_args(CardSource)
    }


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_round_has_these_effects_and_no_others(path: Path) -> None:
    game, name = path.stem.split(".")
    source = next(source for source in get_args(CardSource) if source == name)
    table = Told(game, source)
    for place, (action, effects) in enumerate(steps(path)):
        assert (place, action, table.do(action)) == (place, action, effects)
    assert table.state.phase == "idle"
    assert table.state.round.number == 1
    assert table.state.owed == {}
