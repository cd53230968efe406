"""The five games, one file each, all data; `GAMES` has them by their id.

`stud.py`, `rws.py` and `mbs.py` hold what several documents have in common, `cases.py` the
words in which the irregularity tables are written. No behaviour lives here.
"""

from collections.abc import Mapping

from firmware.errors import BadInput
from firmware.rules.game import Game
from firmware.rules.games import (
    mbs_megalink_stud,
    mbs_singapore_stud,
    rws_casino_stud,
    rws_holdem,
    rws_multilink_stud,
)
from firmware.rules.refusals import which_there_are

GAMES: Mapping[str, Game] = {
    module.GAME.id: module.GAME
    for module in (
        rws_multilink_stud,
        rws_casino_stud,
        mbs_megalink_stud,
        mbs_singapore_stud,
        rws_holdem,
    )
}


def find_game(game_id: str) -> Game:
    """Return the game with this id, or say which there are."""
    try:
        return GAMES[game_id]
    except KeyError:
        known = which_there_are(game_id, GAMES, "games")
        raise BadInput("game", f"unknown game {game_id!r}; {known}") from None
