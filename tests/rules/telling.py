"""Asks the rules core for its answers in words, as the command line does."""

import json

from firmware.rules.documents import Question, explain
from tests.rules.ask import Json


def in_words(question: Question, document: Json) -> list[str]:
    """Ask for an answer in words and give its lines, without the margin."""
    text = explain(question, json.dumps(document).encode()).decode()
    return [line.strip() for line in text.split("\n")]
