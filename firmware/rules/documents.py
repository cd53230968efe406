"""JSON at the edge of the rules core: one document in, one document out.

`answer("settle", b"{…}")` decodes, asks the pure function and encodes. Any mistake in a
document comes out as a `BadInput` that names the field (`refusals.py`). Streams, files and
exit codes are left to the command line.
"""

import codecs
from collections.abc import Callable
from typing import Any, Generic, Literal, TypeVar

import msgspec

from firmware.errors import BadInput
from firmware.rules.award import award
from firmware.rules.checks import check_seat_number
from firmware.rules.contract import Awards, Claims, Incident, Round
from firmware.rules.explain import explain_awards, explain_ruling, explain_settlement
from firmware.rules.games import find_game
from firmware.rules.refusals import one_line, refusal
from firmware.rules.ruling import ruling
from firmware.rules.settle import settle

Question = Literal["settle", "ruling", "award"]
Document = TypeVar("Document")
Answer = TypeVar("Answer")


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
        raise refusal(str(error), document, decoder.type) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput("document", f"not JSON: {one_line(str(error))}") from None
    except RecursionError:
        raise BadInput("document", "nested too deeply to be a document of the contract") from None
    except ValueError as error:  # an integer of more digits than Python reads
        raise BadInput("document", f"a number is too long: {one_line(str(error))}") from None


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
