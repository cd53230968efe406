"""Tells whether the spot board of a table is gone, from the faults that everybody may see.

What its spots sense and how its lamps are is then not known, whatever the table had said before.
"""

from firmware.devices.spot_board import PLACE
from firmware.protocol.fault_catalogue import FAULTS, FaultCode
from firmware.table.public import PublicTable

_GONE: tuple[FaultCode, ...] = ("device_gone", "spots_unknown")
"""The cause first."""


def why_gone(table: PublicTable) -> str:
    """Return the fault that says so, with its remedy; nothing if the board is there, or there is none."""
    for code in _GONE:
        fault = FAULTS[code]
        begins = f"{fault.number} {fault.what} at {PLACE}"
        found = next((each for each in table.faults if each.startswith(begins)), "")
        if found:
            return found.rstrip(".")
    return ""
