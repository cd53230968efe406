"""Makes the sixth game known to the tests here, and to every process that they start."""

import os
from pathlib import Path

import pytest

from firmware.rules.games import GAMES
from tests.sixth_game.caribbean_stud import GAME

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


@pytest.fixture(autouse=True)
def _sixth_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, GAME.id, GAME)
    paths = [str(HERE / "start"), str(ROOT), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
