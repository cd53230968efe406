"""The sentences of a scenario: the form of each, what it does, and an example.

`people.py` (people and cards) and `mishaps.py` (what goes wrong) add theirs when they are
imported; the list that `underfelt-sim play --language` prints, and the one in the guide, come
from here. What can be expected is in `expectations.py`.
"""

import re
from collections.abc import Awaitable, Callable

from msgspec import Struct

from sim.scenario_language.reader import Sentence
from sim.scenario_language.stage import ScenarioStage

SentenceAction = Callable[[ScenarioStage, re.Match[str], Sentence], Awaitable[None]]


class SentenceForm(Struct, frozen=True):
    """One form of a sentence."""

    form: re.Pattern[str]
    action: SentenceAction
    example: str
    meaning: str
    others: tuple[str, ...] = ()
    """More examples, where one does not show every word; for suggestions."""


SENTENCE_FORMS: list[SentenceForm] = []


def says(form: str, example: str, *others: str) -> Callable[[SentenceAction], SentenceAction]:
    """Add a sentence to the language; the first line of its docstring says what it means."""

    def add(action: SentenceAction) -> SentenceAction:
        meaning = (action.__doc__ or "").split("\n")[0].rstrip(".")
        SENTENCE_FORMS.append(SentenceForm(re.compile(form), action, example, meaning, others))
        return action

    return add


def find_sentence(sentence: Sentence) -> tuple[SentenceAction, re.Match[str]] | None:
    """Return the form that a sentence matches."""
    for pattern in SENTENCE_FORMS:
        if found := pattern.form.fullmatch(sentence.text):
            return pattern.action, found
    return None
