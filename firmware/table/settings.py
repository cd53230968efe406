"""What a table is told about itself before it starts; none of it changes in a round.

Where these settings come from (a file, its checks, its errors) is in `firmware.config`.
"""

from typing import Annotated

from msgspec import Meta, Struct

from firmware.rules.contract import Cents
from firmware.rules.game import Game
from firmware.rules.games import find_game

Name = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,32}\Z")]
"""A table's name: part of topics and of message ids, so plain letters and digits."""


class TableSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The identity of a table, its game, and the amounts displayed at it."""

    name: Name
    game: str
    seats: Annotated[int, Meta(ge=1, le=7)]
    ante_min_cents: Cents
    ante_max_cents: Cents
    jackpot_bet_cents: Cents

    @property
    def rules(self) -> Game:
        """The description of the game that is played here."""
        return find_game(self.game)
