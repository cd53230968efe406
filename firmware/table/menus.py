"""What can be picked on the panel now, instead of typing it: menus that follow from the state.

The choices of a ruling, what was keyed or dealt wrongly, amounts and cards, faults to clear, seats
and the table itself; irregularities are in `report_menu.py`. Each entry stands for a typed key,
so a menu can do nothing that a key cannot. The form is in `questions.py`, the words of the rules
are in `rules/words.py`.
"""

from collections.abc import Iterable

from firmware.protocol.fault_catalogue import FAULTS, place_words
from firmware.rules.words import OPTIONS, bet_name, spaced
from firmware.table.betting import bets_before_the_deal
from firmware.table.corrections import may_tell, shows_a_card
from firmware.table.events import (
    AwardDecided,
    BetKeyed,
    CardsCorrected,
    CardsKeyed,
    CorrectionKind,
    DealerSignedOff,
    DecisionCorrected,
    Event,
    FaceUpKeyed,
    HandNotShown,
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
from firmware.table.irregularities.reports import choices
from firmware.table.irregularities.rulings import asked_seats
from firmware.table.phases import IN_EVERY_PHASE, PHASES
from firmware.table.questions import Answer, Entry, Question
from firmware.table.report_menu import reports, seat_answers, seats_in_play
from firmware.table.seen import Seen, seen
from firmware.table.settings import TableSettings
from firmware.table.stages import current
from firmware.table.state import TableState

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
    """List what can be picked now; cards that lie face down are not known here."""
    known = seen(settings, state)
    return (
        *_choices(known),
        *reports(settings, known),
        *_put_right(settings, known),
        *_amounts(settings, known),
        *_shown_cards(settings, known),
        *_seat_keys(settings, known),
        *_faults(known),
        *_table_keys(known),
    )


def _choices(state: Seen) -> Iterable[Entry]:
    """Offer what a ruling lets the players, or the person who decides, choose."""
    if state.phase != "ruling":
        return
    incident = state.incident
    seats = seat_answers(asked_seats(state))
    for_seat = Question("For which seat?", (Answer("All who have not chosen", ""), *seats))
    questions = () if incident.ruling.action == "refer" else (for_seat,)
    for option in choices(incident):
        yield Entry(OPTIONS[option].capitalize(), f"CHOOSE {option}", questions)


def _seat_keys(settings: TableSettings, state: Seen) -> Iterable[Entry]:
    """Offer what can be said about a seat and its player now."""
    seats = seat_answers(seats_in_play(settings, state))
    which = Question("Which seat?", seats)
    any_seat = Question("Which seat?", seat_answers(range(1, settings.seats + 1)))
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
    doubted = _doubted(settings, state)
    if doubted:
        which_award = Question("What is paid?", doubted)
        keys.append((AwardDecided, "An award is in doubt", "PAYOUT", (which_award,)))
    keys += [
        (MeasureAsked, "Bar the player at a seat", "BAR", (any_seat,)),
        (MeasureAsked, "Restrict a player to one seat", "RESTRICT", (any_seat,)),
        (MeasureAsked, "Let a player bet as before", "LIFT", (any_seat,)),
    ]
    yield from _possible(state, keys)


def _claims(state: Seen) -> tuple[Answer, ...]:
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


def _doubted(settings: TableSettings, state: Seen) -> tuple[Answer, ...]:
    """List what can be paid on the claims whose award is in doubt."""
    return tuple(
        Answer(f"Seat {seat}: {how} {settings.money(cents)}", f"{seat} {number} {how}")
        for seat in sorted({claim.seat for claim in state.round.claims.values() if claim.doubted})
        for number, claim in enumerate(state.round.claims_of(seat), start=1)
        for how, cents in (("awarded", claim.award_cents), ("reckoned", claim.reckoned_cents))
        if claim.doubted and cents is not None
    )


def _asked_now(settings: TableSettings, state: Seen) -> Question:
    """Ask for the answer of all who have not answered: place the bet, or not."""
    stage = current(settings, state.round)
    bet = stage.step.bet if stage is not None and stage.kind == "decide" else ""
    other = "fold" if bet == settings.rules.stay else "check"
    answers = [Answer(each.upper(), each.upper()) for each in (bet, other)] if bet else []
    return Question("Which answer?", tuple(answers))


def _amounts(settings: TableSettings, state: Seen) -> Iterable[Entry]:
    """Offer to key a bet that is not what the table assumes, or that lies there after the close."""
    game, betting = settings.rules, state.phase == "betting"
    first = sorted(bets_before_the_deal(game), key=lambda bet: (bet != "ante", bet))
    later = [] if betting else [wager.name for wager in game.wagers if wager.name not in first]
    bets = tuple(map(_bet, (*first, *later)))
    asked = (
        Question("Which seat?", seat_answers(range(1, settings.seats + 1))),
        Question("Which bet?", bets),
        Question("PICK and the amount in cents", (), number=True),
    )
    yield from _possible(state, [(BetKeyed, "A bet is another amount", "AMOUNT", asked)])


def _bet(name: str) -> Answer:
    return Answer(bet_name(name).capitalize(), name)


def _shown_cards(settings: TableSettings, state: Seen) -> Iterable[Entry]:
    """Offer to key cards that lie face up."""
    game, play = settings.rules, state.round
    seat = Question("Which seat?", seat_answers(sorted(play.seats)))
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


def _put_right(settings: TableSettings, state: Seen) -> Iterable[Entry]:
    """Offer what puts right a card that lies elsewhere or a key that was wrong."""
    board = (Answer("The board", "board"),) if settings.rules.community_cards else ()
    places = (*seat_answers(state.round.dealt), Answer("The dealer", "dealer"), *board)
    seats = seat_answers(seats_in_play(settings, state))
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
        out = (Question("Which seat?", seat_answers(sorted(state.round.seats))),)
        keys.append((BetKeyed, "A seat does not play", "OUT", out))
        bonus, remembered = settings.rules.bonus, seat_answers(state.round.bonus_by_memory)
        if bonus is not None:
            which = (
                Question("Which seat?", remembered),
                Question("Which bet?", (_bet(bonus.name),)),
            )
            keys.append((BetKeyed, f"A seat places no {spaced(bonus.name)}", "OUT", which))
    told: dict[str, CorrectionKind] = {"SWAP": "swap", "WENT": "went", "ORDER": "order"}
    keys = [each for each in keys if each[2] not in told or may_tell(state, told[each[2]])]
    entries = tuple(_possible(state, keys))
    if entries:
        yield Entry("Put something right", entries=entries)


def _possible(state: Seen, keys: Iterable[_Key]) -> Iterable[Entry]:
    """Offer the keys that are possible now and have something to be picked."""
    for kind, words, key, questions in keys:
        now = kind in PHASES[state.phase] or kind in IN_EVERY_PHASE
        if now and all(question.answers or question.number for question in questions):
            yield Entry(words, key, questions)


def _faults(state: Seen) -> Iterable[Entry]:
    """Offer the faults that somebody has to clear."""
    for fault in state.faults.values():
        kind = FAULTS[fault.code]
        if kind.ends != "by_itself":
            words = f"Clear {kind.number}: {kind.what} {place_words(fault.where)}".rstrip()
            yield Entry(words, f"CLEAR {fault.code} {fault.where}".rstrip())


def _table_keys(state: Seen) -> Iterable[Entry]:
    keys: list[_Key] = [
        (TableClosed, "Close the table", "CLOSETABLE", ()),
        (TableOpened, "Open the table", "OPENTABLE", ()),
    ]
    if state.on_duty is not None:
        keys.append((DealerSignedOff, "The dealer signs off", "SIGNOFF", ()))
    yield from _possible(state, keys)
