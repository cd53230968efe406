"""Progressive Texas Hold'em Poker: RWS, version 6 of 28 June 2020.

Two hole cards and five community cards; the dealer always plays. One jackpot bet
collects one line (I-5): the lines are listed in the order in which they are tried.
A line on the community cards comes before the player's own line of the same rank,
so that a royal flush on the board is not a river royal (§4.2, I-6).
"""

from collections.abc import Mapping

from firmware.rules.contract import Level, Owner
from firmware.rules.game import (
    Bonus,
    Game,
    HoleLine,
    JackpotLine,
    Paragraphs,
    PaymentOrder,
    Step,
    Wager,
)
from firmware.rules.games import rws, stud
from firmware.rules.games.cases import refer
from firmware.rules.hands import Category

_ANTE_ODDS: Mapping[Category, int] = {
    "royal_flush": 1,
    "straight_flush": 1,
    "four_of_a_kind": 1,
    "full_house": 1,
    "flush": 1,
    "straight": 1,
}


def _royal(tier: str, level: Level, percent: int, board: int) -> JackpotLine:
    return JackpotLine(
        bet="jackpot",
        on="player",
        tier=tier,
        category="royal_flush",
        level=level,
        rule="4.2",
        percent=percent,
        board=board,
    )


def _fixed(on: Owner, category: Category, amount_cents: int) -> JackpotLine:
    return JackpotLine(
        bet="jackpot",
        on=on,
        tier=category,
        category=category,
        level="minor",
        rule="4.2",
        amount_cents=amount_cents,
        board=5,
    )


_BONUS = Bonus(
    name="bonus",
    rule="4.1",
    cap_cents=rws.MAX_PAYOUT_CENTS,
    cap_rule="4.1.1",
    lines=(
        HoleLine(ranks=frozenset({"AA"}), dealer_too=True, odds=1000),
        HoleLine(ranks=frozenset({"AA"}), odds=30),
        HoleLine(ranks=frozenset({"AK"}), suited=True, odds=25),
        HoleLine(ranks=frozenset({"AQ", "AJ"}), suited=True, odds=20),
        HoleLine(ranks=frozenset({"AK"}), suited=False, odds=15),
        HoleLine(ranks=frozenset({"KK", "QQ", "JJ"}), odds=10),
        HoleLine(ranks=frozenset({"AQ", "AJ"}), suited=False, odds=5),
        HoleLine(ranks=frozenset(rank * 2 for rank in "23456789T"), odds=3),
    ),
)

_IRREGULARITIES = rws.irregularities(
    jackpot_fault="5.16",
    jackpot_fault_seen="5.17.1",
    jackpot_fault_persists="5.17.2",
    extra_hand="5.18",
    earlier_round="5.19",
)

GAME = Game(
    id="rws-holdem",
    title="Progressive Texas Hold'em Poker",
    version="RWS, version 6 of 28 June 2020",
    positions=(4, 7),
    own_cards=2,
    dealer_cards=2,
    community_cards=5,
    dealer_must_qualify=False,
    shoe=(
        Step(kind="burn", rule="3.11.1"),
        Step(kind="deal", to=("seats",), cards=2, rule="3.11.1"),
        Step(kind="decide", bet="flop", rule="3.11.2"),
        Step(kind="burn", rule="3.11.3"),
        Step(kind="deal", to=("community",), cards=3, packet=3, name="flop", rule="3.11.3"),
        Step(kind="reveal", to=("community",), cards=3, name="flop", rule="3.11.3"),
        Step(kind="decide", bet="turn", rule="3.11.3"),
        Step(kind="burn", rule="3.11.4"),
        Step(kind="deal", to=("community",), name="turn", rule="3.11.4"),
        Step(kind="reveal", to=("community",), name="turn", rule="3.11.4"),
        Step(kind="decide", bet="river", rule="3.11.4"),
        Step(kind="burn", rule="3.11.5"),
        Step(kind="deal", to=("community",), name="river", rule="3.11.5"),
        Step(kind="reveal", to=("community",), name="river", rule="3.11.5"),
        Step(kind="deal", to=("dealer",), cards=2, packet=2, rule="3.11.6"),
        Step(kind="reveal", to=("dealer",), cards=2, rule="3.11.6"),
    ),
    shuffler=(
        Step(kind="deal", to=("community",), cards=5, packet=5, rule="3.12.1"),
        Step(kind="deal", to=("seats", "dealer"), cards=2, packet=2, rule="3.12.2"),
        Step(kind="decide", bet="flop", rule="3.12.3"),
        Step(kind="reveal", to=("community",), cards=3, name="flop", rule="3.12.4"),
        Step(kind="decide", bet="turn", rule="3.12.4"),
        Step(kind="reveal", to=("community",), name="turn", rule="3.12.5"),
        Step(kind="decide", bet="river", rule="3.12.5"),
        Step(kind="reveal", to=("community",), name="river", rule="3.12.6"),
        Step(kind="reveal", to=("dealer",), cards=2, rule="3.12.6"),
    ),
    wagers=(
        Wager(name="ante", rule="4.1", odds=_ANTE_ODDS),
        Wager(name="flop", rule="4.1", odds=stud.EVEN_MONEY, antes=2),
        Wager(name="turn", rule="4.1", odds=stud.EVEN_MONEY),
        Wager(name="river", rule="4.1", odds=stud.EVEN_MONEY),
    ),
    stay="flop",
    bonus=_BONUS,
    jackpot_bets={"jackpot": "player"},
    lines=(
        _royal("royal_flush_flop", "major", 100, board=3),
        _royal("royal_flush_turn", "major", 25, board=4),
        _fixed("community", "royal_flush", 1_000_000),
        _royal("royal_flush_river", "minor", 5, board=5),
        _fixed("community", "straight_flush", 150_000),
        _fixed("player", "straight_flush", 150_000),
        _fixed("community", "four_of_a_kind", 30_000),
        _fixed("player", "four_of_a_kind", 30_000),
    ),
    paragraphs=Paragraphs(
        no_ante=("3.6",),
        jackpot_without_ante=("5.4",),
        withdrawn=("5.10.3",),
        fold=("3.11.2",),
        absent=("5.5", "3.11.2"),
        hidden=("4.3",),
        win=("3.13",),
        lose=("3.14",),
        stand_off=("3.15",),
        over_max=("5.1.1",),
        under_min=("5.2.1",),
        more_than_allowed=("5.3.1",),
        less_than_prescribed=("5.3.2",),
    ),
    absent="folded",
    hidden="loses",
    fold_keeps=frozenset({"community"}),
    under_min_again="settled",
    jackpot_bet_back="at_once",
    payment=PaymentOrder(by="dealt_at", same_round="4.2", across_tables="4.5"),
    irregularities={
        **_IRREGULARITIES,
        "community_count_wrong": _IRREGULARITIES["dealer_count_wrong"],
    },
    impossible=frozenset({"dealer_card_exposed"}),
    silent=refer("5.23", "table_games_shift_manager"),
)
