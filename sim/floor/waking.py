"""Brings a table to rest that wakes up in the middle of a round, as the last floor in its folder left it.

The dealer who began the round is gone, and with him what he knew. The one here knows what is in the
table's journal, as a dealer knows what lies on the felt: he deals on with cards that have not left the
source, lets everybody stay in, and has a shift manager confirm whatever needs a PIN. How a round is
played from its beginning is in `dealer.py`.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import takewhile
from random import Random

from firmware.errors import JournalError
from firmware.journal.reader import newest
from firmware.rules.cards import CODES
from firmware.shell.folding import folded
from firmware.table.irregularities.reports import choices
from firmware.table.irregularities.rulings import must_choose
from firmware.table.settlement import undecided_claims
from firmware.table.stages import current, due
from firmware.table.state import Phase, TableState
from sim.table.hardware import Screen, TableHardware
from sim.table.table_file import SHIFT_MANAGER

_AGAIN_S = 0.3
"""How long a key may take to change what the panel shows, before it is pressed again."""
Key = str
"""What is pressed on the panel, or one of the two below."""
_DEAL, _PIN = "(deal)", "(PIN)"


async def bring_to_rest(table: TableHardware, rng: Random) -> None:
    """End whatever round the table has woken up in, so that the next one can be opened."""
    screen = table.screen
    await table.until(lambda: bool(screen.code))
    while screen.code != "idle":
        shown = screen.code, screen.lines
        await _act(table, rng)
        # What is refused while the link comes up is tried again.
        with suppress(TimeoutError):
            async with asyncio.timeout(_AGAIN_S):
                await table.until(partial(_differs, screen, shown))


def _differs(screen: Screen, shown: tuple[str, tuple[str, ...]]) -> bool:
    return (screen.code, screen.lines) != shown


async def _act(table: TableHardware, rng: Random) -> None:
    """Do what the table waits for."""
    state = _state_of(table)
    if state is not None:
        for key in _keys(table, state):
            await _do(table, state, key, rng)


def _state_of(table: TableHardware) -> TableState | None:
    """Read from the journal what lies on the felt; None while a record is being written."""
    try:
        return folded(table.settings, table.folder, newest(table.folder)).table.state
    except JournalError:
        return None


async def _do(table: TableHardware, state: TableState, key: Key, rng: Random) -> None:
    if key == _DEAL:
        await _deal(table, state, rng)
    elif key == _PIN:
        await table.authority(SHIFT_MANAGER)
    else:
        await table.press(key)


async def _deal(table: TableHardware, state: TableState, rng: Random) -> None:
    """Deal the next card, or from a shuffler the next hand, of those that are left."""
    play = state.round
    stage = current(table.settings, play)
    left = due(stage, play) if stage is not None else ()
    count = len(list(takewhile(left[0].__eq__, left))) if left else 1
    cards = rng.sample([card for card in CODES if card not in play.drawn], count)
    if play.source == "shuffler":
        await table.dispense(cards)
    else:
        await table.draw(cards[0])


def _keys(table: TableHardware, state: TableState) -> Sequence[Key]:
    """Say what to press now; nothing where the table only has to be waited for."""
    play = state.round
    waits = (state.clearing, state.measure, play.correction, play.to_put_right, play.deciding_award)
    if any(waits) or play.denying is not None:
        return (_PIN,)
    return _BY_PHASE[state.phase](table, state)


def _of_the_deal(_table: TableHardware, state: TableState) -> Sequence[Key]:
    return ("DEALT",) if state.round.source == "manual" else (_DEAL,)


def _of_a_ruling(_table: TableHardware, state: TableState) -> Sequence[Key]:
    incident = state.incident
    offered = choices(incident)
    referred = incident.ruling.action == "refer" and 0 not in incident.chosen
    if offered and (referred or must_choose(state)):
        return (f"CHOOSE {offered[0]}",)
    return (_PIN,)


def _of_claims(table: TableHardware, state: TableState) -> Sequence[Key]:
    asked = undecided_claims(table.settings, state.round)
    return (*(f"FOLD {seat}" for seat in asked), "PAID")


def _of_the_settlement(_table: TableHardware, state: TableState) -> Sequence[Key]:
    play = state.round
    doubted = [claim.seat for claim in play.claims.values() if claim.doubted]
    if doubted:
        return (f"PAYOUT {doubted[0]} awarded",)
    if play.may_be_paid or any(claim.unconfirmed for claim in play.claims.values()):
        return (_PIN,)
    return ("PAID",)


_BY_PHASE: Mapping[Phase, Callable[[TableHardware, TableState], Sequence[Key]]] = {
    "idle": lambda _table, _state: (),
    "closed": lambda _table, _state: ("OPENTABLE",),
    "service": lambda _table, _state: (),
    # Chips went with the hands that had put them down; what was keyed is played.
    "betting": lambda _table, _state: ("CANCEL", "CLOSE"),
    "drawing": lambda _table, _state: (),
    "dealing": _of_the_deal,
    "deciding": lambda _table, _state: ("REST",),
    "revealing": lambda _table, _state: ("REVEAL",),
    "claiming": _of_claims,
    "ruling": _of_a_ruling,
    "settling": _of_the_settlement,
}
