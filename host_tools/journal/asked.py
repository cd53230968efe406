"""What waits for somebody's number and PIN, and what became of it: who agreed, or what ended it.

A key only asks for a correction, a no to a claim, a bar, the clearing of a fault. The record that
follows tells whether it was carried out; here that is told in words, with what was before and
what is now (I-37, I-39).
"""

from msgspec import Struct

from firmware.protocol.fault_catalogue import FAULTS
from firmware.rules.cards import CODES, pretty
from firmware.rules.words import bet_name
from firmware.table.corrections import correction_words
from firmware.table.events import (
    Decision,
    KeyTakenBack,
    MeasureAsked,
    ReportWithdrawn,
    RulingConfirmed,
)
from firmware.table.events import StaffIdentified as Identified
from firmware.table.state import RoundState, TableState
from firmware.table.table import Table

_ENDED: dict[type[Decision], str] = {
    ReportWithdrawn: "cancelled",
    KeyTakenBack: "taken back",
    MeasureAsked: "taken back",
}
"""What ends what waits without carrying it out; anything else drops it."""


class Moment(Struct, frozen=True):
    """What waits at a moment, and everything that it may change."""

    asked: dict[str, str]
    """What waits for a PIN, in words, by its kind."""
    facts: dict[str, str]
    """What is so, by what it is about."""
    rulings: int
    void: bool


def moment_of(table: Table, event: Decision) -> Moment:
    """Note what waits before an event, and what is so if that may change it."""
    state, play = table.state, table.state.round
    facts = _facts(table) if isinstance(event, Identified) else {}
    return Moment(_asked(state), facts, len(play.rulings), play.void)


def became(before: Moment, table: Table, event: Decision) -> list[str]:
    """Tell what an event asked for, carried out or ended; nothing for all other events."""
    state = table.state
    after = _asked(state)
    if isinstance(event, RulingConfirmed):
        return [f"ruled: {words}" for words in state.round.rulings[before.rulings :]]
    identified = isinstance(event, Identified)
    if not identified and after == before.asked:
        return []
    gone = [words for kind, words in before.asked.items() if after.get(kind) != words]
    came = [words for kind, words in after.items() if before.asked.get(kind) != words]
    lines = []
    if isinstance(event, Identified):
        lines = _done(before, table, event, gone)
    else:
        how = _ENDED.get(type(event), "dropped")
        lines = [f"{how}, not carried out: {words}" for words in gone]
    return lines + [f"asked for, waits for a PIN: {words}" for words in came]


def _done(before: Moment, table: Table, event: Identified, gone: list[str]) -> list[str]:
    """Tell what somebody's PIN has done."""
    state = table.state
    by = f"{event.name} (number {event.staff})"
    if state.round.void and not before.void:
        # The ruling ends whatever else was waiting.
        lines = [f"dropped with the void round, not carried out: {words}" for words in gone]
    else:
        undone = _undone(before, state)
        lines = [
            f"dropped, not carried out: {words}"
            if words == undone
            else f"carried out, agreed by {by}: {words}"
            for words in gone
        ]
    lines += [f"ruled by {by}: {words}" for words in state.round.rulings[before.rulings :]]
    facts = _facts(table)
    for about in [*before.facts, *(about for about in facts if about not in before.facts)]:
        was, now = before.facts.get(about, "nothing"), facts.get(about, "nothing")
        if was != now:
            lines.append(f"{about}: was {was}, is now {now}")
    return lines


def _undone(before: Moment, state: TableState) -> str:
    """Name the correction of cards that a PIN found impossible: one that is made is noted."""
    words = before.asked.get("correction", "")
    noted = state.round.rulings[before.rulings :]
    return "" if any(each.startswith(words) for each in noted) else words


def _asked(state: TableState) -> dict[str, str]:
    play, asked = state.round, {}
    if state.clearing:
        fault = state.faults[state.clearing]
        place = f" at {fault.where}" if fault.where else ""
        asked["clearing"] = f"clear {FAULTS[fault.code].number}{place}"
    if state.measure is not None:
        asked["measure"] = f"{state.measure.measure} seat {state.measure.seat}"
    if play.correction is not None:
        asked["correction"] = correction_words(play.correction)
    if play.to_put_right is not None:
        asked["to put right"] = play.to_put_right.words.rstrip(".")
    if play.denying is not None:
        denial = play.denying
        asked["denying"] = f"seat {denial.seat}: claim not confirmed ({denial.reason})"
    return asked


def _facts(table: Table) -> dict[str, str]:
    """Say what a PIN may change: the seats, the cards, the claims, the boxes, the faults."""
    state, play = table.state, table.state.round
    facts = {}
    for seat, player in play.seats.items():
        facts[f"seat {seat}, decision"] = player.decision or "none"
        facts[f"seat {seat}, cards"] = _cards(play, str(seat))
        for bet, cents in player.stakes.items():
            facts[f"seat {seat}, {bet_name(bet)}"] = table.settings.money(cents)
    facts["the dealer's cards"] = _cards(play, "dealer")
    facts["the board"] = _cards(play, "board")
    for claim in play.claims.values():
        confirmed = "not confirmed" if claim.unconfirmed else "claimed"
        if claim.confirmed_by:
            confirmed = "confirmed"
        facts[f"seat {claim.seat}, {claim.words}"] = confirmed
    for withdrawn in play.withdrawn.values():
        # A claim made anew stands, whatever was withdrawn before it.
        about = f"seat {withdrawn.seat}, {withdrawn.words}"
        facts.setdefault(about, f"withdrawn ({in_brackets(withdrawn.reason)})")
    facts |= {f"seat {seat}": f"barred by {by}" for seat, by in state.barred.items()}
    for seat, by in state.restricted.items():
        facts[f"seat {seat}, positions"] = f"restricted to one by {by}"
    for fault in state.faults.values():
        number = FAULTS[fault.code].number
        facts[f"{number} at {fault.where}" if fault.where else number] = "open"
    return facts


def in_brackets(sentence: str) -> str:
    """Write a sentence as it stands in brackets: without a capital letter and a full stop."""
    return (sentence[:1].lower() + sentence[1:]).rstrip(".")


def _cards(play: RoundState, place: str) -> str:
    if place in play.lost:
        return "not known"
    cards = play.cards_at(place)
    return " ".join(pretty([card]) if card in CODES else card for card in cards) or "none"
