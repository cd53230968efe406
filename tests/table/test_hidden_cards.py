"""What is known and not face up influences nothing outside: two tables alike but for hidden cards.

Every game and card source, with irregularities, corrections, faults, restarts and refused keys
among the events. After each everything is compared: effects (lamps, prompt, sign, refusals,
status, what is owed), what maintenance shows, the menus, and how much is written. Where the
boundary lies is in `alike.py`.
"""

import os
from collections import Counter
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.table.settings import TableSettings
from tests.table.alike import First, chips, differences, doubts, second, wanderings
from tests.table.walking import Deck, Move, decks, tables

SOAK = bool(os.environ.get("SOAK"))


def test_no_hidden_card_changes_anything_outside(
    record_property: Callable[[str, str], None],
) -> None:
    counted = Counter[str]()

    @settings(max_examples=5_000 if SOAK else 120, deadline=None)
    @given(chips, wanderings | doubts, decks, tables, st.integers(0, 2**32))
    def search(
        placed: set[int], moves: list[Move], deck: Deck, at: TableSettings, seed: int
    ) -> None:
        first = First(deck, at)
        first.wander(sorted(placed), moves)
        other = second(first, at, seed)
        assert list(differences(first.ears, other)) == []
        counted.update(walks=1, events=len(first.steps), hidden=first.most_hidden > 0)

    search()
    told = f"{counted['events']} events in {counted['walks']} walks, {counted['hidden']} of them"
    record_property("measured", f"hidden cards: {told} with cards face down; nothing was told")
    assert counted["hidden"] > counted["walks"] / 4
