"""Ante and BET in the RWS stud games: §3.6, §3.12 to §3.14 and the pay table of §4.1.

The jackpot bet is in `test_rws_stud_jackpot_bet.py`; wagers outside the limits
and players who walk away are in `test_rws_stud_limits.py`.
"""

import pytest

from tests.rules.ask import Json, settle
from tests.rules.games.rws_stud import (
    ACE_KING_QUEEN,
    CASINO,
    FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    MULTILINK,
    NOT_QUALIFYING,
    ONE_PAIR,
    QUALIFYING,
    QUEEN_HIGH,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
    TWO_PAIRS,
    betting,
    both_games,
    folding,
    given_back,
    lost,
    settled,
    stood_off,
    table,
    won,
)

DOCUMENTS = (MULTILINK, CASINO)


def bets_of(game: str, dealer: str | None, seat: Json, **more: object) -> Json:
    bets: Json = settled(game, dealer, seat, **more)["bets"]
    return bets


# §3.6: the ante


@both_games
def test_3_6_box_without_an_ante_takes_no_part(game: str) -> None:
    answer = settle(table(game, None, {"seat": 2, "bets": {}}))
    assert answer["dealer"] is None
    assert "category" not in answer["seats"][0]
    assert answer["claims"] == []


@both_games
def test_3_6_bet_without_an_ante_is_given_back(game: str) -> None:
    seat = {"seat": 1, "bets": {"bet": 5000}, "decision": "bet", "cards": ONE_PAIR.split()}
    answer = settled(game, QUALIFYING, seat)
    assert answer["bets"] == {"bet": given_back(5000)}
    assert "category" not in answer


@both_games
def test_3_6_bet_without_an_ante_needs_neither_cards_nor_decision(game: str) -> None:
    assert bets_of(game, None, {"seat": 1, "bets": {"bet": 5000}}) == {"bet": given_back(5000)}


@both_games
def test_3_6_stake_of_zero_is_no_bet(game: str) -> None:
    with_zero = folding(QUEEN_HIGH, jackpot=0)
    with_zero["bets"]["bet"] = 0
    assert settle(table(game, QUALIFYING, with_zero)) == settle(
        table(game, QUALIFYING, folding(QUEEN_HIGH))
    )


@both_games
def test_3_7_each_hand_of_one_player_is_settled_by_itself(game: str) -> None:
    seats = settle(
        table(game, QUALIFYING, betting(ONE_PAIR, seat=3), betting("Qc Jh 9d 4s 3h", seat=4))
    )["seats"]
    assert [seat["bets"] for seat in seats] == [
        {"ante": won(2500, 2500), "bet": won(5000, 5000)},
        {"ante": lost(2500), "bet": lost(5000)},
    ]


# §3.12: fold or BET


@both_games
def test_3_12_1_fold_loses_the_ante(game: str) -> None:
    seat = settled(game, QUALIFYING, folding(QUEEN_HIGH))
    assert seat["bets"] == {"ante": lost(2500)}
    assert "3.12.1" in seat["rules"]


@both_games
@pytest.mark.parametrize("dealer", [QUALIFYING, NOT_QUALIFYING])
def test_3_12_1_fold_loses_the_ante_whatever_the_hands(game: str, dealer: str) -> None:
    assert bets_of(game, dealer, folding(FULL_HOUSE)) == {"ante": lost(2500)}


@both_games
def test_3_12_1_no_dealer_hand_is_needed_when_all_fold(game: str) -> None:
    answer = settle(
        table(game, None, folding(QUEEN_HIGH, seat=1), folding("9d 9h 8h 7d 2c", seat=2))
    )
    assert answer["dealer"] is None
    assert [seat["bets"] for seat in answer["seats"]] == [{"ante": lost(2500)}] * 2


# §3.13: the dealer does not qualify


@both_games
@pytest.mark.parametrize("cards", [QUEEN_HIGH, ONE_PAIR, ROYAL_FLUSH])
def test_3_13_ante_wins_and_bet_is_returned(game: str, cards: str) -> None:
    seat = settled(game, NOT_QUALIFYING, betting(cards))
    assert seat["bets"] == {"ante": won(2500, 2500), "bet": given_back(5000)}
    assert "3.13" in seat["rules"]


@both_games
def test_3_13_answer_names_the_dealers_hand(game: str) -> None:
    answer = settle(table(game, NOT_QUALIFYING, betting(ONE_PAIR)))
    assert answer["dealer"] == {"category": "five_odd_cards", "qualifies": False}


@both_games
def test_3_13_equal_hands_are_not_compared(game: str) -> None:
    bets = bets_of(game, NOT_QUALIFYING, betting("Ac Qd 7d 5c 2c"))
    assert bets == {"ante": won(2500, 2500), "bet": given_back(5000)}


# §3.14: the dealer qualifies


@both_games
def test_3_14_1_higher_hand_wins_ante_and_bet(game: str) -> None:
    answer = settle(table(game, QUALIFYING, betting(ONE_PAIR)))
    seat = answer["seats"][0]
    assert answer["game"] == game
    assert answer["dealer"] == {"category": "five_odd_cards", "qualifies": True}
    assert (seat["seat"], seat["category"]) == (1, "one_pair")
    assert seat["bets"] == {"ante": won(2500, 2500), "bet": won(5000, 5000)}
    assert {"3.14.1", "4.1"} <= set(seat["rules"])


@both_games
def test_3_14_2_lower_hand_loses_ante_and_bet(game: str) -> None:
    seat = settled(game, QUALIFYING, betting(QUEEN_HIGH))
    assert seat["bets"] == {"ante": lost(2500), "bet": lost(5000)}
    assert "3.14.2" in seat["rules"]


@both_games
def test_3_14_2_good_hand_still_loses_to_a_better_one(game: str) -> None:
    bets = bets_of(game, "Ac Ad As 4c 4d", betting(FLUSH))
    assert bets == {"ante": lost(2500), "bet": lost(5000)}


@both_games
@pytest.mark.parametrize(
    ("player", "dealer"),
    [("Ac Kh 7d 5c 2c", QUALIFYING), (ROYAL_FLUSH, "As Ks Qs Js Ts"), (STRAIGHT, "6d 5h 4s 3d 2c")],
)
def test_3_14_3_equal_hands_stand_off(game: str, player: str, dealer: str) -> None:
    seat = settled(game, dealer, betting(player))
    assert seat["bets"] == {"ante": stood_off(2500), "bet": stood_off(5000)}
    assert "3.14.3" in seat["rules"]


@both_games
def test_3_14_seats_are_answered_in_the_order_given(game: str) -> None:
    answer = settle(
        table(
            game,
            QUALIFYING,
            betting(QUEEN_HIGH, seat=5),
            betting(THREE_OF_A_KIND, seat=2),
            folding("Jc Td 8c 6h 2d", seat=4),
        )
    )
    assert [(seat["seat"], seat["bets"]["ante"]["outcome"]) for seat in answer["seats"]] == [
        (5, "lose"),
        (2, "win"),
        (4, "lose"),
    ]


# §4.1: the pay table


@both_games
@pytest.mark.parametrize(
    ("cards", "category", "winnings"),
    [
        (ROYAL_FLUSH, "royal_flush", 1_250_000),
        (STRAIGHT_FLUSH, "straight_flush", 250_000),
        (FOUR_OF_A_KIND, "four_of_a_kind", 100_000),
        (FULL_HOUSE, "full_house", 35_000),
        (FLUSH, "flush", 25_000),
        (STRAIGHT, "straight", 20_000),
        (THREE_OF_A_KIND, "three_of_a_kind", 15_000),
        (TWO_PAIRS, "two_pairs", 10_000),
        (ONE_PAIR, "one_pair", 5_000),
        (ACE_KING_QUEEN, "five_odd_cards", 5_000),
    ],
)
def test_4_1_bet_is_paid_by_the_hand_and_ante_even(
    game: str, cards: str, category: str, winnings: int
) -> None:
    seat = settled(game, QUALIFYING, betting(cards))
    assert seat["category"] == category
    assert seat["bets"] == {"ante": won(2500, 2500), "bet": won(5000, winnings)}


@both_games
def test_4_1_odds_hold_to_the_cent(game: str) -> None:
    bets = bets_of(game, QUALIFYING, betting(FULL_HOUSE, ante=101, bet=202))
    assert bets == {"ante": won(101, 101), "bet": won(202, 1414)}


# §4.1.1: the most that a BET pays, SGD 100,000 per box


@both_games
@pytest.mark.parametrize(
    ("cards", "ante", "bet", "winnings"),
    [
        (ROYAL_FLUSH, 20_000, 40_000, 10_000_000),
        (ROYAL_FLUSH, 19_999, 39_998, 9_999_500),
        (STRAIGHT_FLUSH, 100_000, 200_000, 10_000_000),
    ],
)
def test_4_1_1_bet_is_paid_in_full_up_to_the_maximum(
    game: str, cards: str, ante: int, bet: int, winnings: int
) -> None:
    bets = bets_of(game, QUALIFYING, betting(cards, ante=ante, bet=bet))
    assert bets == {"ante": won(ante, ante), "bet": won(bet, winnings)}


@both_games
@pytest.mark.parametrize(
    ("cards", "ante", "bet"),
    [
        (ROYAL_FLUSH, 20_001, 40_002),
        (ROYAL_FLUSH, 100_000, 200_000),
        (STRAIGHT_FLUSH, 100_001, 200_002),
        (FOUR_OF_A_KIND, 250_001, 500_002),
        (ONE_PAIR, 5_000_001, 10_000_002),
    ],
)
def test_4_1_1_bet_never_pays_more_than_the_maximum(
    game: str, cards: str, ante: int, bet: int
) -> None:
    seat = settled(game, QUALIFYING, betting(cards, ante=ante, bet=bet))
    assert seat["bets"]["bet"] == won(bet, 10_000_000)
    assert "4.1.1" in seat["rules"]


@both_games
def test_4_1_1_maximum_leaves_the_ante_alone(game: str) -> None:
    bets = bets_of(game, QUALIFYING, betting(ONE_PAIR, ante=20_000_000, bet=40_000_000))
    assert bets["ante"] == won(20_000_000, 20_000_000)


@both_games
def test_4_1_1_maximum_is_for_each_box(game: str) -> None:
    answer = settle(
        table(
            game,
            QUALIFYING,
            betting(ROYAL_FLUSH, seat=1, ante=50_000, bet=100_000),
            betting("Ac Kc Qc Jc Tc", seat=2, ante=50_000, bet=100_000),
        )
    )
    assert [seat["bets"]["bet"] for seat in answer["seats"]] == [won(100_000, 10_000_000)] * 2


@both_games
def test_i14_stake_is_handed_back_on_top_of_the_maximum(game: str) -> None:
    bets = bets_of(game, QUALIFYING, betting(ROYAL_FLUSH, ante=100_000, bet=200_000))
    assert bets["bet"] == {
        "stake": 200_000,
        "outcome": "win",
        "winnings": 10_000_000,
        "returned": 200_000,
    }


@both_games
def test_5_21_chips_are_settled_where_they_lie(game: str) -> None:
    answer = settle(
        table(
            game,
            QUALIFYING,
            betting(QUEEN_HIGH, seat=2, ante=10_000, bet=20_000),
            betting(THREE_OF_A_KIND, seat=1),
        )
    )
    assert [seat["bets"] for seat in answer["seats"]] == [
        {"ante": lost(10_000), "bet": lost(20_000)},
        {"ante": won(2500, 2500), "bet": won(5000, 15_000)},
    ]
