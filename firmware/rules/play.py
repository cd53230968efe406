"""A round while it is being settled: its hands, ranked once, each seat's fate and play.

`TableHands` is what all seats share, `Fate` whether a seat takes part (the named rules of a
game, `absent`, `hidden` and `under_min_again`, are carried out here), `SeatPlay` one seat
with what has been decided about it so far.
"""

from collections.abc import Sequence
from typing import Literal

from msgspec import UNSET, Struct

from firmware.rules.cards import CODES
from firmware.rules.contract import BetResult, Draws, Limits, Maybe, Round, Seat
from firmware.rules.game import TAKEN_OUT, Game, Rules
from firmware.rules.hands import CATEGORY_OF, LOWEST_ACE_KING, Category, strength

_code = CODES.__getitem__
Comparison = Literal["folded", "no_hand", "win", "lose", "stand_off"]
"""How a hand compares with the dealer's; `no_hand` is a dealer who does not qualify."""


class TableHands(Struct, frozen=True):
    """The dealer's and the community cards; strength 0 if the full hand is not known."""

    game: Game
    dealer_names: tuple[str, ...]
    dealer_strength: int
    dealer_category: Category | None
    dealer_qualifies: bool
    community: tuple[int, ...]
    community_category: Category | None
    draws: Maybe[Draws]


class SeatHand(Struct, frozen=True, gc=False):
    """A player's cards; strength 0 and no category if the full hand is not known."""

    cards: tuple[int, ...]
    strength: int
    category: Category | None


class SeatPlay(Struct):
    """One seat that takes part, how its hand compares, and its bets and rules so far."""

    seat: Seat
    hand: SeatHand
    comparison: Comparison
    rules: list[str]
    bets: dict[str, BetResult]

    def cite(self, rule: str) -> None:
        """Note a paragraph that decides something about this seat, once."""
        if rule not in self.rules:
            self.rules.append(rule)


def table_hands(game: Game, asked: Round) -> TableHands:
    """Read and rank the cards that belong to no player."""
    dealer = tuple(map(_code, asked.dealer))
    community = tuple(map(_code, asked.community))
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
    cards = tuple(map(_code, names))
    game = hands.game
    if len(cards) != game.own_cards or len(hands.community) != game.community_cards:
        return SeatHand(cards, 0, None)
    rank = strength(cards + hands.community)
    return SeatHand(cards, rank, CATEGORY_OF[rank])


def compared(hands: TableHands, seat: Seat, hand: SeatHand) -> Comparison:
    """Compare a hand that is in the round with the dealer's."""
    if not hands.dealer_qualifies:
        return "no_hand"
    if not seat.revealed or hand.strength < hands.dealer_strength:
        return "lose"
    return "win" if hand.strength > hands.dealer_strength else "stand_off"


# Whether a seat takes part


class Fate(Struct, frozen=True, gc=False):
    """How a seat takes part when the round is settled, and by which paragraphs.

    `in` is compared with the dealer, `folded` loses, `returned` gets every bet back.
    """

    kind: Literal["in", "folded", "returned"]
    rules: Rules = ()


_IN = Fate("in")


def fate_of(game: Game, limits: Limits, seat: Seat) -> Fate:
    """Decide a seat's fate from its decision and bets alone, before any hand is compared."""
    ante = seat.bets.get("ante")
    if not ante:
        return _without_ante(game, seat)
    if seat.decision == game.stay and seat.revealed and not seat.under_min_before:
        return _IN
    rules = game.paragraphs
    if seat.decision in TAKEN_OUT:
        return Fate("returned", rules.withdrawn if seat.decision == "withdrawn" else ())
    if seat.decision == "absent":
        return Fate(game.absent, rules.absent)
    if seat.under_min_before and _returns_under_min(game, limits, ante):
        return Fate("returned", rules.under_min)
    return _decided(game, seat)


def _decided(game: Game, seat: Seat) -> Fate:
    """Decide the fate of a seat whose player stayed to decide."""
    if seat.decision == "fold":
        return Fate("folded", game.paragraphs.fold)
    if not seat.revealed and game.hidden == "folded":
        return Fate("folded", game.paragraphs.hidden)
    return _IN


def _returns_under_min(game: Game, limits: Limits, ante: int) -> bool:
    """Return whether this ante is under the minimum again in a game that settles that once."""
    under = limits.ante_min is not UNSET and ante < limits.ante_min
    return under and game.under_min_again == "returned"


def _without_ante(game: Game, seat: Seat) -> Fate:
    placed = [name for name, stake in seat.bets.items() if stake]
    on_jackpot = [name for name in placed if name in game.jackpot_bets]
    rules: Rules = game.paragraphs.jackpot_without_ante if on_jackpot else ()
    if len(placed) > len(on_jackpot):
        rules = (*game.paragraphs.no_ante, *rules)
    return Fate("returned", rules)
