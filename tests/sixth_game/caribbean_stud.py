"""Caribbean Stud as it is commonly played, with a progressive side bet: a sixth game, all data.

No document of a casino stands behind it; the paragraphs are this file's own. Its bet of twice
the ante has a name that no other game has, and its answers to irregularities are others: a
jackpot that fails voids the round whatever was seen, and so does an interruption. Between them
they use every action of the engine.
"""

from collections.abc import Mapping

from firmware.rules.contract import IrregularityName
from firmware.rules.game import Case, Game, JackpotLine, Paragraphs, PaymentOrder, Step, Wager
from firmware.rules.games.cases import (
    choose,
    correct,
    play_on,
    reconstruct,
    refer,
    refuse,
    stand,
    take_out,
    use_card,
    void,
)
from firmware.rules.hands import BEST_TO_LEAST, Category

RAISE_ODDS: Mapping[Category, int] = {
    "royal_flush": 100,
    "straight_flush": 50,
    "four_of_a_kind": 20,
    "full_house": 7,
    "flush": 5,
    "straight": 4,
    "three_of_a_kind": 3,
    "two_pairs": 2,
    "one_pair": 1,
    "five_odd_cards": 1,
}
OF_THE_METER: Mapping[Category, int] = {"royal_flush": 100, "straight_flush": 10}
FIXED_CENTS: Mapping[Category, int] = {
    "four_of_a_kind": 50_000,
    "full_house": 10_000,
    "flush": 5_000,
}

DECIDE = (
    Step(kind="reveal", to=("dealer",), by_deal=True, rule="2.3"),
    Step(kind="decide", bet="raise", rule="2.4"),
    Step(kind="reveal", to=("dealer",), cards=4, rule="2.6"),
)

IRREGULARITIES: Mapping[IrregularityName, tuple[Case, ...]] = {
    "foreign_card": (refer("5.1", "pit_supervisor"),),
    "deck_count_wrong": (void("5.1"),),
    "insufficient_cards": (refer("5.2", "gaming_shift_manager"),),
    "unshuffled": (choose("5.2", "continue", affects="all", authority="pit_supervisor"),),
    "cards_exposed": (
        void("5.3", any_player_seen=True),
        reconstruct("5.3", count=1),
        choose("5.3", "continue", affects="all"),
    ),
    "dealer_card_exposed": (choose("5.4", "continue", affects="all"),),
    "misdeal": (reconstruct("5.5", movable=True), void("5.5")),
    "dealer_count_wrong": (
        play_on("5.6", authority="pit_supervisor", before_next_round=False),
        choose("5.6", "continue_reconstructed", affects="all", reconstructable=True),
        void("5.6"),
    ),
    "player_count_wrong": (
        play_on("5.7", before_next_round=False),
        take_out(
            "5.7",
            "seat",
            options=("continue", "withdraw"),
            affects="all",
            authority="pit_supervisor",
        ),
    ),
    "dealing_error": (reconstruct("5.8", reconstructable=True), void("5.8")),
    "card_face_up_in_shoe": (use_card("5.9", "face_up_card"),),
    "simultaneous_draw": (reconstruct("5.10", order_known=True), refer("5.10", "pit_supervisor")),
    "jackpot_fault": (void("5.11"),),
    "jackpot_fault_persists": (
        refer("5.12", "pit_supervisor", "close_table", "disallow_box", "no_jackpot_bets"),
    ),
    "interruption": (void("5.13"),),
    "extra_hand_examined": (
        take_out("5.14", "additional", intentional=True),
        choose("5.14", "continue"),
    ),
    "late_bet": (refuse("5.15"),),
    "late_increase": (stand("5.15"),),
    "late_withdrawal": (refuse("5.15"),),
    "over_max": (refuse("5.16", bets_closed=True), correct("5.16")),
    "under_min": (take_out("5.17", "seat", bets_closed=True), correct("5.17")),
    "played_several_positions": (take_out("5.18", "all_but_first_dealt"),),
    "hand_not_confidential": (take_out("5.19", "seat", authority="gaming_shift_manager"),),
}
"""What is not in here is referred: also a jackpot bet without an ante."""

GAME = Game(
    id="caribbean-stud",
    title="Caribbean Stud",
    version="as it is commonly played",
    positions=(1, 7),
    own_cards=5,
    dealer_cards=5,
    dealer_must_qualify=True,
    qualify_rule="2.7",
    shoe=(Step(kind="deal", to=("seats", "dealer"), cards=5, rule="2.2"), *DECIDE),
    shuffler=(Step(kind="deal", to=("seats", "dealer"), cards=5, packet=5, rule="2.2"), *DECIDE),
    wagers=(
        Wager(name="ante", rule="3.1", odds=dict.fromkeys(BEST_TO_LEAST, 1), no_hand_odds=1),
        Wager(name="raise", rule="3.2", odds=RAISE_ODDS, antes=2),
    ),
    stay="raise",
    jackpot_bets={"jackpot": "player"},
    lines=(
        *(
            JackpotLine(
                bet="jackpot",
                on="player",
                tier=category,
                category=category,
                level="major",
                percent=percent,
                rule="4.1",
            )
            for category, percent in OF_THE_METER.items()
        ),
        *(
            JackpotLine(
                bet="jackpot",
                on="player",
                tier=category,
                category=category,
                level="minor",
                amount_cents=amount_cents,
                rule="4.2",
            )
            for category, amount_cents in FIXED_CENTS.items()
        ),
    ),
    paragraphs=Paragraphs(
        no_ante=("2.1",),
        jackpot_without_ante=("4.3",),
        fold=("2.5",),
        absent=("5.20",),
        hidden=("2.8",),
        no_hand=("2.7",),
        win=("2.9",),
        lose=("2.10",),
        stand_off=("2.11",),
        over_max=("5.16",),
        under_min=("5.17",),
        more_than_allowed=("3.3",),
        less_than_prescribed=("3.3",),
        withdrawn=("5.21",),
    ),
    absent="returned",
    hidden="loses",
    fold_keeps=frozenset(),
    under_min_again="settled",
    jackpot_bet_back="at_the_end",
    payment=PaymentOrder(
        by="entered_at",
        same_round="4.4",
        across_tables="4.4",
        sharing={"royal_flush": "4.5"},
    ),
    irregularities=IRREGULARITIES,
    impossible=frozenset({"community_count_wrong", "no_burn"}),
    silent=refer("5.22", "table_games_shift_manager"),
)
