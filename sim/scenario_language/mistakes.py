"""Every mistake in a scenario file, with its line: those of its head, and those of its sentences.

What can be wrong with one sentence is in `checking.py`. Where the head is wrong, nobody knows what
the table has, so its sentences are checked only for what is wrong at any table.
"""

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from msgspec.structs import replace

from firmware.errors import BadInput, UnderfeltError
from firmware.rules.games import find_game
from sim.scenario_language import table_setup
from sim.scenario_language.checking import Around, errors_in
from sim.scenario_language.dealing_checks import BadHand
from sim.scenario_language.reader import Head, Mistake, Scenario, Sentence, read_scenario

_REFUSAL = "expect refusal"


def file_mistakes(path: Path) -> list[str]:
    """List what is wrong in a file, each with its place."""
    try:
        scenario = read_scenario(path)
    except BadInput as error:
        return [str(error)]
    return [f"{path}:{each.line}: {each.words}" for each in mistakes_in(scenario)]


def mistakes_in(scenario: Scenario) -> list[Mistake]:
    """List what is wrong in a scenario, in the order of its lines."""
    head = scenario.head
    wrong = [*head.wrong, *_head_mistakes(head)]
    around = Around(
        game=find_game(head.game),
        settings=None if wrong else table_setup.table_settings(head),
        has_disk="disk" in head.settings,
        has_spot_board=table_setup.has_spot_board(head),
        is_angel_eye=head.source == "angel-eye",
        has_dealer=False,
    )
    for sentence, following in zip_longest(scenario.sentences, scenario.sentences[1:]):
        expected = following is not None and following.text.startswith(_REFUSAL)
        here = replace(around, refusal_expected=expected)
        wrong += [
            Mistake(_line_of(error, sentence), str(error)) for error in errors_in(sentence, here)
        ]
    return sorted(wrong, key=lambda mistake: mistake.line)


def _line_of(error: UnderfeltError, sentence: Sentence) -> int:
    return sentence.block_lines[error.number] if isinstance(error, BadHand) else sentence.line


def _head_mistakes(head: Head) -> Iterator[Mistake]:
    """Check the seats, then each setting by itself, then all of them together."""
    bare = replace(head, settings={})
    fewest, _ = find_game(head.game).positions
    alone = [
        (replace(bare, seats=fewest, settings={name: value}), head.lines[name])
        for name, value in head.settings.items()
    ]
    found = list(_mistakes_of(bare, head.line))
    for each, line in alone:
        found += _mistakes_of(each, line)
    yield from found or _mistakes_of(head, head.line)


def _mistakes_of(head: Head, line: int) -> Iterator[Mistake]:
    try:
        table_setup.check_head(head)
    except BadInput as error:
        yield Mistake(line, str(error))
