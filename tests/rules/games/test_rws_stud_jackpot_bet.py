"""The progressive jackpot bet in the RWS stud games: what it claims, and when it claims nothing.

§3.8, §3.12.1, §4.2 to §4.4 and §5.4. Who is paid from the meter in which order
is in `test_rws_stud_awards.py`; ante and BET are in `test_rws_stud_settlement.py`.
"""

import pytest

from tests.rules.ask import Json, settle
from tests.rules.games.rws_stud import (
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
    claimed,
    folding,
    given_back,
    jackpot_won,
    lost,
    major,
    minor,
    settled,
    stood_off,
    table,
    won,
)

DOCUMENTS = (MULTILINK, CASINO)

ROYAL_DEALER = "Ad Kd Qd Jd Td"

# Every line of §4.2: the game, the hand, what it claims and what is known without the meter.
LINES = [
    (MULTILINK, ROYAL_FLUSH, major("royal_flush", 100), 0),
    (MULTILINK, STRAIGHT_FLUSH, major("straight_flush", 10), 0),
    (MULTILINK, FOUR_OF_A_KIND, minor("four_of_a_kind", 200_000), 200_000),
    (MULTILINK, FULL_HOUSE, minor("full_house", 20_000), 20_000),
    (MULTILINK, FLUSH, minor("flush", 10_000), 10_000),
    (CASINO, ROYAL_FLUSH, major("royal_flush", 100), 0),
    (CASINO, STRAIGHT_FLUSH, major("straight_flush", 10), 0),
    (CASINO, FOUR_OF_A_KIND, minor("four_of_a_kind", 50_000), 50_000),
    (CASINO, FULL_HOUSE, minor("full_house", 20_000), 20_000),
    (CASINO, FLUSH, minor("flush", 10_000), 10_000),
]
every_line = pytest.mark.parametrize(("game", "cards", "claim", "winnings"), LINES)
every_multilink_line = pytest.mark.parametrize(("game", "cards", "claim", "winnings"), LINES[:5])
every_winning_hand = pytest.mark.parametrize(
    "cards", [ROYAL_FLUSH, STRAIGHT_FLUSH, FOUR_OF_A_KIND, FULL_HOUSE, FLUSH]
)
both_dealers = pytest.mark.parametrize("dealer", [QUALIFYING, NOT_QUALIFYING])


def assert_pays_nothing(game: str, dealer: str | None, seat: Json) -> None:
    answer = settle(table(game, dealer, seat))
    assert answer["seats"][0]["bets"]["jackpot"] == lost(500)
    assert answer["claims"] == []


# §4.2: the pay table


@every_line
@both_dealers
def test_4_2_each_line_claims_its_prize_whatever_the_dealer_has(
    game: str, cards: str, claim: Json, winnings: int, dealer: str
) -> None:
    answer = settle(table(game, dealer, betting(cards, jackpot=500)))
    assert answer["seats"][0]["bets"]["jackpot"] == jackpot_won(500, winnings)
    assert answer["claims"] == [claim]
    assert {"4.2", "4.2.1"} & set(answer["seats"][0]["rules"])


@both_games
@pytest.mark.parametrize("cards", [STRAIGHT, THREE_OF_A_KIND, TWO_PAIRS, ONE_PAIR, QUEEN_HIGH])
@both_dealers
def test_4_2_lesser_hands_lose_the_jackpot_bet(game: str, cards: str, dealer: str) -> None:
    assert_pays_nothing(game, dealer, betting(cards, jackpot=500))


@both_games
@every_winning_hand
def test_4_2_no_hand_claims_without_a_jackpot_bet(game: str, cards: str) -> None:
    assert claimed(game, QUALIFYING, betting(cards)) == []


@both_games
def test_4_2_dealers_own_hand_claims_nothing(game: str) -> None:
    assert_pays_nothing(game, ROYAL_DEALER, betting(ONE_PAIR, jackpot=500))


@both_games
def test_4_2_claims_are_by_seat_and_seats_as_given(game: str) -> None:
    answer = settle(
        table(
            game,
            QUALIFYING,
            betting(STRAIGHT_FLUSH, seat=6, jackpot=500),
            betting("9d 8d 6d 4d 3d", seat=2, jackpot=500),
            betting(ROYAL_FLUSH, seat=4, jackpot=500),
        )
    )
    assert [seat["seat"] for seat in answer["seats"]] == [6, 2, 4]
    assert answer["claims"] == [
        minor("flush", 10_000, seat=2),
        major("royal_flush", 100, seat=4),
        major("straight_flush", 10, seat=6),
    ]


@every_multilink_line
def test_4_2_1_bet_and_five_cards_are_all_that_is_asked(
    game: str, cards: str, claim: Json, winnings: int
) -> None:
    seat = betting(cards, jackpot=500)
    assert claimed(game, QUALIFYING, seat) == [claim]
    assert settled(game, QUALIFYING, seat)["bets"]["jackpot"]["winnings"] == winnings
    assert claimed(game, QUALIFYING, betting(cards)) == []


@pytest.mark.parametrize(
    ("cards", "claims"),
    [
        ("Ah Kh Qh Jh Th", [major("royal_flush", 100)]),
        ("Kh Qh Jh Th 9h", [major("straight_flush", 10)]),
        ("5h 4h 3h 2h Ah", [major("straight_flush", 10)]),
        ("Ah Kh Qh Jh 9h", [minor("flush", 10_000)]),
        ("Ah Kh Qh Jh Tc", []),
    ],
)
def test_3_15_only_the_top_sequence_of_one_suit_is_royal(cards: str, claims: list[Json]) -> None:
    assert claimed(MULTILINK, QUALIFYING, betting(cards, jackpot=500)) == claims


# §3.13 and §3.14: the jackpot bet does not depend on how the hand fares


@both_games
def test_3_13_jackpot_is_paid_though_the_dealer_does_not_qualify(game: str) -> None:
    answer = settle(table(game, NOT_QUALIFYING, betting(FLUSH, jackpot=500)))
    assert answer["seats"][0]["bets"] == {
        "ante": won(2500, 2500),
        "bet": given_back(5000),
        "jackpot": jackpot_won(500, 10_000),
    }
    assert answer["claims"] == [minor("flush", 10_000)]


@both_games
def test_3_14_1_jackpot_is_paid_on_top_of_a_win(game: str) -> None:
    seat = settled(game, QUALIFYING, betting(FULL_HOUSE, jackpot=500))
    assert seat["bets"] == {
        "ante": won(2500, 2500),
        "bet": won(5000, 35_000),
        "jackpot": jackpot_won(500, 20_000),
    }


@both_games
def test_3_14_2_losing_hand_keeps_its_jackpot(game: str) -> None:
    answer = settle(table(game, "Ac Ad As 4c 4d", betting(FLUSH, jackpot=500)))
    assert answer["seats"][0]["bets"] == {
        "ante": lost(2500),
        "bet": lost(5000),
        "jackpot": jackpot_won(500, 10_000),
    }
    assert answer["claims"] == [minor("flush", 10_000)]


@every_line
def test_3_14_2_every_line_is_paid_against_a_dealers_royal_flush(
    game: str, cards: str, claim: Json, winnings: int
) -> None:
    answer = settle(table(game, ROYAL_DEALER, betting(cards, jackpot=500)))
    assert answer["seats"][0]["bets"]["jackpot"] == jackpot_won(500, winnings)
    assert answer["claims"] == [claim]


@both_games
def test_3_14_3_stand_off_keeps_the_jackpot_claim(game: str) -> None:
    answer = settle(table(game, "As Ks Qs Js Ts", betting(ROYAL_FLUSH, jackpot=500)))
    assert answer["seats"][0]["bets"] == {
        "ante": stood_off(2500),
        "bet": stood_off(5000),
        "jackpot": jackpot_won(500),
    }
    assert answer["claims"] == [major("royal_flush", 100)]


@both_games
def test_1_19_stand_off_does_not_give_the_jackpot_bet_back(game: str) -> None:
    seat = settled(game, QUALIFYING, betting("Ac Kh 7d 5c 2c", jackpot=500))
    assert seat["bets"] == {
        "ante": stood_off(2500),
        "bet": stood_off(5000),
        "jackpot": lost(500),
    }


# §3.12.1: the fold, where the two games part


@every_multilink_line
@pytest.mark.parametrize("dealer", [QUALIFYING, NOT_QUALIFYING, None])
def test_3_12_1_multilink_fold_keeps_the_jackpot(
    game: str, cards: str, claim: Json, winnings: int, dealer: str | None
) -> None:
    answer = settle(table(game, dealer, folding(cards, jackpot=500)))
    assert answer["seats"][0]["bets"] == {
        "ante": lost(2500),
        "jackpot": jackpot_won(500, winnings),
    }
    assert answer["claims"] == [claim]
    assert "3.12.1" in answer["seats"][0]["rules"]


@every_winning_hand
@pytest.mark.parametrize("dealer", [QUALIFYING, NOT_QUALIFYING, None])
def test_3_12_1_casino_fold_forfeits_the_jackpot(cards: str, dealer: str | None) -> None:
    answer = settle(table(CASINO, dealer, folding(cards, jackpot=500)))
    assert answer["seats"][0]["bets"] == {"ante": lost(2500), "jackpot": lost(500)}
    assert answer["claims"] == []
    assert "3.12.1" in answer["seats"][0]["rules"]


@both_games
def test_3_12_1_fold_without_a_jackpot_hand_loses_both(game: str) -> None:
    assert_pays_nothing(game, QUALIFYING, folding(STRAIGHT, jackpot=500))


# §4.3: the hand that is not shown


@pytest.mark.parametrize("dealer", [QUALIFYING, NOT_QUALIFYING, "Ac Ad As 4c 4d"])
def test_4_3_multilink_hidden_hand_counts_as_folded(dealer: str) -> None:
    seat = settled(MULTILINK, dealer, betting(FLUSH, jackpot=500, revealed=False))
    assert seat["bets"] == {"ante": lost(2500), "bet": lost(5000), "jackpot": lost(500)}
    assert "4.3" in seat["rules"]


@every_winning_hand
@both_dealers
def test_4_3_multilink_hidden_hand_claims_nothing(cards: str, dealer: str) -> None:
    assert_pays_nothing(MULTILINK, dealer, betting(cards, jackpot=500, revealed=False))


def test_4_3_casino_hidden_hand_loses_to_a_qualifying_dealer() -> None:
    seat = settled(CASINO, QUALIFYING, betting(FLUSH, jackpot=500, revealed=False))
    assert seat["bets"] == {"ante": lost(2500), "bet": lost(5000), "jackpot": lost(500)}
    assert "4.3" in seat["rules"]


def test_i9_casino_hidden_hand_is_no_stand_off() -> None:
    seat = settled(CASINO, QUALIFYING, betting("Ac Kh 7d 5c 2c", revealed=False))
    assert seat["bets"] == {"ante": lost(2500), "bet": lost(5000)}


def test_i9_casino_hidden_hand_takes_the_ante_when_the_dealer_does_not_qualify() -> None:
    answer = settle(table(CASINO, NOT_QUALIFYING, betting(FLUSH, jackpot=500, revealed=False)))
    assert answer["seats"][0]["bets"] == {
        "ante": won(2500, 2500),
        "bet": given_back(5000),
        "jackpot": lost(500),
    }
    assert answer["claims"] == []


@every_winning_hand
@both_dealers
def test_4_3_casino_hidden_hand_claims_nothing(cards: str, dealer: str) -> None:
    assert_pays_nothing(CASINO, dealer, betting(cards, jackpot=500, revealed=False))


@both_games
@every_winning_hand
def test_i8_folded_hand_that_is_not_shown_claims_nothing(game: str, cards: str) -> None:
    seat = folding(cards, jackpot=500, revealed=False)
    assert settled(game, QUALIFYING, seat)["bets"] == {"ante": lost(2500), "jackpot": lost(500)}
    assert claimed(game, QUALIFYING, seat) == []


@both_games
def test_4_4_hand_counts_as_shown_unless_said_otherwise(game: str) -> None:
    shown = betting(FLUSH, jackpot=500, revealed=True)
    assert settle(table(game, QUALIFYING, shown)) == settle(
        table(game, QUALIFYING, betting(FLUSH, jackpot=500))
    )


# §3.8 and §5.4: no jackpot bet without an ante


@both_games
@pytest.mark.parametrize("bets", [{"jackpot": 500}, {"ante": 0, "bet": 0, "jackpot": 500}])
def test_5_4_jackpot_bet_without_an_ante_is_given_back(game: str, bets: Json) -> None:
    answer = settle(table(game, None, {"seat": 1, "bets": bets}))
    assert answer["seats"][0]["bets"] == {"jackpot": given_back(500)}
    assert "category" not in answer["seats"][0]
    assert "5.4" in answer["seats"][0]["rules"]
    assert answer["claims"] == []


@both_games
@every_winning_hand
def test_5_4_no_hand_claims_without_an_ante(game: str, cards: str) -> None:
    seat = {
        "seat": 1,
        "cards": cards.split(),
        "bets": {"bet": 5000, "jackpot": 500},
        "decision": "bet",
    }
    answer = settle(table(game, QUALIFYING, seat))
    assert answer["seats"][0]["bets"] == {"bet": given_back(5000), "jackpot": given_back(500)}
    assert answer["claims"] == []


@both_games
def test_3_8_1_each_hand_needs_its_own_ante(game: str) -> None:
    answer = settle(
        table(
            game,
            QUALIFYING,
            betting(FLUSH, seat=1, jackpot=500),
            {"seat": 2, "cards": STRAIGHT_FLUSH.split(), "bets": {"jackpot": 500}},
        )
    )
    assert [seat["bets"]["jackpot"] for seat in answer["seats"]] == [
        jackpot_won(500, 10_000),
        given_back(500),
    ]
    assert answer["claims"] == [minor("flush", 10_000)]
