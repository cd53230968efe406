"""A table that has paid a jackpot, for the tests of slips and exports: its journal, in any currency."""

from pathlib import Path

from msgspec.structs import replace

from firmware.journal.writer import Journal
from firmware.table.settings import TableSettings
from tests.table.playing import (
    ACE_HIGH,
    QUEEN_HIGH,
    SETTINGS,
    STRAIGHT_FLUSH,
    Playing,
    owed_in,
)

AWARD_CENTS = 1_001_833
BEGAN_MS = 1_768_446_000_000
"""2026-01-15 03:00:00 UTC, which is 11:00:00 in Singapore."""


def house(currency: str = "S$", casino: str = "Test Casino") -> TableSettings:
    """Give the settings of a table whose house has a name and a currency."""
    return replace(SETTINGS, currency=currency, casino=casino)


def table(settings: TableSettings) -> Playing:
    """Begin a journal on a day of this century."""
    playing = Playing(settings)
    playing.at_ms = BEGAN_MS
    return playing


def claim(playing: Playing) -> str:
    """Play a round up to its claim, seat 1 with a straight flush, and give the win's id."""
    playing.open()
    playing.chip(1)
    playing.chip(3)
    for contribution in owed_in(playing.close()):
        playing.acknowledge(contribution.id)
    playing.lift(1)
    playing.lift(3)
    playing.deal({1: STRAIGHT_FLUSH, 3: QUEEN_HIGH}, ACE_HIGH)
    playing.bet(1)
    playing.bet(3)
    (win,) = owed_in(playing.reveal())
    return win.id


def win_a_round(playing: Playing) -> str:
    """Play a round whose jackpot is confirmed, awarded and paid, and give the win's id."""
    win = claim(playing)
    playing.confirm_as("pit_supervisor")
    playing.award(win, AWARD_CENTS)
    playing.paid()
    assert playing.phase() == "idle"
    return win


def written(playing: Playing, folder: Path) -> Path:
    """Write the journal of a table."""
    folder.mkdir()
    with Journal(folder) as journal:
        for sequence, event in enumerate(playing.journal, start=1):
            journal.append(event, sequence)
    return folder
