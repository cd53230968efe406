"""What a table is told about itself before it starts; none of it changes during a round.

The file they come from, its checks and its errors are in `settings/table_file.py`.
"""

from functools import cached_property
from typing import Annotated, Literal

from msgspec import Meta, Struct

from firmware.rules.bounds import Word
from firmware.rules.contract import Cents
from firmware.rules.game import Game
from firmware.rules.games import find_game
from firmware.rules.words import money

Name = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,32}\Z")]
"""A table's name: part of topics and of message ids, so plain letters and digits."""
Currency = Annotated[str, Meta(pattern=r"^(?:[A-Za-z]{0,3}\$|[A-Za-z]{1,4} ?)\Z")]
"""What stands before an amount: `$`, `S$`, `AUD `. Displays have only ASCII."""
CasinoName = Annotated[str, Meta(pattern=r"^[^\x00-\x1f\x7f-\x9f]{0,64}\Z")]
OneIn = Annotated[int, Meta(ge=0, le=1_000_000)]
"""How rare a draw is: one round out of this many; 0 means never."""

CardSource = Literal["shoe", "shuffler", "manual"]
"""What deals: it reads each card, dispenses whole hands, or reads nothing."""
HousePolicy = Literal["close_table", "disallow_box", "no_jackpot_bets"]
"""What the house does about further rounds while the jackpot system is down."""


class TableSettings(
    Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    dict=True,
):
    """The identity of a table, its game, and the amounts displayed at it.

    Default values are not written down, so that the previous firmware can read a journal
    that uses nothing new.
    """

    name: Name
    game: Word
    seats: Annotated[int, Meta(ge=1, le=7)]
    ante_min_cents: Cents
    ante_max_cents: Cents
    jackpot_bet_cents: Cents
    bonus_max_cents: Cents | None = None
    card_source: CardSource = "shoe"
    house_policy: HousePolicy = "close_table"
    straight_flush_share: Literal["declining", "reset"] = "declining"
    """How straight flushes in one round share, if the game has them share (I-4)."""
    seen_cards_authority: Literal["pit_supervisor", "dealer"] = "pit_supervisor"
    """Who at least confirms what voids the round or takes out a hand once cards were seen."""
    dealer_must_sign_on: bool = False
    """Whether a round is opened only by a dealer who has signed on."""
    lucky_seat_one_in: OneIn = 10
    lucky_dealer_one_in: OneIn = 10
    layout: Word = ""
    """The layout on the felt, where the game's document has several; empty: not said."""
    casino: CasinoName = ""
    """The name of the casino, as it stands on slips and reports."""
    currency: Currency = "$"

    @cached_property
    def rules(self) -> Game:
        """The description of the game that is played here."""
        return find_game(self.game)

    def money(self, cents: int) -> str:
        """Write an amount in the currency of the table."""
        return money(cents, self.currency)

    @cached_property
    def shown_bonus_max_cents(self) -> int | None:
        """The limit of the bonus bet, where the game has one and the house limits it."""
        return self.bonus_max_cents if self.rules.bonus else None
