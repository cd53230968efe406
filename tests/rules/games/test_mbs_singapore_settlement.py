"""Singapore Stud Poker: what ante and BET pay (paragraphs 3.4 to 3.16, 4.1).

What the document is silent on comes from the same operator's later game (I-1).
The two jackpot wagers and the draws are in test_mbs_singapore_jackpot.py, the
payment from the meter in test_mbs_awards.py.
"""

import pytest

from tests.rules.ask import Json, refused, settle
from tests.rules.games import mbs_stud
from tests.rules.games.mbs_stud import (
    ACE_KING,
    ACE_KING_TEN,
    BET_PAY_TABLE,
    FULL_HOUSE,
    NO_DEALER,
    NO_HAND,
    ONE_PAIR,
    QUEEN_HIGH,
    ROYAL_FLUSH,
    SEVENS_FULL,
    SINGAPORE,
    THREE_OF_A_KIND,
    absent,
    again,
    betting,
    folding,
    given_back,
    hidden,
    lost,
    round_of,
    seat,
    stood_off,
    the_seat,
    without_ante,
    won,
)

DOCUMENTS = ("mbs-singapore-stud",)

LIMITS = {"ante_min": 1000, "ante_max": 100_000}
OVER = {"ante": 150_000, "bet": 300_000}
UNDER = {"ante": 500, "bet": 1000}


def settled(dealer: str, *seats: Json) -> Json:
    return settle(round_of(SINGAPORE, dealer, *seats, limits=LIMITS))


def settled_seat(dealer: str, asked: Json) -> Json:
    return the_seat(settled(dealer, asked))


def category(hand: str) -> object:
    return mbs_stud.category(SINGAPORE, hand)


def outranks(higher: str, lower: str) -> bool:
    return mbs_stud.outranks(SINGAPORE, higher, lower)


# ── fold or BET ──────────────────────────────────────────────────────────────


def test_3_4_without_an_ante_there_is_no_part_in_the_game() -> None:
    box = settled_seat(NO_DEALER, without_ante(bet=2000))
    assert box["bets"] == {"bet": given_back(2000)}
    assert "category" not in box


@pytest.mark.parametrize("dealer", [NO_DEALER, NO_HAND, ACE_KING])
def test_3_9_fold_loses_the_ante(dealer: str) -> None:
    folded = settled_seat(dealer, folding(FULL_HOUSE))
    assert folded["bets"] == {"ante": lost(1000)}
    assert "3.9" in folded["rules"]


def test_3_10_player_who_continues_has_a_bet() -> None:
    refused("settle", round_of(SINGAPORE, ACE_KING, seat("bet", ONE_PAIR, ante=1000)))
    refused("settle", round_of(SINGAPORE, ACE_KING, seat("fold", ONE_PAIR, ante=1000, bet=2000)))


# ── the dealer has no hand ───────────────────────────────────────────────────


@pytest.mark.parametrize("dealer", [NO_HAND, "Ac Qh Jc Tc 9s", "Kc Qh Jc 5h 3s", "7c 5h 4c 3h 2s"])
def test_3_12_dealer_without_ace_and_king_has_no_hand(dealer: str) -> None:
    answer = settled(dealer, betting("8d 7d 6d 5d 3d"))
    assert answer["dealer"] == {"category": "five_odd_cards", "qualifies": False}


def test_3_12_1_dealer_without_a_hand_returns_the_bet() -> None:
    paid = settled_seat(NO_HAND, betting(ROYAL_FLUSH))
    assert paid["bets"]["bet"] == given_back(2000)
    assert "3.12.1" in paid["rules"]


@pytest.mark.parametrize("hand", [QUEEN_HIGH, ACE_KING_TEN, ROYAL_FLUSH])
def test_3_12_2_dealer_without_a_hand_pays_the_ante(hand: str) -> None:
    paid = settled_seat(NO_HAND, betting(hand))
    assert paid["bets"]["ante"] == won(1000, 1000)
    assert "3.12.2" in paid["rules"]


# ── the dealer has a hand ────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("dealer", "name"),
    [
        ("Ac Kh 4c 3h 2s", "five_odd_cards"),
        ("2s 2h 5c 4c 3h", "one_pair"),
        ("5c 4h 3c 2h As", "straight"),
        ("7h 5h 4h 3h 2h", "flush"),
    ],
)
def test_3_13_ace_and_king_or_higher_is_a_hand(dealer: str, name: str) -> None:
    answer = settled(dealer, betting("Qs Qd 8d 6h Ts"))
    assert answer["dealer"] == {"category": name, "qualifies": True}


def test_3_13_1_the_higher_hand_is_paid_ante_and_bet() -> None:
    paid = settled_seat(ACE_KING, betting(THREE_OF_A_KIND))
    assert paid["bets"] == {"ante": won(1000, 1000), "bet": won(2000, 6000)}
    assert "3.13.1" in paid["rules"]


def test_3_13_2_the_lower_hand_loses_ante_and_bet() -> None:
    collected = settled_seat(SEVENS_FULL, betting(THREE_OF_A_KIND))
    assert collected["bets"] == {"ante": lost(1000), "bet": lost(2000)}
    assert "3.13.2" in collected["rules"]


# ── the order of hands: the lowest of a kind against the highest of the next ──


def test_3_14_1_royal_flush_is_the_highest_hand() -> None:
    assert category("Ad Kd Qd Jd Td") == "royal_flush"
    assert outranks("Ad Kd Qd Jd Td", "Ks Qs Js Ts 9s")


def test_3_14_2_straight_flush_beats_four_of_a_kind() -> None:
    assert category("Jc Tc 9c 8c 7c") == "straight_flush"
    assert outranks("5c 4c 3c 2c Ac", "Kh Kd Kc Ks As")


def test_3_14_3_four_of_a_kind_beats_a_full_house() -> None:
    assert category("Ac Ah Ad As Jh") == "four_of_a_kind"
    assert outranks("2c 2d 2h 2s 3c", "Ac Ad Ah Ks Kc")


def test_3_14_4_full_house_beats_a_flush() -> None:
    assert category("Kc Kh Kd As Ah") == "full_house"
    assert outranks("2c 2d 2h 3s 3c", "As Ks Qs Js 9s")


def test_3_14_5_flush_beats_a_straight() -> None:
    assert category("Jh 8h 6h 5h 2h") == "flush"
    assert outranks("7h 5h 4h 3h 2h", "Ac Kd Qs Jc Td")


def test_3_14_6_straight_beats_three_of_a_kind() -> None:
    assert category("9c 8d 7c 6h 5s") == "straight"
    assert outranks("5c 4d 3h 2s Ac", "As Ad Ah Kc Qd")


def test_3_14_6_the_ace_of_a_straight_is_high_or_low_but_not_between() -> None:
    assert category("Ac Kd Qs Jc Td") == "straight"
    assert category("5c 4d 3h 2s Ac") == "straight"
    assert category("3c 2d As Kc Qd") == "five_odd_cards"


def test_3_14_7_three_of_a_kind_beats_two_pairs() -> None:
    assert category("Ts Th Tc 6h 3d") == "three_of_a_kind"
    assert outranks("2c 2d 2h 4s 3c", "As Ah Kd Kc Qs")


def test_3_14_8_two_pairs_beat_one_pair() -> None:
    assert category("Qs Qh 6c 6h 3d") == "two_pairs"
    assert outranks("3c 3d 2h 2s 4c", "As Ah Kd Qc Js")


def test_3_14_9_one_pair_beats_five_odd_cards() -> None:
    assert category("Ac Ah 8d 6h 5s") == "one_pair"
    assert outranks("2c 2d 5h 4s 3c", "As Kh Qd Jc 9s")


def test_3_14_10_five_odd_cards_are_the_lowest_hand() -> None:
    assert category("Qc Th 6d 5s 2h") == "five_odd_cards"
    assert mbs_stud.showdown(SINGAPORE, "Ac Kh Qc Jc 9c", "2c 2d 5h 4s 3c") == "lose"


def test_3_15_a_the_straight_to_the_higher_card_wins() -> None:
    assert outranks("Qc Jd Th 9s 8c", "Tc 9d 8h 7s 6c")
    assert outranks("6c 5d 4h 3s 2c", "5c 4d 3h 2s Ac")


def test_3_15_b_an_equal_pair_goes_by_the_next_card() -> None:
    assert outranks("8c 8d Qh Ts 2c", "8h 8s Jc 9d 7h")


def test_3_15_c_five_odd_cards_go_by_the_next_card() -> None:
    assert outranks("Ac Kd Jh 4s 2c", "Ad Kh Ts 6c 3d")


@pytest.mark.parametrize("hand", ["Ac Ks 9d 5d 3c", "Ac Ks 9s 5s 3c"])
def test_3_16_an_equal_hand_stands_off_on_ante_and_bet(hand: str) -> None:
    even = settled_seat(ACE_KING, betting(hand))
    assert even["bets"] == {"ante": stood_off(1000), "bet": stood_off(2000)}
    assert "3.16" in even["rules"]


# ── pay tables ───────────────────────────────────────────────────────────────


@pytest.mark.parametrize("dealer", [NO_HAND, ACE_KING])
def test_4_1_1_winning_ante_is_paid_one_to_one(dealer: str) -> None:
    bets = settled_seat(dealer, betting(ROYAL_FLUSH, ante=2500, bet=5000))["bets"]
    assert bets["ante"] == won(2500, 2500)


@pytest.mark.parametrize(("hand", "name", "winnings"), BET_PAY_TABLE)
def test_4_1_2_winning_bet_is_paid_by_its_hand(hand: str, name: str, winnings: int) -> None:
    paid = settled_seat(ACE_KING, betting(hand))
    assert paid["category"] == name
    assert paid["bets"]["bet"] == won(2000, winnings)


# ── what the later document decides ──────────────────────────────────────────


def test_i1_hand_not_shown_loses_to_a_dealer_with_a_hand() -> None:
    bets = settled_seat(ACE_KING, hidden(betting(FULL_HOUSE)))["bets"]
    assert bets == {"ante": lost(1000), "bet": lost(2000)}


def test_i10_hand_not_shown_is_paid_the_ante_by_a_dealer_without_a_hand() -> None:
    bets = settled_seat(NO_HAND, hidden(betting(FULL_HOUSE)))["bets"]
    assert bets == {"ante": won(1000, 1000), "bet": given_back(2000)}


def test_i1_an_absent_player_gets_the_ante_back() -> None:
    gone = settled_seat(NO_DEALER, absent(FULL_HOUSE))
    assert gone["bets"] == {"ante": given_back(1000)}
    assert "5.11" not in gone["rules"]  # a paragraph of the other document


def test_i1_win_over_the_maximum_is_paid_to_the_maximum() -> None:
    bets = settled_seat(ACE_KING, betting(THREE_OF_A_KIND, **OVER))["bets"]
    assert bets == {"ante": won(150_000, 100_000), "bet": won(300_000, 600_000)}


def test_i1_loss_over_the_maximum_is_collected_to_the_maximum() -> None:
    bets = settled_seat(ACE_KING, betting(QUEEN_HIGH, **OVER))["bets"]
    assert bets == {
        "ante": lost(150_000, excess=50_000),
        "bet": lost(300_000, excess=100_000),
    }


def test_i1_under_the_minimum_is_settled_once() -> None:
    bets = settled_seat(ACE_KING, betting(THREE_OF_A_KIND, **UNDER))["bets"]
    assert bets == {"ante": won(500, 500), "bet": won(1000, 3000)}


def test_i1_under_the_minimum_again_everything_goes_back() -> None:
    bets = settled_seat(ACE_KING, again(betting(THREE_OF_A_KIND, **UNDER)))["bets"]
    assert bets == {"ante": given_back(500), "bet": given_back(1000)}


def test_i11_bet_counts_up_to_twice_the_ante() -> None:
    bets = settled_seat(ACE_KING, betting(QUEEN_HIGH, ante=1000, bet=5000))["bets"]
    assert bets == {"ante": lost(1000), "bet": lost(5000, excess=3000)}


@pytest.mark.parametrize("contradiction", [absent(ONE_PAIR, bet=2000), seat("bet", ONE_PAIR)])
def test_i33_contradictory_decision_is_refused(contradiction: Json) -> None:
    refused("settle", round_of(SINGAPORE, ACE_KING, contradiction))
