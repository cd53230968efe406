"""Folds a journal into the table that wrote it: from its newest snapshot on.

A snapshot holds what a table remembers (`TableState.remembered`) and the settings in force.
If it cannot be used, the fold starts from an older one, or from the very beginning, and
reaches the same table; the reason is reported. Files are left to `journal/`.

A snapshot with this table's seal is believed. Another one is compared with the fold of the records
before it, back to a sealed one; where none is sealed, as an older firmware left them, with the fold
of one segment. If they differ, the records are right.
"""

from pathlib import Path
from typing import Any

import msgspec

from firmware.errors import JournalError
from firmware.journal.reader import Segment, Start, snapshots, starts
from firmware.journal.seals import OwnKey, is_sealed
from firmware.table.settings import TableSettings
from firmware.table.state import TableState
from firmware.table.table import Table


class Snapshot(msgspec.Struct, frozen=True):
    """A table at a moment between two records."""

    settings: TableSettings
    state: TableState


class Folded(msgspec.Struct, frozen=True):
    """A table, and what was wrong with snapshots on the way to it."""

    table: Table
    problems: tuple[str, ...] = ()


_decoder = msgspec.json.Decoder(Snapshot)


def snapshot_of(table: Table) -> bytes:
    """Write a table down, after checking that it reads back unchanged."""
    snapshot = Snapshot(table.settings, table.state.remembered())
    data = msgspec.json.encode(snapshot)
    if _decoder.decode(data) != snapshot:
        raise JournalError("the snapshot of the table is not the table")
    return data


def restored(data: bytes) -> Table:
    """Read a table from its snapshot."""
    data, _, _seal = data.partition(b"\n")
    try:
        snapshot = _decoder.decode(data)
    except msgspec.DecodeError as error:
        raise JournalError(
            f"the snapshot is from another version of the firmware: {error}"
        ) from None
    if not _is_within(
        msgspec.json.decode(data), msgspec.json.decode(msgspec.json.encode(snapshot))
    ):
        raise JournalError("the snapshot is from a newer version of the firmware")
    return Table.restored(snapshot.settings, snapshot.state)


def folded(
    settings: TableSettings, folder: Path, newest: Segment | None, key: OwnKey | None = None
) -> Folded:
    """Recover the table of a journal; without any segment it is a new one.

    A laptop does not have the table's key: to it nothing is sealed.
    """
    if newest is None:
        return Folded(Table(settings))
    problems: list[str] = []
    doubted: dict[int, Table] = {}
    for start in starts(folder, newest):
        table: Table | None = None
        if start.problem:
            problems.append(start.problem)
            continue
        if start.snapshot is not None:
            first = start.segments[0]
            try:
                table = restored(start.snapshot)
            except JournalError as error:
                problems.append(f"{first.path}: {error}")
                continue
            _check_name(folder, table, settings)
            if _is_doubted(start, folder, key, compared=bool(doubted)):
                doubted[first.first] = table
                continue
        recovered = _fold(settings, start, table, doubted, problems)
        return Folded(recovered, tuple(problems))
    raise AssertionError("starts end with the beginning or an error")


def _is_doubted(start: Start, folder: Path, key: OwnKey | None, *, compared: bool) -> bool:
    """Return whether a snapshot is to be compared with the records before it."""
    header = start.segments[0].header
    if start.snapshot is None or header is None or start.is_oldest:
        return False
    if key is not None and is_sealed(key, start.snapshot, header.journal, header.first):
        return False
    # An older firmware has sealed none; then reading everything would take ever longer.
    return not compared or (
        key is not None
        and any(is_sealed(key, data, header.journal, first) for first, data in snapshots(folder))
    )


def _fold(
    settings: TableSettings,
    start: Start,
    table: Table | None,
    doubted: dict[int, Table],
    problems: list[str],
) -> Table:
    """Fold everything after a start, comparing the snapshots on the way that are doubted."""
    for segment in start.segments:
        claimed = doubted.get(segment.first)
        # Through the same bytes, so that only what a snapshot holds is compared.
        given = None if table is None else restored(snapshot_of(table)).state
        if claimed is not None and claimed.state != given:
            problems.append(
                f"{segment.path}: the snapshot before record {segment.first} is not the table "
                "that the records before it give"
            )
        events = (record.event for record in segment.records)
        table = Table.recovered(settings, events, table)
    return table or Table(settings)


def _check_name(folder: Path, table: Table, settings: TableSettings) -> None:
    if table.settings.name != settings.name:
        raise JournalError(
            f"{folder}: this journal belongs to table {table.settings.name}, not {settings.name}"
        )


def _is_within(part: Any, whole: Any) -> bool:  # noqa: ANN401  # any JSON
    """Return whether all of a document is in another, which may have more keys."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(key in whole and _is_within(part[key], whole[key]) for key in part)
    if isinstance(part, list) and isinstance(whole, list):
        return len(part) == len(whole) and all(map(_is_within, part, whole))
    return bool(part == whole)
