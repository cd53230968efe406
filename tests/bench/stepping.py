"""How fast a table steps: a whole round over and over, live and folded from a journal.

The floor is what any table that can take an event back has to do: write its state down as
bytes once for each event.
"""

import msgspec

from firmware.table.events import Decision, Event, JournalOpened, LinkChanged, MeterMoved
from firmware.table.table import Table
from tests.bench.clock import Contender
from tests.table.playing import (
    ACE_HIGH,
    FLUSH,
    JOURNAL,
    METER_CENTS,
    QUEEN_HIGH,
    SETTINGS,
    Playing,
    at_reveal,
    owed_in,
)

ROUNDS = 20
FLOOR = "the state as bytes, nothing else"


def events() -> list[Event]:
    """Play rounds with a jackpot win in each, and return everything that happened in them."""
    playing = Playing()
    happened: list[Event] = []
    playing.listener = lambda event, _before, _outcome: happened.append(event)
    for _ in range(ROUNDS):
        playing.open()
        playing.chip(1)
        playing.chip(3)
        for contribution in owed_in(playing.close()):
            playing.acknowledge(contribution.id)
        playing.lift(1)
        playing.lift(3)
        playing.deal({1: FLUSH, 3: QUEEN_HIGH}, ACE_HIGH)
        playing.bet(1)
        playing.bet(3)
        for win in owed_in(playing.reveal()):
            playing.acknowledge(win.id)
            playing.award(win.id, 10_000)
        playing.paid()
        for owed in list(playing.state.owed):
            playing.acknowledge(owed)
    return happened


def contenders() -> dict[str, Contender]:
    """Return what is timed: each handles the events of the same rounds."""
    happened = events()
    first: list[Decision] = [
        JournalOpened(at_ms=0, table=SETTINGS.name, journal=JOURNAL, settings=SETTINGS),
        LinkChanged(at_ms=1, healthy=True),
    ]
    journal = [*first, *(event for event in happened if isinstance(event, Decision))]
    encoder, state = msgspec.msgpack.Encoder(), at_reveal(FLUSH).state

    meter = MeterMoved(at_ms=1, meter_cents=METER_CENTS, sequence=1)

    def step() -> list[object]:
        table = Table(SETTINGS)
        return [table.step(event) for event in (*first, meter, *happened)]

    def fold() -> list[object]:
        Table.recovered(SETTINGS, journal)
        return [*journal]

    def floor() -> list[object]:
        return [encoder.encode(state) for _ in happened]

    return {"Underfelt steps": step, "Underfelt folds a journal": fold, FLOOR: floor}
