"""Every test here knows the sixth game, and so does every process that it starts."""

import pytest

from tests.sixth_game.registering import register


@pytest.fixture(autouse=True)
def _sixth_game(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)
