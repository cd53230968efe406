"""The power goes in a round of every game: the table is the one before the cut or the one after.

After every event, and at every byte of every record, with segments that end in the midst of
the round.
"""

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.journal.reader import newest
from firmware.journal.writer import Journal
from firmware.rules.games import GAMES
from firmware.shell.folding import folded, snapshot_of
from firmware.table.events import Decision
from firmware.table.settings import TableSettings
from firmware.table.state import TableState
from firmware.table.table import Table
from tests.journal.records import folder_in_memory
from tests.table.playing import SETTINGS, remembered
from tests.table.walking import Deck, Walker

SEGMENT_BYTES = 900


def a_round(settings: TableSettings) -> list[Decision]:
    """Play a round in which somebody wins on the jackpot, if the game allows it."""
    table = Walker(Deck(7, kind=True), settings)
    table.go_on(1)
    while table.state.phase != "idle":
        table.go_on(1)
    return table.journal


@pytest.mark.parametrize("source", ["shoe", "shuffler"])
@pytest.mark.parametrize("game", sorted(GAMES))
def test_cut_at_any_byte_of_a_round_the_table_is_the_one_before_or_the_one_after(
    game: str, source: str
) -> None:
    settings = replace(SETTINGS, game=game, card_source=source)
    events = a_round(settings)
    table = Table(settings)
    rotations = 0
    with folder_in_memory() as folder:
        for sequence, event in enumerate(events, start=1):
            before = remembered(table.state)
            assert table.step(event).decided
            with Journal(folder, segment_bytes=SEGMENT_BYTES) as journal:
                journal.append(event, sequence)
                due = journal.rotation_is_due()
            assert _recovered(folder, settings) == remembered(table.state)
            if sequence > 1:  # the first record comes with its segment, whole or not at all
                _cut_at_every_byte(folder, settings, sequence, before)
            if due:
                rotations += 1
                with Journal(folder) as journal:
                    assert journal.rotate(lambda: snapshot_of(table), table.state.journal) == ""
    assert rotations >= 2


def _recovered(folder: Path, settings: TableSettings) -> object:
    found = folded(settings, folder, newest(folder))
    assert found.problems == ()
    return remembered(found.table.state)


def _cut_at_every_byte(
    folder: Path, settings: TableSettings, sequence: int, before: object
) -> None:
    """Shorten the last record byte by byte; the one before it is the last one then."""
    whole = newest(folder)
    assert whole is not None
    data = whole.path.read_bytes()
    length = data.removesuffix(b"\n").rfind(b"\n") + 1
    for kept in reversed(range(length, len(data))):
        os.truncate(whole.path, kept)
        cut = newest(folder)
        assert cut is not None
        assert (cut.last, cut.torn_bytes) == (sequence - 1, kept - length)
        assert cut.records == whole.records[:-1]
    # The records are the same at every byte, so the table is: it is folded once.
    assert _recovered(folder, settings) == before
    whole.path.write_bytes(data)


def test_the_state_that_is_compared_is_all_but_what_was_only_observed() -> None:
    state = TableState(meter_cents=5, pending_ids=("T2.x.1.1",))
    assert remembered(state) == remembered(state.remembered())
