"""Poisons a firmware process: its handler of the key NEW changes the state, and then fails.

Python imports a module of this name by itself when it starts; a test puts this folder onto
the path of the processes that it starts, and nothing in the product knows of it.
"""

from firmware.table import phases
from firmware.table.events import NewPlayer
from firmware.table.turn import Turn


def _fail(turn: Turn, event: NewPlayer) -> bool:
    turn.state.phase = "service"
    raise LookupError(f"seat {event.seat}")


phases.PHASES["idle"][NewPlayer] = _fail  # type: ignore[index]  # a dict, read only for everybody else
