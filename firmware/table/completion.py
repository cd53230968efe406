"""What a decision rests on, copied into it before it happens, so that the journal alone replays it.

One function for each event that rests on something: the meter, what the dealer was shown, what the
table had before a correction. What the event then does is its handler's.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from firmware.table.betting import bonuses_by_memory, seats_by_memory
from firmware.table.boxes import why_no_bets
from firmware.table.corrections import corrected_cards
from firmware.table.events import (
    EDITION,
    AwardGranted,
    BelievedMeter,
    BetKeyed,
    BetsClosed,
    BetsOpened,
    ByDealer,
    CardsCorrected,
    CardsRevealed,
    DealerSignedOn,
    DecisionCorrected,
    Event,
    FaultNoticed,
    JournalOpened,
    LinkChanged,
    MeterLocked,
    Restarted,
    RestDecided,
    RoundPaid,
    RulingConfirmed,
    StaffIdentified,
    StaffRefused,
)
from firmware.table.irregularities.authority import may_confirm, may_sign_on
from firmware.table.irregularities.rulings import confirmed_stakes
from firmware.table.power import left_behind
from firmware.table.seen import seen
from firmware.table.settings import TableSettings
from firmware.table.settlement import settled_under_min
from firmware.table.stages import current, undecided
from firmware.table.stake_corrections import decision_now, stake_now_cents
from firmware.table.state import BEFORE_THE_CLOSE, TableState


def completed(settings: TableSettings, state: TableState, event: Event) -> Event:
    """Copy into a decision what it rests on."""
    if isinstance(event, ByDealer) and state.on_duty is not None:
        event = replace(event, dealer=state.on_duty.staff)
    complete = _COMPLETED.get(type(event))
    return complete(settings, state, event) if complete else event


def _with_meter(
    _settings: TableSettings, state: TableState, event: BetsClosed | CardsRevealed | LinkChanged
) -> Event:
    if isinstance(event, LinkChanged) and event.healthy:
        return event
    if isinstance(event, BetsClosed):
        return _closed(state, event)
    meter = state.meter_of_round
    return event if meter is None else replace(event, meter_cents=meter[0], reset_cents=meter[1])


def _closed(state: TableState, event: BetsClosed) -> BetsClosed:
    event = replace(event, tracked=True)
    if not state.meter_known:
        return event
    cents, reset_cents, books = state.meter_cents, state.reset_cents, state.meter_books
    return replace(event, meter_cents=cents, reset_cents=reset_cents, meter_books=books)


def _with_heard(
    _settings: TableSettings, state: TableState, event: AwardGranted | MeterLocked
) -> Event:
    heard_cents, reset_cents = state.meter_of_round or (None, 0)
    event = replace(event, heard_cents=heard_cents, heard_reset_cents=reset_cents)
    known = isinstance(event, MeterLocked) and heard_cents is not None
    return replace(event, heard_books=state.meter_books) if known else event


def _with_believed(_settings: TableSettings, state: TableState, event: FaultNoticed) -> Event:
    if event.code != "meter_doubted" or state.meter_cents is None:
        return event
    believed = BelievedMeter(
        meter_cents=state.meter_cents, reset_cents=state.reset_cents, books=state.meter_books
    )
    return replace(event, believed=believed)


def _paid(settings: TableSettings, state: TableState, event: RoundPaid) -> Event:
    settled = settled_under_min(settings, state.round)
    # As they may be seen: what a hand that nobody sees would be is not told by a record's length.
    results = tuple(seen(settings, state).round.results)
    return replace(event, results=results, under_min=settled, folds_asked=True)


def _restarted(settings: TableSettings, state: TableState, event: Restarted) -> Event:
    new = event.settings
    dropped = left_behind(state, settings, new) if new is not None else None
    return replace(event, edition=EDITION, dropped=dropped)


def _begun(_settings: TableSettings, _state: TableState, event: JournalOpened) -> Event:
    return replace(event, edition=EDITION)


def _identified(
    settings: TableSettings, state: TableState, event: StaffIdentified | DealerSignedOn
) -> Event:
    """Answer whoever may not do this as if his PIN were wrong: it must look the same.

    It is not counted as a wrong one: he would be kept from what he may confirm next.
    """
    if isinstance(event, DealerSignedOn):
        accepted = may_sign_on(event)
    else:
        accepted = not state.key_on or may_confirm(settings, state, event)
    if accepted:
        return event
    return StaffRefused(
        at_ms=event.at_ms,
        frame=event.frame,
        staff=event.staff,
        signing_on=isinstance(event, DealerSignedOn),
        nothing_to_do=True,
        up_ms=event.up_ms,
    )


def _bet_keyed(_settings: TableSettings, state: TableState, event: BetKeyed) -> Event:
    if state.phase in BEFORE_THE_CLOSE:
        return replace(event, no_meter=not state.meter_known)
    now_cents = stake_now_cents(state.round, event.seat, event.bet)
    return replace(event, instead_of_cents=now_cents, no_meter=not state.meter_known)


def _opened(settings: TableSettings, state: TableState, event: BetsOpened) -> Event:
    every = range(1, settings.seats + 1)
    boxes = {seat for seat in every if not why_no_bets(settings, state, seat)}
    seats = tuple(seat for seat in seats_by_memory(state) if seat in boxes)
    placed = bonuses_by_memory(settings, state).items()
    bonuses = tuple((seat, cents) for seat, cents in placed if seat in boxes)
    return replace(event, by_memory=seats, bonuses=bonuses)


def _rest(settings: TableSettings, state: TableState, event: RestDecided) -> Event:
    stage = current(settings, state.round)
    if stage is None or state.phase != "deciding":
        return event
    bet = stage.step.bet
    seats = tuple(undecided(state.round, bet))
    return replace(event, decision=event.decision or bet, seats=seats)


def _corrected(settings: TableSettings, state: TableState, event: DecisionCorrected) -> Event:
    return replace(event, instead_of=decision_now(settings, state.round, event.seat))


def _cards(_settings: TableSettings, state: TableState, event: CardsCorrected) -> Event:
    return replace(event, cards=corrected_cards(state.round, event))


def _confirmed(settings: TableSettings, state: TableState, event: RulingConfirmed) -> Event:
    if state.phase != "ruling":
        return event
    remains, no_hand = confirmed_stakes(settings, state)
    return replace(event, remains=remains, no_hand=no_hand)


_COMPLETED: Mapping[type[Event], Callable[[TableSettings, TableState, Any], Event]] = {
    JournalOpened: _begun,
    AwardGranted: _with_heard,
    MeterLocked: _with_heard,
    FaultNoticed: _with_believed,
    BetsOpened: _opened,
    RestDecided: _rest,
    BetsClosed: _with_meter,
    CardsRevealed: _with_meter,
    LinkChanged: _with_meter,
    RoundPaid: _paid,
    Restarted: _restarted,
    BetKeyed: _bet_keyed,
    DecisionCorrected: _corrected,
    CardsCorrected: _cards,
    RulingConfirmed: _confirmed,
    StaffIdentified: _identified,
    DealerSignedOn: _identified,
}
