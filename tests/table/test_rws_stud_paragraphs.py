"""Paragraphs of the two RWS stud games that nothing else reaches at the table."""

import pytest
from msgspec.structs import replace

from tests.table.playing import SETTINGS, Playing

DOCUMENTS = ("rws-multilink-stud", "rws-casino-stud")


@pytest.mark.parametrize("game", DOCUMENTS)
@pytest.mark.parametrize(
    ("choice", "phase"), [("close_table", "closed"), ("no_jackpot_bets", "idle")]
)
def test_5_18_2_the_house_decides_on_later_rounds(game: str, choice: str, phase: str) -> None:
    playing = Playing(replace(SETTINGS, game=game))
    playing.link(healthy=False)
    assert not opened(playing)
    playing.report("jackpot_fault_persists")
    playing.choose(choice)
    playing.confirm_as("pit_supervisor")
    assert playing.phase() == "ruling"
    playing.confirm_as("shift_manager")
    assert playing.phase() == phase
    assert opened(playing) == (choice == "no_jackpot_bets")
    playing.key(1, "jackpot", 500)
    assert not playing.decided


def opened(playing: Playing) -> bool:
    """Press OPEN, and say whether bets are taken."""
    playing.open()
    return playing.phase() == "betting"
