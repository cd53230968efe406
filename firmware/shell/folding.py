"""Folds a journal into the table that wrote it: from its newest snapshot on.

A snapshot holds what a table remembers (`TableState.remembered`) and the settings in force.
If it cannot be used, the fold starts from an older one, or from the very beginning, and
reaches the same table; the reason is reported. Files are left to `journal/`.
"""

from pathlib import Path
from typing import Any

import msgspec

from firmware.errors import JournalError
from firmware.journal.reader import Segment, starts
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


def folded(settings: TableSettings, folder: Path, newest: Segment | None) -> Folded:
    """Recover the table of a journal; without any segment it is a new one."""
    if newest is None:
        return Folded(Table(settings))
    problems: list[str] = []
    for start in starts(folder, newest):
        problem = start.problem
        events = (record.event for record in start.records)
        if start.snapshot is None and not problem:
            return Folded(Table.recovered(settings, events), tuple(problems))
        if start.snapshot is not None:
            try:
                table = restored(start.snapshot)
            except JournalError as error:
                problem = f"{start.segments[0].path}: {error}"
            else:
                _check_name(folder, table, settings)
                return Folded(Table.recovered(settings, events, table), tuple(problems))
        problems.append(problem)
    raise AssertionError("starts end with the beginning or an error")


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
