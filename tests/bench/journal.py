"""The journal beside the bare disk: an event to the disk, a start from a million records.

The floor of an append is the same bytes written and synced; the floor of a start is reading
the newest segment. The journal of a million records is written without waiting for the disk:
it is the same round again and again, so that its state is known without playing it.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import perf_counter
from unittest.mock import patch

from msgspec import Struct
from msgspec.structs import replace

from firmware.journal.reader import newest
from firmware.journal.records import GENESIS, encode
from firmware.journal.writer import SEGMENT_BYTES, Journal
from firmware.protocol.obligations import sequence_of
from firmware.shell.folding import folded, snapshot_of
from firmware.table.events import Acknowledged, Decision
from firmware.table.state import Totals
from firmware.table.table import Table
from tests.table.playing import ACE_HIGH, JOURNAL, QUEEN_HIGH, SETTINGS, TENS, Playing, owed_in

APPENDS = 1_500
RECORDS = 1_000_000
STARTS = 5


class Appended(Struct, frozen=True):
    """Seconds for one event: ours, and the bare write and sync of the same bytes."""

    stepped: float
    appended: float
    bare: float


class Recovered(Struct, frozen=True):
    """Seconds of one start, and of reading the newest segment alone."""

    fold: float
    read: float
    bytes_alone: float


class Rounds:
    """The same round again and again, as the events of one journal."""

    def __init__(self) -> None:
        playing = Playing(SETTINGS)
        self.first = [*playing.journal]
        self._round(playing)
        begun = len(playing.journal)
        self._round(playing)
        self._events = playing.journal[begun:]
        self._offset = begun + 1
        self.table = playing.table

    @staticmethod
    def _round(playing: Playing) -> None:
        playing.frames = dict.fromkeys(playing.frames, 0)
        playing.open()
        for seat in (1, 3):
            playing.chip(seat)
        for owed in owed_in(playing.close()):
            playing.acknowledge(owed.id)
        for seat in (1, 3):
            playing.lift(seat)
        playing.deal({1: TENS, 3: QUEEN_HIGH}, ACE_HIGH)
        playing.bet(1)
        playing.fold(3)
        playing.reveal()
        playing.paid()
        assert playing.state.phase == "idle"
        for owed_id in list(playing.state.owed):
            playing.acknowledge(owed_id)

    def events(self, sequence: int) -> Iterator[Decision]:
        """Give the events of a round that begins with this record."""
        for event in self._events:
            if isinstance(event, Acknowledged):
                number = int(event.id.rpartition(".")[2])
                at = sequence_of(event.id) - self._offset + sequence
                yield replace(event, id=f"{SETTINGS.name}.{JOURNAL}.{at}.{number}")
            else:
                yield event

    def table_after(self, rounds: int, sequence: int) -> Table:
        """Give the table after so many rounds, which differ in nothing but their numbers."""
        state = self.table.state
        first_record = sequence - len(self._events) + 1
        known = replace(state.round, number=rounds, first_record=first_record)
        totals = Totals(2 * rounds, 2 * rounds * SETTINGS.jackpot_bet_cents)
        # What a round leaves of its contributions are their ids.
        last = [*self.events(first_record)]
        ids = iter([event.id for event in last if isinstance(event, Acknowledged)])
        known.seats = {
            seat: replace(play, contributions={bet: next(ids) for bet in play.contributions})
            for seat, play in known.seats.items()
        }
        state = replace(state, round=known, sequence=sequence, totals=totals)
        return Table.restored(SETTINGS, state)


def history(rounds: Rounds, count: int) -> Iterator[Decision]:
    """Give so many events."""
    yield from rounds.first
    sequence = len(rounds.first)
    while True:
        for event in rounds.events(sequence + 1):
            sequence += 1
            yield event
            if sequence == count:
                return


def appends(folder: Path) -> list[Appended]:
    """Let events happen and write them down, each beside the bare bytes.

    Who comes second finds the disk warm, so they take turns at being first.
    """
    events = [*history(Rounds(), APPENDS)]
    table, found, chain = Table(SETTINGS), [], GENESIS
    bare = os.open(folder / "bare.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o640)
    (folder / "journal").mkdir()
    with Journal(folder / "journal") as journal:
        for sequence, event in enumerate(events, start=1):
            line, chain = encode(sequence, chain, event)
            before = _bare_append(bare, line) if sequence % 2 else 0.0
            started = perf_counter()
            outcome = table.step(event)
            stepped = perf_counter()
            journal.append(event, table.state.sequence)
            appended = perf_counter()
            seconds = before or _bare_append(bare, line)
            found.append(Appended(stepped - started, appended - stepped, seconds))
            assert outcome.decided
    os.close(bare)
    return found


def _bare_append(file: int, line: bytes) -> float:
    started = perf_counter()
    os.write(file, line)
    os.fdatasync(file)
    return perf_counter() - started


def steps() -> Callable[[], list[object]]:
    """Give a run of steps without a disk."""
    events = [*history(Rounds(), APPENDS)]

    def run() -> list[object]:
        table = Table(SETTINGS)
        return [table.step(event) for event in events]

    return run


@contextmanager
def no_disk() -> Iterator[None]:
    """Do not wait for the disk."""
    with patch("os.fsync", lambda _file: None), patch("os.fdatasync", lambda _file: None):
        yield


def built(folder: Path, count: int) -> int:
    """Write a journal of at least so many records, its newest segment nearly full."""
    folder.mkdir()
    rounds, played = Rounds(), 0
    sequence = len(rounds.first)
    with no_disk(), Journal(folder) as journal:
        for number, event in enumerate(rounds.first, start=1):
            journal.append(event, number)
        while sequence < count or _newest_bytes(folder) < SEGMENT_BYTES * 0.9:
            for event in rounds.events(sequence + 1):
                sequence += 1
                journal.append(event, sequence)
            played += 1
            if journal.rotation_is_due():
                table = rounds.table_after(played, sequence)
                assert journal.rotate(partial(snapshot_of, table), JOURNAL) == ""
    return sequence


def _newest_bytes(folder: Path) -> int:
    return max(folder.glob("*.journal")).stat().st_size


def starts(folder: Path, records: int) -> list[Recovered]:
    """Recover a table several times."""
    found = []
    for _ in range(STARTS):
        started = perf_counter()
        path = max(folder.glob("*.journal"))
        path.read_bytes()
        read_bytes = perf_counter()
        segment = newest(folder)
        read = perf_counter()
        recovered = folded(SETTINGS, folder, newest(folder))
        ended = perf_counter()
        assert segment is not None
        assert recovered.table.state.sequence == records
        assert recovered.problems == ()
        found.append(Recovered(ended - read, read - read_bytes, read_bytes - started))
    return found
