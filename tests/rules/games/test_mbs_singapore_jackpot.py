"""Singapore Stud Poker: the two jackpot wagers (3.5, 3.12.3, 4.2), in credits, with odds.

A wager on the player's own hand and a wager on the dealer's. The draws are in
test_mbs_singapore_draws.py, payment from the meter in test_mbs_awards.py.
"""

import pytest

from tests.rules.ask import Json, refused, settle
from tests.rules.games.mbs_stud import (
    ACE_KING,
    FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    NO_DEALER,
    NO_HAND,
    QUEEN_HIGH,
    ROYAL_FLUSH,
    SEVENS_FULL,
    SINGAPORE,
    STRAIGHT,
    STRAIGHT_FLUSH,
    betting,
    claim,
    claims_of,
    folding,
    jackpot_hit,
    lost,
    round_of,
    the_seat,
)

DOCUMENTS = ("mbs-singapore-stud",)

# Each line of 4.2 for a wager of 100: hand, tier, what the claim says, winnings without the meter.
LINES: tuple[tuple[str, str, Json, int], ...] = (
    (ROYAL_FLUSH, "royal_flush", {"percent": 100}, 0),
    (STRAIGHT_FLUSH, "straight_flush", {"percent": 10}, 0),
    (FOUR_OF_A_KIND, "four_of_a_kind", {"amount": 50_000}, 50_000),
    (FULL_HOUSE, "full_house", {"amount": 10_000}, 10_000),
    (FLUSH, "flush", {"amount": 5_000}, 5_000),
)
EACH_LINE = pytest.mark.parametrize(("hand", "tier", "payout", "winnings"), LINES)


def settled(dealer: str, *seats: Json) -> Json:
    return settle(round_of(SINGAPORE, dealer, *seats))


# ── the lines of the pay table ───────────────────────────────────────────────


@EACH_LINE
@pytest.mark.parametrize("dealer", [NO_HAND, ACE_KING])
def test_4_2_wager_on_the_player_is_paid_by_his_hand(
    dealer: str, hand: str, tier: str, payout: Json, winnings: int
) -> None:
    answer = settled(dealer, betting(hand, jackpot=100))
    assert the_seat(answer)["bets"]["jackpot"] == jackpot_hit(100, winnings)
    assert "4.2" in the_seat(answer)["rules"]
    assert answer["claims"] == [claim(1, tier, **payout)]


@EACH_LINE
def test_4_2_wager_on_the_dealer_is_paid_by_the_dealers_hand(
    hand: str, tier: str, payout: Json, winnings: int
) -> None:
    answer = settled(hand, betting("Ac 9h 7c 6h 3c", jackpot_dealer=100))
    assert the_seat(answer)["bets"]["jackpot_dealer"] == jackpot_hit(100, winnings)
    assert "4.2" in the_seat(answer)["rules"]
    assert answer["claims"] == [claim(1, tier, on="dealer", **payout)]


def test_4_2_hands_below_a_flush_have_no_line() -> None:
    answer = settled("9h 8h 7c 6c 5c", betting(STRAIGHT, jackpot=100, jackpot_dealer=100))
    assert the_seat(answer)["bets"]["jackpot"] == lost(100)
    assert the_seat(answer)["bets"]["jackpot_dealer"] == lost(100)
    assert answer["claims"] == []


def test_3_5_each_wager_goes_by_its_own_hand() -> None:
    answer = settled(
        SEVENS_FULL,
        betting(FLUSH, at=1, jackpot=100),
        betting("Ks Js 9s 4s 3s", at=2, jackpot_dealer=100),
        betting(QUEEN_HIGH, at=3, jackpot=100),
    )
    assert claims_of(answer) == [
        claim(1, "flush", amount=5_000),
        claim(2, "full_house", on="dealer", amount=10_000),
    ]
    assert answer["seats"][2]["bets"]["jackpot"] == lost(100)


def test_3_5_both_wagers_may_win_at_once() -> None:
    answer = settled(SEVENS_FULL, betting(FLUSH, jackpot=100, jackpot_dealer=200))
    assert the_seat(answer)["bets"]["jackpot"] == jackpot_hit(100, 5_000)
    assert the_seat(answer)["bets"]["jackpot_dealer"] == jackpot_hit(200, 20_000)
    assert claims_of(answer) == [
        claim(1, "full_house", on="dealer", amount=20_000),
        claim(1, "flush", amount=5_000),
    ]


def test_3_12_3_without_a_qualifying_dealer_the_jackpot_is_paid() -> None:
    answer = settled(NO_HAND, betting(FULL_HOUSE, jackpot=100))
    assert answer["claims"] == [claim(1, "full_house", amount=10_000)]


def test_3_13_3_the_jackpot_is_paid_to_a_hand_that_loses() -> None:
    answer = settled(SEVENS_FULL, betting(FLUSH, jackpot=100))
    assert the_seat(answer)["bets"] == {
        "ante": lost(1000),
        "bet": lost(2000),
        "jackpot": jackpot_hit(100, 5_000),
    }


def test_i2_odds_multiply_the_whole_wager() -> None:
    answer = settled(FOUR_OF_A_KIND, betting("Kd Jd 8d 6d 4d", jackpot=300, jackpot_dealer=500))
    assert claims_of(answer) == [
        claim(1, "four_of_a_kind", on="dealer", amount=250_000),
        claim(1, "flush", amount=15_000),
    ]


@pytest.mark.parametrize("credits_wagered", [100, 300, 1000])
def test_i2_percentage_is_paid_once_whatever_the_credits(credits_wagered: int) -> None:
    answer = settled(ACE_KING, betting(ROYAL_FLUSH, jackpot=credits_wagered))
    assert answer["claims"] == [claim(1, "royal_flush", percent=100)]


def test_i3_every_wager_on_the_dealer_has_its_own_claim() -> None:
    answer = settled(
        STRAIGHT_FLUSH,
        betting(FLUSH, at=1, jackpot_dealer=100),
        folding("Kh Th 6h 4c 2c", at=2, jackpot_dealer=300),
        betting("Kc Td 7h 5c 3c", at=3),
    )
    assert answer["claims"] == [
        claim(1, "straight_flush", on="dealer", percent=10),
        claim(2, "straight_flush", on="dealer", percent=10),
    ]


# ── folded, hidden, absent, without ante, under the minimum, out ─────────────


def test_i22_folded_player_keeps_both_wagers() -> None:
    answer = settled(SEVENS_FULL, folding(FLUSH, jackpot=100, jackpot_dealer=100))
    assert the_seat(answer)["bets"] == {
        "ante": lost(1000),
        "jackpot": jackpot_hit(100, 5_000),
        "jackpot_dealer": jackpot_hit(100, 10_000),
    }


def test_i22_wager_on_the_dealer_needs_the_dealers_hand_after_a_fold_too() -> None:
    refused("settle", round_of(SINGAPORE, NO_DEALER, folding(FLUSH, jackpot_dealer=100)))
    assert settled(NO_DEALER, folding(FLUSH, jackpot=100))["dealer"] is None
