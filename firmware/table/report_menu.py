"""The menu of irregularities: those that can occur now, with the facts that nothing senses.

Each is picked in words, so that nobody types its name. The rest of the menu is in `menus.py`, the
form in `questions.py`; what comes of a report is in `irregularities/reports.py`.
"""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from firmware.rules.contract import IrregularityName
from firmware.rules.ruling import NEEDED_FACTS
from firmware.rules.words import IRREGULARITIES
from firmware.table.events import IrregularityReported
from firmware.table.irregularities.reports import CAN_OCCUR, reportable_seats
from firmware.table.phases import PHASES
from firmware.table.questions import Answer, Entry, Question
from firmware.table.seen import Seen
from firmware.table.settings import TableSettings

KNOWN_TO_THE_TABLE: Mapping[str, str] = {
    "bets_closed": "Are the bets closed?",
    "before_next_round": "Is it noticed before the next round?",
    "outcome_established": "Was anything decided in the open?",
}
"""The facts that nobody is asked for, as they would be."""
_YES_OR_NO = (Answer("Yes", "yes"), Answer("No", "no"))
_NUMBERS = tuple(Answer(str(count), str(count)) for count in range(1, 6))
FACTS: Mapping[str, Question] = {
    "count": Question("How many cards?", _NUMBERS, "count"),
    "any_player_seen": Question("Has a player seen his cards?", _YES_OR_NO, "any_player_seen"),
    "movable": Question("Can each hand be moved to its seat?", _YES_OR_NO, "movable"),
    "reconstructable": Question("Can the cards be put right?", _YES_OR_NO, "reconstructable"),
    "order_known": Question("Is the order of the cards known?", _YES_OR_NO, "order_known"),
    "intentional": Question("Did the player do it on purpose?", _YES_OR_NO, "intentional"),
    "seat": Question("Which seat?", (), "seat"),
    "seats": Question("Which seats does the player have?", (), "seats", several=True, at_least=2),
    "first_seat": Question("Which hand was seen first?", (), "first_seat", among="seats"),
    "viewed": Question("Which hands were seen?", (), "viewed", several=True, among="seats"),
}
"""How each fact is asked for; seats are filled in from those in play."""
GROUPS: Mapping[str, tuple[IrregularityName, ...]] = {
    "Cards": (
        "cards_exposed",
        "dealer_card_exposed",
        "misdeal",
        "dealing_error",
        "simultaneous_draw",
        "no_burn",
        "player_count_wrong",
        "dealer_count_wrong",
        "community_count_wrong",
        "card_face_up_in_shoe",
        "foreign_card",
        "deck_count_wrong",
        "insufficient_cards",
        "unshuffled",
    ),
    "Bets": (
        "late_bet",
        "late_increase",
        "late_withdrawal",
        "over_max",
        "under_min",
        "jackpot_without_ante",
    ),
    "Players": ("extra_hand_examined", "played_several_positions", "hand_not_confidential"),
    "Jackpot, other": (
        "jackpot_fault",
        "jackpot_fault_persists",
        "interruption",
        "error_in_earlier_round",
        "other",
    ),
}
"""The irregularities as the menu has them, those first that happen most."""


def reports(settings: TableSettings, state: Seen) -> Iterable[Entry]:
    """Offer the irregularities that can occur now in this game."""
    if IrregularityReported not in PHASES[state.phase]:
        return
    groups = []
    for words, kinds in GROUPS.items():
        entries = tuple(
            Entry(IRREGULARITIES[kind], f"REPORT {kind}", _questions(settings, state, kind))
            for kind in kinds
            if state.phase in CAN_OCCUR[kind] and kind not in settings.rules.impossible
        )
        if entries:
            groups.append(Entry(words, entries=entries))
    yield Entry("Report an irregularity", entries=tuple(groups))


def _questions(
    settings: TableSettings, state: Seen, kind: IrregularityName
) -> tuple[Question, ...]:
    seats = reportable_seats(settings, state, kind)
    asked = [FACTS[fact] for fact in NEEDED_FACTS[kind] if fact not in KNOWN_TO_THE_TABLE]
    return tuple(
        question
        if question.answers
        else replace(question, answers=(*_joined(state, question), *seat_answers(seats)))
        for question in asked
    )


def _joined(state: Seen, question: Question) -> Iterable[Answer]:
    """Offer the seats that were named as one player's, all at once."""
    if question.fact == "seats":
        for seats in state.round.players:
            numbers = [str(seat) for seat in sorted(seats)]
            yield Answer(f"Seats {' and '.join(numbers)}", ",".join(numbers))


def seats_in_play(settings: TableSettings, state: Seen) -> list[int]:
    """List the seats in the round, or all while it has not begun."""
    at_bets = state.phase in {"idle", "betting"}
    return list(range(1, settings.seats + 1)) if at_bets else sorted(state.round.seats)


def seat_answers(seats: Iterable[int]) -> tuple[Answer, ...]:
    """Offer seats."""
    return tuple(Answer(f"Seat {seat}", str(seat)) for seat in seats)
