"""The sentences of a scenario: the form of each, what it does, and an example.

`people.py` (people and cards) and `mishaps.py` (what goes wrong) add theirs when they are
imported; the list that `underfelt-sim play --language` prints, and the one in the guide, come
from here. The notation is in `grammar.py`; what can be expected is in `expectations.py`.
"""

from collections.abc import Awaitable, Callable
from functools import cache

from msgspec import Struct

from firmware.rules.game import Game
from firmware.rules.games import GAMES
from sim.scenario_language.grammar import Form, Slot, Words, form_of
from sim.scenario_language.reader import Sentence
from sim.scenario_language.table_stage import TableStage

SentenceAction = Callable[[TableStage, Words, Sentence], Awaitable[None]]


class SentenceForm(Struct, frozen=True):
    """One sentence, in all its forms."""

    notations: tuple[str, ...]
    action: SentenceAction
    example: str
    meaning: str
    is_key: bool = False
    """Whether it presses a key, which the table can refuse."""

    @property
    def form(self) -> Form:
        """The forms with the words of every game."""
        return _form_of(self.notations, tuple(GAMES))

    def of(self, game: Game) -> Form:
        """Return the forms with the words of a game: its bets and the players' answers."""
        return _form_of(self.notations, (game.id,))

    def match(self, text: str, game: Game) -> Words | None:
        """Read a sentence in this form, with the words of a game."""
        return self.of(game).fullmatch(text)


SENTENCE_FORMS: list[SentenceForm] = []


def keys(*notations: str, example: str = "") -> Callable[[SentenceAction], SentenceAction]:
    """Add a sentence that presses keys of the panel."""
    return says(*notations, example=example, is_key=True)


def says(
    *notations: str, example: str = "", is_key: bool = False
) -> Callable[[SentenceAction], SentenceAction]:
    """Add a sentence to the language; the first line of its docstring says what it means."""

    def add(action: SentenceAction) -> SentenceAction:
        meaning = (action.__doc__ or "").split("\n")[0].rstrip(".")
        shown = example or notations[0]
        SENTENCE_FORMS.append(SentenceForm(notations, action, shown, meaning, is_key))
        return action

    return add


def find_sentence(sentence: Sentence, game: Game) -> tuple[SentenceAction, Words] | None:
    """Return the form that a sentence matches at a table with this game."""
    known = form_said(sentence.text, game)
    found = known and known.match(sentence.text, game)
    return (known.action, found) if known and found else None


def form_said(text: str, game: Game) -> SentenceForm | None:
    """Return the sentence of the language that this is, at a table with this game."""
    return next((each for each in SENTENCE_FORMS if each.match(text, game) is not None), None)


@cache
def _form_of(notations: tuple[str, ...], games: tuple[str, ...]) -> Form:
    return form_of(notations, _words_of(games))


@cache
def _words_of(games: tuple[str, ...]) -> dict[str, Slot]:
    """Return the places where a game has its own words."""
    known = [GAMES[name] for name in games]
    bets = dict.fromkeys(bet for game in known for bet in game.bets)
    answers = dict.fromkeys(each for game in known for each in sorted(game.answers))
    return {
        "bet": _one_of((*bets,)),
        "answer": _one_of((*answers,)),
        "shown_or_answer": _one_of((*answers, "hidden", "shown")),
    }


def _one_of(words: tuple[str, ...]) -> Slot:
    return Slot("|".join(words), words, offered=True)
