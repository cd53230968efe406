"""Asks the rules core through its JSON contract, as another program would.

Tests of the games go through here: a dict in, a dict out, nothing of the
implementation in between. `refused` gives the `BadInput` of a bad document.
"""

import json
from typing import Any

import pytest

from firmware.errors import BadInput
from firmware.rules.documents import Question, answer

Json = dict[str, Any]


def settle(document: Json) -> Json:
    """Settle a round."""
    return _ask("settle", document)


def ruling(game: str, irregularity: str, **facts: object) -> Json:
    """Rule on an irregularity."""
    return _ask("ruling", {"game": game, "irregularity": irregularity, "facts": facts})


def award(document: Json) -> Json:
    """Award claims from a meter."""
    return _ask("award", document)


def refused(question: Question, document: Json) -> BadInput:
    """Give the error with which a document is refused; fail if it is accepted."""
    with pytest.raises(BadInput) as caught:
        _ask(question, document)
    return caught.value


def _ask(question: Question, document: Json) -> Json:
    answered: Json = json.loads(answer(question, json.dumps(document).encode()))
    return answered
