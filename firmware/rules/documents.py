"""JSON at the edge of the rules core: one document in, one document out.

`answer("settle", b"{…}")` decodes, asks the pure function and encodes. Any mistake in a
document comes out as a `BadInput` that names the field. Streams, files and exit codes are
left to the command line.
"""

import codecs
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Generic, Literal, TypeVar

import msgspec

from firmware.errors import BadInput, named
from firmware.rules.award import award
from firmware.rules.contract import Cents, Claims, Incident, Round
from firmware.rules.explain import explain_awards, explain_ruling, explain_settlement
from firmware.rules.ruling import ruling
from firmware.rules.settle import settle

Question = Literal["settle", "ruling", "award"]
Document = TypeVar("Document")
Answer = TypeVar("Answer")

_WHERE = re.compile(r"^(?P<what>.*?)(?: - at `\$\.?(?P<path>.*)`)?$", re.DOTALL)
_IN_BETS = re.compile(r"^seats\[(?P<seat>\d+)\]\.bets\[\.\.\.\]$")
_KEY = re.compile(
    r"^Object (?P<problem>missing required|contains unknown) field `(?P<key>.*)`$", re.DOTALL
)
_WORD = re.compile(r"^Invalid enum value (?P<word>.*)$", re.DOTALL)


class _RawRound(msgspec.Struct):
    """The seats of a refused round, undecoded; only one of them is looked at."""

    seats: list[msgspec.Raw]


class _RawStakes(msgspec.Struct):
    """The stakes, undecoded: Python cannot hold a number such as 1e400."""

    bets: dict[str, msgspec.Raw]


def answer(question: Question, document: bytes) -> bytes:
    """Answer one JSON document of the contract with another."""
    return _QUESTIONS[question].answer(document)


def explain(question: Question, document: bytes) -> bytes:
    """Answer one JSON document of the contract in words."""
    return _QUESTIONS[question].explain(document)


def decode(decoder: "msgspec.json.Decoder[Document]", document: bytes) -> Document:
    """Decode strictly; a `BadInput` names the field as `seats[0].bets.ante`."""
    document = document.removeprefix(codecs.BOM_UTF8)
    if not document.strip():
        raise BadInput("document", "is empty; one JSON document is expected")
    try:
        return decoder.decode(document)
    except msgspec.ValidationError as error:
        raise _bad_input(str(error), document) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput("document", f"not JSON: {_one_line(str(error))}") from None
    except RecursionError:
        raise BadInput("document", "nested too deeply to be a document of the contract") from None
    except ValueError as error:  # an integer of more digits than Python reads
        raise BadInput("document", f"a number is too long: {_one_line(str(error))}") from None


def _bad_input(message: str, document: bytes) -> BadInput:
    found = _WHERE.match(message)
    what, path = (found["what"], found["path"] or "") if found else (message, "")
    key = _KEY.match(what)
    if key is None:
        return BadInput(_with_the_bet(path, document) or "document", _reason(what))
    name = named(key["key"])
    field = f"{path}.{name}" if path else name
    if key["problem"] == "missing required":
        return BadInput(field, "is missing")
    return BadInput(field, "is not a key that the contract knows here")


def _reason(what: str) -> str:
    word = _WORD.match(what)
    if word:
        return _one_line(f"{word['word']} is not a word that the contract knows here")
    return _one_line(what[:1].lower() + what[1:])


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


def _one_line(text: str) -> str:
    return " ".join(text.split())


class _Asked(Generic[Document, Answer]):
    """A question of the contract: what it reads, who answers it, who explains the answer."""

    def __init__(
        self,
        document_type: type[Document],
        function: Callable[[Document], Answer],
        in_words: Callable[[Document, Answer], str],
    ) -> None:
        self._decoder = msgspec.json.Decoder(document_type)
        self._encode = msgspec.json.Encoder().encode
        self._function = function
        self._in_words = in_words

    def answer(self, document: bytes) -> bytes:
        return self._encode(self._function(decode(self._decoder, document)))

    def explain(self, document: bytes) -> bytes:
        asked = decode(self._decoder, document)
        return self._in_words(asked, self._function(asked)).encode()


_QUESTIONS: dict[Question, _Asked[Any, Any]] = {
    "settle": _Asked(Round, settle, explain_settlement),
    "ruling": _Asked(Incident, ruling, explain_ruling),
    "award": _Asked(Claims, award, explain_awards),
}
