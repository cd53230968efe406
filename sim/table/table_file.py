"""Writes the table file of a simulated table, with the people who work at it.

Everybody has the same PIN. The machine that the simulator runs on is not the table's: its
temperature, voltage and clock are not watched, except that a test may declare its clock
synchronised.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from firmware.link.settings import LinkSettings
from firmware.maintenance import SOCKET
from firmware.protocol.fault_catalogue import Role
from firmware.settings.staff import hash_pin
from firmware.table.settings import TableSettings

PIN = "654321"
DEALER, PIT_SUPERVISOR, SHIFT_MANAGER, TECHNICIAN = "100", "200", "300", "400"
STAFF: Mapping[str, Role] = {
    DEALER: "dealer",
    PIT_SUPERVISOR: "pit_supervisor",
    SHIFT_MANAGER: "shift_manager",
    TECHNICIAN: "technician",
}
_PIN_HASH = hash_pin(PIN, bytes(16))
CLOCK_FILE = "clock-is-kept"
Values = Mapping[str, object]


def table_file(
    table: TableSettings, link: LinkSettings, board: str, ports: Values, folder: Path
) -> str:
    """Write a table file; everything that belongs to the table is below the folder."""
    (folder / CLOCK_FILE).touch()
    top: Values = {
        "board": board,
        "journal": str(folder.resolve()),
        "maintenance": str(folder.resolve() / Path(SOCKET).name),
    }
    health = {
        "thermal": "",
        "voltage": "",
        "rtc": "",
        "clock_file": str(folder.resolve() / CLOCK_FILE),
    }
    sections: Mapping[str, Values] = {
        "table": msgspec.to_builtins(table),
        "serial": ports,
        "link": {k: v for k, v in msgspec.to_builtins(link).items() if v},
        "health": {**health, "least_free_mb": 1},
        # A simulated dealer plays faster than hands, for as long as anybody likes.
        "sensors": {"news_burst": 1_000_000},
    }
    lines = [*_lines(top)]
    for name, values in sections.items():
        lines += ["", f"[{name}]", *_lines(values)]
    for number, role in STAFF.items():
        who = {"number": number, "name": role.replace("_", " ").title(), "role": role}
        lines += ["", "[[staff]]", *_lines({**who, "pin": _PIN_HASH})]
    return "\n".join([*lines, ""])


def _lines(values: Values) -> Iterator[str]:
    """Return keys and values as TOML; JSON's strings, numbers, booleans and lists are TOML too."""
    for key, value in values.items():
        if value is not None and not isinstance(value, list | tuple | dict):
            yield f"{key} = {json.dumps(value)}"
        elif isinstance(value, list | tuple) and value:
            tables = ", ".join("{" + ", ".join(_lines(each)) + "}" for each in value)
            yield f"{key} = [{tables}]"
