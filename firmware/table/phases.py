"""The one table of phases: which event is possible when, and who handles it.

A pair that is not in here is refused with a reason that the dealer can read. Nothing
else in the firmware asks for the phase in order to allow or forbid something.
"""

from collections.abc import Callable, Mapping
from typing import Any

from firmware.errors import Refused
from firmware.table import betting, linking, playing
from firmware.table.events import (
    Acknowledged,
    AwardGranted,
    BetKeyed,
    BetsClosed,
    BetsOpened,
    CardDrawn,
    CardsRevealed,
    CoinSensed,
    Event,
    HandDispensed,
    HandNotShown,
    JournalOpened,
    LinkChanged,
    LotsDrawn,
    MeterMoved,
    PlayerDecided,
    Restarted,
    RoundPaid,
)
from firmware.table.state import Phase
from firmware.table.turn import Turn

Handler = Callable[[Turn, Any], bool]

IN_EVERY_PHASE: Mapping[type[Event], Handler] = {
    JournalOpened: linking.journal_opened,
    Restarted: linking.restarted,
    CoinSensed: betting.coin_sensed,
    Acknowledged: linking.acknowledged,
    AwardGranted: linking.award_granted,
    MeterMoved: linking.meter_moved,
    LinkChanged: linking.link_changed,
}

PHASES: Mapping[Phase, Mapping[type[Event], Handler]] = {
    "idle": {BetsOpened: betting.bets_opened},
    "betting": {BetKeyed: betting.bet_keyed, BetsClosed: betting.bets_closed},
    "drawing": {LotsDrawn: betting.lots_drawn},
    "dealing": {CardDrawn: playing.card_drawn, HandDispensed: playing.hand_dispensed},
    "deciding": {PlayerDecided: playing.player_decided, HandNotShown: playing.hand_not_shown},
    "revealing": {
        CardsRevealed: playing.cards_revealed,
        HandNotShown: playing.hand_not_shown,
    },
    "settling": {RoundPaid: playing.round_paid},
}

DOING: Mapping[Phase, str] = {
    "idle": "no round is under way",
    "betting": "bets are open",
    "drawing": "lots are being drawn",
    "dealing": "cards are being dealt",
    "deciding": "players are deciding",
    "revealing": "cards are to be turned up",
    "settling": "the round is being settled",
}
WHAT: Mapping[type[Event], str] = {
    BetsOpened: "Opening the bets",
    BetKeyed: "Keying a bet",
    BetsClosed: "Closing the bets",
    LotsDrawn: "Drawing lots",
    CardDrawn: "Drawing a card",
    HandDispensed: "Dispensing a hand",
    PlayerDecided: "A decision",
    HandNotShown: "Hiding a hand",
    CardsRevealed: "Turning cards up",
    RoundPaid: "Ending the round",
}


def handler_for(phase: Phase, event: Event) -> Handler:
    """Find who handles an event in a phase, or refuse it."""
    kind = type(event)
    handler = IN_EVERY_PHASE.get(kind) or PHASES[phase].get(kind)
    if handler is None:
        raise Refused(f"{WHAT.get(kind, 'This')} is not possible now: {DOING[phase]}.")
    return handler
