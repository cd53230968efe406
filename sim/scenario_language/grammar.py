"""The form of a sentence: one notation that reads a sentence, lists its forms, and completes it.

    coins <seats>                     a slot; `SLOTS` says what may stand there
    the supply <what:fails|is back>   one of these, under a name
    the wire (is mended|is good)      one of these, which mean the same
    deal[ <count> cards]              what may be left out

`<seats:=seat>` is a slot of another kind under the name `seats`. What the sentences are and do is
in `people.py` and `mishaps.py`, what can be expected in `expectations.py`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, product
from types import MappingProxyType
from typing import Literal, TypeAlias

from msgspec import Struct


class Words(dict[str, str]):
    """The words of a sentence by the names of their places; what was left out is empty."""

    def __bool__(self) -> bool:
        """Be something, even where a sentence has no places to fill."""
        return True

    def __missing__(self, name: str) -> str:
        """Return nothing for a place that this form of the sentence has not."""
        return ""


Kind = Literal["", "seats", "money", "cards", "count", "device", "fault place", "fields"]
"""What a place is about, if what stands there can be checked (`checking.py`)."""


class Slot(Struct, frozen=True):
    """What may stand at a place: a pattern, and the examples that lists of forms show."""

    pattern: str
    examples: tuple[str, ...]
    offered: bool = False
    """Whether somebody who types is offered the examples."""
    kind: Kind = ""
    alone: bool = False
    """Whether lists show the other examples only with everything else as in the first form.

    What else can stand in a sentence may depend on them: a message has its own fields.
    """


SEAT = r"[0-9]{1,9}"
WHOLE = r"[0-9]{1,9}"
"""A whole number, and no longer than anybody means."""
_PLACE = rf"(?:{SEAT}|dealer|board)"


def seat_slot(*examples: str) -> Slot:
    """Return a place for one seat."""
    return Slot(SEAT, examples, kind="seats")


def _seats_slot(*examples: str, least: int = 1) -> Slot:
    return Slot(rf"{SEAT}(?: {SEAT}){{{least - 1},}}", examples, kind="seats")


class _Place(Struct, frozen=True):
    name: str
    slot: Slot


class _Choice(Struct, frozen=True):
    options: tuple[str, ...]
    name: str = ""


class _Optional(Struct, frozen=True):
    inner: "tuple[_Part, ...]"


_Part: TypeAlias = str | _Place | _Choice | _Optional

_NUMBER = rf"{WHOLE}(?:\.{WHOLE})?"
SLOTS: dict[str, Slot] = {
    "seat": seat_slot("3"),
    "seats": _seats_slot("1 3"),
    "one_seat": _seats_slot("1"),
    "third_seat": _seats_slot("3"),
    "several": _seats_slot("2 3", least=2),
    "amount": Slot(r"\$\S+", ("$50",), kind="money"),
    "number": Slot(WHOLE, ("2",), kind="count"),
    "count": Slot(WHOLE, ("4",), kind="count"),
    "seconds": Slot(_NUMBER, ("2",)),
    "whole_seconds": Slot(WHOLE, ("90",)),
    "card": Slot(r"\S+", ("As",), kind="cards"),
    "cards": Slot(r".+", ("As Kd 9c 7h 2s",), kind="cards"),
    "text": Slot(r".+", ("a wrong card",)),
    "place": Slot(_PLACE, ("3", "dealer", "board"), kind="seats"),
    "two_places": Slot(rf"{_PLACE} {_PLACE}", ("1 3",), kind="seats"),
    "places": Slot(rf"{_PLACE}(?: {_PLACE})*", ("1 3",), kind="seats"),
    "fault_place": Slot(r"[a-z].*", ("seat 3",), kind="fault place"),
}
"""The kinds of places that sentences have in common; a part of the language adds its own."""


class Form(Struct, frozen=True):
    """The forms of one sentence."""

    parts: tuple[tuple[_Part, ...], ...]
    patterns: tuple[re.Pattern[str], ...]

    def fullmatch(self, text: str) -> Words | None:
        """Read a sentence; None if it is not this one."""
        for pattern in self.patterns:
            if found := pattern.fullmatch(text):
                return Words({name: word or "" for name, word in found.groupdict().items()})
        return None

    def filled(self, text: str) -> Iterator[tuple[Kind, str]]:
        """List what stands at the places of a sentence of this form, with what each is about."""
        for parts, pattern in zip(self.parts, self.patterns, strict=True):
            if found := pattern.fullmatch(text):
                words = ((place.slot.kind, found[place.name] or "") for place in _places(parts))
                yield from ((kind, word) for kind, word in words if word)
                return

    def sentences(self) -> list[str]:
        """List every form: all alternatives with each other, and an example where a person fills in."""
        return list(dict.fromkeys(chain.from_iterable(map(_varied, self.parts))))

    def continuations(self, text: str) -> set[str]:
        """List how a sentence that begins like this can go on, up to where a person fills in."""
        return set(chain.from_iterable(_continued(parts, text) for parts in self.parts))


def form_of(notations: Sequence[str], slots: Mapping[str, Slot] = MappingProxyType({})) -> Form:
    """Read the notation of a sentence, in one form or several; `slots` go before those of all."""
    parts = tuple(_Notation({**SLOTS, **slots}).parsed(each) for each in notations)
    return Form(parts, tuple(re.compile("".join(map(_pattern, each))) for each in parts))


_TOKEN = re.compile(r"<(?P<name>\w+)(?P<how>:=?)?(?P<body>[^>]*)>|\((?P<same>[^)]*)\)|(?P<open>\[)")


class _Notation:
    """Reads a notation, with the slots that there are."""

    def __init__(self, slots: Mapping[str, Slot]) -> None:
        self._slots = slots

    def parsed(self, notation: str) -> tuple[_Part, ...]:
        parts: list[_Part] = []
        while found := _TOKEN.search(notation):
            if found.start():
                parts.append(notation[: found.start()])
            notation = notation[found.end() :]
            if found["open"]:
                end = _closing(notation)
                parts.append(_Optional(self.parsed(notation[:end])))
                notation = notation[end + 1 :]
            else:
                parts.append(self._part(found))
        return (*parts, notation) if notation else tuple(parts)

    def _part(self, found: re.Match[str]) -> _Part:
        if found["same"] is not None:
            return _Choice(tuple(found["same"].split("|")))
        if found["how"] == ":":
            return _Choice(tuple(found["body"].split("|")), found["name"])
        return _Place(found["name"], self._slots[found["body"] or found["name"]])


def _closing(notation: str) -> int:
    """Find the bracket that closes what has been opened."""
    depth = 1
    for place, character in enumerate(notation):
        depth += {"[": 1, "]": -1}.get(character, 0)
        if not depth:
            return place
    raise ValueError(notation)


def _places(parts: Sequence[_Part]) -> Iterator[_Place]:
    for part in parts:
        if isinstance(part, _Place):
            yield part
        elif isinstance(part, _Optional):
            yield from _places(part.inner)


def _pattern(part: _Part) -> str:
    match part:
        case str():
            return re.escape(part)
        case _Place(name, slot):
            return f"(?P<{name}>{slot.pattern})"
        case _Choice(options, name):
            # The longest first, or "open" would hide "open the table".
            words = "|".join(re.escape(each) for each in sorted(options, key=len, reverse=True))
            return f"(?P<{name}>{words})" if name else f"(?:{words})"
        case _Optional(inner):
            return f"(?:{''.join(map(_pattern, inner))})?"


# Listing


def _varied(parts: Sequence[_Part]) -> Iterator[str]:
    plain = [_first(part) for part in parts]
    together = ([_first(part), *([] if _is_alone(part) else _others(part))] for part in parts)
    yield from map("".join, product(*together))
    for place, part in enumerate(parts):
        for words in _others(part) if _is_alone(part) else ():
            yield "".join((*plain[:place], words, *plain[place + 1 :]))


def _is_alone(part: _Part) -> bool:
    return isinstance(part, _Place) and part.slot.alone


def _first(part: _Part) -> str:
    match part:
        case str():
            return part
        case _Place(_, slot):
            return slot.examples[0]
        case _Choice(options):
            return options[0]
        case _Optional():
            return ""


def _others(part: _Part) -> Iterator[str]:
    match part:
        case _Place(_, slot):
            yield from slot.examples[1:]
        case _Choice(options):
            yield from options[1:]
        case _Optional(inner):
            yield from _varied(inner)


# Completing


def _continued(parts: Sequence[_Part], text: str) -> Iterator[str]:
    if not parts:
        return
    part, rest = parts[0], parts[1:]
    match part:
        case str():
            yield from _after_words(part, rest, text)
        case _Choice(options):
            for option in options:
                yield from _after_words(option, rest, text)
        case _Optional(inner):
            yield from _continued((*inner, *rest), text)
            yield from _continued(rest, text)
        case _Place(_, slot):
            yield from _after_slot(slot, rest, text)


def _after_words(words: str, rest: Sequence[_Part], text: str) -> Iterator[str]:
    if text == words and not rest:
        yield ""
    elif text.startswith(words):
        yield from _continued(rest, text[len(words) :])
    elif words.startswith(text):
        yield from (words[len(text) :] + more for more in _plain_ways_on(rest))


def _after_slot(slot: Slot, rest: Sequence[_Part], text: str) -> Iterator[str]:
    if slot.offered:
        for example in slot.examples:
            yield from _after_words(example, rest, text)
    elif found := re.match(slot.pattern, text):
        if found.end() < len(text):
            yield from _continued(rest, text[found.end() :])
        else:
            yield from _plain_ways_on(rest)


def _plain_ways_on(parts: Sequence[_Part]) -> Iterator[str]:
    """List the words that follow without anybody's choice; an option may be left out."""
    if not parts:
        yield ""
        return
    part, rest = parts[0], parts[1:]
    if isinstance(part, _Choice) and len(part.options) == 1:
        part = part.options[0]
    if isinstance(part, str):
        yield from (part + more for more in _plain_ways_on(rest))
    elif isinstance(part, _Optional):
        yield from _plain_ways_on(rest)
        yield from _plain_ways_on((*part.inner, *rest))
    else:
        # Here somebody chooses: with the next TAB, or by typing.
        yield ""
