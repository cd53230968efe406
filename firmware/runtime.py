"""The loop: take an event, step, write it down, carry out what follows.

The only place where the pure table meets the world. A decision is on the disk before
any of its effects leaves, and its frame is acknowledged after that; so whatever the
power cord does, the device repeats what was not written, and what was written is not
taken twice.
"""

import secrets
from collections.abc import Callable
from pathlib import Path

from firmware.clock import now_ms
from firmware.errors import JournalError
from firmware.inbox import Arrival, Inbox
from firmware.journal.reader import read
from firmware.journal.writer import JournalWriter
from firmware.table.effects import AnyEffect, ShowRefusal
from firmware.table.events import Decision, JournalOpened, Restarted
from firmware.table.settings import TableSettings
from firmware.table.table import Outcome, Table

JOURNAL_FILE = "journal.log"

CarryOut = Callable[[AnyEffect], None]


class Runtime:
    """A table with its journal."""

    def __init__(self, settings: TableSettings, folder: Path) -> None:
        """Recover the table from its journal, or begin a new one."""
        path = folder / JOURNAL_FILE
        journal = read(path)
        self.table = Table.recovered(settings, (record.event for record in journal.records))
        self.torn_bytes = journal.torn_bytes
        self._journal = JournalWriter(path, journal)
        outcome = self.handle(Arrival(_first_event(settings, found=bool(journal.records))))
        for effect in outcome.effects:
            if isinstance(effect, ShowRefusal):
                self._journal.close()
                raise JournalError(f"{path}: {effect.reason}")

    async def run(self, inbox: Inbox, carry_out: CarryOut) -> None:
        """Show and send what the table shows and owes, then live."""
        for effect in self.table.resumed():
            carry_out(effect)
        while True:
            self.handle(await inbox.get(), carry_out)

    def handle(self, arrival: Arrival, carry_out: CarryOut | None = None) -> Outcome:
        """Let one event happen, and say what it led to."""
        event = self.table.completed(arrival.event)
        outcome = self.table.step(event)
        if outcome.decided and isinstance(event, Decision):
            self._journal.append(event, self.table.state.sequence)
        if carry_out is not None:
            for effect in outcome.effects:
                carry_out(effect)
        if arrival.afterwards is not None:
            arrival.afterwards()
        return outcome

    def close(self) -> None:
        """Close the journal."""
        self._journal.close()


def _first_event(settings: TableSettings, *, found: bool) -> Decision:
    """Begin a journal, or note the restart on one; either says which settings hold."""
    if found:
        return Restarted(at_ms=now_ms(), settings=settings)
    journal = secrets.token_hex(8)
    return JournalOpened(at_ms=now_ms(), table=settings.name, journal=journal, settings=settings)
