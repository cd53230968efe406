"""Rulings and awards in words: what the dealer does now, who is paid from the meter.

That the rulings and awards are right is proved in `games/`; settled rounds in words are
in test_explain.py.
"""

import pytest

from tests.rules.ask import Json
from tests.rules.telling import in_words

MULTILINK, CASINO = "rws-multilink-stud", "rws-casino-stud"
MEGALINK, SINGAPORE = "mbs-megalink-stud", "mbs-singapore-stud"
HOLDEM = "rws-holdem"
WRONG_FOR_GOOD = {"seat": 3, "reconstructable": False, "before_next_round": True}


def ruled(game: str, irregularity: str, **facts: object) -> str:
    """Explain a ruling, which is one line."""
    asked = {"game": game, "irregularity": irregularity, "facts": facts}
    (line,) = in_words("ruling", asked)
    return line


def test_a_void_round_returns_every_bet() -> None:
    assert ruled(HOLDEM, "cards_exposed", count=2, any_player_seen=False) == (
        "Cards exposed: the round is void; every bet is returned. (§5.8.2)"
    )


def test_play_goes_on() -> None:
    line = ruled(HOLDEM, "cards_exposed", count=2, any_player_seen=True)
    assert line == "Cards exposed: play continues as dealt. (§5.12)"


def test_cards_are_put_in_order() -> None:
    line = ruled(MEGALINK, "misdeal", any_player_seen=False, movable=True)
    assert line == "Misdeal: put the cards in their intended order, then play on. (§5.2)"


def test_the_affected_players_may_choose() -> None:
    line = ruled(CASINO, "dealing_error", reconstructable=False)
    assert (
        "Each affected player may choose: play on with the cards as they are, or withdraw" in line
    )
    assert line.endswith("(§5.10)")


def test_every_player_may_choose() -> None:
    line = ruled(MEGALINK, "interruption", outcome_established=False)
    assert "Every player may choose: play on with the cards as they are, or withdraw" in line
    assert line.endswith("(§5.16.1)")


def test_a_hand_is_taken_out_by_its_seat() -> None:
    line = ruled(CASINO, "player_count_wrong", **WRONG_FOR_GOOD)
    assert "Out of the round, bets returned: seat 3." in line
    assert line.endswith("(§5.15)")


def test_several_hands_are_taken_out_and_the_supervisor_judges() -> None:
    facts = {"seats": [1, 2, 4], "first_seat": 2, "intentional": True}
    line = ruled(MULTILINK, "extra_hand_examined", **facts)
    assert "bets returned: seats 1, 4." in line
    assert "pit supervisor" in line


@pytest.mark.parametrize(
    ("irregularity", "use"),
    [("dealer_card_exposed", "as the face up card"), ("card_face_up_in_shoe", "as the next card")],
)
def test_a_card_is_used(irregularity: str, use: str) -> None:
    assert f"use the card {use}." in ruled(MULTILINK, irregularity)


@pytest.mark.parametrize(
    ("irregularity", "facts", "word"),
    [
        ("late_bet", {"seat": 2}, "refuse"),
        ("over_max", {"seat": 2, "bets_closed": False}, "refuse"),
        ("late_withdrawal", {"seat": 2}, "the bet stands"),
        ("under_min", {"seat": 2, "bets_closed": False}, "correct the bet"),
        ("jackpot_without_ante", {"seat": 2, "bets_closed": False}, "take it back"),
    ],
)
def test_bets_on_the_layout_are_ruled_on(irregularity: str, facts: Json, word: str) -> None:
    assert word in ruled(MULTILINK, irregularity, **facts)


@pytest.mark.parametrize(
    ("game", "authority", "rule"),
    [
        (MULTILINK, "table games shift manager", "§5.24"),
        (HOLDEM, "table games shift manager", "§5.23"),
        (MEGALINK, "gaming shift manager", "§6.1"),
        (SINGAPORE, "gaming shift manager", "silent"),
    ],
)
def test_what_the_rules_leave_open_names_who_decides(game: str, authority: str, rule: str) -> None:
    line = ruled(game, "other")
    assert f"the {authority}" in line
    assert rule in line


def test_the_house_is_told_what_it_may_choose() -> None:
    line = ruled(CASINO, "jackpot_fault_persists")
    assert "the house" in line
    for choice in ("close the table", "no bets on the affected box", "without jackpot bets"):
        assert choice in line


def test_no_ruling_shows_a_name_of_the_contract() -> None:
    lines = [
        ruled(CASINO, "jackpot_fault_persists"),
        ruled(CASINO, "no_burn", any_player_seen=False, reconstructable=True),
        ruled(CASINO, "simultaneous_draw", order_known=False),
        ruled(MEGALINK, "player_count_wrong", **WRONG_FOR_GOOD),
    ]
    assert "_" not in "".join(lines)


# ── awards ───────────────────────────────────────────────────────────────────


def awarded(*claims: Json, value: int = 100_000_001) -> list[str]:
    """Explain the awards of claims at table T1, round 17, all of one moment."""
    at = "2026-01-02T03:05:00.000Z"
    place = {"table": "T1", "round": 17, "dealt_at": at, "entered_at": at}
    asked = {
        "game": MEGALINK,
        "meter": {"value": value, "reset": 20_000_000},
        "claims": [place | {"id": str(n), **claim} for n, claim in enumerate(claims)],
    }
    return in_words("award", asked)


def test_payments_stand_in_their_order_with_the_meter() -> None:
    royal = {"seat": 3, "tier": "royal_flush", "percent": 100}
    house = {"seat": 4, "tier": "full_house", "amount": 20_000}
    meter, first, second, left = awarded(royal, house, value=100_000_000)
    assert meter == "The meter stands at $1,000,000.00, reset $200,000.00."
    assert first == (
        "1. table T1, round 17, seat 4: full house, pay $200.00 (meter unchanged; §3.15.3)"
    )
    assert second == (
        "2. table T1, round 17, seat 3: royal flush, pay $1,000,000.00 "
        "(meter $1,000,000.00 → $200,000.00; §4.2)"
    )
    assert left == "The meter is left at $200,000.00."


def test_shared_royals_show_where_the_odd_cent_stays() -> None:
    royals = [{"seat": seat, "tier": "royal_flush", "percent": 100} for seat in (3, 5)]
    _, first, second, left = awarded(*royals)
    assert "seat 3: royal flush, pay $600,000.00" in first
    assert first.endswith("(meter $1,000,000.01 → $200,000.00; §3.15.1)")
    assert "seat 5: royal flush, pay $600,000.00" in second
    assert second.endswith("(meter $200,000.00 → $200,000.01; §3.15.1)")
    assert left == "The meter is left at $200,000.01."


def test_no_claims_leave_the_meter() -> None:
    assert awarded() == [
        "The meter stands at $1,000,000.01, reset $200,000.00.",
        "The meter is left at $1,000,000.01.",
    ]
