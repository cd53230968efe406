"""Claims on the meter of the two MBS stud games, and what was paid on them.

Builders for test_mbs_awards.py and test_mbs_award_order.py; no expectation
about a rule lives here.
"""

from collections.abc import Iterable

import pytest

from tests.rules.ask import Json, award
from tests.rules.games.mbs_stud import MEGALINK, SINGAPORE

BOTH_GAMES = pytest.mark.parametrize("game", [MEGALINK, SINGAPORE])

PERCENT = {"royal_flush": 100, "straight_flush": 10}
AMOUNT = {"four_of_a_kind": 200_000, "full_house": 20_000, "flush": 10_000}
"""Of Megalink; in Singapore Stud Poker each is what some wager wins."""
METER, RESET = 100_000_000, 20_000_000


def hit(name: str, tier: str, entered: str, **more: object) -> Json:
    """Claim for table T1, round 17, seat 3, unless `more` says otherwise."""
    pays: Json = (
        {"percent": PERCENT[tier]} if tier in PERCENT else {"amount": AMOUNT.get(tier, 20_000)}
    )
    return {
        "id": name,
        "table": "T1",
        "round": 17,
        "seat": 3,
        "tier": tier,
        "dealt_at": "2026-01-02T03:04:00.000Z",
        "entered_at": f"2026-01-02T{entered}Z",
        **pays,
        **more,
    }


def royal(name: str, entered: str = "03:05:00.000", **more: object) -> Json:
    """Claim the whole meter."""
    return hit(name, "royal_flush", entered, **more)


def straight_flush(name: str, entered: str = "03:05:00.000", **more: object) -> Json:
    """Claim a tenth of the meter."""
    return hit(name, "straight_flush", entered, **more)


def full_house(name: str, entered: str = "03:05:00.000", **more: object) -> Json:
    """Claim a fixed amount."""
    return hit(name, "full_house", entered, **more)


def awarded(
    game: str, claims: Iterable[Json], *, meter: int = METER, reset: int = RESET, **more: object
) -> Json:
    """Ask for the awards."""
    asked = {"game": game, "meter": {"value": meter, "reset": reset}, "claims": list(claims)}
    return award(asked | more)


def payments(answer: Json) -> list[tuple[str, int, int, int]]:
    """Give each award as (id, amount, meter before, meter after); the meter must end there."""
    paid = [
        (one["id"], one["amount"], one["meter_before"], one["meter_after"])
        for one in answer["awards"]
    ]
    assert answer["meter"]["value"] == paid[-1][3]
    return paid


def order(answer: Json) -> list[str]:
    """Give the ids in the order of payment."""
    return [one["id"] for one in answer["awards"]]


def rules(answer: Json) -> list[str]:
    """Give the paragraphs of the awards."""
    return [one["rule"] for one in answer["awards"]]


def straight_flushes(winners: int) -> list[Json]:
    """Claim a tenth for each of the first seats of one round."""
    return [straight_flush(f"s{seat}", seat=seat) for seat in range(1, winners + 1)]
