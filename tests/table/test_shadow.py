"""That the table does with chips, cards and mishaps what the five documents say.

Thousands of rounds are played on the pure table, with power cuts, lost links, reports and wrong keys, and
each is worked out again from the documents (`shadow/`). `SEED=7 make soak ARGS=tests/table/test_shadow.py`
searches elsewhere.
"""

import os
from collections import Counter
from collections.abc import Callable

import pytest

from tests.table.shadow.facts import FACTS
from tests.table.shadow.letter import LETTERS
from tests.table.shadow.paragraphs import REACHES
from tests.table.shadow.search import ROUNDS, SOURCES, searched

LONG = bool(os.environ.get("SOAK"))
SEED = os.environ.get("SEED", "22")
TABLES = 3_125 if LONG else 600
"""Tables in each part; with sixteen parts of four rounds each the long search is 200,000 rounds."""
PARTS = 16 if LONG else 1
MORE, MOST = 75, 4 * TABLES
"""How many tables more are played while something is not reached, and how many in all."""

OUTCOMES = [
    *("ante win", "ante lose", "ante push", "ante returned"),
    *("bet win", "bet lose", "bet push", "bet returned"),
    *("flop win", "flop lose", "flop push", "flop returned"),
    *("turn win", "turn lose", "river win", "river lose"),
    *("bonus win", "bonus lose", "bonus returned"),
    *("jackpot win", "jackpot lose", "jackpot returned"),
    *("jackpot_dealer win", "jackpot_dealer lose", "jackpot_dealer returned"),
]
CLAIMS = [
    *("royal_flush on player", "straight_flush on player", "four_of_a_kind on player"),
    *("full_house on player", "flush on player", "magic_card on player", "lucky_player on player"),
    *("royal_flush_flop on player", "royal_flush_turn on player", "royal_flush_river on player"),
    *("royal_flush on community", "straight_flush on community", "four_of_a_kind on community"),
    *("magic_card on dealer", "lucky_dealer on dealer"),
]
CORRECTED = [
    *("two hands exchanged", "two cards in the other order", "another amount of a bet"),
    *("another ante", "another decision"),
]
MISHAPS = [
    *("wrong key", "report withdrawn", "hand not shown", "jackpot chip without an ante"),
    *("consequence on", "consequence void", "consequence out", "void", "settled", "reversals"),
    *("confirmed by the pit_supervisor", "confirmed by the gaming_shift_manager"),
    *("confirmed by the table_games_shift_manager", "major confirmed"),
    *("claim paid from the registered meter", "awarded otherwise than registered"),
    *(f"power cut in {phase}" for phase in ("betting", "dealing", "deciding", "revealing")),
    *("power cut in settling", "link lost in dealing", "link lost in deciding"),
    *("late chip", "a card that comes twice", "card while a ruling is open"),
    *("noticed player_count_wrong", "noticed dealer_count_wrong", "noticed community_count_wrong"),
    *(f"corrected: {what}" for what in CORRECTED),
    *("answer fold", "answer absent", "answer check", "by hand fold"),
]


MET = [
    *(f"{game} {source}" for game in LETTERS for source in SOURCES),
    *OUTCOMES,
    *(f"claim {claim}" for claim in CLAIMS),
    *MISHAPS,
    *(f"report {what}" for what in FACTS),
    *(f"{game}: {name}" for game in REACHES for names in REACHES[game].values() for name in names),
]


@pytest.mark.parametrize("part", range(PARTS))
def test_the_table_does_what_the_documents_say(
    part: int, record_property: Callable[[str, object], None]
) -> None:
    first = part * MOST
    reached, tables, more = Counter[str](), 0, TABLES
    while tables < TABLES or (_not_reached(reached) and tables < MOST):
        numbers = range(first + tables, first + tables + more)
        met, found = searched(SEED, numbers)
        assert found is None, str(found)
        reached += met
        tables, more = tables + more, MORE
    # A search that reaches nothing finds nothing.
    assert _not_reached(reached) == []
    assert reached["rounds"] == tables * ROUNDS
    if LONG:
        told = f"shadow table, seed {SEED}, part {part}: {reached['rounds']} rounds agree"
        record_property("measured", told)


def _not_reached(reached: Counter[str]) -> list[str]:
    return [name for name in MET if not reached[name]]
