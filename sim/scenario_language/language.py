"""The language as a whole: every form of every sentence, what is nearest, and what comes next.

For `underfelt-sim play` and for hands at a table. The sentences themselves are in `people.py`,
`mishaps.py` and `expectations.py`, which this file makes known;
what can be wrong with one is in `checking.py`.
"""

import difflib
from collections.abc import Collection, Iterable, Iterator

from firmware.errors import UnderfeltError
from firmware.rules.game import Game
from sim.scenario_language import expectations, facts, people, sentences  # noqa: F401  # as below
from sim.scenario_language import mishaps as _mishaps  # noqa: F401  # adds its sentences

EXPECT = "expect "
SECOND_SPOT = "jackpot_dealer"
"""The bet of the spots "on the dealer"."""
FILLED_IN = """\
Words are as they stand; the rest is an example: 3 is any seat, 1 3 one seat or several, $50 any
amount, As any card, a number any number, 'words that are shown' any words, and seat=3 any fields
of the message or record, each with its value."""
"""How the forms that are listed show what somebody fills in."""
_NEAREST = 3


class NotASentence(UnderfeltError):  # noqa: N818  # the word users see
    """Something that is not understood, and what was probably meant, the likeliest first."""

    def __init__(self, text: str, nearest: list[str]) -> None:
        self.nearest = nearest
        others = ", ".join(f"'{each}'" for each in nearest[1:])
        super().__init__(
            f"{text!r} is not a sentence; the nearest is '{nearest[0]}', then {others}"
            " ('underfelt-sim play --language' lists all)"
        )


def language() -> Iterator[tuple[str, str]]:
    """List every sentence: an example and what it means."""
    for pattern in sentences.SENTENCE_FORMS:
        yield pattern.example, pattern.meaning
    for known in expectations.EXPECTATIONS:
        yield known.example, known.meaning


def every_form(game: Game | None = None) -> Iterator[tuple[str, list[str]]]:
    """List what every sentence means, with its forms, in one game or in all."""
    for pattern in sentences.SENTENCE_FORMS:
        form = pattern.form if game is None else pattern.of(game)
        yield pattern.meaning, _first(pattern.example, form.sentences())
    for known in expectations.EXPECTATIONS:
        forms = [EXPECT + each for each in known.form.sentences()]
        yield known.meaning, _first(known.example, forms)


def forms_with(
    words: str, forms: Iterable[tuple[str, list[str]]]
) -> Iterator[tuple[str, list[str]]]:
    """Pick the forms that have these words; all forms of a sentence whose meaning has them."""
    for meaning, each in forms:
        found = each if words in meaning else [form for form in each if words in form]
        if found:
            yield meaning, found


def _first(example: str, forms: Collection[str]) -> list[str]:
    return list(dict.fromkeys((example, *forms)))


def nearest_sentences(text: str, game: Game) -> list[str]:
    """Return the sentences that were probably meant, the likeliest first."""
    if text.split()[:1] == ["report"]:
        return facts.nearest_reports(text.removeprefix("report").strip(), game)
    known = dict.fromkeys(each for _, forms in every_form(game) for each in forms)

    def likeness(sentence: str) -> float:
        return difflib.SequenceMatcher(None, text, sentence).ratio()

    return sorted(known, key=likeness, reverse=True)[:_NEAREST]


def completions(text: str, game: Game) -> list[str]:
    """List the sentences, or beginnings of sentences, that begin like this."""
    ways: set[str] = set()
    for pattern in sentences.SENTENCE_FORMS:
        ways |= pattern.of(game).continuations(text)
    if EXPECT.startswith(text) and text != EXPECT:
        ways.add(EXPECT[len(text) :])
    elif text.startswith(EXPECT):
        for known in expectations.EXPECTATIONS:
            ways |= known.form.continuations(text.removeprefix(EXPECT))
    found = sorted(text + way for way in ways)
    if SECOND_SPOT in game.jackpot_bets:
        return found
    return [each for each in found if "on the dealer" not in each]
