"""`make test` plays a scenario for everything that it has to guard: `chosen.toml` is complete.

A game, a source of cards, a ruling or a mishap that is new needs a line there, and
so does a file of the library: among the subjects, or among those that are left to `make soak`.
"""

import re
from collections import Counter
from collections.abc import Callable
from typing import get_args

import pytest

from firmware.rules.contract import Action
from firmware.rules.games import GAMES
from sim.scenario_language.reader import Scenario
from sim.scenario_language.table_setup import has_spot_board
from tests.scenarios.library import (
    CHOSEN,
    FILES,
    LEFT_TO_SOAK,
    SCENARIOS,
    chosen,
    costly_mishaps,
    is_full_round,
    name_of,
    said,
)

SOURCES = ("shoe", "shuffler", "manual")
JACKPOTS = {
    "a fixed amount": r"minor, \$[\d,.]+: pay",
    "a part of the meter": r"\b(?!100)\d+ % of the meter: pay",
    "the whole meter": r"100 % of the meter: pay",
    "shared": r"shared|share",
    "the registered meter": "from the registered meter",
}
"""How the panel tells a payment."""
RULED = {
    "void": "the round is void",
    "continue": "play continues as dealt",
    "reconstruct": "put the cards in their intended order",
    "options": "have a choice|MENU to choose",
    "invalidate": "Out of the round",
    "use_card": "use the card as the next card",
    "refuse": "refuse the bet",
    "stand": "the bet stands",
    "correct": "may correct the bet",
    "refer": "the rules leave it to",
}
"""How the panel tells a ruling."""


def expected(scenario: Scenario) -> str:
    """Give what a scenario expects, as one text."""
    return "\n".join(text for text in said(scenario) if text.startswith("expect "))


def deals(scenario: Scenario, subject: str) -> bool:
    """Tell whether it is a full round of a game from a source."""
    where = " on a spot board" if has_spot_board(scenario.head) else ""
    return (
        is_full_round(scenario) and f"{scenario.head.game} {scenario.head.source}{where}" == subject
    )


def is_cut_off(scenario: Scenario, game: str) -> bool:
    """Tell whether the power is cut in a round of a game, whose money is then seen to."""
    return scenario.head.game == game and "pull the plug" in costly_mishaps(scenario)


def goes_wrong(scenario: Scenario, mishap: str) -> bool:
    """Tell whether a mishap happens, and money is seen to after it."""
    return mishap in costly_mishaps(scenario)


def rules(scenario: Scenario, action: str) -> bool:
    """Tell whether a ruling of a kind is made, and carried out."""
    carried_out = any(re.fullmatch("confirm|.* confirms", text) for text in said(scenario))
    return bool(re.search(RULED[action], expected(scenario))) and carried_out


def pays(scenario: Scenario, how: str) -> bool:
    """Tell whether a jackpot is paid in a way."""
    return bool(re.search(JACKPOTS[how], expected(scenario) + scenario.title))


KINDS: dict[str, tuple[set[str], Callable[[Scenario, str], bool]]] = {
    "rounds": (
        {f"{game} {source}" for game in GAMES for source in SOURCES}
        | {"rws-multilink-stud angel-eye", "mbs-singapore-stud shoe on a spot board"},
        deals,
    ),
    "power-cuts": (set(GAMES), is_cut_off),
    "mishaps": (set().union(*map(costly_mishaps, SCENARIOS)), goes_wrong),
    "rulings": (set(get_args(Action)), rules),
    "jackpots": (set(JACKPOTS), pays),
}
"""What has to be guarded, and how a scenario shows that it is about it."""


def test_every_kind_of_subject_is_known() -> None:
    assert CHOSEN.keys() == KINDS.keys()
    assert set(RULED) == set(get_args(Action))


@pytest.mark.parametrize("kind", KINDS)
def test_every_subject_is_guarded_by_a_scenario(kind: str) -> None:
    subjects, _ = KINDS[kind]
    assert CHOSEN[kind].keys() == subjects


@pytest.mark.parametrize(
    ("kind", "subject"), [(kind, subject) for kind in CHOSEN for subject in CHOSEN[kind]]
)
def test_a_chosen_scenario_is_about_its_subject(kind: str, subject: str) -> None:
    _, is_about = KINDS[kind]
    by_name = {name_of(each.path): each for each in SCENARIOS}
    assert is_about(by_name[CHOSEN[kind][subject]], subject)


def test_every_scenario_is_chosen_or_left_to_soak() -> None:
    named = Counter([*chosen(), *LEFT_TO_SOAK])
    files = {name_of(path) for path in FILES}
    assert not {name for name, times in named.items() if times > 1}, "named as both"
    assert not files - named.keys(), "in neither list of chosen.toml"
    assert not named.keys() - files, "named in chosen.toml, and not there"
    assert sorted(LEFT_TO_SOAK) == LEFT_TO_SOAK
