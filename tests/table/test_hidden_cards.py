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
from tests.table.alike import (
    First,
    chips,
    claimed_elsewhere,
    differences,
    doubts,
    second,
    wanderings,
)
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


def test_i_6_a_claim_on_other_cards_tells_nothing_of_a_folded_hand() -> None:
    counted = Counter[str]()

    @settings(max_examples=1_000 if SOAK else 40, deadline=None)
    @given(claimed_elsewhere, *[st.integers(0, 2**32)] * 3)
    def search(at: TableSettings, cards: int, moves: int, seed: int) -> None:
        first = First(Deck(cards, kind=False, nines=True), at)
        on_other_cards = [*at.rules.jackpot_bets][-1:]
        first.wander((1, 3), [Move("elsewhere", moves)], on_other_cards)
        other = second(first, at, seed)
        assert list(differences(first.ears, other)) == []
        folded = first.state.round.seats[3].decision == "fold"
        counted.update(walks=1, claimed=folded and bool(first.state.round.claims_of(3)))

    search()
    assert counted["claimed"] > counted["walks"] / 2
