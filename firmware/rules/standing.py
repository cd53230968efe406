"""Where a seat stands when the round is settled: in it, folded, or out of it.

Decided from the decision and the bets alone, before any hand is compared. The
named rules of a game (`absent`, `hidden`, `under_min_again`) are carried out here.
"""

from typing import Literal

from msgspec import UNSET, Struct

from firmware.rules.contract import Limits, Seat
from firmware.rules.game import TAKEN_OUT, Game, Rules


class Standing(Struct, frozen=True, gc=False):
    """`in` is compared with the dealer, `folded` loses, `returned` gets every bet back."""

    fate: Literal["in", "folded", "returned"]
    rules: Rules = ()


_IN = Standing("in")


def standing(game: Game, limits: Limits, seat: Seat) -> Standing:
    """Say where a seat stands, and by which paragraphs."""
    ante = seat.bets.get("ante")
    if not ante:
        return _without_ante(game, seat)
    if seat.decision == game.stay and seat.revealed and not seat.under_min_before:
        return _IN
    rules = game.paragraphs
    if seat.decision in TAKEN_OUT:
        return Standing("returned", rules.withdrawn if seat.decision == "withdrawn" else ())
    if seat.decision == "absent":
        return Standing(game.absent, rules.absent)
    if seat.under_min_before and _returns_under_min(game, limits, ante):
        return Standing("returned", rules.under_min)
    return _decided(game, seat)


def _decided(game: Game, seat: Seat) -> Standing:
    """Say where a player who stayed to decide leaves the seat."""
    if seat.decision == "fold":
        return Standing("folded", game.paragraphs.fold)
    if not seat.revealed and game.hidden == "folded":
        return Standing("folded", game.paragraphs.hidden)
    return _IN


def _returns_under_min(game: Game, limits: Limits, ante: int) -> bool:
    """Tell whether this ante is under the minimum where that is settled only once."""
    under = limits.ante_min is not UNSET and ante < limits.ante_min
    return under and game.under_min_again == "returned"


def _without_ante(game: Game, seat: Seat) -> Standing:
    placed = [name for name, stake in seat.bets.items() if stake]
    on_jackpot = [name for name in placed if name in game.jackpot_bets]
    rules: Rules = game.paragraphs.jackpot_without_ante if on_jackpot else ()
    if len(placed) > len(on_jackpot):
        rules = (*game.paragraphs.no_ante, *rules)
    return Standing("returned", rules)
