"""What each event of a journal says, as a person reads it.

A table of wordings; an event that is not in it is shown by its name and fields, so that a new
kind of event appears without a change here. Nothing is decided here.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from firmware.errors import UnderfeltError
from firmware.protocol.fault_catalogue import FAULTS
from firmware.protocol.obligations import (
    Contribution,
    FaultReport,
    Obligation,
    Reversal,
    RoundReport,
    Verdict,
    Win,
)
from firmware.rules.cards import CODES, pretty
from firmware.rules.contract import Draws, Incident
from firmware.rules.explain import explain_ruling
from firmware.rules.ruling import ruling
from firmware.rules.words import OPTIONS, bet_name, draw_words, money, spaced
from firmware.table.corrections import correction_words
from firmware.table.events import (
    BetKeyed,
    ByDealer,
    CardsCorrected,
    Decision,
    FaultNoticed,
    FaultPassed,
    IrregularityReported,
    LotsDrawn,
    MeterLocked,
    Restarted,
    RoundPaid,
    ServiceDone,
    WentOn,
)
from firmware.table.settings import TableSettings
from firmware.table.state import Correction, IncidentState

Words = Callable[[Any], str]
Money = Callable[[int], str]
"""Writes an amount in the currency that was in force."""
_NOT_TOLD = frozenset({"event", "message", "at_ms", "frame", "settings", "results", "id", "table"})
"""Fields that appear elsewhere in a line, or are for machines."""


def _fault(event: FaultNoticed) -> str:
    return FAULTS[event.code].sentence(event.where, event.detail)


def _fault_passed(event: FaultPassed) -> str:
    fault = FAULTS[event.code]
    return f"{fault.number} has passed" + (f" at {event.where}" if event.where else "")


def _restarted(event: Restarted) -> str:
    dropped = f"; dropped by a changed table file: {', '.join(event.dropped or ())}"
    return "the firmware has started again" + (dropped if event.dropped else "")


def _bet_keyed(event: BetKeyed, money: Money) -> str:
    was = event.instead_of_cents
    instead = "" if was is None else f" instead of {money(was)}"
    return f"seat {event.seat}: {bet_name(event.bet)} keyed, {money(event.stake_cents)}{instead}"


def _corrected(event: CardsCorrected) -> str:
    words = correction_words(Correction(event.how, event.places))
    had = f"; the table had {_cards(event.cards)}" if event.cards else ""
    return words[0].lower() + words[1:] + had


def _lots(event: LotsDrawn) -> str:
    seat = UNSET if event.lucky_seat is None else event.lucky_seat
    card = event.magic_card if event.magic_card in CODES else UNSET
    drawn = Draws(magic_card=card, lucky_seat=seat, lucky_dealer=event.lucky_dealer)
    return f"drawn by the system: {draw_words(drawn)}"


def _reported(event: IrregularityReported) -> str:
    told = {name: fact for name, fact in msgspec.to_builtins(event.facts).items() if fact != ""}
    facts = ", ".join(_field(name, fact, money) for name, fact in told.items())
    about = f" ({facts})" if facts else ""
    return f"irregularity reported: {spaced(event.irregularity)}{about}{_by(event)}"


def _serviced(event: ServiceDone) -> str:
    by = event.cover_closed_by
    return f"in service: {event.what}" + (f"; number {by} answers for the cover" if by else "")


def _locked(event: MeterLocked, money: Money) -> str:
    """Say which meter the claims of the table hold; how it was judged is for machines."""
    others = sum(1 for i, _ in event.shares if i not in event.ids)
    beside = f", with {others} of other tables" if others else ""
    return f"the meter {money(event.meter_cents)} is held for {_ids(event.ids)}{beside}"


def _went_on(event: WentOn, money: Money) -> str:
    by = f" (ordered by number {event.by})" if event.by else ""
    books = f"{event.contributions} contributions, {money(event.contributed_cents)}"
    known = f"the jackpot controller knows it up to record {event.through}, round {event.round}"
    return f"the table goes on although records are missing{by}: {known}, with {books}"


_WORDS: Mapping[str, Words] = {
    "card_unread": lambda e: "a card came out unread" + (f": {e.problem}" if e.problem else ""),
    "lots_drawn": _lots,
    "hands_dealt": lambda _: "the hands are dealt",
    "seats_joined": lambda e: f"one player plays the seats {_numbers(e.seats)}",
    "new_player": lambda e: f"seat {e.seat}: another player",
    "irregularity_reported": _reported,
    "award_decided": lambda e: f"keyed: seat {e.seat} is paid as {e.pay}{_which(e.which)}",
    "fault_clear_asked": lambda e: (
        f"asked: clear {FAULTS[e.code].number}" + (f" at {e.where}" if e.where else "")
    ),
    "table_closed": lambda _: "the table is closed",
    "table_opened": lambda _: "the table is open again",
    "service_done": _serviced,
    "service_ended": lambda _: "service mode is over",
    "journal_opened": lambda e: f"journal {e.journal} of table {e.table} begins",
    "restarted": _restarted,
    "fault_noticed": _fault,
    "fault_passed": _fault_passed,
    "clock_judged": lambda e: f"the clock is {e.quality}",
    "coin_sensed": lambda e: f"seat {e.seat}: {_on_off(e.present)} the {bet_name(e.bet)} spot",
    "card_drawn": lambda e: f"card drawn: {_cards([e.card])}",
    "hand_dispensed": lambda e: f"hand dispensed: {_cards(e.cards)}",
    "bets_opened": lambda e: "bets open" + _memory_words(e.by_memory) + _by(e),
    "decision_corrected": lambda e: (
        f"seat {e.seat}: {e.decision} instead of {e.instead_of or 'nothing'}"
    ),
    "player_decided": lambda e: f"seat {e.seat}: {e.decision}",
    "rest_decided": lambda e: f"all others (seats {_numbers(e.seats)}): {e.decision}",
    "key_taken_back": lambda _: "the last key is taken back",
    "hand_not_shown": lambda e: (
        f"seat {e.seat}: {'shows the hand after all' if e.shown else 'will not show the hand'}"
    ),
    "cards_revealed": lambda _: "cards turned up",
    "round_paid": lambda e: "PAID is pressed" + _by(e),
    "option_chosen": lambda e: (
        f"chosen{f' by seat {e.seat}' if e.seat else ''}: "
        + OPTIONS.get(e.option, e.option)
        + _by(e)
    ),
    "ruling_confirmed": lambda e: "ruling confirmed" + _by(e),
    "report_withdrawn": lambda e: "report withdrawn" + _by(e),
    "major_denied": lambda e: f"keyed as not confirmed: seat {e.seat} ({e.reason})",
    "measure_asked": lambda e: f"asked: {e.measure} seat {e.seat}",
    "cards_keyed": lambda e: f"keyed for {_place(e.to, e.seat)}: {_cards(e.cards)}",
    "cards_corrected": _corrected,
    "face_up_keyed": lambda e: f"the dealer's face-up card: {_cards([e.card])}",
    "staff_identified": lambda e: f"identified: {e.name} ({spaced(e.role)}, number {e.staff})",
    "dealer_signed_on": lambda e: f"dealer on duty: {e.name} ({spaced(e.role)}, number {e.staff})",
    "dealer_signed_off": lambda _: "the dealer has signed off",
    "staff_refused": lambda e: f"number {e.staff}: not accepted at the panel",
    "service_refused": lambda e: f"number {e.staff}: not accepted for service",
    "key_turned": lambda e: f"key switch {'on' if e.on else 'off'}",
    "service_begun": lambda e: (
        f"service mode started by {e.name} ({spaced(e.role)}, number {e.staff})"
    ),
    "acknowledged": lambda e: f"the jackpot controller has {e.id}",
    "link_changed": lambda e: "jackpot link " + ("up" if e.healthy else f"down: {e.problem}"),
}


_AMOUNTS: Mapping[str, Callable[[Any, Money], str]] = {
    "bet_keyed": _bet_keyed,
    "bets_closed": lambda e, money: (
        f"no more bets; the meter stands at {_meter(e.meter_cents, money)}" + _by(e)
    ),
    "meter_locked": _locked,
    "went_on": _went_on,
    "award_granted": lambda e, money: f"awarded {money(e.amount_cents)} on {e.id}",
}
"""The wordings that name an amount."""


def event_words(event: Decision, money: Money = money) -> str:
    """Return one event as a line."""
    tag = str(event.__struct_config__.tag)
    if tag in _AMOUNTS:
        return _AMOUNTS[tag](event, money)
    return _WORDS[tag](event) if tag in _WORDS else _told(tag, event, money)


def paid_words(event: RoundPaid, *, is_over: bool) -> str:
    """Say what PAID has ended: the round, or only the keying of hands that claim (I-40)."""
    ended = "paid; the round is over" if is_over else "the hands that claim are keyed (PAID)"
    return ended + _by(event)


def ruling_words(
    settings: TableSettings, event: Decision, incident: IncidentState | None = None
) -> str:
    """Return the ruling on a reported irregularity; nothing for other events."""
    if not isinstance(event, IrregularityReported):
        return ""
    if incident is not None:
        return incident.words  # as the table ruled, with what it knew besides
    asked = Incident(game=settings.game, irregularity=event.irregularity, facts=event.facts)
    try:
        return explain_ruling(asked, ruling(asked))
    except UnderfeltError as error:
        return f"no ruling: {error}"


def obligation_words(obligation: Obligation, money: Money = money) -> str:
    """Return what is newly owed to the jackpot controller."""
    return f"owed: {_owed(obligation, money)}, {obligation.id}"


def _owed(owed: Obligation, money: Money) -> str:
    what = _told(str(owed.__struct_config__.tag), owed, money)
    match owed:
        case Contribution():
            bet = f"{bet_name(owed.bet)} contribution {money(owed.stake_cents)}"
            what = f"seat {owed.seat}, {bet}"
        case Reversal():
            taken = f"{money(owed.stake_cents)} of {owed.contribution} is taken back"
            what = f"seat {owed.seat}, {taken}"
        case Win():
            kind = "" if owed.final else ", not final until a supervisor confirms it"
            what = f"seat {owed.seat}, win with {spaced(owed.claim.tier)}{kind}"
        case Verdict():
            what = f"seat {owed.seat}, {_verdict(owed, money)}"
        case RoundReport():
            what = f"round {owed.round} is {owed.stage}"
        case FaultReport():
            by = f" by {owed.by}" if owed.by else ""
            what = f"fault over{by}: {owed.text}" if owed.cleared else f"fault: {owed.text}"
    return what


def _verdict(verdict: Verdict, money: Money) -> str:
    """Say what became of a claim, who answers for it, and what falls with it."""
    by = f" by number {verdict.staff}" if verdict.staff else ""
    if verdict.confirmed and verdict.paid_cents is not None:
        return f"{verdict.win} paid by the table itself, {money(verdict.paid_cents)}{by}"
    if verdict.confirmed:
        return f"{verdict.win} confirmed{by}"
    why = f" ({verdict.reason})" if verdict.reason else ""
    also = f", with {_ids(verdict.also_withdraws)}" if verdict.also_withdraws else ""
    return f"{verdict.win} withdrawn{by}{why}{also}"


def _told(tag: str, told: Struct, money: Money) -> str:
    fields = {
        name: value
        for name, value in msgspec.to_builtins(told).items()
        if name not in _NOT_TOLD and value not in ("", None, [], {})
    }
    words = ", ".join(_field(name, value, money) for name, value in fields.items())
    return spaced(tag) + (f": {words}" if words else "")


def _field(name: str, value: object, money: Money) -> str:
    if isinstance(value, int) and name.endswith("_cents"):
        return f"{spaced(name.removesuffix('_cents'))} {money(value)}"
    return f"{spaced(name)} {_value(value, money)}"


def _value(value: object, money: Money) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case dict():
            return "(" + ", ".join(_field(key, inner, money) for key, inner in value.items()) + ")"
        case list() | tuple():
            return " ".join(_value(each, money) for each in value) or "none"
        case str():
            return pretty([value]) if value in CODES else spaced(value)
    return str(value)


def _cards(cards: list[str] | tuple[str, ...]) -> str:
    """Return cards for people; what is not a card of the deck, as it was read."""
    return " ".join(pretty([card]) if card in CODES else card for card in cards)


def _ids(ids: tuple[str, ...]) -> str:
    return " and ".join(ids)


def _which(which: int) -> str:
    return f", claim {which}" if which else ""


def _numbers(seats: tuple[int, ...]) -> str:
    return ", ".join(map(str, seats))


def _memory_words(seats: tuple[int, ...]) -> str:
    return f"; in by memory: {_numbers(seats)}" if seats else ""


def _by(event: ByDealer) -> str:
    """Name the dealer who answers for a key, by his number."""
    return f" (dealer {event.dealer})" if event.dealer else ""


def _on_off(present: bool) -> str:  # noqa: FBT001  # the field of an event
    return "a chip on" if present else "no chip on"


def _meter(cents: int | None, money: Money) -> str:
    return "an unknown amount" if cents is None else money(cents)


def _place(to: str, seat: int) -> str:
    return (
        f"seat {seat}" if to == "seat" else {"dealer": "the dealer", "community": "the board"}[to]
    )
