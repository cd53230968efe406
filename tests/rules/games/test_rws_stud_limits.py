"""Wagers and players that are not as they should be, at settlement: §5.1 to §5.6 and §5.10.3.

Over and under the limits, a BET that is not twice the ante, players who walk
away or are out of the round. Rulings are in `test_rws_stud_irregularities.py`,
documents that make no sense in `test_rws_stud_refusals.py`.
"""

from collections.abc import Callable

import pytest

from tests.rules.ask import Json, settle
from tests.rules.games.rws_stud import (
    CASINO,
    FLUSH,
    MULTILINK,
    NOT_QUALIFYING,
    ONE_PAIR,
    QUALIFYING,
    QUEEN_HIGH,
    ROYAL_FLUSH,
    TWO_PAIRS,
    absent,
    betting,
    both_games,
    claimed,
    folding,
    given_back,
    jackpot_won,
    lost,
    minor,
    settled,
    stood_off,
    table,
    won,
)

DOCUMENTS = (MULTILINK, CASINO)

LIMITS = {"ante_min": 2500, "ante_max": 100_000}
EQUAL_HAND = "Ac Kh 7d 5c 2c"  # the same ranks as the qualifying dealer


def within(game: str, dealer: str | None, seat: Json, limits: Json = LIMITS) -> Json:
    return settled(game, dealer, seat, limits=limits)


# §5.1.1: over the maximum


@both_games
def test_5_1_1_win_over_the_maximum_is_paid_on_the_maximum(game: str) -> None:
    seat = within(game, QUALIFYING, betting(ONE_PAIR, ante=150_000, bet=300_000))
    assert seat["bets"] == {
        "ante": won(150_000, 100_000),
        "bet": won(300_000, 200_000),
    }
    assert "5.1.1" in seat["rules"]


@both_games
def test_5_1_1_loss_over_the_maximum_gives_the_excess_back(game: str) -> None:
    seat = within(game, QUALIFYING, betting(QUEEN_HIGH, ante=150_000, bet=300_000))
    assert seat["bets"] == {
        "ante": lost(150_000, excess=50_000),
        "bet": lost(300_000, excess=100_000),
    }
    assert "5.1.1" in seat["rules"]


@both_games
def test_5_1_1_stand_off_over_the_maximum_gives_all_back(game: str) -> None:
    seat = within(game, QUALIFYING, betting(EQUAL_HAND, ante=150_000, bet=300_000))
    assert seat["bets"] == {"ante": stood_off(150_000), "bet": stood_off(300_000)}


@both_games
def test_5_1_1_ante_over_the_maximum_is_paid_on_it_when_the_dealer_fails(game: str) -> None:
    seat = within(game, NOT_QUALIFYING, betting(QUEEN_HIGH, ante=150_000, bet=300_000))
    assert seat["bets"] == {"ante": won(150_000, 100_000), "bet": given_back(300_000)}


@both_games
@pytest.mark.parametrize("player", [folding, absent])
def test_5_1_1_folded_ante_over_the_maximum_gives_the_excess_back(
    game: str, player: Callable[..., Json]
) -> None:
    seat = within(game, None, player(QUEEN_HIGH, ante=150_000))
    assert seat["bets"] == {"ante": lost(150_000, excess=50_000)}
    assert "5.1.1" in seat["rules"]


@both_games
def test_5_1_1_odds_are_on_the_maximum(game: str) -> None:
    seat = within(game, QUALIFYING, betting(TWO_PAIRS, ante=150_000, bet=300_000))
    assert seat["bets"]["bet"] == won(300_000, 400_000)


@both_games
def test_5_1_1_ante_at_the_maximum_is_all_in_play(game: str) -> None:
    seat = within(game, QUALIFYING, betting(QUEEN_HIGH, ante=100_000, bet=200_000))
    assert seat["bets"] == {"ante": lost(100_000), "bet": lost(200_000)}
    assert "5.1.1" not in seat["rules"]


@both_games
@pytest.mark.parametrize("limits", [{}, {"ante_min": 2500}])
def test_5_1_1_no_maximum_applies_where_none_is_set(game: str, limits: Json) -> None:
    seat = within(game, QUALIFYING, betting(ONE_PAIR, ante=150_000, bet=300_000), limits)
    assert seat["bets"] == {"ante": won(150_000, 150_000), "bet": won(300_000, 300_000)}


@both_games
def test_5_1_1_maximum_leaves_the_jackpot_bet_alone(game: str) -> None:
    limits = {"ante_max": 100}
    seat = within(game, QUALIFYING, betting(FLUSH, ante=100, bet=200, jackpot=500), limits)
    assert seat["bets"]["jackpot"] == jackpot_won(500, 10_000)


@both_games
def test_i11_bet_counts_up_to_twice_the_maximum_ante(game: str) -> None:
    seat = within(game, QUALIFYING, betting(QUEEN_HIGH, ante=150_000, bet=200_000))
    assert seat["bets"] == {"ante": lost(150_000, excess=50_000), "bet": lost(200_000)}


@both_games
def test_i11_bet_below_twice_the_maximum_ante_stays_as_it_is(game: str) -> None:
    seat = within(game, QUALIFYING, betting(ONE_PAIR, ante=150_000, bet=180_000))
    assert seat["bets"] == {"ante": won(150_000, 100_000), "bet": won(180_000, 180_000)}


@both_games
def test_i11_bet_above_twice_both_antes_counts_by_the_maximum(game: str) -> None:
    seat = within(game, QUALIFYING, betting(QUEEN_HIGH, ante=150_000, bet=350_000))
    assert seat["bets"]["bet"] == lost(350_000, excess=150_000)


# §5.2.1: under the minimum


@both_games
@pytest.mark.parametrize("before", [False, True])
def test_5_2_1_win_under_the_minimum_is_paid_as_placed(game: str, *, before: bool) -> None:
    player = betting(ONE_PAIR, ante=1000, bet=2000, under_min_before=before)
    seat = within(game, QUALIFYING, player)
    assert seat["bets"] == {"ante": won(1000, 1000), "bet": won(2000, 2000)}
    assert "5.2.1" in seat["rules"]


@both_games
@pytest.mark.parametrize("before", [False, True])
def test_5_2_1_loss_under_the_minimum_is_collected_as_placed(game: str, *, before: bool) -> None:
    player = betting(QUEEN_HIGH, ante=1000, bet=2000, under_min_before=before)
    assert within(game, QUALIFYING, player)["bets"] == {"ante": lost(1000), "bet": lost(2000)}


@both_games
@pytest.mark.parametrize("before", [False, True])
def test_i13_jackpot_bet_under_the_minimum_still_claims(game: str, *, before: bool) -> None:
    player = betting(FLUSH, ante=1000, bet=2000, jackpot=500, under_min_before=before)
    answer = settle(table(game, QUALIFYING, player, limits=LIMITS))
    assert answer["seats"][0]["bets"]["jackpot"] == jackpot_won(500, 10_000)
    assert answer["claims"] == [minor("flush", 10_000)]


@both_games
def test_5_2_1_ante_at_the_minimum_is_as_it_should_be(game: str) -> None:
    seat = within(game, QUALIFYING, betting(ONE_PAIR))
    assert seat["bets"] == {"ante": won(2500, 2500), "bet": won(5000, 5000)}
    assert "5.2.1" not in seat["rules"]


# §5.3: BET that is not twice the ante


@both_games
@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        (QUEEN_HIGH, lost(6000, excess=1000)),
        (ONE_PAIR, won(6000, 5000)),
        (TWO_PAIRS, won(6000, 10_000)),
        (EQUAL_HAND, stood_off(6000)),
    ],
)
def test_5_3_1_bet_of_more_than_twice_the_ante_counts_as_twice(
    game: str, cards: str, expected: Json
) -> None:
    seat = settled(game, QUALIFYING, betting(cards, bet=6000))
    assert seat["bets"]["bet"] == expected
    assert "5.3.1" in seat["rules"]


@both_games
def test_5_3_1_too_large_a_bet_is_returned_whole_when_the_dealer_fails(game: str) -> None:
    seat = settled(game, NOT_QUALIFYING, betting(QUEEN_HIGH, bet=6000))
    assert seat["bets"] == {"ante": won(2500, 2500), "bet": given_back(6000)}


@both_games
def test_5_3_1_too_large_a_bet_pays_no_more_than_the_maximum(game: str) -> None:
    seat = settled(game, QUALIFYING, betting(ROYAL_FLUSH, ante=25_000, bet=60_000))
    assert seat["bets"]["bet"] == won(60_000, 10_000_000)
    assert {"4.1.1", "5.3.1"} <= set(seat["rules"])


@both_games
def test_5_3_1_excess_of_a_hidden_hand_goes_back_too(game: str) -> None:
    seat = settled(game, QUALIFYING, betting(FLUSH, bet=6000, revealed=False))
    assert seat["bets"] == {"ante": lost(2500), "bet": lost(6000, excess=1000)}


@both_games
@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        (QUEEN_HIGH, lost(3000)),
        (ONE_PAIR, won(3000, 3000)),
        (TWO_PAIRS, won(3000, 6000)),
        (EQUAL_HAND, stood_off(3000)),
    ],
)
def test_5_3_2_bet_of_less_than_twice_the_ante_counts_as_placed(
    game: str, cards: str, expected: Json
) -> None:
    seat = settled(game, QUALIFYING, betting(cards, bet=3000))
    assert seat["bets"]["bet"] == expected
    assert "5.3.2" in seat["rules"]


@both_games
def test_5_3_2_ante_is_paid_in_full_beside_a_small_bet(game: str) -> None:
    assert settled(game, QUALIFYING, betting(ONE_PAIR, bet=1))["bets"] == {
        "ante": won(2500, 2500),
        "bet": won(1, 1),
    }


@both_games
def test_5_3_2_too_small_a_bet_pays_no_more_than_the_maximum(game: str) -> None:
    seat = settled(game, QUALIFYING, betting(ROYAL_FLUSH, ante=25_000, bet=45_000))
    assert seat["bets"]["bet"] == won(45_000, 10_000_000)
    assert {"4.1.1", "5.3.2"} <= set(seat["rules"])


@both_games
def test_5_3_bet_of_just_twice_the_ante_needs_neither_rule(game: str) -> None:
    rules = settled(game, QUALIFYING, betting(ONE_PAIR))["rules"]
    assert not {"5.3.1", "5.3.2"} & set(rules)


# §5.5 and §5.6: the player walks away


@both_games
@pytest.mark.parametrize("dealer", [QUALIFYING, NOT_QUALIFYING, None])
def test_5_5_absent_player_has_folded(game: str, dealer: str | None) -> None:
    seat = settled(game, dealer, absent(ONE_PAIR, jackpot=500))
    assert seat["bets"] == {"ante": lost(2500), "jackpot": lost(500)}
    assert "5.5" in seat["rules"]


def test_5_5_multilink_absent_player_keeps_the_jackpot_as_after_a_fold() -> None:
    seat = absent(FLUSH, jackpot=500)
    assert settled(MULTILINK, QUALIFYING, seat)["bets"] == {
        "ante": lost(2500),
        "jackpot": jackpot_won(500, 10_000),
    }
    assert claimed(MULTILINK, QUALIFYING, seat) == [minor("flush", 10_000)]


def test_5_5_casino_absent_player_forfeits_the_jackpot_as_after_a_fold() -> None:
    seat = absent(FLUSH, jackpot=500)
    assert settled(CASINO, QUALIFYING, seat)["bets"] == {"ante": lost(2500), "jackpot": lost(500)}
    assert claimed(CASINO, QUALIFYING, seat) == []


@both_games
def test_i8_absent_players_hand_that_is_not_shown_claims_nothing(game: str) -> None:
    seat = absent(ROYAL_FLUSH, jackpot=500, revealed=False)
    assert settled(game, QUALIFYING, seat)["bets"] == {"ante": lost(2500), "jackpot": lost(500)}
    assert claimed(game, QUALIFYING, seat) == []


# Hands that are out of the round


@both_games
@pytest.mark.parametrize("decision", ["withdrawn", "invalid"])
@pytest.mark.parametrize("cards", [ROYAL_FLUSH, "Ah Kh Qh Jh", "Ah Kh Qh Jh Th 9h", ""])
def test_5_10_3_hand_out_of_the_round_gets_every_bet_back(
    game: str, decision: str, cards: str
) -> None:
    seat = betting(cards, jackpot=500, decision=decision)
    answer = settle(table(game, QUALIFYING, seat))
    assert answer["seats"][0]["bets"] == {
        "ante": given_back(2500),
        "bet": given_back(5000),
        "jackpot": given_back(500),
    }
    assert answer["claims"] == []


@both_games
@pytest.mark.parametrize("decision", ["withdrawn", "invalid"])
def test_5_10_3_hand_out_of_the_round_needs_no_cards_and_no_dealer(
    game: str, decision: str
) -> None:
    seat = {"seat": 1, "bets": {"ante": 2500, "jackpot": 500}, "decision": decision}
    answer = settle(table(game, None, seat))
    assert answer["dealer"] is None
    assert answer["seats"][0]["bets"] == {"ante": given_back(2500), "jackpot": given_back(500)}
    assert "category" not in answer["seats"][0]


@both_games
@pytest.mark.parametrize("decision", ["withdrawn", "invalid"])
def test_5_10_3_hand_out_of_the_round_is_not_cut_to_the_limit(game: str, decision: str) -> None:
    seat = betting(ONE_PAIR, ante=150_000, bet=400_000, decision=decision)
    assert within(game, QUALIFYING, seat)["bets"] == {
        "ante": given_back(150_000),
        "bet": given_back(400_000),
    }


@both_games
def test_5_15_the_other_hands_are_settled_as_ever(game: str) -> None:
    answer = settle(
        table(
            game,
            QUALIFYING,
            betting("Ah Kh Qh Jh Th 9h", seat=1, jackpot=500, decision="invalid"),
            betting(TWO_PAIRS, seat=2, jackpot=500),
        )
    )
    assert answer["seats"][1]["bets"] == {
        "ante": won(2500, 2500),
        "bet": won(5000, 10_000),
        "jackpot": lost(500),
    }
