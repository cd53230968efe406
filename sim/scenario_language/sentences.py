"""The sentences that a scenario can say: a form, what it does, an example.

`script.py` (people and cards) and `mishaps.py` (what goes wrong) add theirs when they are
imported; the list that `underfelt-sim play --language` prints, and the one in the guide,
are made from here. What can be expected is in `expectations.py`.
"""

import re
from collections.abc import Awaitable, Callable

from msgspec import Struct

from firmware.rules.game import Game
from sim.scenario_language.reader import Sentence
from sim.scenario_language.stage import Stage

Action = Callable[[Stage, re.Match[str], Sentence], Awaitable[None]]
Fits = Callable[[re.Match[str], Game], bool]
"""Tells whether the words of a sentence are words of the game: bets and answers are."""


class Pattern(Struct, frozen=True):
    """One form of a sentence."""

    form: re.Pattern[str]
    action: Action
    example: str
    meaning: str
    others: tuple[str, ...] = ()
    """More examples, where one does not show every word: for what was probably meant."""
    fits: Fits | None = None

    def match(self, text: str, game: Game) -> re.Match[str] | None:
        """Read a sentence in this form, with the words of a game."""
        found = self.form.fullmatch(text)
        return found if found and (self.fits is None or self.fits(found, game)) else None


PATTERNS: list[Pattern] = []


def says(
    form: str, example: str, *others: str, fits: Fits | None = None
) -> Callable[[Action], Action]:
    """Add a sentence to the language; the first line of its docstring says what it means."""

    def add(action: Action) -> Action:
        meaning = (action.__doc__ or "").split("\n")[0].rstrip(".")
        PATTERNS.append(Pattern(re.compile(form), action, example, meaning, others, fits))
        return action

    return add


def find(sentence: Sentence, game: Game) -> tuple[Action, re.Match[str]] | None:
    """Find what a sentence means at a table with this game."""
    for pattern in PATTERNS:
        if found := pattern.match(sentence.text, game):
            return pattern.action, found
    return None
