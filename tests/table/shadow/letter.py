"""What the five documents print: bets, pay tables, and where they differ from each other.

Paragraphs are of the document named by the key. Nothing here is decided; how a round ends is in
`settling`, what a mishap leads to in `rulings`.
"""

from dataclasses import dataclass
from typing import Literal

BET_ODDS = {
    "royal_flush": 250,
    "straight_flush": 50,
    "four_of_a_kind": 20,
    "full_house": 7,
    "flush": 5,
    "straight": 4,
    "three_of_a_kind": 3,
    "two_pairs": 2,
    "one_pair": 1,
    "five_odd_cards": 1,
}
"""RWS stud §4.1, MBS §4.1.2: what the BET of a winning hand is paid."""
MOST_PAID_CENTS = 100_000_00
"""RWS §4.1.1: what a BET, or a bonus bet, is paid at most."""
DRAW_ODDS = 5
"""Singapore §4.5."""


@dataclass(frozen=True)
class Letter:
    """One document."""

    operator: Literal["rws", "mbs"]
    shift_manager: str
    """Who decides where the document is silent."""
    chips: tuple[str, ...] = ("jackpot",)
    """The jackpot bets, each with a spot of its own."""
    follow_ups: tuple[tuple[str, int], ...] = (("bet", 2),)
    """The bets after the ante, in order, and how many antes each is; the first keeps the hand in."""
    holdem: bool = False
    burns: bool = True
    in_a_row: bool = False
    """Whether a shoe gives each place all its cards at once (Singapore §3.6)."""
    fold_forfeits_jackpot: bool = False
    hidden_is_folded: bool = False
    fixed_cents: tuple[tuple[str, int], ...] = ()
    """Fixed amounts on the player's hand."""
    odds: tuple[tuple[str, int], ...] = ()
    """Odds on the jackpot wager."""
    draws: bool = False

    @property
    def own_cards(self) -> int:
        """How many cards a player, or the dealer, is dealt."""
        return 2 if self.holdem else 5

    @property
    def stay(self) -> str:
        """The bet that keeps a hand in the round."""
        return self.follow_ups[0][0]


_TABLE_GAMES = "table_games_shift_manager"
_GAMING = "gaming_shift_manager"
_FIXED = (("full_house", 200_00), ("flush", 100_00))

LETTERS = {
    "rws-multilink-stud": Letter(
        operator="rws",
        shift_manager=_TABLE_GAMES,
        hidden_is_folded=True,
        fixed_cents=(("four_of_a_kind", 2_000_00), *_FIXED),
    ),
    "rws-casino-stud": Letter(
        operator="rws",
        shift_manager=_TABLE_GAMES,
        fold_forfeits_jackpot=True,
        fixed_cents=(("four_of_a_kind", 500_00), *_FIXED),
    ),
    "mbs-megalink-stud": Letter(
        operator="mbs",
        shift_manager=_GAMING,
        burns=False,
        fixed_cents=(("four_of_a_kind", 2_000_00), *_FIXED),
    ),
    "mbs-singapore-stud": Letter(
        operator="mbs",
        shift_manager=_GAMING,
        chips=("jackpot", "jackpot_dealer"),
        burns=False,
        in_a_row=True,
        odds=(("four_of_a_kind", 500), ("full_house", 100), ("flush", 50)),
        draws=True,
    ),
    "rws-holdem": Letter(
        operator="rws",
        shift_manager=_TABLE_GAMES,
        follow_ups=(("flop", 2), ("turn", 1), ("river", 1)),
        holdem=True,
        fixed_cents=(("straight_flush", 1_500_00), ("four_of_a_kind", 300_00)),
    ),
}
COMMUNITY_ROYAL_CENTS = 10_000_00
"""Hold'em §4.2; the other two community lines are the fixed amounts of the player's."""


def bonus_odds(hole: tuple[str, ...], dealer: tuple[str, ...]) -> int:
    """Give the odds of hold'em's bonus bet (§4.1); 0 is lost."""
    high, low = sorted((card[0] for card in hole), key="23456789TJQKA".index, reverse=True)
    suited = hole[0][1] == hole[1][1]
    if high == low == "A":
        return 1_000 if [card[0] for card in dealer] == ["A", "A"] else 30
    if high == low:
        return 10 if high in "KQJ" else 3
    if high == "A" and low in "KQJ":
        return {("K", True): 25, ("K", False): 15}.get((low, suited), 20 if suited else 5)
    return 0
