"""Proves what holds for all claims on a meter: laws, not cases.

Each claim is paid once, whatever order it came in, and the meter's ledger balances
to the cent. Which claim goes first in a given case is proved in `games/`; the
claims are drawn in `rounds.py`.
"""

import os
from collections import defaultdict
from datetime import datetime
from itertools import groupby

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.ask import Json, award
from tests.rules.rounds import GAMES, PERCENT, claims

SOAK = "SOAK" in os.environ
CLAIMS = claims()
RWS_GAMES = tuple(game for game in GAMES if game.startswith("rws"))
MBS_GAMES = tuple(game for game in GAMES if game.startswith("mbs"))
SINGAPORE_TIERS = ("straight_flush", "royal_flush")

Paid = tuple[Json, Json]
"""A claim and its award."""

often = settings(max_examples=10_000 if SOAK else 400, deadline=None)


def paid(asked: Json) -> list[Paid]:
    """Award claims, and give each with its award, in the order of payment."""
    by_id = {claim["id"]: claim for claim in asked["claims"]}
    return [(by_id[one["id"]], one) for one in award(asked)["awards"]]


def units(asked: Json) -> list[list[Paid]]:
    """Group what was paid by who shares with whom: MBS winners of a tier in one round."""

    def shares_with(one: Paid) -> tuple[object, ...]:
        claim = one[0]
        shared = asked["game"] in MBS_GAMES and "percent" in claim
        return (claim["table"], claim["round"], claim["tier"]) if shared else (claim["id"],)

    grouped = [(key, list(group)) for key, group in groupby(paid(asked), shares_with)]
    assert len({key for key, _ in grouped}) == len(grouped), "a unit is paid in one go"
    return [group for _, group in grouped]


def declines(asked: Json) -> bool:
    share = asked.get("settings", {}).get("straight_flush_share", "declining")
    return bool(share == "declining") or asked["game"] in RWS_GAMES


def moment(claim: Json, key: str) -> datetime:
    return datetime.fromisoformat(claim[key])


@often
@given(CLAIMS, st.data())
def test_every_claim_is_paid_once_in_whatever_order_it_came(
    asked: Json, data: st.DataObject
) -> None:
    answered = award(asked)
    ids = [claim["id"] for claim in asked["claims"]]
    assert sorted(one["id"] for one in answered["awards"]) == sorted(ids)
    assert award(asked | {"claims": data.draw(st.permutations(asked["claims"]))}) == answered


@often
@given(CLAIMS)
def test_the_meter_goes_from_award_to_award(asked: Json) -> None:
    answered = award(asked)
    steps = [(one["meter_before"], one["meter_after"]) for one in answered["awards"]]
    values = [asked["meter"]["value"], *(after for _, after in steps)]
    assert [before for before, _ in steps] == values[:-1]
    assert answered["meter"] == {"value": values[-1], "reset": asked["meter"]["reset"]}
    assert min(values) >= 0


@often
@given(CLAIMS)
def test_fixed_amounts_are_paid_in_full_and_leave_the_meter_alone(asked: Json) -> None:
    for claim, told in paid(asked):
        if "amount" in claim:
            assert told["amount"] == claim["amount"]
            assert told["meter_after"] == told["meter_before"]


@often
@given(CLAIMS.filter(declines))
def test_the_meter_and_one_reset_a_whole_award_are_all_that_percentages_pay(asked: Json) -> None:
    put_in = asked["meter"]["value"]
    put_in += asked["meter"]["reset"] * sum(c.get("percent") == 100 for c in asked["claims"])
    paid_out = sum(told["amount"] for claim, told in paid(asked) if "percent" in claim)
    assert paid_out + award(asked)["meter"]["value"] == put_in


@often
@given(CLAIMS)
def test_the_whole_meter_is_shared_to_the_cent_and_then_reset(asked: Json) -> None:
    reset = asked["meter"]["reset"]
    for unit in units(asked):
        if unit[0][0].get("percent") != 100:
            continue
        winners, before = len(unit), unit[0][1]["meter_before"]
        share, left_over = divmod(before + (winners - 1) * reset, winners)
        assert [told["amount"] for _, told in unit] == [share] * winners
        afters = [told["meter_after"] for _, told in unit]
        assert afters == [reset] * (winners - 1) + [reset + left_over]


@often
@given(CLAIMS)
def test_a_percentage_falls_off_the_meter_and_is_rounded_down(asked: Json) -> None:
    for unit in units(asked):
        percent = unit[0][0].get("percent", 100)
        if percent == 100:
            continue
        value, winners = unit[0][1]["meter_before"], len(unit)
        amounts = {told["amount"] for _, told in unit}
        assert len(amounts) == 1
        amount = amounts.pop()
        assert all(t["meter_after"] == max(0, t["meter_before"] - amount) for _, t in unit)
        if winners == 1:
            assert amount == value * percent // 100
        elif declines(asked):
            exact = value - value * (100 - percent) ** winners / 100**winners
            assert -0.01 < exact - amount * winners < 2 * winners
        else:
            further = (winners - 1) * (asked["meter"]["reset"] * percent // 100)
            assert amount == (value * percent // 100 + further) // winners


@often
@given(claims(RWS_GAMES))
def test_rws_claims_are_paid_by_the_moment_of_the_deal(asked: Json) -> None:
    order = [(moment(c, "dealt_at"), c["table"], c["seat"], c["id"]) for c, _ in paid(asked)]
    assert order == sorted(order)


@often
@given(claims(MBS_GAMES))
def test_mbs_lower_hands_of_a_round_are_paid_before_higher_ones(asked: Json) -> None:
    ranks = defaultdict(list)
    for claim, _ in paid(asked):
        rank = SINGAPORE_TIERS.index(claim["tier"]) if "percent" in claim else -1
        ranks[claim["table"], claim["round"]].append(rank)
    assert all(found == sorted(found) for found in ranks.values())


@often
@given(claims(MBS_GAMES))
def test_mbs_claims_that_wait_for_no_other_are_paid_by_the_moment_of_entry(asked: Json) -> None:
    in_round = defaultdict(set)
    for claim in asked["claims"]:
        in_round[claim["table"], claim["round"]].add(claim["tier"])
    free = [
        min(moment(claim, "entered_at") for claim, _ in unit)
        for unit in units(asked)
        if "amount" in unit[0][0] or len(in_round[unit[0][0]["table"], unit[0][0]["round"]]) == 1
    ]
    assert free == sorted(free)


@often
@given(CLAIMS)
def test_one_claim_alone_gets_what_the_meter_shows(asked: Json) -> None:
    meter = asked["meter"]
    for claim in asked["claims"]:
        (told,) = award(asked | {"claims": [claim]})["awards"]
        percent = PERCENT[asked["game"]].get(claim["tier"], 0)
        amount = claim.get("amount", meter["value"] * percent // 100)
        after = meter["reset"] if percent == 100 else meter["value"] - amount
        assert told["amount"] == amount
        assert told["meter_after"] == (after if percent else meter["value"])
