"""What can be wrong with a sentence before anything is played: every mistake, not only the first.

What stands at a place of a sentence is checked by what the place is about (`Kind` in `grammar.py`), so a
new sentence with a seat in it is checked without a word here. What is wrong with the hands below a deal
is in `dealing_checks.py`, with the facts of a report in `facts.py`. What only a round can tell, such as
whether a key is possible now, the table says itself.
"""

import re
from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from firmware.errors import BadInput, UnderfeltError
from firmware.rules.game import Game
from firmware.table.settings import TableSettings
from sim.scenario_language import facts, people
from sim.scenario_language.dealing_checks import (
    block_errors,
    card_errors,
    no_such_seat,
    source_errors,
)
from sim.scenario_language.expectations import expectation_said
from sim.scenario_language.fields import expected_field_errors
from sim.scenario_language.grammar import Form, Kind, Words
from sim.scenario_language.language import EXPECT, SECOND_SPOT, NotASentence, nearest_sentences
from sim.scenario_language.reader import Sentence, cents
from sim.scenario_language.sentences import form_said
from sim.table.angel_eye_shoe import NO_FOREIGN_CARD

_DISK = re.compile(r"the disk .*|make room on the disk")
_SPOT_BOARD = re.compile(r"\bthe spot board\b")
_NO_SPOT_BOARD = (
    "this table has none: its coin spots are on pins; in a scenario, 'spot board' in the first line"
    " gives it one"
)
_SEAT_FIELD = re.compile(r"seat=([0-9]+)")
_SEAT_PLACE = re.compile(r"seat ([0-9]+)")


class Around(Struct, frozen=True, kw_only=True):
    """Where a sentence is said: the table, and what there is around it."""

    game: Game
    settings: TableSettings | None
    """None while nobody knows, since the head of a file is wrong."""
    has_disk: bool = True
    """Whether the journal has a small disk; what else is to be said of a disk, the stage says."""
    has_spot_board: bool = True
    """Whether any coin spot is on a spot board."""
    is_angel_eye: bool = False
    """Whether the shoe is of the Angel Eye family, as far as is known before it is used."""
    has_dealer: bool = True
    """Whether a simulated dealer plays here."""
    may_refuse: bool = False
    """Whether the table may be asked for what it refuses: only it has the words for that."""
    refusal_expected: bool = False
    """Whether the next sentence says that it does."""


def check_sentence(sentence: Sentence, around: Around) -> None:
    """Refuse what is not understood, and what cannot be meant."""
    for error in errors_in(sentence, around):
        raise error


def errors_in(sentence: Sentence, around: Around) -> Iterator[UnderfeltError]:
    """Find everything that is wrong with a sentence."""
    read = _read(sentence.text, around.game)
    if read is None:
        yield _not_understood(sentence, around.game)
        return
    may_refuse = read.is_key and (around.may_refuse or around.refusal_expected)
    for kind, words in read.places:
        if kind == "money" or not may_refuse:
            yield from _CHECKS[kind](words, sentence.text, around)
    yield from expected_field_errors(read.words, around.game)
    yield from block_errors(sentence, around.settings)
    yield from people.wait_errors(sentence.text)
    if read.words["dealer"] and SECOND_SPOT not in around.game.jackpot_bets:
        yield BadInput("on the dealer", f"{around.game.id} has no such coin spot")
    if around.settings is not None:
        yield from _errors_here(sentence.text, around, around.settings)


class _Read(Struct, frozen=True):
    """A sentence that is understood."""

    words: Words
    places: list[tuple[Kind, str]]
    is_key: bool = False


def _read(text: str, game: Game) -> _Read | None:
    """Return what is said; None if it is not understood."""
    if text.startswith(EXPECT):
        said = text.removeprefix(EXPECT)
        expected = expectation_said(said)
        return None if expected is None else _read_by(expected.form, said, is_key=False)
    known = form_said(text, game)
    return None if known is None else _read_by(known.of(game), text, is_key=known.is_key)


def _read_by(form: Form, text: str, *, is_key: bool) -> _Read:
    return _Read(form.fullmatch(text) or Words(), list(form.filled(text)), is_key)


def _not_understood(sentence: Sentence, game: Game) -> UnderfeltError:
    """Say what was probably meant; of a sentence that is wrong only in its amount, just that."""
    before, _, last = sentence.text.rpartition(" ")
    if before and _is_about_money(f"{before} $1", game):
        try:
            cents(f"${last}")
        except BadInput as error:
            return BadInput(last, error.reason)
        meant = f"{before} ${last}"
        return BadInput(sentence.text, f"an amount needs its dollar sign; write '{meant}'")
    return NotASentence(sentence.text, nearest_sentences(sentence.text, game))


def _is_about_money(text: str, game: Game) -> bool:
    read = _read(text, game)
    return read is not None and any(kind == "money" for kind, _ in read.places)


def _errors_here(text: str, around: Around, settings: TableSettings) -> Iterator[UnderfeltError]:
    """Find what this table, or what is around it, cannot do."""
    yield from source_errors(text, settings)
    if text.startswith("report ") and not around.refusal_expected:
        report = text.removeprefix("report ")
        yield from facts.report_errors(report, settings.rules, settings.seats)
    if _SPOT_BOARD.search(text) and not around.has_spot_board:
        yield BadInput("spot board", _NO_SPOT_BOARD)
    if text == "draw a foreign card" and around.is_angel_eye:
        yield BadInput(text, NO_FOREIGN_CARD)
    if _DISK.fullmatch(text) and not around.has_disk:
        yield BadInput(text, "needs a small disk; write 'disk 4 MB' indented below the table")
    if text.startswith("let the dealer ") and not around.has_dealer:
        yield BadInput(
            text, "works only at a table of 'underfelt-sim floor', which has its own dealer"
        )


# By what a place is about


def _seat_errors(words: str, _text: str, around: Around) -> Iterator[BadInput]:
    places = words.split()
    yield from _no_such_seats([place for place in places if place.isdecimal()], around)
    if "board" in places and not around.game.community_cards:
        yield BadInput("board", f"{around.game.id} has no board")
    twice = {place for place in places if places.count(place) > 1}
    for place in sorted(twice):
        name = f"seat {place}" if place.isdecimal() else place
        yield BadInput(name, "named twice; name it once")


def _no_such_seats(seats: list[str], around: Around) -> Iterator[BadInput]:
    if around.settings is None:
        return
    most = around.settings.seats
    for seat in dict.fromkeys(seats):
        if not 1 <= int(seat) <= most:
            yield BadInput(f"seat {seat}", no_such_seat(most))


def _money_errors(words: str, _text: str, _around: Around) -> Iterator[BadInput]:
    try:
        cents(words)
    except BadInput as error:
        yield error


def _card_errors(words: str, text: str, _around: Around) -> Iterator[BadInput]:
    for card, why in card_errors(words.split(), set(), "hand"):
        foreign = text.startswith("draw ")
        yield BadInput(card, f"{why}, or say 'draw a foreign card'" if foreign else why)


def _count_errors(words: str, text: str, _around: Around) -> Iterator[BadInput]:
    if not int(words):
        yield BadInput(text, "the number must be 1 or more")


def _device_errors(words: str, _text: str, around: Around) -> Iterator[BadInput]:
    source = around.settings.card_source if around.settings is not None else words
    if words in {"shoe", "shuffler"} and words != source:
        has = "is dealt by hand" if source == "manual" else f"has a {source}"
        yield BadInput(words, f"this table has no {words}; it {has}")


def _fault_place_errors(words: str, _text: str, around: Around) -> Iterator[BadInput]:
    yield from _no_such_seats(_SEAT_PLACE.findall(words), around)


def _field_errors(words: str, _text: str, around: Around) -> Iterator[BadInput]:
    """Find seats that are none; where a message is about no seat, its seat is 0."""
    found = (_SEAT_FIELD.fullmatch(word) for word in words.split())
    yield from _no_such_seats([each[1] for each in found if each and int(each[1][:9])], around)


def _none(_words: str, _text: str, _around: Around) -> Iterator[BadInput]:
    yield from ()


_CHECKS: Mapping[Kind, Callable[[str, str, Around], Iterator[BadInput]]] = {
    "": _none,
    "seats": _seat_errors,
    "money": _money_errors,
    "cards": _card_errors,
    "count": _count_errors,
    "device": _device_errors,
    "fault place": _fault_place_errors,
    "fields": _field_errors,
}
