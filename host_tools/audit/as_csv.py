"""Writes an audit as CSV files, one per subject, for spreadsheets and scripts."""

import csv
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path

import msgspec
from msgspec import Struct

from firmware.journal.regular_files import open_to_write
from host_tools.audit.rows import Audit, ContributionRow, FaultRow, RoundRow, StaffRow, WinRow
from host_tools.journal.times import NO_SUCH_TIME, on_the_calendar
from host_tools.terminal import plain

_FILES: dict[str, type[Struct]] = {
    "rounds": RoundRow,
    "contributions": ContributionRow,
    "wins": WinRow,
    "faults": FaultRow,
    "staff": StaffRow,
}


def write_csv(audit: Audit, folder: Path) -> list[Path]:
    """Write every subject of an audit into a folder, and return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, kind in _FILES.items():
        path = folder / f"{name}.csv"
        _write(path, kind, getattr(audit, name))
        written.append(path)
    return written


def _write(path: Path, kind: type[Struct], rows: Sequence[Struct]) -> None:
    names = list(kind.__struct_fields__)
    with TextIOWrapper(open_to_write(path), newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([_column(name) for name in names])
        for row in rows:
            told = msgspec.to_builtins(row)
            writer.writerow([_cell(name, told[name]) for name in names])


def _column(name: str) -> str:
    return name.removesuffix("_ms") + "_utc" if name.endswith("_ms") else name


def _cell(name: str, value: object) -> object:
    """Write times as people and spreadsheets read them; cents stay whole numbers."""
    if value is None:
        return ""
    if name.endswith("_ms") and isinstance(value, int):
        moment = on_the_calendar(value)
        return moment.isoformat(timespec="milliseconds") if moment is not None else NO_SUCH_TIME
    if isinstance(value, str) and value.startswith(("=", "+", "-", "@")):
        # A spreadsheet would take it for a formula.
        return f"'{plain(value)}"
    return plain(value) if isinstance(value, str) else value
