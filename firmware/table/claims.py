"""Which cards a claim rests on: only claims on a hand turn it up, or hold what is said of it.

A seat may also claim on the board, on the dealer's hand, or by a lot. Such a claim says nothing of
the player's own cards: they stay down if he has folded, and he shows or hides them as if it were
not there (I-6, I-8, I-9).
"""

from firmware.rules.contract import Claim, Owner
from firmware.rules.game import DrawLine, Game
from firmware.table.state import ClaimState, RoundState

_SHARED: dict[Owner, str] = {"dealer": "dealer", "community": "board"}
_BY_CARDS = "magic_card"
"""The draw that is won by a card of the hand; the others are won whatever the cards are."""


def rests_on(game: Game, claim: Claim) -> frozenset[str]:
    """Name the places whose cards a claim rests on: every hand lies with the board."""
    if any((draw.on, draw.tier) == (claim.on, claim.tier) for draw in _lots(game)):
        return frozenset()
    place = _SHARED.get(claim.on)
    return frozenset({place or str(claim.seat), "board"})


def _lots(game: Game) -> list[DrawLine]:
    return [draw for draw in game.draws if draw.draw != _BY_CARDS]


def claims_on(game: Game, play: RoundState, place: str) -> dict[str, ClaimState]:
    """List the claims that rest on the cards of a place, by their ids."""
    return {i: state for i, state in play.claims.items() if place in rests_on(game, state.claim)}


def claims_on_hand(game: Game, play: RoundState, seat: int) -> list[ClaimState]:
    """List the claims that rest on a player's own cards."""
    return list(claims_on(game, play, str(seat)).values())


def bound_by(game: Game, play: RoundState, seat: int, decision: str) -> list[ClaimState]:
    """List the claims that a decision would change, or that were made on the hand it is about."""
    on_hand = claims_on_hand(game, play, seat)
    if decision == "absent" and game.absent == "returned":
        return play.claims_of(seat)
    if decision not in {"fold", "absent"}:
        return on_hand
    return [c for c in play.claims_of(seat) if c in on_hand or c.claim.on not in game.fold_keeps]
