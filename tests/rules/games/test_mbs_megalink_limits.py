"""Megalink Singapore Stud Poker: wagers that are out of bounds or out of the round.

Limits (3.4, 5.13, 5.14), absent players (5.11), jackpot wagers without an ante
(5.12), hands that were withdrawn or invalidated. What a proper wager pays is in
test_mbs_megalink_settlement.py.
"""

import pytest

from tests.rules.ask import Json, refused, settle
from tests.rules.games.mbs_stud import (
    ACE_KING,
    FLUSH,
    MEGALINK,
    NO_DEALER,
    NO_HAND,
    ONE_PAIR,
    QUEEN_HIGH,
    ROYAL_FLUSH,
    THREE_OF_A_KIND,
    absent,
    again,
    betting,
    claim,
    folding,
    given_back,
    hidden,
    jackpot_hit,
    lost,
    round_of,
    seat,
    stood_off,
    the_seat,
    without_ante,
    won,
)

DOCUMENTS = ("mbs-megalink-stud",)

LIMITS = {"ante_min": 1000, "ante_max": 100_000}
OVER = {"ante": 150_000, "bet": 300_000}
UNDER = {"ante": 500, "bet": 1000}


def settled(dealer: str, *seats: Json, limits: dict[str, int] = LIMITS) -> Json:
    return settle(round_of(MEGALINK, dealer, *seats, limits=limits))


def settled_seat(dealer: str, asked: Json) -> Json:
    return the_seat(settled(dealer, asked))


# ── at the limits ────────────────────────────────────────────────────────────


def test_3_4_an_ante_at_the_minimum_is_within_the_limits() -> None:
    bets = settled_seat(ACE_KING, again(betting(ONE_PAIR, ante=1000, bet=2000)))["bets"]
    assert bets == {"ante": won(1000, 1000), "bet": won(2000, 2000)}


def test_3_4_an_ante_at_the_maximum_is_within_the_limits() -> None:
    bets = settled_seat(ACE_KING, betting(QUEEN_HIGH, ante=100_000, bet=200_000))["bets"]
    assert bets == {"ante": lost(100_000), "bet": lost(200_000)}


def test_3_4_without_limits_nothing_is_over_or_under() -> None:
    answer = settled(
        ACE_KING,
        betting(ONE_PAIR, at=1, ante=150_000, bet=300_000),
        again(betting(QUEEN_HIGH, at=2, ante=1, bet=2)),
        limits={},
    )
    assert [one["bets"] for one in answer["seats"]] == [
        {"ante": won(150_000, 150_000), "bet": won(300_000, 300_000)},
        {"ante": lost(1), "bet": lost(2)},
    ]


def test_3_4_one_limit_alone_may_be_given() -> None:
    answer = settled(ACE_KING, again(betting(ONE_PAIR, **UNDER)), limits={"ante_max": 100_000})
    assert the_seat(answer)["bets"] == {"ante": won(500, 500), "bet": won(1000, 1000)}


def test_i33_minimum_above_the_maximum_is_refused() -> None:
    limits = {"ante_min": 2000, "ante_max": 1000}
    refused("settle", round_of(MEGALINK, ACE_KING, betting(ONE_PAIR), limits=limits))


# ── over the maximum ─────────────────────────────────────────────────────────


def test_5_14_win_over_the_maximum_is_paid_to_the_maximum() -> None:
    paid = settled_seat(ACE_KING, betting(THREE_OF_A_KIND, **OVER))
    assert paid["bets"] == {"ante": won(150_000, 100_000), "bet": won(300_000, 600_000)}
    assert "5.14" in paid["rules"]


def test_5_14_loss_over_the_maximum_is_collected_to_the_maximum() -> None:
    collected = settled_seat(ACE_KING, betting(QUEEN_HIGH, **OVER))
    assert collected["bets"] == {
        "ante": lost(150_000, excess=50_000),
        "bet": lost(300_000, excess=100_000),
    }
    assert "5.14" in collected["rules"]


def test_5_14_folded_ante_over_the_maximum_is_collected_to_the_maximum() -> None:
    bets = settled_seat(ACE_KING, folding(ONE_PAIR, ante=150_000))["bets"]
    assert bets == {"ante": lost(150_000, excess=50_000)}


def test_5_14_stand_off_over_the_maximum_gives_all_back() -> None:
    bets = settled_seat(ACE_KING, betting("Ac Ks 9d 5d 3c", **OVER))["bets"]
    assert bets == {"ante": stood_off(150_000), "bet": stood_off(300_000)}


def test_5_14_dealer_without_a_hand_pays_the_ante_to_the_maximum() -> None:
    bets = settled_seat(NO_HAND, betting(ONE_PAIR, **OVER))["bets"]
    assert bets == {"ante": won(150_000, 100_000), "bet": given_back(300_000)}


def test_5_14_an_ante_over_the_maximum_keeps_its_jackpot_claim() -> None:
    answer = settled(ACE_KING, betting(FLUSH, jackpot=500, **OVER))
    assert the_seat(answer)["bets"]["jackpot"] == jackpot_hit(500, 10_000)


def test_i11_the_bet_is_measured_against_the_ante_as_cut() -> None:
    bets = settled_seat(ACE_KING, betting(QUEEN_HIGH, ante=100_001, bet=200_002))["bets"]
    assert bets == {"ante": lost(100_001, excess=1), "bet": lost(200_002, excess=2)}


# ── under the minimum ────────────────────────────────────────────────────────


def test_5_13_win_under_the_minimum_is_paid_once() -> None:
    answer = settled(ACE_KING, betting(FLUSH, jackpot=500, **UNDER))
    assert the_seat(answer)["bets"] == {
        "ante": won(500, 500),
        "bet": won(1000, 5000),
        "jackpot": jackpot_hit(500, 10_000),
    }
    assert "5.13" in the_seat(answer)["rules"]
    assert answer["claims"] == [claim(1, "flush", amount=10_000)]


def test_5_13_loss_under_the_minimum_is_collected_once() -> None:
    collected = settled_seat(ACE_KING, betting(QUEEN_HIGH, jackpot=500, **UNDER))
    assert collected["bets"] == {"ante": lost(500), "bet": lost(1000), "jackpot": lost(500)}


@pytest.mark.parametrize("dealer", [ACE_KING, NO_HAND])
@pytest.mark.parametrize("hand", [QUEEN_HIGH, FLUSH, ROYAL_FLUSH])
def test_5_13_under_the_minimum_again_everything_goes_back(dealer: str, hand: str) -> None:
    answer = settled(dealer, again(betting(hand, jackpot=500, **UNDER)))
    assert the_seat(answer)["bets"] == {
        "ante": given_back(500),
        "bet": given_back(1000),
        "jackpot": given_back(500),
    }
    assert "5.13" in the_seat(answer)["rules"]
    assert answer["claims"] == []


def test_5_13_under_the_minimum_again_goes_back_to_a_hand_not_shown_too() -> None:
    bets = settled_seat(ACE_KING, hidden(again(betting(ONE_PAIR, **UNDER))))["bets"]
    assert bets == {"ante": given_back(500), "bet": given_back(1000)}


def test_5_13_under_the_minimum_again_goes_back_after_a_fold_too() -> None:
    answer = settled(ACE_KING, again(folding(FLUSH, ante=999, jackpot=500)))
    assert the_seat(answer)["bets"] == {"ante": given_back(999), "jackpot": given_back(500)}
    assert answer["claims"] == []


def test_5_13_one_offender_does_not_touch_the_others() -> None:
    answer = settled(
        ACE_KING, again(betting(FLUSH, at=1, **UNDER)), betting(ONE_PAIR.replace("8d", "Jh"), at=2)
    )
    assert [one["bets"]["ante"] for one in answer["seats"]] == [given_back(500), won(1000, 1000)]


# ── absent ───────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("dealer", [NO_DEALER, NO_HAND, ACE_KING])
def test_5_11_an_absent_player_gets_ante_and_jackpot_wager_back(dealer: str) -> None:
    answer = settled(dealer, absent(ROYAL_FLUSH, jackpot=500))
    assert the_seat(answer)["bets"] == {"ante": given_back(1000), "jackpot": given_back(500)}
    assert "5.11" in the_seat(answer)["rules"]
    assert answer["claims"] == []


def test_5_11_decides_for_an_absent_player_who_is_under_the_minimum_again() -> None:
    answer = settled(ACE_KING, again(absent(ONE_PAIR, ante=LIMITS["ante_min"] - 1)))
    assert the_seat(answer)["bets"]["ante"]["outcome"] == "returned"
    assert the_seat(answer)["rules"] == ["5.11"]


def test_5_11_an_absent_player_has_placed_no_bet() -> None:
    refused("settle", round_of(MEGALINK, ACE_KING, absent(ONE_PAIR, bet=2000)))


# ── a jackpot wager without an ante ──────────────────────────────────────────


def test_5_12_2_jackpot_wager_without_an_ante_goes_back() -> None:
    answer = settled(NO_DEALER, without_ante(jackpot=500))
    assert the_seat(answer)["bets"] == {"jackpot": given_back(500)}
    assert "5.12.2" in the_seat(answer)["rules"]
    assert "category" not in the_seat(answer)
    assert answer["claims"] == []


def test_5_12_2_not_even_a_royal_flush_makes_it_valid() -> None:
    answer = settled(ACE_KING, seat("", ROYAL_FLUSH, jackpot=500))
    assert the_seat(answer)["bets"] == {"jackpot": given_back(500)}
    assert "category" not in the_seat(answer)
    assert answer["claims"] == []


def test_i15_without_an_ante_every_other_bet_goes_back() -> None:
    answer = settled(NO_DEALER, without_ante(bet=2000, jackpot=500))
    assert the_seat(answer)["bets"] == {"bet": given_back(2000), "jackpot": given_back(500)}


@pytest.mark.parametrize(
    "contradiction",
    [
        seat("bet", ONE_PAIR, jackpot=500),
        seat("fold", ONE_PAIR, bet=2000),
        seat("absent", ONE_PAIR, bet=2000),
    ],
)
def test_i33_contradiction_is_refused_without_an_ante_too(contradiction: Json) -> None:
    refused("settle", round_of(MEGALINK, ACE_KING, contradiction))


# ── withdrawn or invalid ─────────────────────────────────────────────────────


def out_of_the_round(decision: str, hand: str) -> Json:
    return settled(NO_DEALER, seat(decision, hand, ante=1000, bet=2000, jackpot=500))


ALL_BACK = {"ante": given_back(1000), "bet": given_back(2000), "jackpot": given_back(500)}


@pytest.mark.parametrize("hand", ["", ROYAL_FLUSH, "As Ks Qs"])
def test_5_16_1_who_withdraws_gets_every_wager_back(hand: str) -> None:
    answer = out_of_the_round("withdrawn", hand)
    assert the_seat(answer)["bets"] == ALL_BACK
    assert answer["dealer"] is None
    assert answer["claims"] == []


@pytest.mark.parametrize("hand", ["", "As Ks Qs Js", "As Ks Qs Js Ts 9s"])
def test_5_7_hand_with_a_wrong_count_gets_every_wager_back(hand: str) -> None:
    answer = out_of_the_round("invalid", hand)
    assert the_seat(answer)["bets"] == ALL_BACK
    assert "category" not in the_seat(answer)
    assert answer["claims"] == []


def test_5_10_1_an_invalidated_hand_does_not_touch_the_others() -> None:
    answer = settled(
        ACE_KING,
        seat("invalid", FLUSH, at=1, ante=1000, jackpot=500),
        betting(ONE_PAIR.replace("8d", "Jh"), at=2, jackpot=500),
    )
    assert [one["bets"] for one in answer["seats"]] == [
        {"ante": given_back(1000), "jackpot": given_back(500)},
        {"ante": won(1000, 1000), "bet": won(2000, 2000), "jackpot": lost(500)},
    ]
    assert answer["claims"] == []
