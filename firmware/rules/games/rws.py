"""What the RWS documents have in common: their irregularities and their stud game.

The three documents agree on §5.1–5.15. The stud documents then have a paragraph
on an exposed dealer card (§5.16) that hold'em does not have, so hold'em's numbers are one
lower from there on. Nothing here is a game; those are in the files next to this one.
"""

from collections.abc import Mapping

from firmware.rules.contract import IrregularityName
from firmware.rules.game import Case, Paragraphs, PaymentOrder, Step, Wager
from firmware.rules.games import stud
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

MAX_PAYOUT_CENTS = 10_000_000


def irregularities(
    *,
    jackpot_fault: str,
    jackpot_fault_seen: str,
    jackpot_fault_persists: str,
    extra_hand: str,
    earlier_round: str,
) -> Mapping[IrregularityName, tuple[Case, ...]]:
    """Build the table of the three documents, with the paragraphs that are numbered differently."""

    def wrong_count(cannot_be_put_right: Case) -> tuple[Case, ...]:
        return (
            play_on(earlier_round, before_next_round=False),
            choose("5.10", "continue_reconstructed", reconstructable=True),
            cannot_be_put_right,
        )

    return {
        "foreign_card": (void("5.8.1"),),
        "deck_count_wrong": (void("5.8.3"),),
        "insufficient_cards": (void("5.8.4"),),
        "unshuffled": (void("5.8.5"),),
        "cards_exposed": (
            play_on("5.12", any_player_seen=True),
            choose("5.10", "continue", count=1),
            void("5.8.2"),
        ),
        "misdeal": (
            choose("5.10", "continue_reconstructed", any_player_seen=True, movable=True),
            choose("5.10", "continue", any_player_seen=True),
            reconstruct("5.8.6", movable=True),
            void("5.8.6"),
        ),
        "dealer_count_wrong": wrong_count(void("5.8.7")),
        "player_count_wrong": wrong_count(take_out("5.15", "seat")),
        "no_burn": (
            void("5.9", any_player_seen=True),
            void("5.9", reconstructable=False),
            choose("5.9", "continue_reconstructed", affects="all"),
        ),
        "dealing_error": (
            choose("5.10", "continue_reconstructed", reconstructable=True),
            choose("5.10", "continue"),
        ),
        "card_face_up_in_shoe": (use_card("5.13", "next_card"),),
        "simultaneous_draw": (
            choose("5.14.1", "continue_reconstructed", affects="all", order_known=True),
            choose("5.14.1", "continue", affects="all", authority="pit_supervisor"),
        ),
        "jackpot_fault": (
            play_on(jackpot_fault_seen, any_player_seen=True),
            void(jackpot_fault),
        ),
        "jackpot_fault_persists": (
            refer(
                jackpot_fault_persists, "house", "close_table", "disallow_box", "no_jackpot_bets"
            ),
        ),
        "interruption": (play_on("5.7.1", outcome_established=True), void("5.7.2")),
        "extra_hand_examined": (
            take_out(extra_hand, "additional", authority="pit_supervisor", intentional=True),
            play_on(extra_hand, authority="pit_supervisor"),
        ),
        "late_bet": (refuse("5.11"),),
        "late_increase": (refuse("5.11"),),
        "late_withdrawal": (stand("5.11"),),
        "jackpot_without_ante": (take_out("5.4", "seat", bets_closed=True), correct("3.8")),
        "over_max": (play_on("5.1.1", bets_closed=True), refuse("5.1")),
        "under_min": (play_on("5.2.1", bets_closed=True), correct("5.2")),
        "error_in_earlier_round": (play_on(earlier_round),),
    }


STUD_IRREGULARITIES: Mapping[IrregularityName, tuple[Case, ...]] = {
    **irregularities(
        jackpot_fault="5.17",
        jackpot_fault_seen="5.18.1",
        jackpot_fault_persists="5.18.2",
        extra_hand="5.19",
        earlier_round="5.20",
    ),
    "dealer_card_exposed": (use_card("5.16", "face_up_card"),),
}

STUD_WAGERS: tuple[Wager, ...] = stud.wagers(
    ante_rule="4.1", bet_rule="4.1", cap_cents=MAX_PAYOUT_CENTS, cap_rule="4.1.1"
)

STUD_PARAGRAPHS = Paragraphs(
    no_ante=("3.6",),
    jackpot_without_ante=("5.4",),
    withdrawn=("5.10.3",),
    fold=("3.12.1",),
    absent=("5.5", "3.12.1"),
    hidden=("4.3",),
    no_hand=("3.13",),
    win=("3.14.1",),
    lose=("3.14.2",),
    stand_off=("3.14.3",),
    over_max=("5.1.1",),
    under_min=("5.2.1",),
    more_than_allowed=("5.3.1",),
    less_than_prescribed=("5.3.2",),
)

STUD_PAYMENT = PaymentOrder(by="dealt_at", same_round="4.5.1", across_tables="4.5.2")

STUD_SHOE = (
    Step(kind="burn", rule="3.10"),
    Step(kind="deal", to=("seats", "dealer"), cards=5, rule="3.10"),
    Step(kind="reveal", to=("dealer",), by_deal=True, rule="3.10"),
    Step(kind="decide", bet="bet", rule="3.12"),
    Step(kind="reveal", to=("dealer",), cards=4, rule="3.13"),
)
STUD_SHUFFLER = (
    Step(kind="deal", to=("seats", "dealer"), cards=5, packet=5, rule="3.11.1"),
    Step(kind="reveal", to=("dealer",), by_deal=True, any_card=True, rule="3.11.2"),
    Step(kind="decide", bet="bet", rule="3.12"),
    Step(kind="reveal", to=("dealer",), cards=4, rule="3.13"),
)
