"""What can be picked on the panel now, instead of typing it: menus that follow from the state.

Irregularities that can occur now with the facts that nothing senses, the choices of a ruling,
what was keyed or dealt wrongly, amounts and cards, faults to clear, seats and the table itself.
Each entry stands for a typed key, so a menu can do nothing that a key cannot. The form is in
`questions.py`, the words of the rules are in `rules/words.py`.
"""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from firmware.protocol.fault_catalogue import FAULTS
from firmware.rules.contract import IrregularityName
from firmware.rules.ruling import NEEDED_FACTS
from firmware.rules.words import IRREGULARITIES, OPTIONS, spaced
from firmware.table.betting import bets_before_the_deal
from firmware.table.corrections import shows_a_card
from firmware.table.events import (
    BetKeyed,
    CardsCorrected,
    CardsKeyed,
    DealerSignedOff,
    DecisionCorrected,
    Event,
    FaceUpKeyed,
    HandNotShown,
    IrregularityReported,
    KeyTakenBack,
    MajorDenied,
    MeasureAsked,
    NewPlayer,
    PlayerDecided,
    RestDecided,
    SeatsJoined,
    TableClosed,
    TableOpened,
)
from firmware.table.irregularities.reports import CAN_OCCUR, choices
from firmware.table.irregularities.rulings import asked_seats
from firmware.table.phases import IN_EVERY_PHASE, PHASES
from firmware.table.questions import Answer, Entry, Question
from firmware.table.settings import TableSettings
from firmware.table.stages import current
from firmware.table.state import TableState

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


_Key = tuple[type[Event], str, str, tuple[Question, ...]]
"""A key of the menu: the event that it becomes, its words, the key, and what is asked for it."""
_WHY_NOT = Question(
    "Why not?",
    (
        Answer("It is a different hand", "it is a different hand"),
        Answer("A card is not of this deck", "a card is not of this deck"),
        Answer("The hand was not the player's", "the hand was not the player's"),
        Answer("Another reason", "another reason"),
    ),
)


_RANKS = tuple(
    Answer(words, code)
    for words, code in zip(
        ("Ace", *map(str, range(2, 11)), "Jack", "Queen", "King"), "A23456789TJQK", strict=True
    )
)
_SUITS = tuple(Answer(suit, suit[0].lower()) for suit in ("Clubs", "Diamonds", "Hearts", "Spades"))


def _card_questions(count: int) -> tuple[Question, ...]:
    """Ask for cards by rank and suit, one after another."""
    which = [f" {number} of {count}" if count > 1 else "" for number in range(1, count + 1)]
    pairs = [
        (Question(f"Card{each}: rank?", _RANKS), Question("And its suit?", _SUITS, joins=True))
        for each in which
    ]
    return tuple(question for pair in pairs for question in pair)


def menu(settings: TableSettings, state: TableState) -> tuple[Entry, ...]:
    """List what can be picked now."""
    return (
        *_choices(state),
        *_reports(settings, state),
        *_put_right(settings, state),
        *_amounts(settings, state),
        *_shown_cards(settings, state),
        *_seat_keys(settings, state),
        *_faults(state),
        *_table_keys(state),
    )


def _choices(state: TableState) -> Iterable[Entry]:
    """Offer what a ruling lets the players, or the person who decides, choose."""
    if state.phase != "ruling":
        return
    incident = state.incident
    seats = _seat_answers(asked_seats(state))
    for_seat = Question("For which seat?", (Answer("All who have not chosen", ""), *seats))
    questions = () if incident.ruling.action == "refer" else (for_seat,)
    for option in choices(incident):
        yield Entry(OPTIONS[option].capitalize(), f"CHOOSE {option}", questions)


def _reports(settings: TableSettings, state: TableState) -> Iterable[Entry]:
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
    settings: TableSettings, state: TableState, kind: IrregularityName
) -> tuple[Question, ...]:
    seats = _seats_in_play(settings, state)
    asked = [FACTS[fact] for fact in NEEDED_FACTS[kind] if fact not in KNOWN_TO_THE_TABLE]
    return tuple(
        question
        if question.answers
        else replace(question, answers=(*_joined(state, question), *_seat_answers(seats)))
        for question in asked
    )


def _joined(state: TableState, question: Question) -> Iterable[Answer]:
    """Offer the seats that were named as one player's, all at once."""
    if question.fact == "seats":
        for seats in state.round.players:
            numbers = [str(seat) for seat in sorted(seats)]
            yield Answer(f"Seats {' and '.join(numbers)}", ",".join(numbers))


def _seats_in_play(settings: TableSettings, state: TableState) -> list[int]:
    """List the seats that a report can name: in the round, or all while bets are open."""
    at_bets = state.phase in {"idle", "betting"}
    return list(range(1, settings.seats + 1)) if at_bets else sorted(state.round.seats)


def _seat_answers(seats: Iterable[int]) -> tuple[Answer, ...]:
    return tuple(Answer(f"Seat {seat}", str(seat)) for seat in seats)


def _seat_keys(settings: TableSettings, state: TableState) -> Iterable[Entry]:
    """Offer what can be said about a seat and its player now."""
    seats = _seat_answers(_seats_in_play(settings, state))
    which = Question("Which seat?", seats)
    any_seat = Question("Which seat?", _seat_answers(range(1, settings.seats + 1)))
    hands = Question("Which seats? The one looked at first", seats, several=True, at_least=2)
    keys: list[_Key] = [
        (PlayerDecided, "A player has left", "ABSENT", (which,)),
        (RestDecided, "All others answer", "REST", (_asked_now(settings, state),)),
        (NewPlayer, "New player at a seat", "NEW", (which,)),
        (SeatsJoined, "One player has several seats", "PLAYER", (hands,)),
        (HandNotShown, "Player does not show the hand", "HIDDEN", (which,)),
        (HandNotShown, "Player shows the hand after all", "SHOWN", (which,)),
    ]
    claiming = _claims(state)
    if claiming:
        denied = Question("Which claim?", claiming)
        keys.append((MajorDenied, "A claim is not confirmed", "NOTCONFIRMED", (denied, _WHY_NOT)))
    keys += [
        (MeasureAsked, "Bar the player at a seat", "BAR", (any_seat,)),
        (MeasureAsked, "Restrict a player to one seat", "RESTRICT", (any_seat,)),
        (MeasureAsked, "Let a player bet as before", "LIFT", (any_seat,)),
    ]
    yield from _possible(state, keys)


def _claims(state: TableState) -> tuple[Answer, ...]:
    """List the claims on the jackpot; a seat's several by their numbers."""
    seats = sorted({claim.seat for claim in state.round.claims.values()})
    of_seats = {
        seat: [claim.words.partition(",")[0] for claim in state.round.claims_of(seat)]
        for seat in seats
    }
    return tuple(
        Answer(f"Seat {seat}: {words}", f"{seat} {number}" if len(claims) > 1 else str(seat))
        for seat, claims in of_seats.items()
        for number, words in enumerate(claims, start=1)
    )


def _asked_now(settings: TableSettings, state: TableState) -> Question:
    """Ask for the answer of all who have not answered: place the bet, or not."""
    stage = current(settings, state.round)
    bet = stage.step.bet if stage is not None and stage.kind == "decide" else ""
    other = "fold" if bet == settings.rules.stay else "check"
    answers = [Answer(each.upper(), each.upper()) for each in (bet, other)] if bet else []
    return Question("Which answer?", tuple(answers))


def _amounts(settings: TableSettings, state: TableState) -> Iterable[Entry]:
    """Offer to key a bet that is not what the table assumes, or that lies there after the close."""
    game, betting = settings.rules, state.phase == "betting"
    first = sorted(bets_before_the_deal(game), key=lambda bet: (bet != "ante", bet))
    later = [] if betting else [wager.name for wager in game.wagers if wager.name not in first]
    bets = tuple(map(_bet, (*first, *later)))
    asked = (
        Question("Which seat?", _seat_answers(range(1, settings.seats + 1))),
        Question("Which bet?", bets),
        Question("PICK and the amount in cents", (), number=True),
    )
    yield from _possible(state, [(BetKeyed, "A bet is another amount", "AMOUNT", asked)])


def _bet(name: str) -> Answer:
    return Answer(spaced(name).capitalize(), name)


def _shown_cards(settings: TableSettings, state: TableState) -> Iterable[Entry]:
    """Offer to key cards that lie face up."""
    game, play = settings.rules, state.round
    seat = Question("Which seat?", _seat_answers(sorted(play.seats)))
    keys: list[_Key] = [
        (CardsKeyed, "A seat's cards", "CARDS", (seat, *_card_questions(game.own_cards))),
        (CardsKeyed, "The dealer's cards", "CARDS dealer", _card_questions(game.dealer_cards)),
    ]
    if game.community_cards:
        board = _card_questions(game.community_cards)
        keys.append((CardsKeyed, "The board", "CARDS board", board))
    if shows_a_card(game) and play.source != "manual":
        keys.append((FaceUpKeyed, "My face-up card", "UP", _card_questions(1)))
    yield from _possible(state, keys)


def _put_right(settings: TableSettings, state: TableState) -> Iterable[Entry]:
    """Offer what puts right a card that lies elsewhere or a key that was wrong."""
    board = (Answer("The board", "board"),) if settings.rules.community_cards else ()
    places = (*_seat_answers(state.round.dealt), Answer("The dealer", "dealer"), *board)
    seats = _seat_answers(_seats_in_play(settings, state))
    answers = tuple(Answer(answer.upper(), answer.upper()) for answer in settings.rules.answers)
    keys: list[_Key] = [
        (KeyTakenBack, "Take the last key back", "UNDO", ()),
        (
            DecisionCorrected,
            "A decision was keyed wrongly",
            "CORRECT",
            (
                Question("Which seat?", seats),
                Question("What did the player do?", answers),
            ),
        ),
        (
            CardsCorrected,
            "Two hands are exchanged",
            "SWAP",
            (
                Question("Which hand?", places),
                Question("And which?", places),
            ),
        ),
        (
            CardsCorrected,
            "A card went to a wrong place",
            "WENT",
            (
                Question("Where should it be?", places),
                Question("Where does it lie?", places),
            ),
        ),
        (CardsCorrected, "Two cards drawn at once: exchange", "ORDER", ()),
        (
            CardsCorrected,
            "A hand is not known any more",
            "LOST",
            (Question("Whose?", places, several=True, at_least=1),),
        ),
    ]
    if state.phase == "betting":
        out = (Question("Which seat?", _seat_answers(sorted(state.round.seats))),)
        keys.append((BetKeyed, "A seat does not play", "OUT", out))
        bonus, remembered = settings.rules.bonus, _seat_answers(state.round.bonus_by_memory)
        if bonus is not None:
            which = (
                Question("Which seat?", remembered),
                Question("Which bet?", (_bet(bonus.name),)),
            )
            keys.append((BetKeyed, f"A seat places no {spaced(bonus.name)}", "OUT", which))
    entries = tuple(_possible(state, keys))
    if entries:
        yield Entry("Put something right", entries=entries)


def _possible(state: TableState, keys: Iterable[_Key]) -> Iterable[Entry]:
    """Offer the keys that are possible now and have something to be picked."""
    for kind, words, key, questions in keys:
        now = kind in PHASES[state.phase] or kind in IN_EVERY_PHASE
        if now and all(question.answers or question.number for question in questions):
            yield Entry(words, key, questions)


def _faults(state: TableState) -> Iterable[Entry]:
    """Offer the faults that somebody has to clear."""
    for fault in state.faults.values():
        kind = FAULTS[fault.code]
        if kind.ends != "by_itself":
            words = f"Clear {kind.number}: {kind.what} {fault.where}".rstrip()
            yield Entry(words, f"CLEAR {fault.code} {fault.where}".rstrip())


def _table_keys(state: TableState) -> Iterable[Entry]:
    keys: list[_Key] = [
        (TableClosed, "Close the table", "CLOSETABLE", ()),
        (TableOpened, "Open the table", "OPENTABLE", ()),
    ]
    if state.on_duty is not None:
        keys.append((DealerSignedOff, "The dealer signs off", "SIGNOFF", ()))
    yield from _possible(state, keys)
