"""What several tests of the jackpot controller need."""

import pytest

from sim.jackpot_controller.doubts import Doubts


@pytest.fixture
def believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a claim be believed without the reports and contributions of its round.

    For tests that are about what becomes of claims; what is not believed is in
    `test_jackpot_doubts.py`, and the random floor has all the messages of its rounds.
    """
    monkeypatch.setattr(Doubts, "about", lambda _doubts, _row: "")
    monkeypatch.setattr(Doubts, "note_payment", lambda _doubts, _row, _cents: "")


@pytest.fixture(autouse=True)
def own_names(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the names of a floor's tables from those of floors that other tests play at the same time."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("names")))
