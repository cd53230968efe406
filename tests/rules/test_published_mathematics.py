"""Proves figures that are published for these games, by paying every case there is.

Every case goes through `settle` and is weighed by how often it is dealt, in whole
numbers. Only suits are taken together: the games know no difference between them.
The edge of the stud game itself is in `test_published_house_edge.py`.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

import pytest

from firmware.rules.cards import CODES
from firmware.rules.hands import strength
from tests.rules.ask import Json, award, settle
from tests.rules.rounds import BY_RANK, STUD_GAMES

HANDS = 2_598_960
DEALS_OF_TWO_AND_TWO = 1_326 * 1_225
DOLLAR = 100


class Class(NamedTuple):
    """Hands that are worth the same: one of them, and how many there are."""

    cards: Sequence[str]
    hands: int


@pytest.fixture(scope="module")
def classes() -> list[Class]:
    name_of = {code: name for name, code in CODES.items()}
    found: Counter[int] = Counter()
    example: dict[int, tuple[int, ...]] = {}
    for hand in combinations(CODES.values(), 5):
        place = strength(hand)
        found[place] += 1
        example[place] = hand
    return [Class([name_of[code] for code in example[place]], found[place]) for place in found]


def besides(cards: Sequence[str]) -> list[str]:
    """Give the deck without these cards."""
    return [card for card in BY_RANK if card not in cards]


def holes() -> Iterator[tuple[list[str], int]]:
    """Yield the 169 kinds of two hole cards, and how many of the 1,326 each stands for."""
    for high, low in combinations_with_replacement("AKQJT98765432", 2):
        if high == low:
            yield [high + "s", low + "h"], 6
        else:
            yield [high + "s", low + "s"], 4
            yield [high + "s", low + "h"], 12


def bonus_winnings(hole: list[str], dealer: Sequence[str], board: list[str]) -> int:
    """Settle a bonus bet of one cent, on a board that has nothing to do with it."""
    box = {"seat": 1, "cards": hole, "decision": "flop", "bets": {"ante": 1, "flop": 2, "bonus": 1}}
    dealt: Json = {"dealer": dealer, "community": board, "seats": [box]}
    result = settle({"game": "rws-holdem", **dealt})["seats"][0]["bets"]["bonus"]
    assert result["returned"] == (1 if result["outcome"] == "win" else 0)
    return int(result["winnings"])


def test_the_holdem_bonus_wins_9_5023_percent_of_the_time_and_costs_8_5406_percent() -> None:
    found: Counter[int] = Counter()
    for hole, alike in holes():
        rest = besides(hole)
        for dealer in combinations(rest, 2):
            board = [card for card in rest[-7:] if card not in dealer][:5]
            found[bonus_winnings(hole, dealer, board)] += alike
    assert found.total() == DEALS_OF_TWO_AND_TWO
    assert found == {
        1_000: 6,  # six pairs of aces, each against the one that is left
        30: 6 * 1_224,
        25: 4 * 1_225,
        20: 8 * 1_225,
        15: 12 * 1_225,
        10: 18 * 1_225,
        5: 24 * 1_225,
        3: 54 * 1_225,
        0: 1_200 * 1_225,
    }
    assert Fraction(found[1_000], DEALS_OF_TWO_AND_TWO) == Fraction(1, 270_725)
    hit_rate = 1 - Fraction(found[0], DEALS_OF_TWO_AND_TWO)
    assert hit_rate == Fraction(126, 1_326)
    assert f"{float(hit_rate):.4%}" == "9.5023%"
    won = sum(winnings * deals for winnings, deals in found.items())
    edge = Fraction(found[0] - won, DEALS_OF_TWO_AND_TWO)
    assert edge == Fraction(138_730, 1_624_350)
    assert f"{float(edge):.4%}" == "8.5406%"


class Returns(NamedTuple):
    """What a jackpot bet of one dollar claims over all 2,598,960 hands, in cents."""

    from_the_meter: int
    fixed: int


METER = {"value": 10_000 * DOLLAR, "reset": 10_000 * DOLLAR}
AT = {"dealt_at": "2026-01-02T03:04:05Z", "entered_at": "2026-01-02T03:05:00Z"}


def awarded(game: str, claim: Json) -> int:
    """Give what a claim is paid alone, from a meter of $10,000."""
    entered = {"id": "a", "table": "T1", "round": 1, **AT, **claim}
    return int(award({"game": game, "meter": METER, "claims": [entered]})["awards"][0]["amount"])


def returns(game: str, bet: str, classes: list[Class]) -> Returns:
    """Deal every class of hand to whoever the jackpot bet is on, and add up the claims."""
    from_the_meter = fixed = 0
    for hand, hands in classes:
        other = besides(hand)[-5:]
        dealer, cards = (hand, other) if bet == "jackpot_dealer" else (other, hand)
        seat = {"seat": 1, "cards": cards, "decision": "bet"}
        seat |= {"bets": {"ante": 1, "bet": 2, bet: DOLLAR}}
        for claim in settle({"game": game, "dealer": dealer, "seats": [seat]})["claims"]:
            amount = hands * awarded(game, claim)
            from_the_meter += amount if "percent" in claim else 0
            fixed += amount if "amount" in claim else 0
    return Returns(from_the_meter, fixed)


@pytest.mark.parametrize(
    ("game", "bet", "fixed_cents"),
    [
        ("rws-multilink-stud", "jackpot", 250_760_000),
        ("rws-casino-stud", "jackpot", 157_160_000),
        ("mbs-megalink-stud", "jackpot", 250_760_000),
        ("mbs-singapore-stud", "jackpot", 94_180_000),
        ("mbs-singapore-stud", "jackpot_dealer", 94_180_000),
    ],
)
def test_a_stud_jackpot_dollar_returns_2_92425_cents_per_10000_of_meter_and_the_fixed_lines(
    game: str, bet: str, fixed_cents: int, classes: list[Class]
) -> None:
    found = returns(game, bet, classes)
    # Four royal flushes take all of it, 36 straight flushes a tenth.
    assert found.from_the_meter == (4 * 10 + 36) * 1_000 * DOLLAR
    assert f"{found.from_the_meter / HANDS:.5f}" == "2.92425"
    assert found.fixed == fixed_cents


@pytest.mark.parametrize("game", STUD_GAMES)
def test_a_stud_dealer_qualifies_1463700_times(game: str, classes: list[Class]) -> None:
    qualified = 0
    for hand, hands in classes:
        seat = {"seat": 1, "cards": besides(hand)[-5:], "decision": "fold", "bets": {"ante": 1}}
        told = settle({"game": game, "dealer": hand, "seats": [seat]})["dealer"]
        qualified += hands if told["qualifies"] else 0
    assert qualified == 1_463_700
    assert f"{qualified / HANDS:.4%}" == "56.3187%"


def test_there_are_7462_classes_of_2598960_hands(classes: list[Class]) -> None:
    assert (len(classes), sum(hands for _, hands in classes)) == (7_462, HANDS)
