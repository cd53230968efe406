"""Whatever comes from outside is bounded by its type: numbers, texts, lists (contract 1.8).

The types are walked, not listed: a field that is added without a bound is found.
"""

import re
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest
from msgspec import inspect

from firmware.maintenance.protocol import AnyRequest
from firmware.protocol import messages
from firmware.protocol.messages import AnyAnswer, TableStatus
from firmware.protocol.obligations import AnyObligation
from firmware.rules.bounds import MOST_CHARACTERS, MOST_WHOLE
from firmware.table.events import AnyDecision, Event, Observation

FROM_OUTSIDE: tuple[type[msgspec.Struct], ...] = (
    TableStatus,
    messages.ControllerStatus,
    messages.MeterMessage,
    messages.PendingMessage,
    *get_args(AnyAnswer),
    *get_args(AnyObligation),
    *get_args(AnyDecision),
    *Observation.__subclasses__(),
    *get_args(AnyRequest),
)


def kinds_below(kind: type[Any]) -> set[type[Any]]:
    """Return a class and everything made from it."""
    return {kind}.union(*map(kinds_below, kind.__subclasses__()))


def unbounded(kind: inspect.Type, at: str) -> Iterator[str]:
    """Yield where a type lets in something of any size."""
    if not is_bounded(kind):
        yield at
    for part, name in parts(kind):
        yield from unbounded(part, at + name)


def parts(kind: inspect.Type) -> Iterator[tuple[inspect.Type, str]]:
    """Yield the types that a type is made of, and what they are called in it."""
    match kind:
        case inspect.Metadata():
            yield kind.type, ""
        case inspect.StructType():
            yield from ((field.type, f".{field.name}") for field in kind.fields)
        case inspect.UnionType():
            yield from ((each, "") for each in kind.types)
        case inspect.TupleType():
            yield from ((each, "[]") for each in kind.item_types)
        case inspect.VarTupleType() | inspect.ListType():
            yield kind.item_type, "[]"
        case inspect.DictType():
            yield from ((each, "{}") for each in (kind.key_type, kind.value_type))


def is_bounded(kind: inspect.Type) -> bool:
    """Return whether a type, apart from its parts, has bounds."""
    match kind:
        case inspect.IntType(ge=int(least), le=int(most)):
            return -MOST_WHOLE <= least <= most <= MOST_WHOLE
        case inspect.StrType(pattern=str(pattern)):
            return re.search(pattern, "A" * MOST_CHARACTERS) is None
        case inspect.StrType(max_length=int(most)):
            return most <= MOST_CHARACTERS
        case inspect.VarTupleType() | inspect.ListType() | inspect.DictType():
            return kind.max_length is not None
    made_of_parts = (inspect.Metadata, inspect.StructType, inspect.UnionType, inspect.TupleType)
    few = (inspect.LiteralType, inspect.BoolType, inspect.NoneType)
    return isinstance(kind, (*made_of_parts, *few))


@pytest.mark.parametrize("kind", FROM_OUTSIDE, ids=lambda kind: kind.__name__)
def test_1_8_nothing_from_outside_has_a_number_a_text_or_a_list_without_bounds(
    kind: type[msgspec.Struct],
) -> None:
    assert [*unbounded(inspect.type_info(kind), kind.__name__)] == []


def test_every_message_and_every_event_is_looked_at() -> None:
    said = kinds_below(messages.Message) | kinds_below(Event)
    named = {kind for kind in said if kind.__module__.startswith("firmware.")}
    assert {kind for kind in named if not kind.__subclasses__()} <= {*FROM_OUTSIDE}


class _Careless(msgspec.Struct):
    """Something that lets in anything."""

    number: int
    text: str
    numbers: tuple[int, ...]
    by_name: dict[str, bool]


def test_a_type_without_bounds_is_found() -> None:
    found = [*unbounded(inspect.type_info(_Careless), "it")]
    wanted = ["it.number", "it.text", "it.numbers", "it.numbers[]", "it.by_name", "it.by_name{}"]
    assert found == wanted
