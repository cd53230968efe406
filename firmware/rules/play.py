"""A round while it is being settled: its hands, ranked once, and each seat's play.

`TableHands` is what all seats share, `SeatPlay` one seat with what has been decided
about it so far. The parts of the engine hand these on; nothing outside sees them.
"""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from firmware.rules.cards import codes
from firmware.rules.contract import BetResult, Draws, Maybe, Round, Seat
from firmware.rules.game import Game
from firmware.rules.hands import CATEGORY_OF, LOWEST_ACE_KING, Category, strength

Verdict = Literal["folded", "no_hand", "win", "lose", "stand_off"]
"""How a hand fared; `no_hand` is a dealer who does not qualify."""


class TableHands(Struct, frozen=True):
    """The dealer's and the community cards; strength 0 where the full hand is not known."""

    game: Game
    dealer_names: tuple[str, ...]
    dealer_strength: int
    dealer_category: Category | None
    dealer_qualifies: bool
    community: tuple[int, ...]
    community_category: Category | None
    draws: Maybe[Draws]


class SeatHand(Struct, frozen=True, gc=False):
    """A player's cards; strength 0 and no category where the full hand is not known."""

    cards: tuple[int, ...]
    strength: int
    category: Category | None


class SeatPlay(Struct):
    """One seat that takes part, the verdict on its hand, and its bets and rules so far."""

    seat: Seat
    hand: SeatHand
    verdict: Verdict
    rules: list[str]
    bets: dict[str, BetResult]

    def cite(self, rule: str) -> None:
        """Note a paragraph that decides something about this seat, once."""
        if rule not in self.rules:
            self.rules.append(rule)


def table_hands(game: Game, asked: Round) -> TableHands:
    """Read and rank the cards that belong to no player."""
    dealer = codes(asked.dealer)
    community = codes(asked.community)
    known = bool(dealer) and len(community) == game.community_cards
    rank = strength(dealer + community) if known else 0
    return TableHands(
        game,
        asked.dealer,
        rank,
        CATEGORY_OF[rank] if known else None,
        not game.dealer_must_qualify or rank >= LOWEST_ACE_KING,
        community,
        CATEGORY_OF[strength(community)] if community else None,
        asked.draws,
    )


def seat_hand(hands: TableHands, names: Sequence[str]) -> SeatHand:
    """Read and rank a player's hand, as far as it is known."""
    cards = codes(names)
    game = hands.game
    if len(cards) != game.own_cards or len(hands.community) != game.community_cards:
        return SeatHand(cards, 0, None)
    rank = strength(cards + hands.community)
    return SeatHand(cards, rank, CATEGORY_OF[rank])


def verdict_on(hands: TableHands, seat: Seat, hand: SeatHand) -> Verdict:
    """Compare a hand that is in the round with the dealer's."""
    if not hands.dealer_qualifies:
        return "no_hand"
    if not seat.revealed or hand.strength < hands.dealer_strength:
        return "lose"
    return "win" if hand.strength > hands.dealer_strength else "stand_off"
