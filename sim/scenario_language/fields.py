"""The fields of a message or journal record that a scenario expects: which there are, and what they can be.

    expect message win seat 1 claim.tier=flush
    expect journal bet_keyed stake_cents=7500 instead_of_cents=2500

Both come from the types of the table's own messages and events. What a game does not have, such as a
tier of another game's jackpot, is found too.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

from msgspec import NODEFAULT, inspect

from firmware.errors import BadInput
from firmware.protocol.obligations import AnyObligation
from firmware.rules.game import Game
from firmware.rules.refusals import which_there_are
from firmware.table.events import AnyDecision, LotsDrawn
from sim.scenario_language.grammar import Words

_WHOLE = re.compile(r"-?[0-9]+")
_NOT_SAID = {"message", "event"}
"""The kind of a message or an event: it stands before the fields."""


def expected_field_errors(words: Words, game: Game) -> Iterator[BadInput]:
    """Find fields that this message or record cannot have, and values that they cannot have."""
    kind = words["kind"] or words["event"]
    about = _KINDS.get(kind)
    if about is None:
        return
    if kind == _tag(LotsDrawn) and not game.draws:
        yield BadInput(kind, f"cannot be: {game.id} draws no lots")
    seat = [f"seat={words['seat']}"] if words["seat"] else []
    for field in (*seat, *words["fields"].split()):
        name, _, value = field.partition("=")
        there = _at(about, name.split("."))
        if there is None:
            names = (each for each in _names(about) if each not in _NOT_SAID)
            known = which_there_are(name, names, "fields")
            yield BadInput(field, f"{kind} has no field {name!r}; {known}")
        elif not _can_be(there, value.lower()):
            yield BadInput(field, f"{name} is {_words(there)}; correct the value")
        elif known := _of_game(name, value, game):
            yield BadInput(field, f"cannot be at {game.id}; it has {known}")


def _tag(kind: type) -> str:
    return str(kind.__struct_config__.tag)  # type: ignore[attr-defined]  # a Struct, as all of them


_KINDS: Mapping[str, inspect.Type] = {
    _tag(each): inspect.type_info(each)
    for each in (*get_args(AnyObligation), *get_args(AnyDecision))
}


def _alternatives(there: inspect.Type) -> Sequence[inspect.Type]:
    if isinstance(there, inspect.Metadata):
        return _alternatives(there.type)
    return there.types if isinstance(there, inspect.UnionType) else (there,)


def _names(about: inspect.Type) -> Iterator[str]:
    """List the fields, those of a part behind a dot."""
    for field in about.fields if isinstance(about, inspect.StructType) else ():
        parts = [each for each in _alternatives(field.type) if isinstance(each, inspect.StructType)]
        for part in parts:
            yield from (f"{field.encode_name}.{name}" for name in _names(part))
        if not parts:
            yield field.encode_name


def _at(there: inspect.Type, path: Sequence[str]) -> inspect.Type | None:
    """Return what stands at a path; None if nothing can."""
    if not path:
        return there
    for each in _alternatives(there):
        match each:
            case inspect.StructType(fields=fields):
                inner = [_type_of(field) for field in fields if field.encode_name == path[0]]
            case inspect.DictType(value_type=value):
                inner = [value]
            case _:
                inner = []
        for one in inner:
            if (found := _at(one, path[1:])) is not None:
                return found
    return None


def _type_of(field: inspect.Field) -> inspect.Type:
    """Return what stands in a field; what may be left out is none too."""
    if not field.required and field.default is field.default_factory is NODEFAULT:
        return inspect.UnionType((field.type, inspect.NoneType()))
    return field.type


def _can_be(there: inspect.Type, value: str) -> bool:
    """Return whether a value, as `expectations.py` writes it, can stand there."""
    return any(_is_one(each, value) for each in _alternatives(there))


def _is_one(there: inspect.Type, value: str) -> bool:
    found = True
    match there:
        case inspect.IntType(ge=least, le=most):
            low, high = -1 if least is None else least, float("inf") if most is None else most
            found = bool(_WHOLE.fullmatch(value)) and low <= int(value[:40]) <= high
        case inspect.BoolType():
            found = value in {"true", "false"}
        case inspect.LiteralType(values=values):
            found = value in {str(each).lower().replace(" ", "_") for each in values}
        case inspect.StrType(max_length=most):
            found = len(value) <= (most or len(value))
        case inspect.NoneType():
            found = value == "none"
        case inspect.StructType():
            found = False  # its parts have names of their own
    return found


def _words(there: inspect.Type) -> str:
    """Say what can stand there."""
    said = [_words_of(each) for each in _alternatives(there)]
    return " or ".join(dict.fromkeys(filter(None, said))) or "something else"


def _words_of(there: inspect.Type) -> str:
    match there:
        case inspect.LiteralType(values=values):
            return f"one of {', '.join(map(str, values))}"
        case inspect.StructType(fields=fields):
            return (
                f"a part with names of its own ({', '.join(each.encode_name for each in fields)})"
            )
    return next((words for kind, words in _PLAIN if isinstance(there, kind)), "")


_PLAIN: tuple[tuple[type[inspect.Type], str], ...] = (
    (inspect.IntType, "a whole number"),
    (inspect.BoolType, "true or false"),
    (inspect.StrType, "a text"),
    (inspect.NoneType, "none"),
)


def _of_game(name: str, value: str, game: Game) -> str:
    """Return what the game has instead of a word that it does not have; nothing if it has it."""
    known: dict[str, Sequence[str]] = {"claim.tier": (*game.tiers,), "bet": (*game.bets,)}
    words = known.get(name, ())
    return "" if not words or value.lower() in words else ", ".join(words)
