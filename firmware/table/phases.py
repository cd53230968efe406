"""The one table of phases: which event is possible when, and who handles it.

A pair that is not listed is refused with a reason that the dealer can read. One other table
allows by phase: which irregularity can occur when (`irregularities/reports.py`). While one is
dealt with, what is possible goes by the phase that it interrupted (`TableState.doing`), in
`dealing.py`. Elsewhere the phase only says what an event means (a chip after the close is
late) or what is shown. The groups of phases are named in `state.py`. `underfelt phases`
prints this table.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, get_args

from firmware.errors import Refused
from firmware.table import (
    awards,
    betting,
    boxes,
    by_hand,
    corrections,
    dealing,
    decision_corrections,
    faults,
    linking,
    locks,
    power,
    settlement,
    showing,
    stake_corrections,
    undo,
    verdicts,
)
from firmware.table.events import (
    Acknowledged,
    AwardDecided,
    AwardGranted,
    BetKeyed,
    BetsClosed,
    BetsOpened,
    CardDrawn,
    CardsCorrected,
    CardsKeyed,
    CardsRevealed,
    CardUnread,
    ClockJudged,
    CoinSensed,
    DealerSignedOff,
    DealerSignedOn,
    DecisionCorrected,
    Event,
    FaceUpKeyed,
    FaultClearAsked,
    FaultNoticed,
    FaultPassed,
    HandDispensed,
    HandNotShown,
    HandsDealt,
    IrregularityReported,
    JournalOpened,
    KeyTakenBack,
    KeyTurned,
    LinkChanged,
    LotsDrawn,
    MajorDenied,
    MeasureAsked,
    MeterLocked,
    MeterMoved,
    NewPlayer,
    OptionChosen,
    PendingChanged,
    PlayerDecided,
    ReportWithdrawn,
    Restarted,
    RestDecided,
    RoundPaid,
    RulingConfirmed,
    SeatsJoined,
    ServiceBegun,
    ServiceDone,
    ServiceEnded,
    ServiceRefused,
    StaffIdentified,
    StaffRefused,
    TableClosed,
    TableOpened,
    WentOn,
)
from firmware.table.held import check_not_held
from firmware.table.irregularities import authority, reports, rulings
from firmware.table.state import Phase, TableState
from firmware.table.turn import Turn
from firmware.table.undo import undoable

Handler = Callable[[Turn, Any], bool]

IN_EVERY_PHASE: Mapping[type[Event], Handler] = {
    JournalOpened: power.journal_opened,
    Restarted: power.restarted,
    FaultNoticed: faults.fault_noticed,
    FaultPassed: faults.fault_passed,
    FaultClearAsked: faults.fault_clear_asked,
    ClockJudged: faults.clock_judged,
    KeyTurned: authority.key_turned,
    StaffIdentified: authority.staff_identified,
    StaffRefused: authority.staff_refused,
    ServiceRefused: faults.service_refused,
    DealerSignedOn: authority.dealer_signed_on,
    DealerSignedOff: authority.dealer_signed_off,
    MeasureAsked: boxes.measure_asked,
    CoinSensed: betting.coin_sensed,
    Acknowledged: linking.acknowledged,
    AwardGranted: linking.award_granted,
    MeterLocked: locks.meter_locked,
    MeterMoved: linking.meter_moved,
    PendingChanged: linking.pending_changed,
    LinkChanged: linking.link_changed,
    WentOn: linking.went_on,
}
_REPORT: Mapping[type[Event], Handler] = {IrregularityReported: reports.irregularity_reported}
_UNDO: Mapping[type[Event], Handler] = {KeyTakenBack: undo.key_taken_back}
_CANCEL: Mapping[type[Event], Handler] = {ReportWithdrawn: authority.asked_cancelled}
_CARDS_PUT_RIGHT: Mapping[type[Event], Handler] = {
    CardsCorrected: undoable(corrections.cards_corrected)
}
_PUT_RIGHT: Mapping[type[Event], Handler] = {
    **_CARDS_PUT_RIGHT,
    BetKeyed: undoable(stake_corrections.stake_corrected),
    DecisionCorrected: undoable(decision_corrections.decision_corrected),
    **_CANCEL,
    **_UNDO,
}
_OF_CLAIMS: Mapping[type[Event], Handler] = {
    MajorDenied: verdicts.major_denied,
    AwardDecided: awards.award_decided,
}
_FACE_UP: Mapping[type[Event], Handler] = {FaceUpKeyed: corrections.face_up_keyed}
_TOO_MANY: Mapping[type[Event], Handler] = {
    CardDrawn: dealing.card_too_many,
    HandDispensed: dealing.hand_too_many,
}

PHASES: Mapping[Phase, Mapping[type[Event], Handler]] = {
    "idle": {
        BetsOpened: betting.bets_opened,
        NewPlayer: undoable(betting.new_player),
        TableClosed: faults.table_closed,
        **_CANCEL,
        **_UNDO,
        **_REPORT,
    },
    "closed": {
        TableOpened: faults.table_opened,
        ServiceBegun: faults.service_begun,
        **_CANCEL,
    },
    "service": {
        ServiceDone: faults.service_done,
        ServiceEnded: faults.service_ended,
        **_CANCEL,
    },
    "betting": {
        BetKeyed: undoable(betting.bet_keyed),
        BetsClosed: betting.bets_closed,
        ReportWithdrawn: betting.bets_cancelled,
        SeatsJoined: undoable(betting.seats_joined),
        NewPlayer: undoable(betting.new_player),
        **_UNDO,
        **_REPORT,
    },
    "drawing": {LotsDrawn: betting.lots_drawn, **_CANCEL},
    "dealing": {
        CardDrawn: dealing.card_drawn,
        HandDispensed: dealing.hand_dispensed,
        CardUnread: dealing.card_unread,
        HandsDealt: by_hand.hands_dealt,
        SeatsJoined: undoable(betting.seats_joined),
        **_FACE_UP,
        **_PUT_RIGHT,
        **_REPORT,
    },
    "deciding": {
        PlayerDecided: undoable(dealing.player_decided),
        RestDecided: undoable(dealing.rest_decided),
        HandNotShown: undoable(dealing.hand_not_shown),
        HandsDealt: by_hand.hands_right,
        SeatsJoined: undoable(betting.seats_joined),
        CardUnread: dealing.card_unread,
        **_PUT_RIGHT,
        **_TOO_MANY,
        **_FACE_UP,
        **_REPORT,
    },
    "revealing": {
        CardsRevealed: dealing.cards_revealed,
        PlayerDecided: undoable(by_hand.decided_by_hand),
        HandNotShown: undoable(dealing.hand_not_shown),
        HandsDealt: by_hand.hands_right,
        CardUnread: dealing.card_unread,
        **_PUT_RIGHT,
        **_TOO_MANY,
        **_FACE_UP,
        **_REPORT,
    },
    "claiming": {
        CardsKeyed: undoable(by_hand.cards_keyed),
        PlayerDecided: undoable(by_hand.decided_by_hand),
        HandNotShown: undoable(showing.shown_or_not),
        RoundPaid: by_hand.hands_keyed,
        **_OF_CLAIMS,
        **_PUT_RIGHT,
        **_REPORT,
    },
    "ruling": {
        OptionChosen: rulings.option_chosen,
        RulingConfirmed: rulings.ruling_confirmed,
        ReportWithdrawn: rulings.report_withdrawn,
        CardUnread: dealing.card_unread,
        **_FACE_UP,
        **_CARDS_PUT_RIGHT,
        **_TOO_MANY,
    },
    "settling": {
        RoundPaid: settlement.round_paid,
        **_OF_CLAIMS,
        CardsKeyed: by_hand.cards_keyed_again,
        HandNotShown: showing.shown_or_not,
        **_PUT_RIGHT,
        **_REPORT,
    },
}

DOING: Mapping[Phase, str] = {
    "idle": "no round is under way",
    "closed": "the table is closed",
    "service": "a technician is at work",
    "betting": "bets are open",
    "drawing": "lots are being drawn",
    "dealing": "cards are being dealt",
    "deciding": "players are deciding",
    "revealing": "cards are waiting to be turned up",
    "claiming": "claiming hands are being keyed",
    "ruling": "an irregularity is being dealt with",
    "settling": "the round is being settled",
}
WHAT: Mapping[type[Event], str] = {
    BetsOpened: "Opening the bets",
    BetKeyed: "Keying a bet",
    DecisionCorrected: "Correcting a decision",
    BetsClosed: "Closing the bets",
    SeatsJoined: "Naming a player's seats",
    NewPlayer: "Marking a new player",
    LotsDrawn: "Drawing lots",
    CardDrawn: "Drawing a card",
    CardUnread: "Taking an unread card",
    HandDispensed: "Dispensing a hand",
    HandsDealt: "Pressing DEALT",
    PlayerDecided: "Keying a decision",
    RestDecided: "Answering for all others",
    KeyTakenBack: "Taking a key back",
    HandNotShown: "Marking a hand as not shown",
    CardsRevealed: "Turning up cards",
    CardsKeyed: "Keying cards",
    RoundPaid: "Pressing PAID",
    IrregularityReported: "Reporting an irregularity",
    OptionChosen: "Choosing an option",
    RulingConfirmed: "Confirming a ruling",
    ReportWithdrawn: "Cancelling a report",
    MajorDenied: "Refusing a claim",
    AwardDecided: "Deciding on an award",
    TableClosed: "Closing the table",
    TableOpened: "Opening the table",
    ServiceBegun: "Starting service",
    ServiceDone: "Service work",
    ServiceEnded: "Ending service",
    CardsCorrected: "Correcting the cards",
    FaceUpKeyed: "Keying the face-up card",
}


def handler_for(state: TableState, event: Event) -> Handler:
    """Return the handler of an event in the table's phase, or refuse the event."""
    kind = type(event)
    if kind in IN_EVERY_PHASE:
        return IN_EVERY_PHASE[kind]
    handler = PHASES[state.phase].get(kind)
    if handler is None:
        raise Refused(why_not(state.phase, kind))
    check_not_held(state, event)
    return handler


def why_not(phase: Phase, kind: type[Event]) -> str:
    """Say why an event is not possible in a phase."""
    return f"{WHAT[kind]} is not possible now: {DOING[phase]}."


def pairs() -> Iterator[tuple[Phase, type[Event], str]]:
    """List every pair of a phase and an event, with the reason where it is not possible."""
    for kind in (*IN_EVERY_PHASE, *WHAT):
        for phase in get_args(Phase):
            possible = kind in IN_EVERY_PHASE or kind in PHASES[phase]
            yield phase, kind, "" if possible else why_not(phase, kind)
