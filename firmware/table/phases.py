"""The one table of phases: which event is possible when, and who handles it.

A pair that is not in here is refused with a reason that the dealer can read. Nothing
else in the firmware asks for the phase in order to allow or forbid something.
"""

from collections.abc import Callable, Mapping
from typing import Any

from firmware.errors import Refused
from firmware.table import handlers as on
from firmware.table.events import (
    Acknowledged,
    AnteKeyed,
    AwardGranted,
    BetsClosed,
    BetsOpened,
    CardDrawn,
    CoinSensed,
    Event,
    HandsRevealed,
    JournalOpened,
    LinkChanged,
    MeterMoved,
    PlayerDecided,
    Restarted,
    RoundPaid,
)
from firmware.table.state import Phase

Handler = Callable[[on.Turn, Any], bool]

IN_EVERY_PHASE: Mapping[type[Event], Handler] = {
    JournalOpened: on.journal_opened,
    Restarted: on.restarted,
    CoinSensed: on.coin_sensed,
    Acknowledged: on.acknowledged,
    AwardGranted: on.award_granted,
    MeterMoved: on.meter_moved,
    LinkChanged: on.link_changed,
}

PHASES: Mapping[Phase, Mapping[type[Event], Handler]] = {
    "idle": {BetsOpened: on.bets_opened},
    "betting": {AnteKeyed: on.ante_keyed, BetsClosed: on.bets_closed},
    "dealing": {CardDrawn: on.card_drawn},
    "deciding": {PlayerDecided: on.player_decided},
    "revealing": {HandsRevealed: on.hands_revealed},
    "settling": {RoundPaid: on.round_paid},
}

DOING: Mapping[Phase, str] = {
    "idle": "no round is under way",
    "betting": "bets are open",
    "dealing": "cards are being dealt",
    "deciding": "players are deciding",
    "revealing": "the hands are to be turned up",
    "settling": "the round is being settled",
}
WHAT: Mapping[type[Event], str] = {
    BetsOpened: "Opening the bets",
    AnteKeyed: "Keying an ante",
    BetsClosed: "Closing the bets",
    CardDrawn: "Drawing a card",
    PlayerDecided: "A decision",
    HandsRevealed: "Revealing the hands",
    RoundPaid: "Ending the round",
}


def handler_for(phase: Phase, event: Event) -> Handler:
    """Find who handles an event in a phase, or refuse it."""
    kind = type(event)
    handler = IN_EVERY_PHASE.get(kind) or PHASES[phase].get(kind)
    if handler is None:
        raise Refused(f"{WHAT[kind]} is not possible now: {DOING[phase]}.")
    return handler
