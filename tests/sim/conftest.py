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
