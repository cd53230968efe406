"""`underfelt journal replay` goes on over rounds that are void, whenever they became so."""

from pathlib import Path
from typing import get_args

import pytest

from firmware.rules.games import GAMES
from firmware.table.settings import CardSource
from firmware.table.state import Phase
from host_tools.journal.replaying import replays
from tests.shell.test_folding import write
from tests.table.rounds import closed, settings_of

SEGMENT_BYTES = 1_000


def replays_void(game: str, source: CardSource, phase: Phase, folder: Path) -> bool:
    """Void a round in a phase, play another, and replay both; false if the game has no such phase."""
    played = closed(settings_of(game, source))
    while played.phase() != phase:
        if played.phase() == "idle":
            return False
        played.go_on()
    played.report("foreign_card")
    if not played.confirm() or played.phase() == "ruling":
        played.confirm_as("shift_manager")
    if not played.state.round.void:
        return False
    played.paid()
    played.refill()
    played.open()
    played.ante(1, 5_000)
    played.close()
    played.play_until("idle")
    folder.mkdir()
    write(folder, played.journal, played.table.settings, SEGMENT_BYTES)
    found = list(replays(folder))
    assert not any(each.differences for each in found)
    # What was dealt by hand, without a hand that claims, the table has not settled.
    after = [] if source == "manual" else [(2, False)]
    assert [(each.round, each.void) for each in found] == [(1, True), *after]
    return True


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_round_voided_in_any_phase_is_replayed_and_those_after_it(
    game: str, tmp_path: Path
) -> None:
    voided = {
        phase
        for source in get_args(CardSource)
        for phase in get_args(Phase)
        if phase not in {"idle", "closed", "service", "ruling", "betting", "drawing"}
        if replays_void(game, source, phase, tmp_path / f"{source}-{phase}")
    }
    assert voided >= {"dealing", "deciding", "revealing", "settling"}
