"""Reads a TOML file into a struct, strictly; any mistake is one sentence.

The sentence names the file, the key and the remedy, in words for a technician. msgspec
finds the mistake; the sentence is made here, from the type expected at that place and the
value found there. What a file means is up to its reader.
"""

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import inspect

from firmware.errors import BadInput, named
from firmware.journal.regular_files import MOST_SETTINGS_BYTES, read_regular

Read = TypeVar("Read")

_AT = re.compile(r"^(?P<what>.*?)(?: - at `\$(?P<path>.*)`)?$", re.DOTALL)
_GENERAL = re.compile(r"^(Expected|Invalid|Object) ")
_FIELD = re.compile(
    r"^Object (?P<case>contains unknown|missing required) field `(?P<name>.*)`$", re.DOTALL
)
_STEP = re.compile(r"\.(?P<name>[^.\[]+)|\[(?P<entry>\d+)\]")
_LONGEST_ECHO = 40

_VALUE_WORDS: tuple[tuple[type, str], ...] = (
    (bool, "true or false"),
    (str, "text"),
    (int, "a whole number"),
    (float, "a number with a fraction"),
    (list, "a list"),
    (dict, "a section"),
)


def read(path: Path) -> dict[str, object]:
    """Read a file as TOML."""
    return parse(str(path), _text(path))


def parse(where: str, text: str) -> dict[str, object]:
    """Read the text of a file as TOML; `where` is its name in sentences."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(where, f"is not TOML: {error}; correct the file there") from None


def fit(where: str, document: object, kind: type[Read], words: Mapping[str, str]) -> Read:
    """Make a struct of what a file says, or say which key is wrong.

    `words` describes the form of keys that have one of their own. The value of such a key is
    never repeated in the sentence: it may be a secret.
    """
    try:
        return msgspec.convert(document, kind)
    except msgspec.ValidationError as error:
        try:
            sentence = _sentence(str(error), kind, document, words)
        except LookupError:
            # A key that looks like part of msgspec's message leads nowhere.
            sentence = f"{str(error)!a}; correct that key"
        raise BadInput(where, sentence) from None


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that was probably meant."""
    found = difflib.get_close_matches(word, list(known), n=1)
    return found[0] if found else None


def _text(path: Path) -> str:
    try:
        return read_regular(path, MOST_SETTINGS_BYTES).decode()
    except OSError as error:
        remedy = "check its name and who may read it"
        raise BadInput(str(path), f"cannot be read: {error.strerror}; {remedy}") from None
    except UnicodeDecodeError:
        raise BadInput(str(path), "not UTF-8 text; save it as UTF-8") from None


class _Place:
    """A place in a file: the key for people, the type expected there, and the value found."""

    def __init__(self, kind: type, document: object, path: str) -> None:
        self.key, entry = "", ""
        self.wanted: inspect.Type = inspect.type_info(kind)
        self.found = document
        for step in _STEP.finditer(path):
            if step["name"] is not None:
                self._into(step["name"])
            else:
                self._entry(int(step["entry"]))
                entry = f" (entry {int(step['entry']) + 1})"
        self.entry = entry

    def label(self, field: str = "") -> str:
        """Write the key, or a field below it, with the number of the entry it is in."""
        key = ".".join(part for part in (self.key, named(field) if field else "") if part)
        return f"{key}{self.entry}"

    def fields(self) -> dict[str, inspect.Type]:
        """Return the keys that this place may have, and their types."""
        wanted = _unwrapped(self.wanted)
        if not isinstance(wanted, inspect.StructType):
            raise LookupError(self.key)  # noqa: TRY004  # the path leads nowhere
        return {field.encode_name: field.type for field in wanted.fields}

    def _into(self, name: str) -> None:
        self.wanted = self.fields()[name]
        self.key = f"{self.key}.{name}" if self.key else name
        self.found = self.found[name] if isinstance(self.found, dict) else None

    def _entry(self, number: int) -> None:
        wanted = _unwrapped(self.wanted)
        if not isinstance(wanted, inspect.VarTupleType | inspect.ListType):
            raise LookupError(self.key)  # noqa: TRY004  # the path leads nowhere
        self.wanted = wanted.item_type
        self.found = self.found[number] if isinstance(self.found, list) else None


def _sentence(message: str, kind: type, document: object, words: Mapping[str, str]) -> str:
    match = _AT.match(message)
    assert match is not None  # noqa: S101  # every part of the pattern may be empty
    place = _Place(kind, document, match["path"] or "")
    field = _FIELD.match(match["what"])
    if field is None:
        wanted = words.get(place.key)
        if wanted is not None:
            return f"{place.label()}: must be {wanted}"
        if not _GENERAL.match(match["what"]):
            # A struct's own check, in its own words; of the whole file there is nothing to name.
            return f"{place.label()}: {match['what']}" if place.key else match["what"]
        found = _found(place.found, _unwrapped(place.wanted))
        return f"{place.label()}: must be {_wanted(place.wanted)}, not {found}"
    name, fields = field["name"], place.fields()
    if field["case"] == "missing required":
        key = f"{place.key}.{name}" if place.key else name
        return f"{place.label(name)}: is missing; add {words.get(key) or _wanted(fields[name])}"
    meant = nearest(name, fields)
    remedy = f"did you mean {meant}?" if meant else f"remove it, or use one of {', '.join(fields)}"
    return f"{place.label(name)}: is not a known key; {remedy}"


def _unwrapped(wanted: inspect.Type) -> inspect.Type:
    """Return the type without its annotations, and of an optional type the type itself."""
    if isinstance(wanted, inspect.Metadata):
        return _unwrapped(wanted.type)
    if isinstance(wanted, inspect.UnionType):
        present = [each for each in wanted.types if not isinstance(each, inspect.NoneType)]
        if len(present) == 1:
            return _unwrapped(present[0])
    return wanted


def _wanted(wanted: inspect.Type) -> str:  # noqa: PLR0911  # one line per type
    """Say what a type accepts."""
    wanted = _unwrapped(wanted)
    match wanted:
        case inspect.IntType() | inspect.FloatType():
            return _number(wanted)
        case inspect.LiteralType(values):
            return f"one of {', '.join(str(value) for value in values)}"
        case inspect.StrType(min_length=int()):
            return "some text in quotation marks"
        case inspect.BoolType():
            return "true or false"
        case inspect.StructType():
            return f"a section with {', '.join(field.encode_name for field in wanted.fields)}"
        case inspect.VarTupleType(item_type) | inspect.ListType(item_type):
            return f"a list, each entry {_wanted(item_type)}"
        case inspect.UnionType(types):
            return " or ".join(_wanted(each) for each in types)
        case _:
            return "text in quotation marks"


def _number(wanted: inspect.IntType | inspect.FloatType) -> str:
    kind = "a whole number" if isinstance(wanted, inspect.IntType) else "a number"
    low = f"from {wanted.ge}" if wanted.ge is not None else ""
    low = f"above {wanted.gt}" if wanted.gt is not None else low
    high = f"to {wanted.le}" if wanted.le is not None else ""
    if wanted.gt is not None and high:
        high = f"and up {high}"
    return " ".join(part for part in (kind, low, high) if part)


def _found(value: object, wanted: inspect.Type) -> str:
    """Describe what is in the file: its kind if that is wrong, itself if it is short."""
    words = next(
        (words for kind, words in _VALUE_WORDS if isinstance(value, kind)), "a date or time"
    )
    if isinstance(value, bool):
        return str(value).lower()
    echo = ascii(value)
    if not isinstance(value, str | int | float) or len(echo) > _LONGEST_ECHO:
        return words
    right_kind = isinstance(wanted, inspect.LiteralType | inspect.StrType) == isinstance(value, str)
    whole = isinstance(value, float) and isinstance(wanted, inspect.IntType)
    return echo if right_kind and not whole else f"{words} ({echo})"
