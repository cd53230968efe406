"""The sentences of a scenario: the form of each, what it does, and an example.

`people.py` (people and cards) and `mishaps.py` (what goes wrong) add theirs when they are
imported; the list that `underfelt-sim play --language` prints, and the one in the guide, come
from here. What can be expected is in `expectations.py`.
"""

import re
from collections.abc import Awaitable, Callable

from msgspec import Struct

from sim.scenario_language.reader import Sentence
from sim.scenario_language.stage import Stage

Action = Callable[[Stage, re.Match[str], Sentence], Awaitable[None]]


class Pattern(Struct, frozen=True):
    """One form of a sentence."""

    form: re.Pattern[str]
    action: Action
    example: str
    meaning: str
    others: tuple[str, ...] = ()
    """More examples, where one does not show every word; for suggestions."""


PATTERNS: list[Pattern] = []


def says(form: str, example: str, *others: str) -> Callable[[Action], Action]:
    """Add a sentence to the language; the first line of its docstring says what it means."""

    def add(action: Action) -> Action:
        meaning = (action.__doc__ or "").split("\n")[0].rstrip(".")
        PATTERNS.append(Pattern(re.compile(form), action, example, meaning, others))
        return action

    return add


def find(sentence: Sentence) -> tuple[Action, re.Match[str]] | None:
    """Return the form that a sentence matches."""
    for pattern in PATTERNS:
        if found := pattern.form.fullmatch(sentence.text):
            return pattern.action, found
    return None
