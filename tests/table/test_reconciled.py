"""A table file that was changed between rounds: what it has no place for is dropped, and told.

What was changed during a round is refused by the shell before anything starts; see
`tests/shell/test_runtime.py`.
"""

import pytest
from msgspec.structs import replace

from firmware.protocol.obligations import FaultReport
from firmware.table.events import Restarted
from firmware.table.settings import TableSettings
from firmware.table.table import Table
from host_tools.journal.words import event_words
from tests.table.playing import SETTINGS, Playing, owed_in, play_to_the_end, remembered

SEVEN = replace(SETTINGS, seats=7)
FOUR = replace(SETTINGS, seats=4)
SINGAPORE = replace(SETTINGS, game="mbs-singapore-stud")
SHUFFLER = replace(SETTINGS, card_source="shuffler")


def restarted(playing: Playing, settings: TableSettings) -> tuple[str, ...]:
    """Start the table again with another table file; return what the record says was dropped."""
    playing.take(Restarted(at_ms=playing.now(), settings=settings))
    assert playing.decided
    playing.link(healthy=True)
    written = next(e for e in reversed(playing.journal) if isinstance(e, Restarted))
    assert written.dropped is not None
    return written.dropped


def test_a_chip_on_a_seat_that_is_gone_neither_contributes_nor_is_dealt_to() -> None:
    playing = Playing(SEVEN)
    playing.chip(1)
    playing.chip(6)
    assert restarted(playing, FOUR) == ("seat 6: a chip",)
    playing.open()
    (contribution,) = owed_in(playing.close())
    assert contribution.seat == 1
    assert playing.state.round.dealt == [1]
    assert sorted(playing.state.spots) == [1]


def test_what_is_remembered_of_a_seat_that_is_gone_is_forgotten() -> None:
    playing = Playing(SEVEN)
    playing.open()
    playing.key(6, "ante", 1_000)
    playing.close()
    play_to_the_end(playing)
    assert playing.state.last_ante_cents == {6: 1_000}
    assert playing.state.under_min == [6]
    dropped = restarted(playing, FOUR)
    assert dropped == (
        "seat 6: last ante",
        "seat 6: under the minimum",
        "seat 6: in by memory",
    )
    assert playing.state.without_chip == []
    assert playing.state.last_ante_cents == {}
    assert playing.state.under_min == []
    # The number of the round goes on: the controller knows rounds by it.
    playing.open()
    assert playing.state.round.number == 2


def test_a_chip_on_a_spot_that_the_new_game_does_not_have_is_dropped() -> None:
    playing = Playing(SINGAPORE)
    playing.chip(1)
    playing.chip(1, "jackpot_dealer")
    assert restarted(playing, SETTINGS) == ("seat 1 jackpot_dealer: a chip",)
    playing.open()
    (contribution,) = owed_in(playing.close())
    assert contribution.seat == 1
    assert set(playing.state.spots[1]) == {"jackpot"}
    play_to_the_end(playing)


@pytest.mark.parametrize(
    ("settings", "changed", "code", "where"),
    [
        (SEVEN, FOUR, "sensor_stuck", "seat 6"),
        (SINGAPORE, SETTINGS, "sensor_chatters", "seat 1 jackpot_dealer"),
        (SETTINGS, SHUFFLER, "device_gone", "shoe"),
    ],
)
def test_a_fault_of_what_is_gone_is_over_and_its_end_is_told(
    settings: TableSettings, changed: TableSettings, code: str, where: str
) -> None:
    playing = Playing(settings)
    playing.fault(code, where)  # type: ignore[arg-type]  # a code of the catalogue
    playing.reports.clear()
    assert restarted(playing, changed) == (f"fault {code} {where}",)
    assert playing.state.faults == {}
    (report,) = [each for each in playing.reports if isinstance(each, FaultReport)]
    assert (report.where, report.cleared, report.by) == (where, True, "a changed table file")
    playing.chip(1)
    playing.open()
    playing.close()


def test_a_fault_of_what_is_still_there_stays() -> None:
    playing = Playing(SEVEN)
    playing.fault("sensor_stuck", "seat 2")
    playing.fault("cover_open")
    assert restarted(playing, FOUR) == ()
    assert list(playing.state.faults) == ["sensor_stuck seat 2", "cover_open"]


def test_the_journal_folds_to_the_reconciled_table() -> None:
    playing = Playing(SEVEN)
    playing.chip(6)
    playing.fault("sensor_stuck", "seat 6")
    restarted(playing, FOUR)
    playing.chip(2)
    folded = Table.recovered(SEVEN, playing.journal)
    assert folded.settings == FOUR
    assert remembered(folded.state) == remembered(playing.state)


def test_the_journal_tells_what_was_dropped() -> None:
    playing = Playing(SEVEN)
    playing.chip(6)
    restarted(playing, FOUR)
    told = [event_words(event) for event in playing.journal if isinstance(event, Restarted)]
    assert told == [
        "the firmware has started again; dropped by a changed table file: seat 6: a chip"
    ]


def test_an_unchanged_table_file_drops_nothing() -> None:
    playing = Playing(SEVEN)
    playing.chip(6)
    assert restarted(playing, SEVEN) == ()
    assert playing.state.spots[6]["jackpot"].chip


def test_an_ante_that_the_new_limits_do_not_allow_is_not_assumed() -> None:
    playing = Playing()
    playing.open()
    playing.key(1, "ante", 2_500)
    playing.key(2, "ante", 6_000)
    playing.close()
    play_to_the_end(playing)
    dearer = replace(SETTINGS, ante_min_cents=5_000)
    assert restarted(playing, dearer) == ("seat 1: last ante",)
    assert playing.state.last_ante_cents == {2: 6_000}


def test_a_journal_from_before_there_was_reconciling_folds_as_it_was_played() -> None:
    """Firmware without it went on with the chip; its later records must still be possible."""
    playing = Playing(SEVEN)
    playing.chip(6)
    old = Restarted(at_ms=playing.now(), settings=FOUR)
    playing.table.step(old)
    playing.journal.append(old)
    playing.link(healthy=True)
    playing.open()
    (contribution,) = owed_in(playing.close())
    assert contribution.seat == 6
    folded = Table.recovered(SEVEN, playing.journal)
    assert remembered(folded.state) == remembered(playing.state)


def test_a_failure_of_the_program_is_never_ended_by_a_changed_table_file() -> None:
    playing = Playing()
    playing.fault("program_failed", "shoe")
    assert restarted(playing, SHUFFLER) == ()
    assert list(playing.state.faults) == ["program_failed shoe"]
