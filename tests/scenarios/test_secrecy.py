"""Nothing but the journal knows a card before it is face up: a real process is listened to.

Every port, socket, topic, log and file of a table of each game is listened to during a deal
of hands that would be worth telling; what the pure table says is searched in `tests/table`.
"""

import asyncio
import re
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware.journal.reader import records
from firmware.rules.games import GAMES
from sim.broker import Broker
from sim.scenario_language import player, stage
from sim.scenario_language.reader import Scenario, parse_scenario
from tests.scenarios.ears import Ears
from tests.table.test_no_card_leaks import CARD, DRAWN, HAND

STUD = """
deal
    seat 1: As Ks Qs Js Ts
    seat 3: 9h 9d 9c 9s 4d
    dealer: Ah Kd 8c 7h 2s
bet 1
fold 3
"""
HOLDEM = """
deal
    seat 1: As Ks
    seat 3: 9h 9d
    board: Qs Js Ts 9c 9s
    dealer: Ah Kd
flop 1
fold 3
"""
BOARD = {
    "shoe": """
deal on
reveal
check 1
deal on
reveal
check 1
deal on
reveal
deal on
""",
    "shuffler": """
reveal
check 1
reveal
check 1
reveal
""",
}
BETS = """
open
coins 1 3
close
lift all
"""


def story(game: str, source: str) -> Scenario:
    """Tell a round up to the moment before the hands are turned up."""
    community = GAMES[game].community_cards
    deal = HOLDEM + BOARD[source] if community else STUD
    return parse_scenario(f"table {game}, 5 seats, {source}\n{BETS}{deal}", Path("secret.table"))


@contextmanager
def service_manager(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """Listen where the firmware tells its service manager how it stands."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notices:
        notices.settimeout(0)
        notices.bind(str(folder / "notify"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(folder / "notify"))
        yield notices


@pytest.mark.skipif(not Path("/proc/self/net/unix").exists(), reason="the kernel tells no sockets")
@pytest.mark.parametrize("source", ["shoe", "shuffler"])
@pytest.mark.parametrize("game", GAMES)
def test_nothing_but_the_journal_knows_a_card_before_it_is_face_up(
    game: str, source: str, broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        tempfile.TemporaryDirectory(prefix="underfelt-") as name,
        service_manager(Path(name), monkeypatch) as notices,
    ):
        asyncio.run(_listened_to(story(game, source), Path(name), broker, notices))


async def _listened_to(
    scenario: Scenario, folder: Path, broker: Broker, notices: socket.socket
) -> None:
    async with stage.ScenarioStage(scenario.head, folder, broker) as playing:
        ears = Ears(playing, notices)
        for sentence in scenario.sentences:
            await player.say(playing, scenario, sentence)
            await ears.ask_maintenance()
            check_secret(ears)
        assert await playing.until(lambda: playing.hardware.screen.code == "revealing")
        # A lamp is read off its changes, so it is looked at when it has had time to show.
        assert await playing.until(lambda: playing.hardware.lamp_pattern(1) == "steady")
        assert not ears.unheard(broker.port)
        assert CARD.search(str([record.event for record in records(playing.hardware.folder)]))
        check_secret(ears)
        await playing.press("REVEAL")
        # Now it is told, and heard: the same ears would have heard it before.
        assert await playing.until(lambda: bool(HAND.search(ears.heard()["panel"])))
        assert await playing.until(lambda: bool(HAND.search(ears.heard()["MQTT"])))
        assert await playing.until(lambda: playing.hardware.lamp_pattern(1) == "flutter")


def check_secret(ears: Ears) -> None:
    """Make sure that nothing that was heard names a card or a hand."""
    for place, text in ears.heard().items():
        secret = DRAWN.sub("", text)
        found = CARD.search(secret) or HAND.search(_without_jackpot_words(secret))
        assert found is None, f"{place}: {secret[max(found.start() - 80, 0) : found.end() + 80]!r}"


def _without_jackpot_words(text: str) -> str:
    """Leave out the one setting whose name has a hand in it."""
    return re.sub("straight_flush_share", "", text)
