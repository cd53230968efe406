"""The facts of a report: which an irregularity needs, checked and asked for in words.

    report cards_exposed count=2 any_player_seen=no

Nothing here needs a table: the facts that a table knows itself may be left out. What becomes of a
report is in `firmware/table/irregularities/`.
"""

import difflib
from collections.abc import Iterator
from typing import get_args

import msgspec

from firmware.errors import BadInput
from firmware.rules.contract import Facts, IrregularityName
from firmware.rules.game import Game
from firmware.rules.ruling import NEEDED_FACTS
from firmware.rules.words import IRREGULARITIES
from firmware.table.report_menu import FACTS, KNOWN_TO_THE_TABLE

_NAMES: tuple[IrregularityName, ...] = get_args(IrregularityName)
REPORT_PATTERN = rf"(?:{'|'.join(_NAMES)})(?: \w+=\S*)*"
_EXAMPLES = {"count": "2", "seat": "3", "seats": "1,3", "first_seat": "1", "viewed": "1"}
_SUGGESTED = 3


def examples(game: Game | None = None) -> Iterator[str]:
    """List the irregularities, each with the facts that it needs; those that a game can have."""
    yield from (example_of(name) for name in _NAMES if game is None or name not in game.impossible)


def example_of(name: IrregularityName) -> str:
    """Return a report with the facts that it needs."""
    return " ".join((name, *(f"{fact}={_EXAMPLES.get(fact, 'no')}" for fact in _asked(name))))


def nearest_reports(text: str, game: Game) -> list[str]:
    """Return the reports that were probably meant, the likeliest first."""
    meant = text.split(maxsplit=1)[0] if text.split() else ""

    def likeness(name: IrregularityName) -> float:
        said = difflib.SequenceMatcher(None, meant, name).ratio()
        words = difflib.SequenceMatcher(None, text.lower(), IRREGULARITIES[name].lower()).ratio()
        return max(said, words)

    known = [name for name in _NAMES if name not in game.impossible]
    known.sort(key=likeness, reverse=True)
    return [f"report {example_of(name)}" for name in known[:_SUGGESTED]]


def report_errors(text: str, game: Game, seats: int) -> Iterator[BadInput]:
    """Find what is wrong with the facts of a report; the first thing, since the others follow."""
    try:
        _check_report(text, game, seats)
    except BadInput as error:
        yield error


def _check_report(text: str, game: Game, seats: int) -> None:
    """Refuse a report whose facts are misspelt, missing, too many, or not what they should be."""
    kind, *told = text.split()
    name = next(each for each in _NAMES if each == kind)
    if name in game.impossible:
        meant = nearest_reports(name, game)[0]
        raise BadInput(f"report {name}", f"cannot happen in {game.id}; the nearest is '{meant}'")
    given = dict(word.split("=", 1) for word in told)
    _check_names(name, given)
    facts = {fact: _value(fact, value, seats) for fact, value in given.items()}
    _check_seats(msgspec.convert(facts, Facts))


def _asked(name: IrregularityName) -> list[str]:
    return [fact for fact in NEEDED_FACTS[name] if fact not in KNOWN_TO_THE_TABLE]


def _check_names(name: IrregularityName, given: dict[str, str]) -> None:
    takes = NEEDED_FACTS[name]
    write = f"write 'report {example_of(name)}'"
    for fact in given:
        if fact not in takes:
            what = f"has no fact {fact!r}" if takes else f"needs no facts, so no {fact!r}"
            raise BadInput(f"report {name}", f"{what}; {write}")
    for fact in _asked(name):
        if fact not in given:
            question = FACTS[fact].words
            raise BadInput(
                f"report {name}",
                f"{question} Say so with {fact}={_EXAMPLES.get(fact, 'yes or =no')}; {write}",
            )


def _value(fact: str, value: str, seats: int) -> bool | int | list[int]:
    if fact in {"seats", "viewed"}:
        return [_seat(fact, each, seats) for each in value.split(",") if each]
    if fact in {"seat", "first_seat"}:
        return _seat(fact, value, seats)
    if fact == "count":
        if not (value.isdecimal() and value.isascii() and 0 < len(value) < 5 and int(value)):  # noqa: PLR2004
            raise BadInput(f"{fact}={value}", "not a number of cards; write count=2")
        return int(value)
    if value not in {"yes", "no"}:
        raise BadInput(f"{fact}={value}", f"neither yes nor no; write {fact}=yes or {fact}=no")
    return value == "yes"


def _seat(fact: str, value: str, seats: int) -> int:
    if value.isascii() and value.isdecimal() and 1 <= int(value[:4]) <= seats:
        return int(value)
    raise BadInput(f"{fact}={value}", f"no such seat; this table has seats 1 to {seats}")


def _check_seats(facts: Facts) -> None:
    """Check what is said about one player's several hands against each other."""
    if not isinstance(facts.seats, tuple):
        return
    if len(facts.seats) < 2 or len(set(facts.seats)) < len(facts.seats):  # noqa: PLR2004
        raise BadInput("seats", "name all seats of one player, two or more, each once")
    viewed = facts.viewed if isinstance(facts.viewed, tuple) else ()
    first = (facts.first_seat,) if isinstance(facts.first_seat, int) else ()
    for seat in (*viewed, *first):
        if seat not in facts.seats:
            where = "viewed" if viewed else "first_seat"
            raise BadInput(where, f"seat {seat} is not one of seats={_joined(facts.seats)}")


def _joined(seats: tuple[int, ...]) -> str:
    return ",".join(map(str, seats))
