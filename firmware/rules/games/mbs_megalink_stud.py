"""Megalink Singapore Stud Poker: MBS, version 6 of 2 August 2019.

No burn card, no cap on payouts. Hands are paid in the order in which they enter
the jackpot system (§3.14), several winners of a round share (§3.15), an absent
player gets the ante back (§5.11), and a wager under the minimum is settled once
only (§5.13).
"""

from firmware.rules.game import Game, Measure, Paragraphs, PaymentOrder, Step
from firmware.rules.games import mbs, stud
from firmware.rules.games.cases import choose, play_on, refer, take_out, void

_SILENT = refer("6.1", "gaming_shift_manager")

GAME = Game(
    id="mbs-megalink-stud",
    title="Megalink Singapore Stud Poker",
    version="MBS, version 6 of 2 August 2019",
    positions=(4, 7),
    layouts={"A": (5, 7), "B": (5, 7), "C": (4, 6), "D": (4, 6)},
    own_cards=5,
    dealer_cards=5,
    dealer_must_qualify=True,
    qualify_rule="3.10.2",
    shoe=(
        Step(kind="deal", to=("seats", "dealer"), cards=5, rule="3.8"),
        Step(kind="reveal", to=("dealer",), by_deal=True, rule="3.8"),
        Step(kind="decide", bet="bet", rule="3.9"),
        Step(kind="reveal", to=("dealer",), cards=4, rule="3.10"),
    ),
    shuffler=(
        Step(kind="deal", to=("seats", "dealer"), cards=5, packet=5, rule="3.7"),
        Step(kind="reveal", to=("dealer",), by_deal=True, rule="3.7"),
        Step(kind="decide", bet="bet", rule="3.9"),
        Step(kind="reveal", to=("dealer",), cards=4, rule="3.10"),
    ),
    wagers=stud.wagers(ante_rule="4.1.1", bet_rule="4.1.2"),
    stay="bet",
    jackpot_bets={"jackpot": "player"},
    lines=(
        *stud.meter_lines(rule="4.2"),
        *stud.fixed_lines(four_of_a_kind=200_000, full_house=20_000, flush=10_000, rule="4.2"),
    ),
    paragraphs=Paragraphs(
        no_ante=("3.4",),
        jackpot_without_ante=("5.12.2",),
        fold=("3.9.1",),
        absent=("5.11",),
        hidden=("3.10.1",),
        no_hand=("3.10.2.1", "3.10.2.2"),
        win=("3.10.3.1",),
        lose=("3.10.3.2",),
        stand_off=("3.10.4",),
        over_max=("5.14",),
        under_min=("5.13",),
        more_than_allowed=("I-11",),
        less_than_prescribed=("I-11",),
    ),
    absent="returned",
    hidden="loses",
    fold_keeps=frozenset({"player"}),
    under_min_again="returned",
    jackpot_bet_back="at_the_end",
    payment=PaymentOrder(
        by="entered_at",
        same_round="3.15.3",
        across_tables="3.14",
        sharing={"royal_flush": "3.15.1", "straight_flush": "3.15.2"},
    ),
    irregularities={
        **mbs.irregularities(_SILENT, deck_count="5.1.1", late_bet="5.5", late_withdrawal="5.6"),
        **mbs.bets_on_the_layout(
            over_max="5.14",
            under_min="5.13",
            before_closing="3.4",
            jackpot_before_closing="5.12.1",
            jackpot_after_closing="5.12.2",
        ),
        "unshuffled": (void("5.1.1"),),
        "player_count_wrong": mbs.wrong_count(
            "5.7", take_out("5.7", "seat", options=("continue", "withdraw"), affects="all")
        ),
        "interruption": (
            play_on("5.16.2", outcome_established=True),
            choose("5.16.1", "continue", affects="all"),
        ),
        "played_several_positions": (
            take_out("5.10.2", "all_but_first_dealt", viewed=()),
            take_out("5.10.1", "unviewed"),
        ),
        "hand_not_confidential": (refer("5.9", "gaming_shift_manager"),),
    },
    impossible=frozenset({"community_count_wrong", "no_burn"}),
    silent=_SILENT,
    barring=Measure("5.9", "gaming_shift_manager"),
    restricting=Measure("3.4.3", "pit_manager"),
)
