"""Scenarios of the sixth game, played on the real firmware."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from sim.broker import Broker
from sim.scenario_language import player
from tests.scenarios.brokers import shared_broker

FILES = sorted(Path(__file__).parent.glob("*.table"))
assert FILES


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    with shared_broker() as running:
        yield running


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_sixth_game_is_played_in_a_scenario(path: Path, broker: Broker) -> None:
    played = asyncio.run(player.play_file(path, broker))
    assert not played.failure, played.failure
    assert not played.skipped
