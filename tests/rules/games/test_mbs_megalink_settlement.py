"""Megalink Singapore Stud Poker: what a round pays (paragraphs 3.4 to 3.10, 3.13, 4).

Limits, absent players and hands that are out of the round are in
test_mbs_megalink_limits.py, the ranking of hands in test_mbs_megalink_hands.py,
payment from the meter in test_mbs_awards.py.
"""

import pytest

from tests.rules.ask import Json, refused, settle
from tests.rules.games.mbs_stud import (
    ACE_KING,
    ACE_KING_TEN,
    BET_PAY_TABLE,
    FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    MEGALINK,
    NO_DEALER,
    NO_HAND,
    ONE_PAIR,
    QUEEN_HIGH,
    ROYAL_FLUSH,
    SEVENS_FULL,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
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
    won,
)

DOCUMENTS = ("mbs-megalink-stud",)

# Each line of the jackpot pay table: hand, what the wager of 500 comes to, the claim of seat 1.
JACKPOT_PAY_TABLE = (
    (ROYAL_FLUSH, jackpot_hit(500), claim(1, "royal_flush", percent=100)),
    (STRAIGHT_FLUSH, jackpot_hit(500), claim(1, "straight_flush", percent=10)),
    (FOUR_OF_A_KIND, jackpot_hit(500, 200_000), claim(1, "four_of_a_kind", amount=200_000)),
    (FULL_HOUSE, jackpot_hit(500, 20_000), claim(1, "full_house", amount=20_000)),
    (FLUSH, jackpot_hit(500, 10_000), claim(1, "flush", amount=10_000)),
)


def settled(dealer: str, *seats: Json) -> Json:
    return settle(round_of(MEGALINK, dealer, *seats))


def settled_seat(dealer: str, asked: Json) -> Json:
    return the_seat(settled(dealer, asked))


# ── fold or BET ──────────────────────────────────────────────────────────────


def test_3_9_1_fold_loses_the_ante() -> None:
    folded = settled_seat(ACE_KING, folding(FULL_HOUSE))
    assert folded["bets"] == {"ante": lost(1000)}
    assert "3.9.1" in folded["rules"]


@pytest.mark.parametrize("dealer", [NO_DEALER, NO_HAND, ACE_KING, SEVENS_FULL])
@pytest.mark.parametrize(("hand", "wager", "claimed"), JACKPOT_PAY_TABLE)
def test_3_9_1_folded_hand_keeps_every_jackpot_line(
    dealer: str, hand: str, wager: Json, claimed: Json
) -> None:
    answer = settled(dealer, folding(hand, jackpot=500))
    assert the_seat(answer)["bets"] == {"ante": lost(1000), "jackpot": wager}
    assert answer["claims"] == [claimed]


def test_3_9_1_with_every_hand_folded_no_dealer_is_needed() -> None:
    answer = settled(NO_DEALER, folding(ONE_PAIR, at=1), folding(FLUSH.replace("8d", "9d"), at=2))
    assert answer["dealer"] is None


def test_3_9_2_hand_that_goes_on_has_a_bet() -> None:
    refused("settle", round_of(MEGALINK, ACE_KING, seat("bet", ONE_PAIR, ante=1000)))
    refused("settle", round_of(MEGALINK, ACE_KING, seat("fold", ONE_PAIR, ante=1000, bet=2000)))


def test_i11_bet_counts_up_to_twice_the_ante() -> None:
    bets = settled_seat(ACE_KING, betting(THREE_OF_A_KIND, ante=1000, bet=5000))["bets"]
    assert bets == {"ante": won(1000, 1000), "bet": won(5000, 6000)}


def test_i11_the_rest_of_a_losing_bet_goes_back() -> None:
    bets = settled_seat(ACE_KING, betting(QUEEN_HIGH, ante=1000, bet=5000))["bets"]
    assert bets == {"ante": lost(1000), "bet": lost(5000, excess=3000)}


def test_i11_bet_below_twice_the_ante_counts_as_it_lies() -> None:
    bets = settled_seat(ACE_KING, betting(THREE_OF_A_KIND, ante=1000, bet=1500))["bets"]
    assert bets == {"ante": won(1000, 1000), "bet": won(1500, 4500)}


# ── a hand that is not shown ─────────────────────────────────────────────────


@pytest.mark.parametrize(("hand", "_wager", "_claimed"), JACKPOT_PAY_TABLE)
def test_3_10_1_hand_not_shown_loses_whatever_it_is(
    hand: str, _wager: Json, _claimed: Json
) -> None:
    answer = settled(ACE_KING, hidden(betting(hand, jackpot=500)))
    assert the_seat(answer)["bets"] == {
        "ante": lost(1000),
        "bet": lost(2000),
        "jackpot": lost(500),
    }
    assert "3.10.1" in the_seat(answer)["rules"]
    assert answer["claims"] == []


def test_3_10_1_hand_not_shown_cannot_stand_off() -> None:
    bets = settled_seat(ACE_KING, hidden(betting("Ac Ks 9d 5d 3c")))["bets"]
    assert bets == {"ante": lost(1000), "bet": lost(2000)}


def test_i10_hand_not_shown_is_paid_the_ante_by_a_dealer_without_a_hand() -> None:
    answer = settled(NO_HAND, hidden(betting(FLUSH, jackpot=500)))
    assert the_seat(answer)["bets"] == {
        "ante": won(1000, 1000),
        "bet": given_back(2000),
        "jackpot": lost(500),
    }
    assert answer["claims"] == []


def test_i8_folded_hand_not_shown_has_no_claim() -> None:
    answer = settled(ACE_KING, hidden(folding(FLUSH, jackpot=500)))
    assert the_seat(answer)["bets"] == {"ante": lost(1000), "jackpot": lost(500)}
    assert answer["claims"] == []


# ── the dealer has no hand ───────────────────────────────────────────────────


@pytest.mark.parametrize("dealer", [NO_HAND, "Ac Qh Jc Tc 9s", "Kc Qh Jc 5h 3s", "7c 5h 4c 3h 2s"])
def test_3_10_2_dealer_without_ace_and_king_has_no_hand(dealer: str) -> None:
    answer = settled(dealer, betting("8d 7d 6d 5d 3d"))
    assert answer["dealer"] == {"category": "five_odd_cards", "qualifies": False}


def test_3_10_2_1_dealer_without_a_hand_returns_the_bet() -> None:
    paid = settled_seat(NO_HAND, betting(ROYAL_FLUSH))
    assert paid["bets"]["bet"] == given_back(2000)
    assert "3.10.2.1" in paid["rules"]


@pytest.mark.parametrize("hand", [QUEEN_HIGH, ACE_KING_TEN, ROYAL_FLUSH])
def test_3_10_2_2_dealer_without_a_hand_pays_the_ante(hand: str) -> None:
    paid = settled_seat(NO_HAND, betting(hand))
    assert paid["bets"]["ante"] == won(1000, 1000)
    assert "3.10.2.2" in paid["rules"]


def test_3_10_2_2_dealer_without_a_hand_does_not_pay_who_folded() -> None:
    assert settled_seat(NO_HAND, folding(FULL_HOUSE))["bets"] == {"ante": lost(1000)}


@pytest.mark.parametrize(("hand", "wager", "claimed"), JACKPOT_PAY_TABLE)
def test_3_10_2_3_dealer_without_a_hand_does_not_stop_the_jackpot(
    hand: str, wager: Json, claimed: Json
) -> None:
    answer = settled(NO_HAND, betting(hand, jackpot=500))
    assert the_seat(answer)["bets"]["jackpot"] == wager
    assert answer["claims"] == [claimed]


# ── the dealer has a hand ────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("dealer", "category"),
    [
        ("Ac Kh 4c 3h 2s", "five_odd_cards"),
        ("2s 2h 5c 4c 3h", "one_pair"),
        ("5c 4h 3c 2h As", "straight"),
        ("7h 5h 4h 3h 2h", "flush"),
        (SEVENS_FULL, "full_house"),
    ],
)
def test_3_10_3_ace_and_king_or_better_is_a_hand(dealer: str, category: str) -> None:
    answer = settled(dealer, betting(ONE_PAIR.replace("4s", "Ts")))
    assert answer["dealer"] == {"category": category, "qualifies": True}


def test_3_10_3_1_the_higher_hand_is_paid_ante_and_bet() -> None:
    paid = settled_seat(ACE_KING, betting(THREE_OF_A_KIND))
    assert paid["bets"] == {"ante": won(1000, 1000), "bet": won(2000, 6000)}
    assert paid["category"] == "three_of_a_kind"
    assert "3.10.3.1" in paid["rules"]


def test_3_10_3_2_the_lower_hand_loses_ante_and_bet() -> None:
    collected = settled_seat(SEVENS_FULL, betting(THREE_OF_A_KIND))
    assert collected["bets"] == {"ante": lost(1000), "bet": lost(2000)}
    assert "3.10.3.2" in collected["rules"]


def test_3_10_3_3_the_jackpot_is_paid_to_a_hand_that_loses() -> None:
    answer = settled(SEVENS_FULL, betting(FLUSH, jackpot=500))
    assert the_seat(answer)["bets"] == {
        "ante": lost(1000),
        "bet": lost(2000),
        "jackpot": jackpot_hit(500, 10_000),
    }
    assert answer["claims"] == [claim(1, "flush", amount=10_000)]


def test_3_10_4_an_equal_hand_stands_off_on_ante_and_bet() -> None:
    even = settled_seat(ACE_KING, betting("Ac Ks 9d 5d 3c"))
    assert even["bets"] == {"ante": stood_off(1000), "bet": stood_off(2000)}
    assert "3.10.4" in even["rules"]


def test_3_10_4_stand_off_does_not_touch_the_jackpot() -> None:
    answer = settled("Ks Qs Js 9s 2s", betting("Kd Qd Jd 9d 2d", jackpot=500))
    assert the_seat(answer)["bets"] == {
        "ante": stood_off(1000),
        "bet": stood_off(2000),
        "jackpot": jackpot_hit(500, 10_000),
    }


def test_3_13_the_jackpot_comes_on_top_of_ante_and_bet() -> None:
    answer = settled(ACE_KING, betting(FULL_HOUSE, jackpot=500))
    assert the_seat(answer)["bets"] == {
        "ante": won(1000, 1000),
        "bet": won(2000, 14_000),
        "jackpot": jackpot_hit(500, 20_000),
    }


# ── pay tables ───────────────────────────────────────────────────────────────


@pytest.mark.parametrize("dealer", [NO_HAND, ACE_KING])
def test_4_1_1_winning_ante_is_paid_one_to_one(dealer: str) -> None:
    bets = settled_seat(dealer, betting(ROYAL_FLUSH, ante=2500, bet=5000))["bets"]
    assert bets["ante"] == won(2500, 2500)


@pytest.mark.parametrize(("hand", "category", "winnings"), BET_PAY_TABLE)
def test_4_1_2_winning_bet_is_paid_by_its_hand(hand: str, category: str, winnings: int) -> None:
    paid = settled_seat(ACE_KING, betting(hand))
    assert paid["category"] == category
    assert paid["bets"]["bet"] == won(2000, winnings)


def test_4_1_2_there_is_no_maximum_payout() -> None:
    bets = settled_seat(ACE_KING, betting(ROYAL_FLUSH, ante=100_000, bet=200_000))["bets"]
    assert bets["bet"] == won(200_000, 50_000_000)


@pytest.mark.parametrize(("hand", "wager", "claimed"), JACKPOT_PAY_TABLE)
def test_4_2_the_jackpot_is_paid_by_its_line(hand: str, wager: Json, claimed: Json) -> None:
    answer = settled(ACE_KING, betting(hand, jackpot=500))
    assert the_seat(answer)["bets"]["jackpot"] == wager
    assert "4.2" in the_seat(answer)["rules"]
    assert answer["claims"] == [claimed]


@pytest.mark.parametrize("hand", [STRAIGHT, THREE_OF_A_KIND, ONE_PAIR, ACE_KING_TEN])
def test_4_2_hand_below_a_flush_has_no_jackpot_line(hand: str) -> None:
    answer = settled(ACE_KING, betting(hand, jackpot=500))
    assert the_seat(answer)["bets"]["jackpot"] == lost(500)
    assert answer["claims"] == []


def test_4_2_fixed_amounts_do_not_grow_with_the_wager() -> None:
    answer = settled(ACE_KING, betting(FOUR_OF_A_KIND, jackpot=1500))
    assert answer["claims"] == [claim(1, "four_of_a_kind", amount=200_000)]


def test_3_5_without_a_jackpot_wager_there_is_no_claim() -> None:
    answer = settled(ACE_KING, betting(ROYAL_FLUSH))
    assert set(the_seat(answer)["bets"]) == {"ante", "bet"}
    assert answer["claims"] == []


def test_3_7_seats_stay_as_given_and_claims_go_by_seat() -> None:
    answer = settled(
        ACE_KING,
        betting(FLUSH, at=5, jackpot=500),
        betting(QUEEN_HIGH, at=1, jackpot=500),
        folding("Ks Js 9s 4s 2s", at=3, jackpot=500),
    )
    assert [one["seat"] for one in answer["seats"]] == [5, 1, 3]
    assert answer["claims"] == [claim(3, "flush", amount=10_000), claim(5, "flush", amount=10_000)]


# ── what this game does not have ─────────────────────────────────────────────


def test_2_2_2_there_is_no_jackpot_wager_on_the_dealer() -> None:
    refused("settle", round_of(MEGALINK, ACE_KING, betting(ONE_PAIR, jackpot_dealer=500)))


def test_2_2_2_there_are_no_draws() -> None:
    asked = round_of(MEGALINK, ACE_KING, betting(ONE_PAIR), draws={"magic_card": "7d"})
    assert "draws" in str(refused("settle", asked))


def test_1_1_5_hand_has_five_cards() -> None:
    refused("settle", round_of(MEGALINK, ACE_KING, betting("Qs Qh 8d 6h")))
    refused("settle", round_of(MEGALINK, "Ah Kd 9c 5h", betting(ONE_PAIR)))
    refused("settle", round_of(MEGALINK, ACE_KING, betting("")))
    refused("settle", round_of(MEGALINK, NO_DEALER, betting(ONE_PAIR)))


def test_2_1_no_card_is_there_twice() -> None:
    refused("settle", round_of(MEGALINK, ACE_KING, betting("Ah Kc 8d 6h 4s")))
