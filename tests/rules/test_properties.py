"""Proves what holds for every round: laws, not cases.

Money is conserved, names and order mean nothing, a jackpot bet wins its claims.
What a single hand pays is proved in `games/`; the rounds are drawn in `rounds.py`.
"""

import os
from collections.abc import Iterator
from math import inf
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.rules.hands import BEST_TO_LEAST
from tests.rules import rounds
from tests.rules.ask import Json, award, settle
from tests.rules.rounds import ANTES, GAMES, JACKPOT_BETS, LAYOUTS, STUD_GAMES

SOAK = "SOAK" in os.environ
ROUNDS = rounds.rounds()
RWS_GAMES = tuple(game for game in GAMES if game.startswith("rws"))
CAP = 10_000_000
ODDS = {"bet": {1, 2, 3, 4, 5, 7, 20, 50, 250}, "bonus": {3, 5, 10, 15, 20, 25, 30, 1000}}
"""The odds of the pay tables; every bet that is not here pays even money."""
CAPPED = {*((game, "bet") for game in RWS_GAMES), ("rws-holdem", "bonus")}

often = settings(max_examples=5_000 if SOAK else 250, deadline=None)


def settled(played: Json) -> Iterator[tuple[Json, Json, list[Json]]]:
    """Settle a round, and give each seat with its result and its claims."""
    answered = settle(played)
    assert [seat["seat"] for seat in played["seats"]] == [s["seat"] for s in answered["seats"]]
    for seat, result in zip(played["seats"], answered["seats"], strict=True):
        yield seat, result, [c for c in answered["claims"] if c["seat"] == seat["seat"]]


def placed(seat: Json) -> dict[str, int]:
    """Give the stakes of a seat that are more than nothing."""
    return {bet: stake for bet, stake in seat["bets"].items() if stake}


def counted(played: Json, seat: Json, bet: str) -> int:
    """Give how much of a stake may be won or lost under the limits."""
    limits, stakes = played.get("limits", {}), seat["bets"]
    if bet == "bonus":
        return int(min(stakes[bet], limits.get("bonus_max", inf)))
    return int(min(stakes[bet], ANTES[bet] * min(stakes["ante"], limits.get("ante_max", inf))))


def takes_part(seat: Json) -> bool:
    return bool(seat["bets"].get("ante")) and seat["decision"] not in {"withdrawn", "invalid"}


def in_any_order(answered: Json) -> Json:
    """Give a settlement with its seats by number, for comparing."""
    return answered | {"seats": sorted(answered["seats"], key=lambda seat: int(seat["seat"]))}


# Money


@often
@given(ROUNDS)
def test_no_cent_appears_or_vanishes(played: Json) -> None:
    for seat, result, _ in settled(played):
        bets = result["bets"]
        assert {bet: told["stake"] for bet, told in bets.items()} == placed(seat)
        collected = sum(
            told["stake"] if bet in JACKPOT_BETS else counted(played, seat, bet)
            for bet, told in bets.items()
            if told["outcome"] == "lose" or (bet in JACKPOT_BETS and told["outcome"] == "win")
        )
        handed_back = sum(told["returned"] for told in bets.values())
        assert sum(placed(seat).values()) == handed_back + collected


@often
@given(ROUNDS)
def test_an_outcome_says_what_goes_back_and_what_is_added(played: Json) -> None:
    for seat, result, _ in settled(played):
        for bet, told in result["bets"].items():
            stake, outcome = told["stake"], told["outcome"]
            assert 0 <= told["returned"] <= stake
            assert told["winnings"] == 0 or (outcome == "win" and told["winnings"] > 0)
            if bet in JACKPOT_BETS:
                assert outcome != "push"
                assert told["returned"] == (stake if outcome == "returned" else 0)
            elif outcome == "lose":
                assert told["returned"] == stake - counted(played, seat, bet)
            else:
                assert told["returned"] == stake


@often
@given(ROUNDS)
def test_winnings_are_odds_on_what_counts_of_a_stake_up_to_the_maximum(played: Json) -> None:
    for seat, result, _ in settled(played):
        for bet, told in result["bets"].items():
            if bet not in JACKPOT_BETS and told["outcome"] == "win":
                cap = CAP if (played["game"], bet) in CAPPED else inf
                stake = counted(played, seat, bet)
                assert told["winnings"] in {min(cap, stake * o) for o in ODDS.get(bet, {1})}


@often
@given(ROUNDS)
def test_a_hand_has_one_fate(played: Json) -> None:
    stud = {("win", "win"), ("win", "returned"), ("lose", "lose"), ("push", "push")}
    holdem = {("win", "win"), ("push", "win"), ("lose", "lose"), ("push", "push")}
    fates = stud if played["game"] in STUD_GAMES else holdem
    for seat, result, _ in settled(played):
        outcomes = {bet: told["outcome"] for bet, told in result["bets"].items()}
        later = {outcome for bet, outcome in outcomes.items() if bet in ANTES and bet != "ante"}
        if outcomes.get("ante", "returned") == "returned":
            assert set(outcomes.values()) <= {"returned"}
            assert not takes_part(seat) or played["game"] not in RWS_GAMES
        elif later:
            assert len(later) == 1
            assert (outcomes["ante"], *later) in fates
        else:
            assert outcomes["ante"] == "lose"


@often
@given(ROUNDS)
def test_the_better_category_wins(played: Json) -> None:
    dealer = settle(played)["dealer"] or {}
    for seat, result, _ in settled(played):
        stayed = takes_part(seat) and seat["decision"] == LAYOUTS[played["game"]].stay
        outcome = result["bets"].get("ante", {}).get("outcome", "returned")
        if not stayed or not seat.get("revealed", True) or outcome == "returned":
            continue
        ahead = BEST_TO_LEAST.index(dealer["category"]) - BEST_TO_LEAST.index(result["category"])
        if not dealer.get("qualifies", True):
            assert outcome == "win"
        elif ahead:
            assert (outcome == "lose") is (ahead < 0)


# Names and order


@often
@given(ROUNDS, st.permutations("cdhs"))
def test_suits_make_no_difference(played: Json, suits: list[str]) -> None:
    renamed = dict(zip("cdhs", suits, strict=True))

    def recut(node: Any) -> Any:  # noqa: ANN401  # whatever JSON has
        if isinstance(node, dict):
            return {key: recut(value) for key, value in node.items()}
        if isinstance(node, list):
            return [recut(value) for value in node]
        return node[0] + renamed[node[1]] if node in rounds.BY_SUIT else node

    assert settle(recut(played)) == settle(played)


@often
@given(ROUNDS, st.data())
def test_the_order_of_seats_and_of_cards_in_a_hand_makes_no_difference(
    played: Json, data: st.DataObject
) -> None:
    def mixed(cards: list[str]) -> list[str]:
        return data.draw(st.permutations(cards))

    seats = [seat | {"cards": mixed(seat.get("cards", []))} for seat in played["seats"]]
    board = played.get("community", [])
    other = played | {
        "seats": data.draw(st.permutations(seats)),
        "dealer": mixed(played.get("dealer", [])),
        "community": mixed(board[:3]) + board[3:],  # the flop is one hand; turn and river follow
    }
    assert in_any_order(settle(other)) == in_any_order(settle(played))


@often
@given(ROUNDS)
def test_a_seat_alone_gets_what_it_gets_among_others(played: Json) -> None:
    for seat, result, claims in settled(played):
        alone = settle(played | {"seats": [seat]})
        assert (alone["seats"], alone["claims"]) == ([result], claims)


@often
@given(ROUNDS)
def test_what_may_be_left_out_means_its_default(played: Json) -> None:
    nothing = dict.fromkeys(LAYOUTS[played["game"]].bets, 0)
    usual = {"cards": [], "revealed": True, "under_min_before": False}
    seats = [usual | seat | {"bets": nothing | seat["bets"]} for seat in played["seats"]]
    defaults: Json = {"limits": {}, "dealer": [], "community": []}
    assert settle(defaults | played | {"seats": seats}) == settle(played)


# Jackpot bets and their claims


@often
@given(ROUNDS)
def test_a_jackpot_bet_wins_exactly_its_claims(played: Json) -> None:
    for seat, result, claims in settled(played):
        for bet, owners in JACKPOT_BETS.items():
            mine = [claim for claim in claims if claim["on"] in owners]
            told = result["bets"].get(bet, {"outcome": "no such bet", "winnings": 0})
            assert (told["outcome"] == "win") is bool(mine)
            assert told["winnings"] == sum(claim.get("amount", 0) for claim in mine)
            drawn = {"magic_card", "lucky_player", "lucky_dealer"}
            assert sum(claim["tier"] not in drawn for claim in mine) <= 1
            assert all(("percent" in claim) is not ("amount" in claim) for claim in mine)
        assert takes_part(seat) or not claims


@often
@given(rounds.rounds(["mbs-singapore-stud"]))
def test_a_draw_pays_five_times_each_wager_that_stands_on_it(played: Json) -> None:
    draws = played.get("draws", {})
    for seat, result, claims in settled(played):
        shown = seat.get("cards", []) if seat.get("revealed", True) else []
        pays = {
            ("player", "magic_card"): draws.get("magic_card") in shown,
            ("player", "lucky_player"): draws.get("lucky_seat") == seat["seat"],
            ("dealer", "magic_card"): draws.get("magic_card") in played.get("dealer", []),
            ("dealer", "lucky_dealer"): draws.get("lucky_dealer", False),
        }
        wagers = {"player": "jackpot", "dealer": "jackpot_dealer"}
        stands = {
            bet: told for bet, told in result["bets"].items() if told["outcome"] != "returned"
        }
        due = {
            (on, tier): 5 * stands[wagers[on]]["stake"]
            for (on, tier), drawn in pays.items()
            if drawn and wagers[on] in stands
        }
        paid = {(c["on"], c["tier"]): c["amount"] for c in claims if (c["on"], c["tier"]) in pays}
        assert paid == due


@often
@given(
    st.permutations(["As", "Ks", "Qs", "Js", "Ts", "9d", "3c"]), st.sampled_from(["flop", "fold"])
)
def test_a_holdem_royal_flush_is_paid_by_the_card_that_completes_it(
    cards: list[str], decision: str
) -> None:
    last = max(place for place, card in enumerate(cards, start=1) if card[1] == "s")
    tier = {5: "royal_flush_flop", 6: "royal_flush_turn", 7: "royal_flush_river"}[last]
    if {cards[0], cards[1]} == {"9d", "3c"}:
        tier = "royal_flush"
    elif decision == "fold":
        tier = ""
    bets = {"ante": 1, "jackpot": 1} | ({"flop": 2} if decision == "flop" else {})
    seat = {"seat": 1, "cards": cards[:2], "decision": decision, "bets": bets}
    dealt = {"dealer": ["2h", "2d"], "community": cards[2:], "seats": [seat]}
    claims = settle({"game": "rws-holdem", **dealt})["claims"]
    assert [claim["tier"] for claim in claims] == ([tier] if tier else [])


@often
@given(ROUNDS)
def test_claims_stand_by_seat_and_the_jackpot_controller_accepts_them(played: Json) -> None:
    claims = settle(played)["claims"]
    assert [claim["seat"] for claim in claims] == sorted(claim["seat"] for claim in claims)
    at = {"dealt_at": "2026-01-02T03:04:05Z", "entered_at": "2026-01-02T03:05:00Z"}
    entered = [
        {"id": str(place), "table": "T1", "round": 17, **at, **claim}
        for place, claim in enumerate(claims)
    ]
    meter = {"value": 100_000_000, "reset": 20_000_000}
    paid = award({"game": played["game"], "meter": meter, "claims": entered})["awards"]
    amounts = {one["id"]: one["amount"] for one in paid}
    assert len(paid) == len(claims)
    assert all(amounts[e["id"]] == e.get("amount", amounts[e["id"]]) for e in entered)
