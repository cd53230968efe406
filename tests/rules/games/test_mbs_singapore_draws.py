"""Singapore Stud Poker: magic card, lucky player, lucky dealer (4.3 to 4.5), and their limits.

Also what becomes of the two jackpot wagers of a hand that is not shown or is
out of the round. The lines of 4.2 are in test_mbs_singapore_jackpot.py.
"""

from collections.abc import Callable

import pytest

from tests.rules.ask import Json, refused, settle
from tests.rules.games.mbs_awards import METER, awarded, hit, payments, rules
from tests.rules.games.mbs_stud import (
    ACE_KING,
    FLUSH,
    NO_DEALER,
    ONE_PAIR,
    QUEEN_HIGH,
    ROYAL_FLUSH,
    SEVENS_FULL,
    SINGAPORE,
    absent,
    again,
    betting,
    claim,
    claims_of,
    folding,
    given_back,
    hidden,
    jackpot_hit,
    lost,
    round_of,
    seat,
    the_seat,
    without_ante,
)

DOCUMENTS = ("mbs-singapore-stud",)

BOTH_WAGERS = {"jackpot": 100, "jackpot_dealer": 200}
ALL_DRAWN = {"magic_card": "7c", "lucky_seat": 1, "lucky_dealer": True}


def settled(dealer: str, *seats: Json, **draws: object) -> Json:
    if draws:
        return settle(round_of(SINGAPORE, dealer, *seats, draws=draws))
    return settle(round_of(SINGAPORE, dealer, *seats))


# ── the draws ──────────────────────────────────────────────────────────────────


def test_4_3_the_magic_card_in_the_players_hand_pays_his_wager() -> None:
    answer = settled(ACE_KING, betting(ONE_PAIR, **BOTH_WAGERS), magic_card="8d")
    assert the_seat(answer)["bets"]["jackpot"] == jackpot_hit(100, 500)
    assert the_seat(answer)["bets"]["jackpot_dealer"] == lost(200)
    assert "4.3" in the_seat(answer)["rules"]
    assert answer["claims"] == [claim(1, "magic_card", amount=500)]


def test_4_3_the_magic_card_pays_after_a_fold_too() -> None:
    answer = settled(NO_DEALER, folding(ONE_PAIR, jackpot=100), magic_card="8d")
    assert answer["claims"] == [claim(1, "magic_card", amount=500)]


def test_4_3_the_magic_card_needs_a_wager_on_the_player() -> None:
    answer = settled(ACE_KING, betting(ONE_PAIR, jackpot_dealer=100), magic_card="8d")
    assert answer["claims"] == []


def test_4_3_the_magic_card_in_nobodys_hand_pays_nobody() -> None:
    answer = settled(ACE_KING, betting(ONE_PAIR, **BOTH_WAGERS), magic_card="2c")
    assert answer["claims"] == []


def test_4_3_1_the_magic_card_in_the_dealers_hand_pays_all_wagers_on_the_dealer() -> None:
    answer = settled(
        ACE_KING,
        betting(ONE_PAIR, at=1, jackpot_dealer=100),
        folding(QUEEN_HIGH, at=2, **BOTH_WAGERS),
        betting("Jc Tc 9d 7h 3c", at=3, jackpot=100),
        magic_card="9c",
    )
    assert answer["claims"] == [
        claim(1, "magic_card", on="dealer", amount=500),
        claim(2, "magic_card", on="dealer", amount=1000),
    ]
    assert "4.3.1" in answer["seats"][0]["rules"]


def test_4_4_the_lucky_player_is_paid_on_his_wager() -> None:
    answer = settled(
        ACE_KING,
        betting(ONE_PAIR, at=1, jackpot=100),
        folding(QUEEN_HIGH, at=2, jackpot=300),
        lucky_seat=2,
    )
    assert answer["claims"] == [claim(2, "lucky_player", amount=1500)]
    assert "4.4" in answer["seats"][1]["rules"]


def test_4_4_the_lucky_player_needs_a_wager_on_the_player() -> None:
    answer = settled(ACE_KING, betting(ONE_PAIR, jackpot_dealer=100), lucky_seat=1)
    assert answer["claims"] == []


def test_4_4_the_lucky_seat_may_be_empty() -> None:
    assert settled(ACE_KING, betting(ONE_PAIR, jackpot=100), lucky_seat=5)["claims"] == []


def test_4_4_1_the_lucky_dealer_pays_all_wagers_on_the_dealer() -> None:
    answer = settled(
        ACE_KING,
        betting(ONE_PAIR, at=1, jackpot_dealer=100),
        folding(QUEEN_HIGH, at=2, **BOTH_WAGERS),
        betting("Jc Tc 9d 7h 3c", at=3, jackpot=100),
        lucky_dealer=True,
    )
    assert answer["claims"] == [
        claim(1, "lucky_dealer", on="dealer", amount=500),
        claim(2, "lucky_dealer", on="dealer", amount=1000),
    ]
    assert "4.4.1" in answer["seats"][0]["rules"]


def test_4_4_1_dealer_who_is_not_drawn_pays_nothing() -> None:
    answer = settled(ACE_KING, betting(ONE_PAIR, jackpot_dealer=100), lucky_dealer=False)
    assert answer["claims"] == []


@pytest.mark.parametrize(
    ("drawn", "tier", "on", "amount"),
    [
        ({"magic_card": "8d"}, "magic_card", "player", 500),
        ({"magic_card": "9c"}, "magic_card", "dealer", 1000),
        ({"lucky_seat": 1}, "lucky_player", "player", 500),
        ({"lucky_dealer": True}, "lucky_dealer", "dealer", 1000),
    ],
)
def test_4_5_every_draw_pays_five_times_the_wager(
    drawn: Json, tier: str, on: str, amount: int
) -> None:
    answer = settled(ACE_KING, betting(ONE_PAIR, **BOTH_WAGERS), **drawn)
    assert answer["claims"] == [claim(1, tier, on=on, amount=amount)]
    assert "4.5" in the_seat(answer)["rules"]


@pytest.mark.parametrize("tier", ["magic_card", "lucky_player", "lucky_dealer"])
def test_4_5_decides_the_amount_that_is_awarded_on_a_draw(tier: str) -> None:
    answer = awarded(SINGAPORE, [hit("a", tier, "03:05:00.000", amount=500)])
    assert (payments(answer), rules(answer)) == ([("a", 500, METER, METER)], ["4.5"])


def test_i16_every_draw_is_paid_on_top_of_the_hand() -> None:
    answer = settled(
        SEVENS_FULL, betting(FLUSH, **BOTH_WAGERS), magic_card="Jd", lucky_seat=1, lucky_dealer=True
    )
    assert the_seat(answer)["bets"]["jackpot"] == jackpot_hit(100, 6_000)
    assert the_seat(answer)["bets"]["jackpot_dealer"] == jackpot_hit(200, 21_000)
    assert claims_of(answer) == [
        claim(1, "full_house", on="dealer", amount=20_000),
        claim(1, "lucky_dealer", on="dealer", amount=1000),
        claim(1, "flush", amount=5_000),
        claim(1, "lucky_player", amount=500),
        claim(1, "magic_card", amount=500),
    ]


def test_i16_draw_comes_on_top_of_a_percentage() -> None:
    answer = settled(ACE_KING, betting(ROYAL_FLUSH, jackpot=100), magic_card="Ts")
    assert the_seat(answer)["bets"]["jackpot"] == jackpot_hit(100, 500)
    assert claims_of(answer) == [
        claim(1, "magic_card", amount=500),
        claim(1, "royal_flush", percent=100),
    ]


def test_i16_magic_card_that_is_no_card_is_refused() -> None:
    asked = round_of(SINGAPORE, ACE_KING, betting(ONE_PAIR), draws={"magic_card": "1x"})
    assert "magic_card" in str(refused("settle", asked))


# ── hidden, absent, without ante, under the minimum, out ────────────────────────


@pytest.mark.parametrize("played", [betting, folding])
def test_i9_hand_not_shown_has_no_line_and_no_magic_card(
    played: Callable[..., Json],
) -> None:
    asked = hidden(played(FLUSH, at=3, jackpot=100, jackpot_dealer=100))
    answer = settled(SEVENS_FULL, asked, magic_card="Jd", lucky_seat=3, lucky_dealer=True)
    assert the_seat(answer)["bets"]["jackpot"] == jackpot_hit(100, 500)
    assert the_seat(answer)["bets"]["jackpot_dealer"] == jackpot_hit(100, 10_500)
    assert claims_of(answer) == [
        claim(3, "full_house", on="dealer", amount=10_000),
        claim(3, "lucky_dealer", on="dealer", amount=500),
        claim(3, "lucky_player", amount=500),
    ]


def test_i9_hand_not_shown_still_has_the_dealers_magic_card() -> None:
    asked = hidden(betting(FLUSH, jackpot=100, jackpot_dealer=100))
    answer = settled(ACE_KING, asked, magic_card="9c")
    assert answer["claims"] == [claim(1, "magic_card", on="dealer", amount=500)]


@pytest.mark.parametrize(
    "asked",
    [
        absent(FLUSH, **BOTH_WAGERS),
        without_ante(**BOTH_WAGERS),
        seat("withdrawn", FLUSH, ante=1000, bet=2000, **BOTH_WAGERS),
        seat("invalid", "Jd 8d 6d 4d", ante=1000, **BOTH_WAGERS),
    ],
)
def test_i1_out_of_the_round_both_wagers_go_back_and_nothing_is_claimed(asked: Json) -> None:
    answer = settled(SEVENS_FULL, asked, **ALL_DRAWN)
    assert the_seat(answer)["bets"]["jackpot"] == given_back(100)
    assert the_seat(answer)["bets"]["jackpot_dealer"] == given_back(200)
    assert answer["claims"] == []


def test_i1_out_of_the_round_a_wager_on_the_dealer_needs_no_dealer() -> None:
    assert settled(NO_DEALER, absent(FLUSH, **BOTH_WAGERS))["dealer"] is None


def test_i33_under_the_minimum_again_both_wagers_go_back() -> None:
    asked = again(betting(FLUSH, ante=500, bet=1000, **BOTH_WAGERS))
    limits = {"ante_min": 1000}
    answer = settle(round_of(SINGAPORE, SEVENS_FULL, asked, limits=limits, draws=ALL_DRAWN))
    assert the_seat(answer)["bets"] == {
        "ante": given_back(500),
        "bet": given_back(1000),
        "jackpot": given_back(100),
        "jackpot_dealer": given_back(200),
    }
    assert answer["claims"] == []
