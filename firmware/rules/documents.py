"""JSON at the edge of the rules core: one document in, one document out.

`answer("settle", b"{…}")` decodes, asks the pure function and encodes. Any mistake in a
document comes out as a `BadInput` that names the field (`refusals.py`). Streams, files and
exit codes are left to the command line.
"""

import codecs
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Generic, Literal, TypeVar

import msgspec

from firmware.errors import BadInput
from firmware.rules.award import award
from firmware.rules.checks import check_seat_number
from firmware.rules.contract import Awards, Claims, Incident, Round
from firmware.rules.explain import explain_awards, explain_ruling, explain_settlement
from firmware.rules.games import GAMES, find_game
from firmware.rules.refusals import About, one_line, refusal
from firmware.rules.ruling import NEEDED_FACTS, ruling
from firmware.rules.settle import settle

Question = Literal["settle", "ruling", "award"]
Document = TypeVar("Document")
Answer = TypeVar("Answer")
MORE_FOLLOWS = "not one JSON document: something follows its end"
"""How the refusal of several documents in one begins."""


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
        about = _about(document)
        if about.unknown_game:
            find_game(about.unknown_game)  # which says so: of another game, all else is wrong too
        raise refusal(str(error), document, decoder.type, about) from None
    except UnicodeDecodeError:
        raise BadInput("document", "not JSON: it is not text in UTF-8") from None
    except msgspec.DecodeError as error:
        raise BadInput("document", _not_json(one_line(str(error)))) from None
    except RecursionError:
        raise BadInput("document", "nested too deeply to be a document of the contract") from None
    except ValueError as error:  # an integer of more digits than Python reads
        raise BadInput("document", f"a number is too long: {one_line(str(error))}") from None


def _not_json(message: str) -> str:
    """Say why a document is no JSON, without the names that programs have for it."""
    why = message.removeprefix("JSON is malformed: ")
    if why.startswith("trailing characters"):
        return f"{MORE_FOLLOWS}{why.removeprefix('trailing characters')}"
    return f"not JSON: {'it ends too early' if why == 'Input data was truncated' else why}"


def _about(document: bytes) -> About:
    """Read which game a refused document is about, and which irregularity, as far as it can be."""
    told = {"game": "", "irregularity": ""}
    # What follows the mistake has not been read: it may be anything.
    with suppress(msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError):
        raw = msgspec.json.decode(document, type=dict[str, msgspec.Raw])
        for key in told.keys() & raw.keys():
            with suppress(msgspec.MsgspecError):
                told[key] = msgspec.json.decode(raw[key], type=str)
    meant = GAMES.get(told["game"])
    seats = "" if meant is None else f"1 to {meant.positions[1]} in {meant.id}"
    facts = NEEDED_FACTS.get(told["irregularity"])  # type: ignore[call-overload]  # any word
    unknown = told["game"] if meant is None else ""
    return About(games=tuple(GAMES), unknown_game=unknown, seats=seats, facts=facts)


def _checked_awards(asked: Claims) -> Awards:
    """Award claims of seats that the game has; a controller pays whatever it has accepted."""
    game = find_game(asked.game)
    for index, claim in enumerate(asked.claims):
        check_seat_number(game, claim.seat, f"claims[{index}].seat")
    return award(asked, game)


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
    "award": _Asked(Claims, _checked_awards, explain_awards),
}
