"""Makes the sixth game known to a process that was started with this folder on its path.

Python imports a module of this name at every start, before the program. So the table, the
jackpot controller and the tools run as they are, and none of them imports the game.
"""

from firmware.rules.games import GAMES
from tests.sixth_game.caribbean_stud import GAME

assert isinstance(GAMES, dict)
GAMES[GAME.id] = GAME
