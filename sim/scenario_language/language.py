"""The language as a whole: every form of every sentence, what is nearest, and what comes next.

For `underfelt-sim play` and for hands at a table. The sentences themselves are in `people.py`,
`mishaps.py` and `expectations.py`, which this file makes known.
"""

import difflib
from collections.abc import Collection, Iterable, Iterator

from firmware.errors import BadInput, UnderfeltError
from firmware.rules.game import Game
from firmware.table.settings import TableSettings
from sim.scenario_language import expectations, facts, people, sentences
from sim.scenario_language import mishaps as _mishaps  # noqa: F401  # adds its sentences
from sim.scenario_language.dealing_checks import check_dealing
from sim.scenario_language.reader import Sentence

EXPECT = "expect "
SECOND_SPOT = "jackpot_dealer"
"""The bet of the spots "on the dealer"."""
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


def check_sentence(sentence: Sentence, settings: TableSettings, following: str = "") -> None:
    """Refuse what is not understood, and what cannot be meant; the next sentence is `following`.

    A key that the story expects to be refused may have facts that are wrong.
    """
    game, seats = settings.rules, settings.seats
    if not _is_known(sentence, game):
        _check_amount(sentence, game)
        raise NotASentence(sentence.text, nearest_sentences(sentence.text, game))
    check_dealing(sentence, settings)
    people.check_wait(sentence)
    _check_spots(sentence.text, game, seats)
    if sentence.text.startswith("report ") and not following.startswith("expect refusal"):
        facts.check_report(sentence.text.removeprefix("report "), game, seats)


def _check_amount(sentence: Sentence, game: Game) -> None:
    """Say of a sentence that only lacks the sign of its money that it does."""
    before, _, last = sentence.text.rpartition(" ")
    meant = f"{before} ${last}"
    if before and _is_known(Sentence(sentence.line, meant, sentence.block), game):
        raise BadInput(sentence.text, f"an amount has its sign before it; write '{meant}'")


def _check_spots(text: str, game: Game, seats: int) -> None:
    """Refuse coin spots that the table has not; which sentences name some is in their forms."""
    forms = [(each.notations, each.of(game)) for each in sentences.SENTENCE_FORMS]
    forms += [(each.notations, each.form) for each in expectations.EXPECTATIONS]
    for notations, form in forms:
        found = form.fullmatch(text.removeprefix(EXPECT))
        if found is None or not any("<dealer:" in notation for notation in notations):
            continue
        for seat in (found["seats"] or found["seat"]).split():
            if not 1 <= int(seat) <= seats:
                raise BadInput(f"seat {seat}", f"is not at this table; it has seats 1 to {seats}")
        if found["dealer"] and SECOND_SPOT not in game.jackpot_bets:
            raise BadInput("on the dealer", f"there is no such coin spot in {game.id}")


def _is_known(sentence: Sentence, game: Game) -> bool:
    if sentence.text.startswith(EXPECT):
        return expectations.find_expectation(sentence.text.removeprefix(EXPECT)) is not None
    return sentences.find_sentence(sentence, game) is not None
