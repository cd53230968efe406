"""For whom a table waits, and since when: what a diagnosis needs to tell a table that is stuck.

The table itself has no clock: whoever hears of every event looks here after each. Who may act
is decided in `table/irregularities/authority.py`, what he reads in `table/prompts.py`; how long
is too long is decided in `host_tools/diagnose/`.
"""

from msgspec import Struct

from firmware.maintenance.vitals import WaitVitals
from firmware.protocol.fault_catalogue import Role
from firmware.protocol.obligations import Win
from firmware.rules.words import by_pin, spaced
from firmware.table.irregularities.authority import awaited
from firmware.table.state import BEFORE_THE_CLOSE, TableState
from firmware.table.table import Table
from firmware.table.turn import asked_words
from firmware.table.view import view

DEALER = "dealer"
_NEAREST: tuple[Role, ...] = ("pit_supervisor", "shift_manager", "technician")
"""Who is called first, where several may act."""


_FOR_A_PIN = by_pin("x")[1:]
"""What the panel says after the one who is to enter it."""


class Waits(Struct):
    """Since when the table waits for the same person and the same thing."""

    since_ms: int = 0
    _what: tuple[object, ...] = ()

    def look(self, table: Table, at_ms: int) -> None:
        """Note the moment, if the table waits for something else than before."""
        state = table.state
        who = _who(table)
        play = state.round
        what = (who, state.phase, play.number, play.stage, asked_words(state)) if who else ()
        if what != self._what:
            self.since_ms, self._what = at_ms, what

    def vitals(self, table: Table, at_ms: int) -> WaitVitals | None:
        """Return whom the table waits for now; None if for nobody."""
        self.look(table, at_ms)
        who = _who(table)
        if not who:
            return None
        lines = view(table.settings, table.state).prompt.lines
        asking = (line for line in lines if who != DEALER and _FOR_A_PIN in line)
        what = next(asking, lines[0] if lines else "")
        return WaitVitals(who=who, what=what, since_ms=self.since_ms)


def _who(table: Table) -> str:
    """Name who must act next: nobody while no round is under way or bets are taken."""
    state: TableState = table.state
    roles = awaited(table.settings, state)
    for role in _NEAREST:
        if role in roles:
            return spaced(role)
    # A claim waits for the jackpot controller, which the vitals of the link tell.
    claimed = any(isinstance(owed, Win) for owed in state.owed.values())
    return "" if claimed or state.phase in BEFORE_THE_CLOSE | {"drawing"} else DEALER
