"""What the tests of the two RWS stud games share: hands, seats, rounds and bet results.

Only builders of questions and of expected answers live here. No rule is
worked out here: every amount in a test stands in the test.
"""

import pytest

from tests.rules.ask import Json, settle

MULTILINK = "rws-multilink-stud"
CASINO = "rws-casino-stud"
both_games = pytest.mark.parametrize("game", [MULTILINK, CASINO])

# Dealer's hands. The ace without a king is the best start that does not qualify.
QUALIFYING = "As Kd 7c 5d 2s"
NOT_QUALIFYING = "Ad Qs 7c 5d 2s"

# Players' hands; none shares a card with the two dealers above.
ROYAL_FLUSH = "Ah Kh Qh Jh Th"
STRAIGHT_FLUSH = "Qc Jc Tc 9c 8c"
FOUR_OF_A_KIND = "8c 8d 8h 8s Jc"
FULL_HOUSE = "Kc Kh Ks Jc Jh"
FLUSH = "Kh Jh 9h 5h 2h"
STRAIGHT = "6c 5s 4c 3h 2d"
THREE_OF_A_KIND = "9d 9h 9s 8h 3d"
TWO_PAIRS = "6s 6h 4c 4h Jd"
ONE_PAIR = "Tc Th Kc 6h 3s"
ACE_KING_QUEEN = "Ac Kh Qd 4s 3d"
QUEEN_HIGH = "Qc Th 6d 4s 3h"


def betting(cards: str, *, ante: int = 2500, bet: int = 5000, **more: object) -> Json:
    """Make a seat that stays in the round: an ante and a BET; `jackpot=…` adds that bet."""
    return _seat(cards, "bet", {"ante": ante, "bet": bet}, more)


def folding(cards: str, *, ante: int = 2500, **more: object) -> Json:
    """Make a seat that folds: an ante and no BET."""
    return _seat(cards, "fold", {"ante": ante}, more)


def absent(cards: str, *, ante: int = 2500, **more: object) -> Json:
    """Make a seat whose player walked away before his decision."""
    return _seat(cards, "absent", {"ante": ante}, more)


def _seat(cards: str, decision: str, bets: Json, more: Json) -> Json:
    if "jackpot" in more:
        bets["jackpot"] = more.pop("jackpot")
    return {"seat": 1, "cards": cards.split(), "bets": bets, "decision": decision, **more}


def table(game: str, dealer: str | None, *seats: Json, **more: object) -> Json:
    """Make the document of a round; `limits=…` and other keys go in as they are."""
    document: Json = {"game": game, "seats": list(seats), **more}
    if dealer is not None:
        document["dealer"] = dealer.split()
    return document


def settled(game: str, dealer: str | None, *seats: Json, **more: object) -> Json:
    """Settle a round and give the first seat's answer."""
    seat: Json = settle(table(game, dealer, *seats, **more))["seats"][0]
    return seat


def claimed(game: str, dealer: str | None, *seats: Json) -> list[Json]:
    """Settle a round and give its claims."""
    claims: list[Json] = settle(table(game, dealer, *seats))["claims"]
    return claims


def won(stake: int, winnings: int) -> Json:
    """Give the result of a bet that is paid and handed back."""
    return {"stake": stake, "outcome": "win", "winnings": winnings, "returned": stake}


def lost(stake: int, *, excess: int = 0) -> Json:
    """Give the result of a bet that is collected, but for the excess."""
    return {"stake": stake, "outcome": "lose", "winnings": 0, "returned": excess}


def stood_off(stake: int) -> Json:
    """Give the result of a bet that is neither paid nor collected."""
    return {"stake": stake, "outcome": "push", "winnings": 0, "returned": stake}


def given_back(stake: int) -> Json:
    """Give the result of a bet that the rules hand back."""
    return {"stake": stake, "outcome": "returned", "winnings": 0, "returned": stake}


def jackpot_won(stake: int, winnings: int = 0) -> Json:
    """Give the result of a jackpot bet that won; its stake stays in the jackpot."""
    return {"stake": stake, "outcome": "win", "winnings": winnings, "returned": 0}


def major(tier: str, percent: int, *, seat: int = 1) -> Json:
    """Give a claim on a percentage of the meter."""
    return {"seat": seat, "on": "player", "tier": tier, "level": "major", "percent": percent}


def minor(tier: str, amount: int, *, seat: int = 1) -> Json:
    """Give a claim on a fixed amount."""
    return {"seat": seat, "on": "player", "tier": tier, "level": "minor", "amount": amount}
