"""Boxes, rounds and results of `rws-holdem` for the tests of that game.

Builders only: what a box holds, what a round was dealt, what a bet comes to. No
rule of the game is worked out here, and nothing is asserted.
"""

from typing import TypedDict, Unpack

from tests.rules.ask import Json, settle

GAME = "rws-holdem"

# A board on which the dealer with rags has five odd cards, jack high.
BOARD = "2c 7d 8h Js 4s"
ACES = "Ah Ad"
KINGS = "Kh Kd"
RAGS = "Tc 3s"

ANTE = 2500
FLOP = 5000
JACKPOT = 500


class Dealt(TypedDict, total=False):
    """What a round was dealt and played under; an empty text leaves it out."""

    board: str
    dealer: str
    limits: dict[str, int]


def cards(text: str) -> list[str]:
    """Write cards as a rule book does: `cards("Ah Kd")`."""
    return text.split()


def box(
    hole: str, *, decision: str = "flop", seat: int = 1, revealed: bool = True, **stakes: int
) -> Json:
    """Lay out a box that has an ante and, where the decision says so, a flop bet."""
    usual = {"ante": ANTE} | ({"flop": FLOP} if decision == "flop" else {})
    laid: Json = {"seat": seat, "cards": cards(hole), "bets": usual | stakes, "decision": decision}
    return laid if revealed else laid | {"revealed": False}


def folded(hole: str, *, seat: int = 1, revealed: bool = True, **stakes: int) -> Json:
    """Lay out a box whose player folded."""
    return box(hole, decision="fold", seat=seat, revealed=revealed, **stakes)


def empty_box(**stakes: int) -> Json:
    """Lay out a box that has no ante: no cards, no decision, perhaps other chips."""
    return {"seat": 1, "bets": stakes}


def played(*boxes: Json, **dealt: Unpack[Dealt]) -> Json:
    """Write down a whole round."""
    board, dealer = dealt.get("board", BOARD), dealt.get("dealer", RAGS)
    round_played: Json = {"game": GAME, "seats": list(boxes)}
    round_played |= {"community": cards(board)} if board else {}
    round_played |= {"dealer": cards(dealer)} if dealer else {}
    round_played |= {"limits": dealt["limits"]} if "limits" in dealt else {}
    return round_played


def settled(laid: Json, **dealt: Unpack[Dealt]) -> Json:
    """Settle a round of one box and give that box's answer."""
    seat: Json = settle(played(laid, **dealt))["seats"][0]
    return seat


def bets(laid: Json, **dealt: Unpack[Dealt]) -> Json:
    """Settle a round of one box and give what its bets come to."""
    results: Json = settled(laid, **dealt)["bets"]
    return results


def claims(*boxes: Json, **dealt: Unpack[Dealt]) -> list[Json]:
    """Settle a round and give the claims on the jackpot."""
    claimed: list[Json] = settle(played(*boxes, **dealt))["claims"]
    return claimed


def won(stake: int, winnings: int) -> Json:
    """Describe a bet that is paid, its stake handed back."""
    return _result(stake, "win", winnings, stake)


def lost(stake: int, excess: int = 0) -> Json:
    """Describe a bet that is collected, but for what was over the limit."""
    return _result(stake, "lose", 0, excess)


def pushed(stake: int) -> Json:
    """Describe a bet that is neither paid nor collected."""
    return _result(stake, "push", 0, stake)


def given_back(stake: int) -> Json:
    """Describe a bet that took no part."""
    return _result(stake, "returned", 0, stake)


def jackpot_won(winnings: int = 0) -> Json:
    """Describe a jackpot bet that is paid; what comes off the meter is not known here."""
    return _result(JACKPOT, "win", winnings, 0)


def _result(stake: int, outcome: str, winnings: int, returned: int) -> Json:
    return {"stake": stake, "outcome": outcome, "winnings": winnings, "returned": returned}
