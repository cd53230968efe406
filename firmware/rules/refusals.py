"""What is said about a document that does not have the shape of the contract.

msgspec says what is wrong and where; here that becomes a `BadInput` that names the field and says in
people's words what belongs there: the words or keys that there are, a range, an example. What a game
does not allow is refused where the question is answered (`checks.py`, `ruling.py`, `award.py`).
"""

import re
from collections.abc import Iterable
from contextlib import suppress
from difflib import SequenceMatcher
from functools import cache

import msgspec
from msgspec import inspect

from firmware.errors import BadInput, named
from firmware.rules.bounds import MOST_WHOLE
from firmware.rules.contract import MAX_CENTS, Cents

_WHERE = re.compile(r"^(?P<what>.*?)(?: - at `\$\.?(?P<path>.*)`)?$", re.DOTALL)
_IN_BETS = re.compile(r"^seats\[(?P<seat>\d+)\]\.bets\[\.\.\.\]$")
_KEY = re.compile(
    r"^Object (?P<problem>missing required|contains unknown) field `(?P<key>.*)`$", re.DOTALL
)
_WORD = re.compile(r"^Invalid enum value (?P<word>.*)$", re.DOTALL)
_STEP = re.compile(r"\w+|\[[^\]]*\]")
_GOT = re.compile(r"^Expected .*, got `(?P<got>\w+)`$", re.DOTALL)
_A_SEAT = re.compile(r"(^|\.|_)(seat|(seats|viewed)\[\d+\])$")
_NEAR = 0.6
_FOUND = {
    "str": "a text",
    "int": "a number",
    "float": "a number with a fraction",
    "bool": "true or false",
    "null": "null",
    "array": "a list",
    "object": "an object",
}
"""What msgspec calls what it found, and people do."""


class About(msgspec.Struct, frozen=True):
    """What a refused document says of itself, as far as it can be read, and what that allows."""

    games: tuple[str, ...] = ()
    unknown_game: str = ""
    """The game that it names, if there is none such."""
    seats: str = ""
    """Which seats its game has, in words."""
    facts: tuple[str, ...] | None = None
    """Which facts its irregularity needs."""


class _RawRound(msgspec.Struct):
    """The seats of a refused round, undecoded; only one of them is looked at."""

    seats: list[msgspec.Raw]


class _RawStakes(msgspec.Struct):
    """The stakes, undecoded: Python cannot hold a number such as 1e400."""

    bets: dict[str, msgspec.Raw]


def which_there_are(word: str, known: Iterable[str], named_as: str) -> str:
    """Name what a wrong word probably was meant to be, then all that there are, in their own order."""
    words = list(known)

    def likeness(each: str) -> float:
        return SequenceMatcher(None, word[:64].strip("'").lower(), each).ratio()

    nearest = max(words, key=likeness, default="")
    meant = f"the nearest is {nearest}; " if nearest and likeness(nearest) >= _NEAR else ""
    return f"{meant}the {named_as} are {', '.join(words) or 'none'}"


def refusal(message: str, document: bytes, document_type: object, about: About) -> BadInput:
    """Say what msgspec has found wrong in a document, and what may stand there."""
    found = _WHERE.match(message)
    what, path = (found["what"], found["path"] or "") if found else (message, "")
    key = _KEY.match(what)
    if key is None:
        reason = _reason(what, path, _type_at(document_type, path), about)
        return BadInput(_with_the_bet(path, document) or "document", reason)
    name = named(key["key"])
    field = f"{path}.{name}" if path else name
    if key["problem"] == "missing required":
        wanted = _wanted(field, _type_at(document_type, field), about)
        return BadInput(field, f"is missing; it must be {wanted}" if wanted else "is missing")
    reason = "is not a key that the contract knows here"
    there = _type_at(document_type, path)
    if path == "facts" and about.facts is not None:
        reason += f"; {which_there_are(key['key'], about.facts, 'facts')}"
    elif isinstance(there, inspect.StructType):
        keys = (each.encode_name for each in there.fields)
        reason += f"; {which_there_are(key['key'], keys, 'keys')}"
    return BadInput(field, reason)


def one_line(text: str) -> str:
    """Return a text as one line."""
    return " ".join(text.split())


def _reason(what: str, path: str, there: inspect.Type | None, about: About) -> str:
    word = _WORD.match(what)
    if word:
        reason = f"{word['word']} is not a word that the contract knows here"
        if isinstance(there, inspect.LiteralType):
            words = sorted(each for each in there.values if isinstance(each, str))
            reason += f"; {which_there_are(word['word'], words, 'words')}"
        return one_line(reason)
    got, wanted = _GOT.match(what), _wanted(path, there, about)
    if not wanted:
        return one_line(what[:1].lower() + what[1:])
    found = f"is {_FOUND[got['got']]}; it " if got and got["got"] in _FOUND else ""
    return one_line(f"{found}must be {wanted}")


def _wanted(path: str, there: inspect.Type | None, about: About) -> str:
    """Say in people's words what belongs at a place."""
    if path == "game" and about.games:
        return f"one of the games {', '.join(about.games)}"
    match there:
        case inspect.IntType():
            return _whole_number(path, there, about)
        case inspect.StrType(max_length=int(most)):
            return f"a text in quotes of at most {most} characters"
        case inspect.LiteralType(values=values):
            return f"one of the words {', '.join(map(str, values))}"
        case inspect.DateTimeType():
            return "a time with its zone, such as 2026-01-02T03:04:05.678Z"
        case _:
            return next((words for kind, words in _KINDS if isinstance(there, kind)), "")


_KINDS: tuple[tuple[type[inspect.Type], str], ...] = (
    (inspect.StrType, "a text in quotes"),
    (inspect.BoolType, "true or false"),
    (inspect.VarTupleType, "a list, [...]"),
    (inspect.DictType, "an object, {...}"),
    (inspect.StructType, "an object, {...}"),
)


def _whole_number(path: str, there: inspect.IntType, about: About) -> str:
    if there.le == MAX_CENTS:
        return f"a whole number of cents from 0 to {MAX_CENTS}; 25.50 is 2550"
    if _A_SEAT.search(path):
        return f"a seat, {about.seats or 'a whole number from 1'}"
    if there.ge is None or there.ge <= -MOST_WHOLE:
        return "a whole number"
    most = "" if there.le is None or there.le >= MOST_WHOLE else f" to {there.le}"
    return f"a whole number from {there.ge}{most}"


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
