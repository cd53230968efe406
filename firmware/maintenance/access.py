"""`Access`: everything of the running firmware that maintenance may touch, and no more.

The wiring fills it (`firmware/shell/maintenance_access.py`); a test fills it with less.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Mapping

from msgspec import Struct, field

from firmware.errors import Refused
from firmware.maintenance.journal_files import JournalFolder
from firmware.maintenance.log_tail import LogEntry
from firmware.maintenance.vitals import Vitals
from firmware.maintenance.waits import Waits
from firmware.settings.staff import Staff
from firmware.table.effects import Pattern
from firmware.table.events import CardDrawn, CardUnread, Event, FromDevice, FromPanel, HandDispensed
from firmware.table.phases import WHAT
from firmware.table.table import Table

_HEARD_KEPT = 20
_PATIENCE_S = 10.0
_OF_CARDS = CardDrawn | HandDispensed | CardUnread


class Access(Struct):
    """The running firmware, as far as maintenance may touch it."""

    table: Table
    journal: JournalFolder
    version: str
    now_ms: Callable[[], int]
    put: Callable[[Event, Callable[[], None]], None]
    """Hand an event to the runtime; the callback is called once it is handled."""
    identify: Callable[[str, str], Staff | None]
    vitals: Callable[[], Vitals]
    log_lines: Callable[[], tuple[str, ...]]
    test_lamp: Callable[[int, str, Pattern], None]
    test_text: Callable[[str, str], bool]
    """Show a text on a device; false if there is no such device."""
    remove_exported: Callable[[], None]
    """Remove what was exported from the journal's disk, as far as it may be removed."""
    restore: Callable[[], None]
    """Show the table's own state again after a test, and enable its lamps."""
    waits: Waits = field(default_factory=Waits)
    """Since when the table waits for somebody."""
    log_entries: Callable[[], tuple[LogEntry, ...]] = tuple
    """The same lines with what they say apart."""
    switch_levels: Callable[[], Mapping[str, bool]] = dict
    """The levels of the switches that the board has."""
    enable_lamps: Callable[[bool], bool] = lambda _given: False
    """Withhold the lamp enable or give it again; false if the board has none."""
    heard: deque[str] = field(default_factory=lambda: deque(maxlen=_HEARD_KEPT))
    """What devices have said in service mode; a card is only counted, never named."""
    heard_times: Counter[str] = field(default_factory=Counter)
    """How often each device has said something; `heard` forgets."""
    opens_cover: str = ""
    """The technician who has announced that he opens the cover for a test; it was closed then."""
    technician: str = ""
    """Who is at work, by name."""

    def in_service(self) -> bool:
        """Return whether a technician is at work."""
        return self.table.state.phase == "service"

    def begin(self, technician: str) -> None:
        """Begin somebody's work anew."""
        self.heard.clear()
        self.heard_times.clear()
        self.technician, self.opens_cover = technician, ""

    def hear(self, event: Event) -> None:
        """Note whom the table waits for; keep what a device has said to a technician at work."""
        self.waits.look(self.table, self.now_ms())
        if not self.in_service() or not isinstance(event, FromDevice):
            return
        if isinstance(event, _OF_CARDS):
            read = "a card was not read" if isinstance(event, CardUnread) else "a card was read"
            self._heard("cards", read)
        elif isinstance(event, FromPanel):
            self._heard("panel", WHAT.get(type(event), "a key"))

    def _heard(self, device: str, what: str) -> None:
        self.heard.append(f"{device}: {what}")
        self.heard_times[device] += 1

    async def happen(self, event: Event) -> None:
        """Send an event, and wait until it is handled."""
        handled = asyncio.Event()
        self.put(event, handled.set)
        try:
            async with asyncio.timeout(_PATIENCE_S):
                await handled.wait()
        except TimeoutError:
            raise Refused("the table is too busy to take this; try again") from None
