"""What the two MBS documents have in common about irregularities.

Both documents void a round on the same dealing errors and close the bets in the same way,
each with its own paragraph numbers. What only one of them says is in that game's file; what
neither says is referred to the gaming shift manager.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from firmware.rules.contract import IrregularityName
from firmware.rules.game import Case
from firmware.rules.games.cases import (
    correct,
    play_on,
    reconstruct,
    refuse,
    stand,
    take_out,
    void,
)


def irregularities(
    silent: Case, *, deck_count: str, late_bet: str, late_withdrawal: str
) -> Mapping[IrregularityName, tuple[Case, ...]]:
    """Build the common table; `silent` answers what both documents leave open."""
    return {
        "foreign_card": (void("5.1.1"),),
        "deck_count_wrong": (void(deck_count),),
        "cards_exposed": (replace(silent, when={"count": 1}), void("5.4")),
        "misdeal": (
            replace(silent, when={"any_player_seen": True}),
            reconstruct("5.2", movable=True),
            void("5.2"),
        ),
        "dealer_count_wrong": wrong_count("5.3", void("5.3")),
        "late_bet": (refuse(late_bet),),
        "late_increase": (refuse(late_bet),),
        "late_withdrawal": (stand(late_withdrawal),),
    }


def wrong_count(rule: str, cannot_be_put_right: Case) -> tuple[Case, ...]:
    """Answer a wrong count: it stands if noticed late, and is corrected if it can be."""
    return (
        play_on(rule, before_next_round=False),
        reconstruct(rule, reconstructable=True),
        cannot_be_put_right,
    )


def bets_on_the_layout(
    *,
    over_max: str,
    under_min: str,
    before_closing: str,
    jackpot_before_closing: str,
    jackpot_after_closing: str,
) -> Mapping[IrregularityName, tuple[Case, ...]]:
    """Answer wagers over or under the limits and jackpot wagers without an ante."""
    return {
        "over_max": (play_on(over_max, bets_closed=True), refuse(before_closing)),
        "under_min": (play_on(under_min, bets_closed=True), correct(before_closing)),
        "jackpot_without_ante": (
            take_out(jackpot_after_closing, "seat", bets_closed=True),
            correct(jackpot_before_closing),
        ),
    }
