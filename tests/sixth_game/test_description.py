"""The sixth game as a description: complete, unlike the others, and imported by nothing."""

import json
import subprocess
from pathlib import Path
from typing import get_args

import pytest

from firmware.rules.contract import Action, IrregularityName
from firmware.rules.games import GAMES
from tests.host_tools.command import UNDERFELT
from tests.rules.ask import ruling
from tests.rules.test_games import (
    assert_well_formed,
    citations,
    every_combination,
    is_citation,
)
from tests.sixth_game.caribbean_stud import GAME, IRREGULARITIES

ROOT = Path(__file__).parent.parent.parent
PRODUCTION = ("firmware", "host_tools", "sim", "hw")
FIVE = [game for game in GAMES.values() if game is not GAME]


def test_no_production_file_knows_the_sixth_game() -> None:
    files = [path for folder in PRODUCTION for path in (ROOT / folder).rglob("*.*")]
    assert len(files) > 200
    words = ("caribbean", "sixth_game", "sitecustomize")
    knowing = [
        str(path.relative_to(ROOT))
        for path in files
        if path.is_file()
        and "__pycache__" not in path.parts
        and any(
            word in path.read_text(encoding="utf-8", errors="replace").lower() for word in words
        )
    ]
    assert knowing == []


def test_its_bet_has_a_name_that_no_other_game_has() -> None:
    assert len(FIVE) == 5
    assert GAME.stay == "raise"
    assert not any("raise" in game.bet_names for game in FIVE)


def test_every_action_of_the_engine_is_one_of_its_answers() -> None:
    cases = [case for cases in IRREGULARITIES.values() for case in cases]
    assert {case.action for case in cases} == set(get_args(Action))


@pytest.mark.parametrize("irregularity", get_args(IrregularityName))
def test_every_irregularity_is_answered_whatever_the_facts(irregularity: str) -> None:
    for facts in every_combination(irregularity):
        if irregularity not in GAME.impossible:
            assert_well_formed(ruling(GAME.id, irregularity, **facts))


@pytest.mark.parametrize("seen", [False, True])
def test_a_jackpot_that_fails_voids_the_round_whatever_was_seen(*, seen: bool) -> None:
    assert ruling(GAME.id, "jackpot_fault", any_player_seen=seen)["action"] == "void"
    others = {ruling(game.id, "jackpot_fault", any_player_seen=True)["action"] for game in FIVE}
    assert "void" not in others


def test_every_citation_is_a_paragraph() -> None:
    assert all(is_citation(rule, ()) for _, rule in citations(GAME, GAME.id) if rule)


def test_the_tools_know_the_sixth_game_where_it_is_registered() -> None:
    asked = {
        "game": GAME.id,
        "dealer": ["As", "Kd", "9c", "7h", "2s"],
        "seats": [
            {
                "seat": 1,
                "cards": ["8h", "8d", "8c", "3s", "4h"],
                "bets": {"ante": 2_500, "raise": 5_000},
                "decision": "raise",
            }
        ],
    }
    ended = subprocess.run(
        [str(UNDERFELT), "rules", "settle", "--explain"],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
    )
    said = [line.strip() for line in ended.stdout.splitlines()]
    assert said[0] == "Caribbean Stud (caribbean-stud)"
    assert "raise                $50.00   wins: pay $150.00, leave $50.00" in said
