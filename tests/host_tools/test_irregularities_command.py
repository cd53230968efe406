"""What `underfelt rules irregularities` tells: everything that a ruling can be asked, and its answer."""

import json
from itertools import product
from typing import get_args

import pytest

from firmware.rules.contract import IrregularityName
from firmware.rules.game import Game
from firmware.rules.games import GAMES
from firmware.rules.ruling import NEEDED_FACTS
from firmware.rules.words import IRREGULARITIES, OPTIONS, paragraphs
from host_tools.rules.irregularities import FACTS, irregularity_lines
from tests.host_tools.command import run


def told(game: Game) -> dict[str, str]:
    """Split what is told by irregularity."""
    parts = "\n".join(irregularity_lines(game)).split("\n\n")[1:]
    return {part.partition(":")[0]: part for part in parts}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_irregularity_is_told_with_facts_cases_paragraphs_and_options(game: Game) -> None:
    parts = told(game)
    assert list(parts) == list(get_args(IrregularityName))
    for name, part in parts.items():
        kind = next(each for each in get_args(IrregularityName) if each == name)
        assert IRREGULARITIES[kind] in part
        if kind in game.impossible:
            assert part.endswith("cannot happen in this game")
            continue
        for fact in NEEDED_FACTS[kind]:
            assert f"    {fact} " in part
            assert FACTS[fact] in part
        for case in game.irregularities.get(kind, (game.silent,)):
            cited = "the document is silent" if case.rule == "silent" else paragraphs([case.rule])
            assert f"({cited})" in part
            for option in case.options:
                assert f"    {option} " in part
                assert OPTIONS[option] in part


def test_what_is_told_of_the_facts_is_enough_to_ask_for_a_ruling() -> None:
    values = {
        "true or false": (True, False),
        "a whole": (1, 2),
        "a seat": (2,),
        "a list": ([1, 2],),
    }
    asked = []
    for game in GAMES.values():
        for name, part in told(game).items():
            lines = [line.split(":")[0].split(maxsplit=1) for line in part.splitlines()[2:]]
            facts = {line[0]: line[1] for line in lines if line[0] in FACTS}
            if "cannot happen" in part:
                continue
            choices = [
                next(found for said, found in values.items() if allowed.startswith(said))
                for allowed in facts.values()
            ]
            for chosen in product(*choices):
                given = dict(zip(facts, chosen, strict=True))
                if "first_seat" in given:
                    given["first_seat"] = 1
                asked.append({"game": game.id, "irregularity": name, "facts": given})
    ran = run("rules", "ruling", "--lines", given="\n".join(map(json.dumps, asked)))
    answers = [json.loads(line) for line in ran.out.splitlines()]
    assert len(answers) == len(asked)
    wrong = [
        (each, answer) for each, answer in zip(asked, answers, strict=True) if "error" in answer
    ]
    assert not wrong


def test_a_game_is_told_alone_and_all_side_by_side() -> None:
    one = run("rules", "irregularities", "rws-holdem")
    assert one.status == 0
    assert "count               a whole number from 1: how many cards were exposed" in one.out
    every = run("rules", "irregularities")
    assert every.status == 0
    for game in GAMES:
        assert game in every.out
    wrong = run("rules", "irregularities", "holdem")
    assert (wrong.status, wrong.out, wrong.err.count("\n")) == (2, "", 1)
    assert "the nearest is rws-holdem; the games are rws-multilink-stud, " in wrong.err
    assert "underfelt rules irregularities" in run("rules", "ruling", "--help").out
