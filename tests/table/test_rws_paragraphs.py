"""Paragraphs that the three RWS games have in common, reached by the table itself.

Most paragraphs are reached by the scenarios and by the shadow table; here are those that are left.
"""

import pytest
from msgspec.structs import replace

from firmware.table.events import SeatsJoined
from tests.table.playing import METER_CENTS, SETTINGS, Playing, sign
from tests.table.rounds import Round, settings_of

DOCUMENTS = ("rws-multilink-stud", "rws-casino-stud", "rws-holdem")


@pytest.mark.parametrize("game", DOCUMENTS)
def test_3_3_limits_and_jackpot_bet_are_on_the_sign(game: str) -> None:
    playing = Playing(replace(SETTINGS, game=game))
    assert sign(METER_CENTS) in playing.table.resumed()


@pytest.mark.parametrize("game", DOCUMENTS)
@pytest.mark.parametrize("source", ["shoe", "shuffler"])
def test_3_7_several_hands_of_one_player_are_settled_each_by_itself(game: str, source: str) -> None:
    alone, joined = (_settled(game, source, join=join) for join in (False, True))
    assert [result.seat for result in joined.state.round.results] == [1, 3]
    assert joined.state.round.results == alone.state.round.results
    one, other = joined.state.round.results
    assert one.bets["ante"].stake == 5_000
    assert other.bets["ante"].stake == 2_500


def _settled(game: str, source: str, *, join: bool) -> Round:
    played = Round(settings_of(game, "shoe" if source == "shoe" else "shuffler"))
    played.open()
    played.ante(1, 5_000)
    played.ante(3, 2_500)
    if join:
        played.press(SeatsJoined, seats=(1, 3))
    played.close()
    return played.play_until("settling")
