"""Which irregularity can occur in which phase, and what the table knows about it by itself.

The rules ask for facts; the dealer is asked only for those that nothing here senses.
"""

from collections.abc import Mapping

from msgspec import UNSET
from msgspec.structs import replace

from firmware.rules.contract import Facts, IrregularityName
from firmware.rules.ruling import NEEDED_FACTS
from firmware.table.settings import TableSettings
from firmware.table.stages import outcome_established
from firmware.table.state import Phase, RoundState

_BETTING: frozenset[Phase] = frozenset({"betting"})
_DEALING: frozenset[Phase] = frozenset({"dealing"})
_PLAYED: frozenset[Phase] = frozenset({"dealing", "deciding", "revealing", "claiming"})
_CLOSED: frozenset[Phase] = frozenset({*_PLAYED, "settling"})
_ROUND: frozenset[Phase] = frozenset({*_BETTING, *_CLOSED})
_BETWEEN: frozenset[Phase] = frozenset({"idle"})
_ALWAYS: frozenset[Phase] = frozenset({*_ROUND, *_BETWEEN})

OCCASIONS: Mapping[IrregularityName, frozenset[Phase]] = {
    "foreign_card": _CLOSED,
    "deck_count_wrong": _CLOSED,
    "insufficient_cards": _PLAYED,
    "unshuffled": _CLOSED,
    "cards_exposed": _PLAYED,
    "dealer_card_exposed": _PLAYED,
    "misdeal": _PLAYED,
    "dealer_count_wrong": _CLOSED | _BETTING,
    "community_count_wrong": _CLOSED | _BETTING,
    "player_count_wrong": _CLOSED | _BETTING,
    "no_burn": _PLAYED,
    "dealing_error": _PLAYED,
    "card_face_up_in_shoe": _DEALING,
    "simultaneous_draw": _PLAYED,
    "jackpot_fault": _ROUND,
    "jackpot_fault_persists": _BETWEEN,
    "interruption": _ROUND,
    "extra_hand_examined": _PLAYED,
    "late_bet": _CLOSED,
    "late_increase": _CLOSED,
    "late_withdrawal": _CLOSED,
    "jackpot_without_ante": _ROUND,
    "over_max": _ROUND,
    "under_min": _ROUND,
    "error_in_earlier_round": _ALWAYS,
    "played_several_positions": _PLAYED,
    "hand_not_confidential": _PLAYED,
    "other": _ALWAYS,
}


def can_occur(kind: IrregularityName, phase: Phase) -> bool:
    """Tell whether an irregularity can occur in a phase."""
    return phase in OCCASIONS[kind]


def filled_in(
    kind: IrregularityName, phase: Phase, facts: Facts, settings: TableSettings, play: RoundState
) -> Facts:
    """Add the facts that the table knows itself; about open bets it knows better than the dealer."""
    closed = phase != "betting"
    known: dict[str, bool] = {"bets_closed": closed}
    if not closed or facts.before_next_round is UNSET:
        # In the next round's betting, what is noticed is about the round before it.
        known["before_next_round"] = closed
    if facts.outcome_established is UNSET:
        known["outcome_established"] = outcome_established(settings, play)
    return replace(facts, **{name: known[name] for name in known if name in NEEDED_FACTS[kind]})
