"""One event being handled: what a handler works on."""

from msgspec import Struct

from firmware.table.outbox import AnyObligation, obligation_id
from firmware.table.settings import TableSettings
from firmware.table.state import TableState


class Turn(Struct):
    """The table an event happens to, and what comes to be owed by it."""

    settings: TableSettings
    state: TableState
    owed: list[AnyObligation]

    def next_id(self) -> str:
        """Make the id of the next obligation of the record that this event becomes."""
        state = self.state
        return obligation_id(
            self.settings.name, state.journal, state.sequence + 1, len(self.owed) + 1
        )

    def owe(self, obligation: AnyObligation) -> None:
        """Note what the jackpot controller must be told."""
        self.owed.append(obligation)
        self.state.owed[obligation.id] = obligation
