"""Rounds of the two MBS stud games in a few words, and what their bets can come to.

Builders of questions and of expected answers for the test modules whose names
begin with `test_mbs_`. No expectation about a rule lives here, except the BET
pay table that both documents print alike.
"""

from tests.rules.ask import Json, settle

MEGALINK = "mbs-megalink-stud"
SINGAPORE = "mbs-singapore-stud"

# The dealer's hands. The hands below can stand beside each of the first three.
ACE_KING = "Ah Kd 9c 5h 3s"
NO_HAND = "Ac Jh 9c 5h 3s"
SEVENS_FULL = "7c 7h 7s 2s 2h"
NO_DEALER = ""

ROYAL_FLUSH = "As Ks Qs Js Ts"
STRAIGHT_FLUSH = "Qs Js Ts 9s 8s"
FOUR_OF_A_KIND = "Qc Qd Qh Qs 2d"
FULL_HOUSE = "Qc Qd Qh 4s 4d"
FLUSH = "Jd 8d 6d 4d 2d"
STRAIGHT = "9d 8d 7d 6h 5s"
THREE_OF_A_KIND = "Tc Td Th 6h 2d"
TWO_PAIRS = "Qs Qh 6c 6h 3d"
ONE_PAIR = "Qs Qh 8d 6h 4s"
ACE_KING_TEN = "As Ks Td 4d 2c"
QUEEN_HIGH = "Qc Td 8h 6s 2c"

# What a winning BET of 2000 is paid: hand, category, winnings.
BET_PAY_TABLE = (
    (ROYAL_FLUSH, "royal_flush", 500_000),
    (STRAIGHT_FLUSH, "straight_flush", 100_000),
    (FOUR_OF_A_KIND, "four_of_a_kind", 40_000),
    (FULL_HOUSE, "full_house", 14_000),
    (FLUSH, "flush", 10_000),
    (STRAIGHT, "straight", 8_000),
    (THREE_OF_A_KIND, "three_of_a_kind", 6_000),
    (TWO_PAIRS, "two_pairs", 4_000),
    (ONE_PAIR, "one_pair", 2_000),
    (ACE_KING_TEN, "five_odd_cards", 2_000),
)


# ── questions ────────────────────────────────────────────────────────────────


def seat(decision: str, hand: str, *, at: int = 1, **bets: int) -> Json:
    """Seat someone: his decision, his hand ("" is no hand at all), what is on his layout."""
    asked: Json = {"seat": at, "bets": bets}
    if decision:
        asked["decision"] = decision
    if hand:
        asked["cards"] = hand.split()
    return asked


def betting(hand: str, *, at: int = 1, ante: int = 1000, bet: int = 2000, **others: int) -> Json:
    """Seat a player who placed BET."""
    return seat("bet", hand, at=at, ante=ante, bet=bet, **others)


def folding(hand: str, *, at: int = 1, ante: int = 1000, **others: int) -> Json:
    """Seat a player who folded."""
    return seat("fold", hand, at=at, ante=ante, **others)


def absent(hand: str, *, at: int = 1, ante: int = 1000, **others: int) -> Json:
    """Seat a player who is not there to decide."""
    return seat("absent", hand, at=at, ante=ante, **others)


def without_ante(*, at: int = 1, **bets: int) -> Json:
    """Lay bets on a box that has no ante."""
    return seat("", "", at=at, **bets)


def hidden(asked: Json) -> Json:
    """Let the player of a seat not show his hand."""
    return asked | {"revealed": False}


def again(asked: Json) -> Json:
    """Let the player of a seat have been under the minimum once before."""
    return asked | {"under_min_before": True}


def round_of(game: str, dealer: str, *seats: Json, **more: object) -> Json:
    """Ask about a round; `more` holds limits and draws."""
    asked: Json = {"game": game, "seats": list(seats), **more}
    if dealer:
        asked["dealer"] = dealer.split()
    return asked


# ── answers ──────────────────────────────────────────────────────────────────


def won(stake: int, winnings: int) -> Json:
    """Expect a bet to win: the stake goes back too."""
    return {"stake": stake, "outcome": "win", "winnings": winnings, "returned": stake}


def lost(stake: int, *, excess: int = 0) -> Json:
    """Expect a bet to lose, except for what was over the limit."""
    return {"stake": stake, "outcome": "lose", "winnings": 0, "returned": excess}


def stood_off(stake: int) -> Json:
    """Expect a bet to neither win nor lose."""
    return {"stake": stake, "outcome": "push", "winnings": 0, "returned": stake}


def given_back(stake: int) -> Json:
    """Expect a bet not to take part, or to be given back by the rules."""
    return {"stake": stake, "outcome": "returned", "winnings": 0, "returned": stake}


def jackpot_hit(stake: int, winnings: int = 0) -> Json:
    """Expect a jackpot wager to win; winnings are what is known without the meter."""
    return {"stake": stake, "outcome": "win", "winnings": winnings, "returned": 0}


def claim(at: int, tier: str, *, on: str = "player", amount: int = 0, percent: int = 0) -> Json:
    """Expect a claim of an amount or of a percentage of the meter."""
    head: Json = {"seat": at, "on": on, "tier": tier}
    if percent:
        return head | {"level": "major", "percent": percent}
    return head | {"level": "minor", "amount": amount}


def the_seat(answer: Json) -> Json:
    """Give the only seat of an answer."""
    (only,) = answer["seats"]
    found: Json = only
    return found


def claims_of(answer: Json) -> list[Json]:
    """Give the claims by seat, wager and tier: within a seat the contract fixes no order."""
    found: list[Json] = answer["claims"]
    assert [one["seat"] for one in found] == sorted(one["seat"] for one in found)
    return sorted(found, key=lambda one: (one["seat"], one["on"], one["tier"]))


# ── comparing hands ──────────────────────────────────────────────────────────


def category(game: str, hand: str) -> object:
    """Say what a game calls a hand."""
    return the_seat(settle(round_of(game, NO_DEALER, folding(hand))))["category"]


def showdown(game: str, player: str, dealer: str) -> object:
    """Say how ante and BET of a player end against a dealer who qualifies."""
    answer = settle(round_of(game, dealer, betting(player)))
    assert answer["dealer"]["qualifies"] is True
    bets = the_seat(answer)["bets"]
    assert bets["ante"]["outcome"] == bets["bet"]["outcome"]
    return bets["ante"]["outcome"]


def outranks(game: str, higher: str, lower: str) -> bool:
    """Say whether one hand beats the other, whichever of them the dealer holds."""
    return showdown(game, higher, lower) == "win" and showdown(game, lower, higher) == "lose"


def ties(game: str, one: str, other: str) -> bool:
    """Say whether two hands stand off, whichever of them the dealer holds."""
    return showdown(game, one, other) == showdown(game, other, one) == "push"
