"""Writes an audit as CSV files, one per subject, for spreadsheets and scripts.

Times are ISO 8601 with their offset from UTC. Amounts are decimal, in the currency of the column
`currency`. Every line names its casino and table.
"""

import csv
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path

import msgspec
from msgspec import Struct

from firmware.journal.regular_files import make_folder, open_to_write
from host_tools.audit.rows import (
    Audit,
    ContributionRow,
    FaultRow,
    PayoutRow,
    RoundRow,
    StaffRow,
    WinRow,
)
from host_tools.journal.times import iso_time
from host_tools.terminal import plain

_FILES: dict[str, type[Struct]] = {
    "rounds": RoundRow,
    "payouts": PayoutRow,
    "contributions": ContributionRow,
    "wins": WinRow,
    "faults": FaultRow,
    "staff": StaffRow,
}


def write_csv(audit: Audit, folder: Path) -> list[Path]:
    """Write every subject of an audit into a folder, and return the files."""
    make_folder(folder)
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
    if name.endswith("_ms"):
        return "at" if name == "at_ms" else f"{name.removesuffix('_ms')}_at"
    return name.removesuffix("_cents")


def _cell(name: str, value: object) -> object:
    """Write times and amounts as people and spreadsheets read them."""
    if value is None:
        return ""
    if name.endswith("_ms") and isinstance(value, int):
        return iso_time(value)
    if name.endswith("_cents") and isinstance(value, int):
        return decimal(value)
    if isinstance(value, list | tuple):
        return "; ".join(str(_cell(name, each)) for each in value)
    if isinstance(value, str) and value.startswith(("=", "+", "-", "@")):
        # A spreadsheet would take it for a formula.
        return f"'{plain(value)}"
    return plain(value) if isinstance(value, str) else value


def decimal(cents: int) -> str:
    """Write an amount as a plain decimal: -5 is `-0.05`."""
    whole, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}{whole}.{rest:02}"
