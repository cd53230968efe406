"""The library of scenarios, played; and that it covers every game, source and irregularity.

`make soak` plays every file. `make test` plays those that `chosen.toml` names with what they
guard; the others are shown as deselected.
"""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from firmware.rules.contract import IrregularityName
from firmware.rules.games import GAMES
from sim.broker import Broker
from sim.scenario_language import player
from sim.scenario_language.reader import Scenario, read_scenario
from tests.paragraphs import known_paragraphs
from tests.scenarios.library import FILES, SCENARIOS, chosen, is_full_round, name_of

FAMILIES = {
    "RWS stud": ("rws-multilink-stud", "rws-casino-stud"),
    "RWS hold'em": ("rws-holdem",),
    "Megalink": ("mbs-megalink-stud",),
    "Singapore": ("mbs-singapore-stud",),
}
SOURCES = ("shoe", "shuffler", "manual")


def _played() -> Iterator[object]:
    for path in FILES:
        marks = () if name_of(path) in chosen() else (pytest.mark.soak,)
        yield pytest.param(path, id=name_of(path), marks=marks)


@pytest.mark.parametrize("path", list(_played()))
def test_scenario(path: Path, broker: Broker) -> None:
    played = asyncio.run(player.play_file(path, broker))
    if played.skipped:
        pytest.skip(played.skipped)
    assert not played.failure, played.failure


# What the library covers


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("source", SOURCES)
def test_every_game_has_a_full_round_from_every_source(game: str, source: str) -> None:
    rounds = [each for each in SCENARIOS if is_full_round(each)]
    assert any((each.head.game, each.head.source) == (game, source) for each in rounds)


def test_an_angel_eye_shoe_deals_a_full_round() -> None:
    assert any(each.head.source == "angel-eye" and is_full_round(each) for each in SCENARIOS)


def answers(game: str, irregularity: IrregularityName) -> object:
    """Give what a game's rules say about an irregularity; None if it cannot happen there."""
    rules = GAMES[game]
    if irregularity in rules.impossible:
        return None
    return rules.irregularities.get(irregularity, (rules.silent,))


def _family_cases() -> Iterator[object]:
    """List each irregularity with each family whose answer no family before it has given."""
    for irregularity in get_args(IrregularityName):
        known: list[object] = [None]
        for family, games in FAMILIES.items():
            answer = answers(games[0], irregularity)
            if answer not in known:
                known.append(answer)
                yield pytest.param(games, irregularity, id=f"{family} {irregularity}")


@pytest.mark.parametrize(("games", "irregularity"), list(_family_cases()))
def test_every_irregularity_is_reported_once_per_answer(
    games: tuple[str, ...], irregularity: str
) -> None:
    assert any(each.head.game in games and irregularity in reported(each) for each in SCENARIOS), (
        f"no scenario of {games[0]} reports {irregularity}"
    )


def reported(scenario: Scenario) -> set[str]:
    """List the irregularities that a scenario reports."""
    said = [sentence.text.split() for sentence in scenario.sentences]
    return {words[1] for words in said if words[0] == "report"}


@pytest.mark.parametrize("games", FAMILIES.values(), ids=FAMILIES)
def test_every_paragraph_that_rules_an_irregularity_is_expected_in_words(
    games: tuple[str, ...],
) -> None:
    known: list[object] = [None]
    for before in list(FAMILIES.values())[: list(FAMILIES.values()).index(games)]:
        known += [answers(before[0], kind) for kind in get_args(IrregularityName)]
    expected = " ".join(
        sentence.text
        for each in SCENARIOS
        for sentence in each.sentences
        if each.head.game in games and sentence.text.startswith("expect ")
    )
    missing = []
    for kind in get_args(IrregularityName):
        cases = answers(games[0], kind)
        if cases in known or not isinstance(cases, tuple):
            continue
        for rule in sorted({case.rule for case in cases}):
            words = {"silent": "(the document is silent)"}.get(rule, f"{rule})")
            missing += [f"{kind}: no scenario expects paragraph {rule}"] * (words not in expected)
    assert not missing


@pytest.mark.parametrize("game", GAMES)
def test_the_power_is_cut_at_every_game(game: str) -> None:
    cuts = [
        sentence.text
        for each in SCENARIOS
        if each.head.game == game
        for sentence in each.sentences
        if sentence.text == "pull the plug"
    ]
    assert len(cuts) >= 4


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_scenario_says_what_it_is_about(path: Path) -> None:
    scenario = read_scenario(path)
    player.check_scenario(scenario)
    assert path.read_text(encoding="utf-8").startswith("# ")
    assert any(sentence.text.startswith("expect ") for sentence in scenario.sentences)
    if re.match(r"\d+-", path.stem):
        paragraph = re.match(r"\d+(?:-\d+)*", path.stem)
        assert paragraph is not None
        assert f"§{paragraph[0].replace('-', '.')}" in scenario.title


def test_titles_are_told_apart() -> None:
    titles = [scenario.title for scenario in SCENARIOS]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda each: name_of(each.path))
def test_every_paragraph_of_a_title_is_one_that_the_game_names(scenario: Scenario) -> None:
    for game, paragraph in re.findall(r"([a-z-]+)[^§]*?§([\d.]*\d)", scenario.title):
        known = paragraphs_of(game if game in GAMES else scenario.head.game)
        assert any(f"{each}.".startswith(f"{paragraph}.") for each in known), paragraph


def paragraphs_of(game: str) -> set[str]:
    """List the paragraphs that decide something in a game, and those of its deal."""
    rules = GAMES[game]
    ruled = {case.rule for kind in rules.irregularities.values() for case in kind}
    dealt = {step.rule for step in (*rules.shoe, *rules.shuffler)}
    return {*known_paragraphs(game), *ruled, *dealt, rules.silent.rule}
