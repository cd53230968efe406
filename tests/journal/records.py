"""Events to be written down, journals of them, and the bytes that these must have."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from hypothesis import strategies as st

from firmware.journal.reader import records
from firmware.journal.records import GENESIS, encode
from firmware.journal.writer import Journal
from firmware.table.events import (
    Acknowledged,
    AwardGranted,
    BetKeyed,
    BetsClosed,
    BetsOpened,
    CardDrawn,
    CardsRevealed,
    CoinSensed,
    Decision,
    HandDispensed,
    HandNotShown,
    JournalOpened,
    LotsDrawn,
    PlayerDecided,
    Restarted,
    RoundPaid,
)
from tests.devices.intake import ANSWERS

EVENTS: list[Decision] = [
    JournalOpened(at_ms=1, table="T1", journal="fresh"),
    CoinSensed(at_ms=2, seat=1, present=True),
    BetsOpened(at_ms=3, frame=1),
    BetsClosed(at_ms=4, frame=2, meter_cents=1_000_000),
    CardDrawn(at_ms=5, frame=1, card="As"),
]
"""A short journal."""
SALT = "sixteen_letters_"

_at_ms, _frame = st.integers(0, 2**48), st.integers(1, 999)
_seat, _cents = st.integers(1, 7), st.integers(0, 10**15)
_event = st.one_of(
    st.builds(JournalOpened, at_ms=_at_ms, table=st.text(), journal=st.text()),
    st.builds(Restarted, at_ms=_at_ms),
    st.builds(CoinSensed, at_ms=_at_ms, seat=_seat, bet=st.text(), present=st.booleans()),
    st.builds(CardDrawn, at_ms=_at_ms, frame=_frame, card=st.text()),
    st.builds(HandDispensed, at_ms=_at_ms, frame=_frame, cards=st.lists(st.text()).map(tuple)),
    st.builds(
        LotsDrawn,
        at_ms=_at_ms,
        magic_card=st.text(),
        lucky_seat=st.none() | _seat,
        lucky_dealer=st.booleans(),
    ),
    st.builds(BetsOpened, at_ms=_at_ms, frame=_frame),
    st.builds(BetKeyed, at_ms=_at_ms, frame=_frame, seat=_seat, bet=st.text(), stake_cents=_cents),
    st.builds(BetsClosed, at_ms=_at_ms, frame=_frame, meter_cents=st.none() | _cents),
    st.builds(
        PlayerDecided,
        at_ms=_at_ms,
        frame=_frame,
        seat=_seat,
        decision=st.sampled_from(sorted(ANSWERS)),
    ),
    st.builds(HandNotShown, at_ms=_at_ms, frame=_frame, seat=_seat),
    st.builds(CardsRevealed, at_ms=_at_ms, frame=_frame),
    st.builds(RoundPaid, at_ms=_at_ms, frame=_frame),
    st.builds(Acknowledged, at_ms=_at_ms, id=st.text()),
    st.builds(AwardGranted, at_ms=_at_ms, id=st.text(), amount_cents=_cents),
)
histories: st.SearchStrategy[list[Decision]] = st.lists(_event, max_size=8)
"""Any events in any order: a journal does not ask for their sense."""


@contextmanager
def folder_in_memory() -> Iterator[Path]:
    """Give a folder where nothing waits for the disk: for many journals that no cut threatens."""
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patched:
        for sync in ("fsync", "fdatasync"):
            patched.setattr(os, sync, lambda _descriptor: None)
        yield Path(name)


def known_salt() -> str:
    """Give every record the same salt, so that journals can be compared byte by byte."""
    return SALT


def salted(event: Decision) -> bytes:
    """Write an event as it stands in a record of `append_all`."""
    return msgspec.json.encode(event)[:-1] + f',"salt":"{SALT}"}}'.encode()


def append_all(
    folder: Path, events: Sequence[Decision], *, rotate_after: int = 0, write_version: int = 2
) -> None:
    """Open a journal, append events after what it has, and close it.

    `rotate_after` ends a segment after so many of them; the snapshots are only words.
    """
    with Journal(folder, write_version=write_version, salt=known_salt) as journal:
        first = (journal.found.last if journal.found else 0) + 1
        for sequence, event in enumerate(events, start=first):
            journal.append(event, sequence)
            if rotate_after and sequence % rotate_after == 0:
                assert journal.rotate(partial(snapshot_after, sequence), "fresh") == ""


def snapshot_after(sequence: int) -> bytes:
    """Make what stands for the snapshot of a table after a record."""
    return b"the table after record %d" % sequence


def events_in(folder: Path) -> list[Decision]:
    """Read a whole journal."""
    return [record.event for record in records(folder)]


def contents(folder: Path) -> dict[str, bytes]:
    """Read every file of a folder."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def write_contents(folder: Path, files: dict[str, bytes]) -> None:
    """Make a folder have these files and no others."""
    for path in folder.iterdir():
        if path.name not in files:
            path.unlink()
    for name, data in files.items():
        (folder / name).write_bytes(data)


def journal_bytes(events: list[Decision]) -> bytes:
    """Write a journal of these events without a file."""
    data, chain = b"", GENESIS
    for sequence, event in enumerate(events, start=1):
        line, chain = encode(sequence, chain, event)
        data += line
    return data


def lines_of(data: bytes) -> list[bytes]:
    """Cut a journal into its records, each with its newline."""
    return [line + b"\n" for line in data.split(b"\n")[:-1]]
