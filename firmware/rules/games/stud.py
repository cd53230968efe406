"""What the four stud documents share: five cards each, one ante, one BET of twice the ante.

The stud games look alike and differ in small, expensive ways; only what is the same in all
four is here. Each difference is in the game's own file.
"""

from collections.abc import Mapping

from firmware.rules.game import JackpotLine, Wager
from firmware.rules.hands import BEST_TO_LEAST, Category

EVEN_MONEY: Mapping[Category, int] = dict.fromkeys(BEST_TO_LEAST, 1)

BET_ODDS: Mapping[Category, int] = {
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


def wagers(
    *, ante_rule: str, bet_rule: str, cap_cents: int | None = None, cap_rule: str = ""
) -> tuple[Wager, ...]:
    """Describe the ante, which is paid even when the dealer has no hand, and the BET."""
    return (
        Wager(name="ante", rule=ante_rule, odds=EVEN_MONEY, no_hand_odds=1),
        Wager(
            name="bet",
            rule=bet_rule,
            odds=BET_ODDS,
            antes=2,
            cap_cents=cap_cents,
            cap_rule=cap_rule,
        ),
    )


def meter_lines(*, bet: str = "jackpot", on: str = "player", rule: str) -> tuple[JackpotLine, ...]:
    """Describe the two lines that every stud game pays from the meter."""
    return tuple(
        JackpotLine(
            bet=bet,
            on="dealer" if on == "dealer" else "player",
            tier=tier,
            category=tier,
            level="major",
            percent=percent,
            rule=rule,
        )
        for tier, percent in _METER_LINES
    )


def fixed_lines(
    *, four_of_a_kind: int, full_house: int, flush: int, rule: str
) -> tuple[JackpotLine, ...]:
    """Describe the three lines that pay an amount, in whole cents."""
    amounts: Mapping[Category, int] = {
        "four_of_a_kind": four_of_a_kind,
        "full_house": full_house,
        "flush": flush,
    }
    return tuple(
        JackpotLine(
            bet="jackpot",
            on="player",
            tier=tier,
            category=tier,
            level="minor",
            amount_cents=amount_cents,
            rule=rule,
        )
        for tier, amount_cents in amounts.items()
    )


_METER_LINES: tuple[tuple[Category, int], ...] = (("royal_flush", 100), ("straight_flush", 10))
