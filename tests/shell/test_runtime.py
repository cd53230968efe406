"""The order of things: first the disk, then the effects, then the acknowledgement of the frame.

And that a start goes on from what is on the disk. With a real journal in a folder; what the table decides is tested with the table.
"""

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.errors import JournalError
from firmware.journal.reader import records
from firmware.journal.retention import mark_exported
from firmware.journal.seals import KEY_FILE
from firmware.protocol.obligations import Contribution, sequence_of
from firmware.shell.inbox import Arrival
from firmware.shell.runtime import Runtime
from firmware.table.effects import AnyEffect, Send, ShowRefusal
from firmware.table.events import (
    Acknowledged,
    BetsClosed,
    BetsOpened,
    CoinSensed,
    Event,
    FaultNoticed,
    JournalOpened,
    LinkChanged,
    MeterMoved,
    Restarted,
    RoundPaid,
    StaffRefused,
)
from firmware.table.state import TableState
from tests.table.playing import SETTINGS

OPEN = BetsOpened(at_ms=1, frame=1)
LINK = LinkChanged(at_ms=0, healthy=True)
METER = MeterMoved(at_ms=1, meter_cents=100_000, sequence=1)
CHIP = CoinSensed(at_ms=2, seat=1, present=True)
CLOSE = BetsClosed(at_ms=3, frame=2)
PAID = RoundPaid(at_ms=4, frame=3)


class Watched:
    """A runtime whose effects and acknowledgements are noted, each with what is on the disk."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.runtime = Runtime(SETTINGS, folder)
        self.effects: list[AnyEffect] = []
        self.happened: list[tuple[str, int]] = []

    def handle(self, *events: Event) -> None:
        """Let events arrive as frames of a device."""
        for event in events:
            self.runtime.handle(Arrival(event, self._acknowledge), self._carry_out)

    def on_disk(self) -> list[Event]:
        """Read what is on the disk now."""
        return [record.event for record in records(self._folder)]

    def _carry_out(self, effect: AnyEffect) -> None:
        self.effects.append(effect)
        self.happened.append(("effect", len(self.on_disk())))

    def _acknowledge(self) -> None:
        self.happened.append(("acknowledged", len(self.on_disk())))


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    """Start on an empty folder, with the jackpot link up and its meter heard."""
    started = Watched(tmp_path)
    started.runtime.handle(Arrival(LINK))
    started.runtime.handle(Arrival(METER))
    return started


def test_a_new_journal_begins_with_its_table_and_a_random_id(tmp_path: Path) -> None:
    ids = set()
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (opened,) = Watched(tmp_path / name).on_disk()
        assert isinstance(opened, JournalOpened)
        assert opened.table == "T1"
        ids.add(opened.journal)
    assert len(ids) == 2


def test_a_decision_is_on_the_disk_before_its_effects_and_those_before_its_acknowledgement(
    watched: Watched,
) -> None:
    watched.handle(OPEN)
    assert watched.happened[-1] == ("acknowledged", 3)
    assert set(watched.happened[:-1]) == {("effect", 3)}
    assert watched.on_disk()[2:] == [OPEN]


def test_a_refused_frame_is_acknowledged_and_not_written(watched: Watched) -> None:
    watched.handle(PAID)
    assert [type(effect) for effect in watched.effects] == [ShowRefusal]
    assert watched.happened == [("effect", 2), ("acknowledged", 2)]


def test_a_frame_that_comes_again_is_acknowledged_again_and_nothing_else(watched: Watched) -> None:
    watched.handle(OPEN)
    watched.happened.clear()
    watched.handle(OPEN)
    assert watched.happened == [("acknowledged", 3)]


def test_an_observation_is_not_written_but_goes_into_the_decision_that_rests_on_it(
    watched: Watched,
) -> None:
    watched.handle(OPEN, CHIP, MeterMoved(at_ms=3, meter_cents=123_400, sequence=1), CLOSE)
    assert watched.on_disk()[2:] == [
        OPEN,
        CHIP,
        BetsClosed(at_ms=3, frame=2, meter_cents=123_400, tracked=True),
    ]


def test_without_a_disk_nothing_leaves_and_nothing_is_acknowledged(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_descriptor: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fdatasync", fail)
    with pytest.raises(JournalError):
        watched.handle(OPEN)
    assert watched.happened == []


def test_a_start_goes_on_where_the_power_went_with_the_same_ids(
    watched: Watched, tmp_path: Path
) -> None:
    watched.handle(OPEN, CHIP, CLOSE)
    sent = [effect for effect in watched.effects if isinstance(effect, Send)]
    watched.runtime.close()
    again = Watched(tmp_path)
    assert again.runtime.table.state.doing == "dealing"
    resumed = [e for e in again.runtime.table.resumed() if isinstance(e, Send)]
    assert resumed == sent
    assert [type(event) for event in again.on_disk()][-1] is Restarted
    again.handle(CLOSE)
    assert again.happened == [("acknowledged", 6)]


def test_a_torn_write_is_cut_off_and_told_and_the_device_repeats_it(
    watched: Watched, tmp_path: Path
) -> None:
    watched.handle(OPEN, CHIP)
    watched.runtime.close()
    path = tmp_path / "000000000001.journal"
    path.write_bytes(path.read_bytes()[:-3])
    again = Watched(tmp_path)
    assert again.runtime.torn_bytes > 0
    assert [type(event) for event in again.on_disk()] == [
        *(JournalOpened, LinkChanged, BetsOpened),
        *(Restarted, FaultNoticed),
    ]
    again.handle(CHIP)
    assert again.on_disk()[-1] == CHIP


def test_a_second_firmware_on_the_same_journal_is_refused(watched: Watched, tmp_path: Path) -> None:
    watched.handle(OPEN)
    with pytest.raises(JournalError):
        Runtime(SETTINGS, tmp_path)


def test_a_table_file_that_changes_during_a_round_is_refused_in_one_sentence(
    watched: Watched, tmp_path: Path
) -> None:
    watched.handle(OPEN)
    watched.runtime.close()
    with pytest.raises(JournalError, match="changed during a round"):
        Runtime(replace(SETTINGS, ante_min_cents=SETTINGS.ante_min_cents + 1), tmp_path)
    Runtime(SETTINGS, tmp_path).close()


# Segments

SWEPT = replace(CHIP, present=False)


def in_small_segments(folder: Path, **options: int) -> Runtime:
    """Start with segments that take a few records each."""
    return Runtime(SETTINGS, folder, segment_bytes=1_000, **options)


def swing(runtime: Runtime, times: int) -> None:
    """Put a chip down and take it off again."""
    for _ in range(times):
        runtime.handle(Arrival(CHIP))
        runtime.handle(Arrival(SWEPT))


def started_again(state: TableState) -> TableState:
    """Give the state after a restart that interrupts nothing."""
    return replace(
        state,
        sequence=state.sequence + 1,
        link_problem="the table has just started",
        link_problem_code="starting",
    )


def test_a_segment_that_is_long_enough_is_ended_and_a_start_goes_on_from_its_snapshot(
    tmp_path: Path,
) -> None:
    runtime = in_small_segments(tmp_path)
    swing(runtime, 20)
    state = runtime.table.state
    runtime.close()
    assert len(list(tmp_path.glob("*.snapshot"))) > 3
    again = in_small_segments(tmp_path)
    assert again.problems == ()
    assert again.table.state == started_again(state)
    again.close()


def test_a_rotation_comes_after_the_effects_and_the_acknowledgement(tmp_path: Path) -> None:
    runtime = in_small_segments(tmp_path)
    segments_then = []
    for event in (CHIP, SWEPT) * 20:
        runtime.handle(
            Arrival(event, lambda: segments_then.append(len(list(tmp_path.glob("*.journal")))))
        )
        if len(list(tmp_path.glob("*.journal"))) > segments_then[-1]:
            break
    else:
        raise AssertionError("no segment was ended")
    runtime.close()


def test_what_was_exported_can_be_removed_without_waiting_for_the_next_segment(
    tmp_path: Path,
) -> None:
    """A table that is locked because its disk is full ends no segment by itself (F402)."""
    runtime = in_small_segments(tmp_path, keep_segments=2)
    swing(runtime, 20)
    runtime.remove_exported()
    before = sorted(tmp_path.glob("*.journal"))
    state = runtime.table.state
    mark_exported(tmp_path, state.journal, state.sequence)
    runtime.remove_exported()
    after = sorted(tmp_path.glob("*.journal"))
    assert len(after) < len(before)
    assert after[-1] == before[-1]
    runtime.close()


def test_exported_segments_go_and_others_stay(tmp_path: Path) -> None:
    runtime = in_small_segments(tmp_path, keep_segments=2)
    swing(runtime, 20)
    state = runtime.table.state
    kept = len(list(tmp_path.glob("*.journal")))
    assert kept > 4
    mark_exported(tmp_path, state.journal, state.sequence)
    swing(runtime, 20)
    runtime.close()
    oldest = next(records(tmp_path)).sequence
    assert 1 < oldest <= state.sequence + 1


def test_what_is_owed_keeps_its_segment_however_old_it_is(tmp_path: Path) -> None:
    runtime = in_small_segments(tmp_path, keep_segments=1)
    for event in (LINK, METER, OPEN, CHIP, CLOSE):
        runtime.handle(Arrival(event))
    reports = [i for i, o in runtime.table.state.owed.items() if not isinstance(o, Contribution)]
    for report in reports:
        runtime.handle(Arrival(Acknowledged(at_ms=8, id=report)))
    (owed,) = runtime.table.state.owed
    for present in (False, True) * 30:
        runtime.handle(Arrival(replace(CHIP, present=present)))
        mark_exported(tmp_path, runtime.table.state.journal, runtime.table.state.sequence)
    assert next(records(tmp_path)).sequence <= sequence_of(owed)
    runtime.handle(Arrival(Acknowledged(at_ms=9, id=owed)))
    for present in (False, True) * 10:
        runtime.handle(Arrival(replace(CHIP, present=present)))
    runtime.close()
    assert next(records(tmp_path)).sequence > sequence_of(owed)
    Runtime(SETTINGS, tmp_path).close()


def test_a_journal_of_version_1_is_gone_on_with_or_left_as_it_is_told(tmp_path: Path) -> None:
    first = in_small_segments(tmp_path, write_version=1)
    swing(first, 20)
    first.close()
    in_small_segments(tmp_path, write_version=1).close()
    assert {path.name for path in tmp_path.iterdir()} == {"journal.log", KEY_FILE}
    later = in_small_segments(tmp_path)
    assert len(list(tmp_path.glob("*.journal"))) == 2
    swing(later, 1)
    later.close()
    assert [r.sequence for r in records(tmp_path)] == [*range(1, later.table.state.sequence + 1)]


def test_a_damaged_snapshot_is_told_and_done_without(tmp_path: Path) -> None:
    runtime = in_small_segments(tmp_path)
    swing(runtime, 20)
    runtime.close()
    max(tmp_path.glob("*.snapshot")).write_bytes(b"{}")
    again = in_small_segments(tmp_path)
    (problem,) = again.problems
    assert "is damaged" in problem
    assert again.table.state.faults["snapshot_damaged"].detail == problem
    assert again.table.state.spots == runtime.table.state.spots
    again.close()


def test_a_pin_that_is_tried_is_stamped_with_the_time_since_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter([5_000, 6_234])
    monkeypatch.setattr("firmware.shell.runtime.monotonic_ms", lambda: next(clock))
    runtime = Runtime(SETTINGS, tmp_path)
    refused = StaffRefused(at_ms=1, frame=1, staff="7", signing_on=True)
    runtime.handle(Arrival(refused))
    runtime.close()
    (*_, last) = records(tmp_path)
    assert last.event == replace(refused, up_ms=1_234)
