"""Handlers of what the dealer says about the cards: where they lie, which one lies face up.

After a dealing error play may continue with the cards as they lie (RWS §5.10, §5.14, §5.15;
I-40). The table has put each card where the order of the deal says; here it is told
otherwise, one step at a time, or that it no longer knows a hand. Nothing said here names a card
that lies face down, and nothing is refused because of one. How the deal goes on is in
`stages.py`; the dealer's own settlement of hands that are lost in `settlement.py`.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence

from firmware.errors import BadInput, Refused
from firmware.rules.cards import CODES
from firmware.rules.dealing import Target
from firmware.rules.explain import explain_wrong_cards
from firmware.rules.game import Game
from firmware.table.claims import rests_on
from firmware.table.events import CardsCorrected, CorrectionKind, FaceUpKeyed
from firmware.table.keying import keyable_places
from firmware.table.settlement import settle_round, unknown_seats
from firmware.table.stages import (
    cards_seen,
    current,
    due,
    go_on,
    is_revealed,
    lose,
    lose_wrong_counts,
    note_dealt_at,
    put,
    turn_down_dealers,
    wrong_counts,
)
from firmware.table.state import CARDS_COME, Correction, Phase, RoundState, TableState
from firmware.table.turn import Turn
from firmware.table.verdicts import Withdrawal, withdraw

_NOT_AT_ONCE = "ORDER is for two cards that were drawn from the shoe at once."
_AFTER_THE_DEAL: frozenset[Phase] = frozenset({"claiming", "settling"})


def cards_corrected(turn: Turn, event: CardsCorrected) -> bool:
    """Take what the dealer says about the cards; the supervisor decides what is his to decide.

    The order of cards drawn at once always is (RWS §5.14); everything, once cards are seen (I-27)
    or, where the house leaves that to the dealer, turned up.
    """
    correction = Correction(event.how, event.places, event.cards)
    _check(turn, correction)
    dealers = turn.settings.seen_cards_authority == "dealer"
    supervised = is_revealed if dealers else cards_seen
    if event.how == "order" or supervised(turn.settings, turn.round):
        turn.ask()
        turn.round.correction = correction
    else:
        _correct(turn, correction, "the dealer", "")
    return True


def correct_with_authority(turn: Turn, name: str, staff: str) -> None:
    """Carry out the correction that has waited for the supervisor, or drop it.

    What can no longer be done must not keep him from what else waits for him.
    """
    correction = turn.round.correction
    if correction is None:
        raise Refused("No correction waits for anybody.")
    try:
        _check(turn, correction)
    except Refused as refusal:
        turn.refusal = f"Dropped: {refusal}"
        turn.drop("correction")
        return
    turn.round.correction = None
    _correct(turn, correction, name, staff)


def face_up_keyed(turn: Turn, event: FaceUpKeyed) -> bool:
    """Note which of the dealer's cards lies face up (RWS §3.11.2, §5.16).

    It is shown as keyed: a refusal would tell whether a card that lies face down is his.
    """
    if not shows_a_card(turn.game):
        raise Refused("No card of the dealer lies face up in this game.")
    if turn.round.source == "manual":
        raise Refused("This round is dealt by hand: the face-up card is not needed.")
    if not turn.round.dealer and "dealer" not in turn.round.lost:
        raise Refused("No card of the dealer is dealt yet.")
    if event.card not in CODES:
        raise Refused("That is not a card: key its rank and its suit.")
    if turn.round.face_up == event.card:
        return False
    turn.round.face_up = event.card
    turn_down_dealers(turn.round)
    return True


def shows_a_card(game: Game) -> bool:
    """Return whether a card of the dealer lies face up from the deal on."""
    return any(step.by_deal and "dealer" in step.to for step in game.shoe)


# What can be said when


_PLACES: Mapping[CorrectionKind, tuple[int, str]] = {
    "swap": (2, "Key SWAP and the two hands, such as SWAP 1 3."),
    "went": (2, "Key WENT, where the card should be, and where it is, such as WENT 3 1."),
    "order": (0, "Key ORDER alone."),
    "lost": (1, "Key LOST and the hands that the table no longer knows."),
}
"""How many places each needs (`lost`: at least), and how it is keyed."""


def _check(turn: Turn, correction: Correction) -> None:
    _check_possible(turn, correction)
    wanted, words = _PLACES[correction.how]
    places = correction.places
    enough = len(places) >= wanted if correction.how == "lost" else len(places) == wanted
    if not enough or len({*places}) != len(places):
        raise Refused(words)
    for place in places:
        _check_place(turn, correction.how, place)
    _CHECKS.get(correction.how, _anything)(turn.round, correction)


def _check_possible(turn: Turn, correction: Correction) -> None:
    """Refuse what cannot be said now, before it is said how that is keyed."""
    play, doing = turn.round, turn.state.doing
    if doing not in CARDS_COME | _AFTER_THE_DEAL or play.void:
        raise Refused("There are no cards to correct now.")
    if turn.state.phase == "ruling" and doing in _AFTER_THE_DEAL:
        raise Refused("Deal with the irregularity first.")
    if play.source == "manual" and not _forgets_a_read_hand(turn, correction):
        raise Refused(f"This round is dealt by hand: {_by_hand(turn)}.")
    if correction.how == "order" and play.source != "shoe":
        raise Refused(_NOT_AT_ONCE)
    if turn.state.phase == "ruling" and correction.how != "lost" and turn.state.edition > 1:
        raise Refused("Deal with the irregularity first.")
    if not may_tell(turn.state, correction.how):
        raise Refused("Report the dealing error first (MENU). Then say where the cards lie.")


def _by_hand(turn: Turn) -> str:
    """Say what can be done instead about the cards of a round that is dealt by hand."""
    play = turn.round
    face_up = turn.state.doing in _AFTER_THE_DEAL
    if face_up and keyable_places(turn.settings, turn.state):
        return "key the hands that claim with CARDS"
    if face_up and any(map(play.cards_at, map(str, play.seats))):
        return "LOST and the hand that is wrong, then CARDS"
    return "the table follows no cards"


def may_tell(state: TableState, how: CorrectionKind) -> bool:
    """Return whether it may be said that cards lie elsewhere, until the hands are turned up.

    Only once the dealing error was ruled on: the rules may void the round, or give the players
    options (RWS §5.8.6, §5.10, §5.14.1; Megalink §5.2). That the table has lost a hand is no
    dealing error; of hands that lie face up a supervisor says whose they are.
    """
    face_down = state.doing in CARDS_COME and state.edition > 1
    return not face_down or how == "lost" or how in state.round.tellable


def _forgets_a_read_hand(turn: Turn, correction: Correction) -> bool:
    """Return whether hands are lost that were read before the source failed, or were keyed."""
    play, after = turn.round, turn.state.doing in _AFTER_THE_DEAL
    known = [*map(str, play.seats), "dealer", "board"]
    filled = [place for place in known if play.cards_at(place)]
    has_cards = bool(filled) and {*correction.places} <= {*filled}
    return turn.state.edition > 1 and correction.how == "lost" and after and has_cards


def _check_place(turn: Turn, how: CorrectionKind, place: str) -> None:
    board = turn.game.community_cards and how != "swap"
    known = [*map(str, turn.round.dealt), "dealer", *(["board"] if board else [])]
    if place not in known:
        if place.isdecimal():
            raise Refused(f"Seat {place} has no hand in this round.")
        raise Refused("There is no such hand in this round.")


def _anything(_play: RoundState, _correction: Correction) -> None:
    """Leave it as it is."""


def _check_went(play: RoundState, correction: Correction) -> None:
    source = correction.places[0]
    # Keyed by somebody who cannot know it, the card is none of a place that is lost or empty.
    if source in play.lost or not {*correction.cards} & {*play.cards_at(source)}:
        raise Refused(f"The table has no card at {place_name(source)}.")


def _check_order(play: RoundState, correction: Correction) -> None:
    if play.source != "shoe" or len(correction.cards) != 2:  # noqa: PLR2004  # two cards
        raise Refused(_NOT_AT_ONCE)


_CHECKS: Mapping[CorrectionKind, Callable[[RoundState, Correction], None]] = {
    "went": _check_went,
    "order": _check_order,
}


# What it does


def _correct(turn: Turn, correction: Correction, name: str, staff: str) -> None:
    play = turn.round
    _CORRECTED[correction.how](turn, correction)
    play.corrected, play.unexplained = True, False
    words = correction_words(correction)
    play.rulings.append(f"{words}. {'Confirmed' if staff else 'Reported'} by {name}.")
    for place in (correction.places or map(str, play.dealt)) if play.source != "manual" else ():
        note_dealt_at(turn, place)
    if turn.state.phase == "dealing":
        go_on(turn)
    elif turn.state.phase in _AFTER_THE_DEAL:
        _settle_again(turn, Withdrawal(staff, words), correction)


def _settle_again(turn: Turn, by: Withdrawal, correction: Correction) -> None:
    """Settle by the corrected cards; hands that are not known are keyed first if they claim.

    A hand of a wrong number of cards stops the round, as it does before the reveal.
    """
    stopped = turn.round.source == "manual"
    if turn.state.edition > 1:
        wrong = wrong_counts(turn.settings, turn.round)
        lost = correction.places if correction.how == "lost" else ()
        withdraw(turn, _on_lost_cards(turn, {*turn.round.lost, *lost, *wrong}), by)
        stopped = stopped or bool(wrong)
    else:
        lose_wrong_counts(turn)
    if stopped or unknown_seats(turn.round):
        turn.round.results = []
        turn.state.phase = "claiming"
        return
    try:
        settle_round(turn, by)
    except BadInput as error:
        why = explain_wrong_cards(error)
        raise Refused(f"The cards cannot lie like that: {why}. Press CANCEL.") from None


def _on_lost_cards(turn: Turn, lost: Collection[str]) -> list[str]:
    """List the claims that rest on cards that the table does not know: they are made again."""
    claims = turn.round.claims.items()
    return [i for i, state in claims if not rests_on(turn.game, state.claim).isdisjoint(lost)]


def _swap(turn: Turn, correction: Correction) -> None:
    play, (one, other) = turn.round, correction.places
    first, second = play.cards_at(one), play.cards_at(other)
    first[:], second[:] = list(second), list(first)
    renamed = {one: other, other: one}
    play.keyed = [renamed.get(place, place) for place in play.keyed]
    play.lost = {renamed.get(place, place): at_ms for place, at_ms in play.lost.items()}
    _reorder(turn, lambda left: Counter({renamed.get(p, p): n for p, n in left.items()}))
    _ask_face_up(turn, correction.places)


def _went(turn: Turn, correction: Correction) -> None:
    """Move what was the newest card of a place; the deal then goes on where a card is missing."""
    play, (source, place) = turn.round, correction.places
    (card,) = correction.cards
    play.cards_at(source).remove(card)
    put(turn, card, place)
    if place not in play.lost:
        play.cards_at(place).sort(key=play.drawn.index)
    if play.source == "shoe":
        # A shuffler dispenses the next whole hand, whatever happened to a card of the last one.
        _reorder(turn, lambda left: left + Counter([source]) - Counter([place]))
    _ask_face_up(turn, correction.places)


def _order(turn: Turn, correction: Correction) -> None:
    """Exchange the two cards that were drawn last when it was keyed, wherever they lie."""
    play = turn.round
    one, other = correction.cards
    renamed = {one: other, other: one}
    if turn.state.edition > 1 and len({one, other} & {*play.dealer}) == 1:
        _ask_face_up(turn, ("dealer",))
    hands = [player.cards for player in play.seats.values()]
    for cards in (*hands, play.dealer, play.community, play.surplus, play.drawn):
        cards[:] = [renamed.get(card, card) for card in cards]
    moments = play.drawn_at_ms
    moments[one], moments[other] = moments.get(other, 0), moments.get(one, 0)


def _lose(turn: Turn, correction: Correction) -> None:
    for place in correction.places:
        lose(turn, place)
    _ask_face_up(turn, correction.places)


_CORRECTED: Mapping[CorrectionKind, Callable[[Turn, Correction], None]] = {
    "swap": _swap,
    "went": _went,
    "order": _order,
    "lost": _lose,
}


def _reorder(turn: Turn, change: Callable[[Counter[str]], Counter[str]]) -> None:
    """Let the rest of the deal follow what lies on the felt.

    Each place still gets as many cards as it lacks, each in the round of the deal in
    which it is the next for that place.
    """
    play, stage = turn.round, current(turn.settings, turn.round)
    if stage is None or stage.kind != "deal":
        return
    lacking = change(Counter(target.place for target in due(stage, play)))
    left: list[Target] = []
    for target in reversed(stage.targets):
        if lacking[target.place] > 0:
            lacking[target.place] -= 1
            left.insert(0, target)
    play.left = left


def _ask_face_up(turn: Turn, places: Sequence[str]) -> None:
    """Let the dealer say which of his cards is up, if they have changed; no other is shown."""
    if "dealer" in places and shows_a_card(turn.game):
        turn.round.face_up = ""


# In words


def place_name(place: str) -> str:
    """Name a place for people."""
    return {"dealer": "the dealer", "board": "the board"}.get(place, f"seat {place}")


def correction_words(correction: Correction) -> str:
    """Say what a correction does."""
    names = [place_name(place) for place in correction.places]
    match correction.how:
        case "swap":
            words = f"{names[0]} and {names[1]} have each other's hands"
        case "went":
            words = f"the newest card of {names[0]} lies at {names[1]}"
        case "order":
            words = "the last two cards lie the other way round"
        case "lost":
            words = f"the table does not know the cards of {', '.join(names)}"
    return words[0].upper() + words[1:]


def corrected_cards(play: RoundState, event: CardsCorrected) -> tuple[str, ...]:
    """List the cards that a correction is about, as the table has them, for the record."""
    known = {*map(str, play.seats), "dealer", "board"}
    hands = [play.cards_at(place) for place in event.places if place in known]
    if event.how == "order":
        return tuple(play.drawn[-2:])
    if event.how == "went":
        drawn = [[card for card in cards if card in play.drawn] for cards in hands[:1]]
        return tuple(max(cards, key=play.drawn.index) for cards in drawn if cards)
    return tuple(card for cards in hands for card in cards)
