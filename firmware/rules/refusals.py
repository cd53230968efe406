"""What is said about a document that does not have the shape of the contract.

msgspec says what is wrong and where; here that becomes a `BadInput` that names the field and, where
a word or a key is wrong, those that there are. What a game does not allow is refused where the
question is answered (`checks.py`, `ruling.py`, `award.py`).
"""

import re
from collections.abc import Iterable
from contextlib import suppress
from difflib import SequenceMatcher
from functools import cache

import msgspec
from msgspec import inspect

from firmware.errors import BadInput, named
from firmware.rules.contract import MAX_CENTS, Cents

_WHERE = re.compile(r"^(?P<what>.*?)(?: - at `\$\.?(?P<path>.*)`)?$", re.DOTALL)
_IN_BETS = re.compile(r"^seats\[(?P<seat>\d+)\]\.bets\[\.\.\.\]$")
_KEY = re.compile(
    r"^Object (?P<problem>missing required|contains unknown) field `(?P<key>.*)`$", re.DOTALL
)
_WORD = re.compile(r"^Invalid enum value (?P<word>.*)$", re.DOTALL)
_STEP = re.compile(r"\w+|\[[^\]]*\]")
_IN_CENTS = "an amount is a whole number of cents: 25.50 is 2550"


class _RawRound(msgspec.Struct):
    """The seats of a refused round, undecoded; only one of them is looked at."""

    seats: list[msgspec.Raw]


class _RawStakes(msgspec.Struct):
    """The stakes, undecoded: Python cannot hold a number such as 1e400."""

    bets: dict[str, msgspec.Raw]


def nearest_first(word: str, known: Iterable[str]) -> str:
    """List the words that there are, those most like a wrong one first."""

    def unlike(each: str) -> float:
        return -SequenceMatcher(None, word[:64].lower(), each).ratio()

    return ", ".join(sorted(known, key=unlike))


def refusal(message: str, document: bytes, document_type: object) -> BadInput:
    """Say what msgspec has found wrong in a document, and what may stand there."""
    found = _WHERE.match(message)
    what, path = (found["what"], found["path"] or "") if found else (message, "")
    key = _KEY.match(what)
    if key is None:
        reason = _reason(what, _type_at(document_type, path))
        return BadInput(_with_the_bet(path, document) or "document", reason)
    name = named(key["key"])
    field = f"{path}.{name}" if path else name
    if key["problem"] == "missing required":
        return BadInput(field, "is missing")
    reason = "is not a key that the contract knows here"
    there = _type_at(document_type, path)
    if isinstance(there, inspect.StructType):
        keys = nearest_first(key["key"], (each.encode_name for each in there.fields))
        reason += f"; the keys are {keys}"
    return BadInput(field, reason)


def one_line(text: str) -> str:
    """Return a text as one line."""
    return " ".join(text.split())


def _reason(what: str, there: inspect.Type | None) -> str:
    word = _WORD.match(what)
    if word:
        reason = f"{word['word']} is not a word that the contract knows here"
        if isinstance(there, inspect.LiteralType):
            words = (each for each in there.values if isinstance(each, str))
            reason += f"; the words are {nearest_first(word['word'], words)}"
        return one_line(reason)
    reason = what[:1].lower() + what[1:]
    if isinstance(there, inspect.IntType) and there.le == MAX_CENTS and ", got" in what:
        reason += f"; {_IN_CENTS}"
    return one_line(reason)


def _type_at(document_type: object, path: str) -> inspect.Type | None:
    """Find the type of what stands at a path of a document."""
    there: inspect.Type | None = _whole(document_type)
    for step in _STEP.findall(path):
        there = _inside(there, step)
    return _said(there)


@cache
def _whole(document_type: object) -> inspect.Type:
    # Once: a stream of bad documents takes no more memory than one.
    return inspect.type_info(document_type)


def _inside(outer: inspect.Type | None, step: str) -> inspect.Type | None:
    match _said(outer):
        case inspect.StructType(fields=fields):
            return next((each.type for each in fields if each.encode_name == step), None)
        case inspect.VarTupleType(item_type=inner) | inspect.DictType(value_type=inner):
            return inner
    return None


def _said(there: inspect.Type | None) -> inspect.Type | None:
    """Return what may be said at a place that may be left out, too."""
    if isinstance(there, inspect.UnionType):
        return next((each for each in there.types if not _is_nothing(each)), None)
    return there


def _is_nothing(each: inspect.Type) -> bool:
    """Tell `UNSET`, which has no type of its own there, from what can be written."""
    return isinstance(each, inspect.CustomType | inspect.NoneType)


def _with_the_bet(path: str, document: bytes) -> str:
    """Put the bet's name where msgspec, for a value in a mapping, writes `[...]`."""
    in_bets = _IN_BETS.match(path)
    if in_bets is None:
        return path
    # What follows the bad value has not been read: it may not be JSON or text, may be nested
    # without end, or be a second `seats` without such a seat.
    with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError, IndexError):
        seats = msgspec.json.decode(document, type=_RawRound).seats
        stakes = msgspec.json.decode(seats[int(in_bets["seat"])], type=_RawStakes).bets
        bad = next((name for name, stake in stakes.items() if not _is_cents(stake)), None)
        if bad is not None:
            return path.replace("[...]", f".{named(bad)}")
    return path.removesuffix("[...]")


def _is_cents(stake: msgspec.Raw) -> bool:
    try:
        msgspec.json.decode(stake, type=Cents)
    except msgspec.ValidationError:
        return False
    return True
