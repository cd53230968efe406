"""The sentences of a scenario: the form of each, what it does, and an example.

`people.py` (people and cards) and `mishaps.py` (what goes wrong) add theirs when they are
imported; the list that `underfelt-sim play --language` prints, and the one in the guide, come
from here. What can be expected is in `expectations.py`.
"""

import re
from collections.abc import Awaitable, Callable

from msgspec import Struct

from firmware.rules.game import Game
from sim.scenario_language.reader import Sentence
from sim.scenario_language.stage import ScenarioStage

SentenceAction = Callable[[ScenarioStage, re.Match[str], Sentence], Awaitable[None]]
Fits = Callable[[re.Match[str], Game], bool]
"""Tells whether the words of a sentence are words of the game: bets and answers are."""


class SentenceForm(Struct, frozen=True):
    """One form of a sentence."""

    form: re.Pattern[str]
    action: SentenceAction
    example: str
    meaning: str
    others: tuple[str, ...] = ()
    """More examples, where one does not show every word; for suggestions."""
    fits: Fits | None = None

    def match(self, text: str, game: Game) -> re.Match[str] | None:
        """Read a sentence in this form, with the words of a game."""
        found = self.form.fullmatch(text)
        return found if found and (self.fits is None or self.fits(found, game)) else None


SENTENCE_FORMS: list[SentenceForm] = []


def says(
    form: str, example: str, *others: str, fits: Fits | None = None
) -> Callable[[SentenceAction], SentenceAction]:
    """Add a sentence to the language; the first line of its docstring says what it means."""

    def add(action: SentenceAction) -> SentenceAction:
        meaning = (action.__doc__ or "").split("\n")[0].rstrip(".")
        SENTENCE_FORMS.append(
            SentenceForm(re.compile(form), action, example, meaning, others, fits)
        )
        return action

    return add


def find_sentence(sentence: Sentence, game: Game) -> tuple[SentenceAction, re.Match[str]] | None:
    """Return the form that a sentence matches at a table with this game."""
    for pattern in SENTENCE_FORMS:
        if found := pattern.match(sentence.text, game):
            return pattern.action, found
    return None
