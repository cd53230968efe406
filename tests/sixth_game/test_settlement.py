"""What the sixth game pays, in cases computed by hand."""

import pytest

from tests.rules.ask import Json, award, settle
from tests.sixth_game.caribbean_stud import GAME, RAISE_ODDS

ANTE, RAISE, JACKPOT = 5_000, 10_000, 500
ACE_KING = ["As", "Kd", "9c", "7h", "2s"]
QUEEN_HIGH = ["Qs", "Jd", "9d", "6s", "4d"]
HANDS = {
    "royal_flush": "Ah Kh Qh Jh Th",
    "straight_flush": "4c 5c 6c 7c 8c",
    "four_of_a_kind": "8h 8d 8c 8s 3h",
    "full_house": "8h 8d 8c 3s 3h",
    "flush": "Qh Jh 8h 6h 3h",
    "straight": "4c 5d 6c 7c 8c",
    "three_of_a_kind": "8h 8d 8c 3s 4h",
    "two_pairs": "8h 8d 3c 3s 4h",
    "one_pair": "8h 8d 3c 4s 5h",
    "five_odd_cards": "Ah Kc Qc 4s 5h",
}
ON_THE_JACKPOT: dict[str, Json] = {
    "royal_flush": {"level": "major", "percent": 100},
    "straight_flush": {"level": "major", "percent": 10},
    "four_of_a_kind": {"level": "minor", "amount": 50_000},
    "full_house": {"level": "minor", "amount": 10_000},
    "flush": {"level": "minor", "amount": 5_000},
}


def settled(cards: str, dealer: list[str], decision: str = "raise", **seat: object) -> Json:
    """Settle a round of one seat, with an ante of $50.00 and a jackpot bet."""
    bets = {"ante": ANTE, "jackpot": JACKPOT}
    if decision == "raise":
        bets["raise"] = RAISE
    player = {"seat": 1, "cards": cards.split(), "bets": bets, "decision": decision, **seat}
    return settle({"game": GAME.id, "dealer": dealer, "seats": [player]})


def bets_of(answer: Json) -> Json:
    """Give what each bet of the one seat gets: outcome, winnings, what is returned."""
    (seat,) = answer["seats"]
    return {
        name: (bet["outcome"], bet["winnings"], bet["returned"])
        for name, bet in seat["bets"].items()
    }


@pytest.mark.parametrize(("category", "cards"), HANDS.items())
def test_a_winning_hand_is_paid_even_money_and_by_the_pay_table(category: str, cards: str) -> None:
    answer = settled(cards, ACE_KING)
    bets = bets_of(answer)
    odds = dict(zip(HANDS, (100, 50, 20, 7, 5, 4, 3, 2, 1, 1), strict=True))
    assert odds == RAISE_ODDS
    assert bets["ante"] == ("win", ANTE, ANTE)
    assert bets["raise"] == ("win", RAISE * odds[category], RAISE)
    on_the_jackpot = ON_THE_JACKPOT.get(category)
    claim = {"seat": 1, "on": "player", "tier": category, **(on_the_jackpot or {})}
    assert answer["claims"] == ([claim] if on_the_jackpot else [])
    assert bets["jackpot"][0] == ("win" if on_the_jackpot else "lose")


def test_without_a_qualifying_dealer_the_ante_wins_and_the_raise_goes_back() -> None:
    answer = settled(HANDS["flush"], QUEEN_HIGH)
    assert answer["dealer"] == {"category": "five_odd_cards", "qualifies": False}
    assert bets_of(answer) == {
        "ante": ("win", ANTE, ANTE),
        "raise": ("returned", 0, RAISE),
        "jackpot": ("win", 5_000, 0),
    }


def test_a_beaten_hand_loses_ante_and_raise_and_keeps_its_jackpot_line() -> None:
    dealer = ["9s", "9h", "9d", "Ks", "Kd"]
    assert bets_of(settled(HANDS["flush"], dealer)) == {
        "ante": ("lose", 0, 0),
        "raise": ("lose", 0, 0),
        "jackpot": ("win", 5_000, 0),
    }


def test_a_fold_loses_the_ante_and_the_jackpot_bet_with_it() -> None:
    answer = settled(HANDS["royal_flush"], ACE_KING, "fold")
    assert bets_of(answer) == {"ante": ("lose", 0, 0), "jackpot": ("lose", 0, 0)}
    assert answer["claims"] == []
    assert answer["seats"][0]["rules"] == ["2.5"]


def test_a_player_who_has_walked_away_gets_everything_back() -> None:
    answer = settled(HANDS["royal_flush"], ACE_KING, "absent")
    assert bets_of(answer) == {"ante": ("returned", 0, ANTE), "jackpot": ("returned", 0, JACKPOT)}


def test_a_hand_that_is_not_shown_loses_and_claims_nothing() -> None:
    answer = settled(HANDS["royal_flush"], ACE_KING, revealed=False)
    assert bets_of(answer)["raise"] == ("lose", 0, 0)
    assert answer["claims"] == []


def claim(number: int, tier: str, **pays: int) -> Json:
    """Enter a claim of table T1's first round, one a second."""
    return {
        "id": f"c{number}",
        "table": "T1",
        "round": 1,
        "seat": number,
        "tier": tier,
        "dealt_at": "2026-01-01T20:00:00Z",
        "entered_at": f"2026-01-01T20:00:0{number}Z",
        **pays,
    }


def awarded(*claims: Json) -> tuple[list[tuple[str, int]], int]:
    """Award claims from a meter of $100,000.00 that starts again at $20,000.00."""
    meter = {"value": 10_000_000, "reset": 2_000_000}
    answer = award({"game": GAME.id, "meter": meter, "claims": list(claims)})
    return [(paid["id"], paid["amount"]) for paid in answer["awards"]], answer["meter"]["value"]


def test_a_royal_flush_takes_the_meter_and_leaves_its_reset_value() -> None:
    royal = claim(1, "royal_flush", percent=100)
    assert awarded(royal) == ([("c1", 10_000_000)], 2_000_000)


def test_two_royal_flushes_of_a_round_share_the_meter_and_one_reset_value() -> None:
    royals = [claim(number, "royal_flush", percent=100) for number in (1, 2)]
    assert awarded(*royals) == ([("c1", 6_000_000), ("c2", 6_000_000)], 2_000_000)


def test_a_straight_flush_takes_a_tenth_and_a_fixed_line_nothing_of_the_meter() -> None:
    straight = claim(1, "straight_flush", percent=10)
    quads = claim(2, "four_of_a_kind", amount=50_000)
    assert awarded(straight, quads) == ([("c1", 1_000_000), ("c2", 50_000)], 9_000_000)
