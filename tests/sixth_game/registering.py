"""Makes the sixth game known: to this process, and to every one that it starts."""

import os
from pathlib import Path

import pytest

from firmware.rules.games import GAMES
from tests.sixth_game.caribbean_stud import GAME

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


def register(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the sixth game known until the end of a test."""
    monkeypatch.setitem(GAMES, GAME.id, GAME)
    paths = [str(HERE / "start"), str(ROOT), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
