"""Which chips a table has noticed: what its journal says, to be compared with the felt.

A sensor is believed after it has been quiet for a while, and that can be any while on a busy
machine; whoever plays a table waits for it as a dealer waits for a lamp.
"""

from pathlib import Path

from firmware.journal.reader import records
from firmware.table.effects import SpotKey
from firmware.table.events import CoinSensed


def noticed_chips(folder: Path) -> set[SpotKey]:
    """Read from a journal on which spots the table believes a chip to lie."""
    chips: set[SpotKey] = set()
    for record in records(folder):
        event = record.event
        if isinstance(event, CoinSensed):
            (chips.add if event.present else chips.discard)((event.seat, event.bet))
    return chips
