"""Looks for a difference between table and documents, and shortens what it finds.

One seed is one table: its game, its source of cards, its limits, and some rounds. `rounds_of` plays them;
`searched` plays many seeds, and where two sides part, leaves out whatever is not needed for it.
"""

from collections import Counter
from dataclasses import dataclass
from itertools import product

from msgspec.structs import replace

from firmware.table.settings import CardSource, TableSettings
from tests.table.playing import SETTINGS
from tests.table.shadow.dealer import Dealer
from tests.table.shadow.letter import LETTERS
from tests.table.shadow.mishaps import play_round
from tests.table.shadow.shadowing import Difference

KINDS = (
    "wrong key",
    "late chip",
    "correction",
    "card in a ruling",
    "wrong cards",
    "power cut",
    "link lost",
    "link mended",
    "report",
)
"""The kinds of mishap that can be left out of a round."""
SOURCES: tuple[CardSource, ...] = ("shoe", "shuffler", "manual")
TABLES = tuple(product(sorted(LETTERS), SOURCES))
ROUNDS = 4
"""How many rounds a table plays: what is remembered from one to the next needs few."""


@dataclass(frozen=True)
class Found:
    """A difference, and the shortest story that leads to it."""

    seed: str
    what: str
    story: tuple[str, ...]

    def __str__(self) -> str:
        """Tell it."""
        return "\n".join([f"seed {self.seed!r}: {self.what}", *self.story])


def settings_of(game: str, source: CardSource, number: int) -> TableSettings:
    """Give the table of a seed."""
    bonus = (None, 50_000)[number % 2]
    return replace(
        SETTINGS,
        game=game,
        card_source=source,
        seats=6,
        bonus_max_cents=bonus if "holdem" in game else None,
    )


def rounds_of(
    number: int, seed: str, without: frozenset[str] = frozenset(), *, first: int = 1
) -> Dealer:
    """Play the rounds of one seed, from the first that is asked for."""
    game, source = TABLES[number % len(TABLES)]
    dealer = Dealer(settings_of(game, source, number), f"{seed} {number}", without)
    dealer.number = first - 1
    try:
        for _ in range(first, ROUNDS + 1):
            play_round(dealer)
    except Difference as error:
        error.args = (*error.args, dealer)
        raise
    return dealer


def searched(seed: str, numbers: range) -> tuple[Counter[str], Found | None]:
    """Play many tables; give what was reached, and the first difference."""
    reached: Counter[str] = Counter()
    for number in numbers:
        try:
            dealer = rounds_of(number, seed)
        except Difference:
            return reached, shortened(number, seed)
        reached += dealer.reached
        for what, times in dealer.reached.items():
            reached[f"{dealer.settings.game}: {what}"] += times
        reached["rounds"] += ROUNDS
        reached[" ".join(TABLES[number % len(TABLES)])] += ROUNDS
        game, source = TABLES[number % len(TABLES)]
        reached[f"{game}: from a {source}"] += ROUNDS
    return reached, None


def shortened(number: int, seed: str) -> Found:
    """Leave out kinds of mishap, and rounds before the one that fails, while it still fails."""
    what, story = _failure(number, seed, frozenset(), 1)
    without: frozenset[str] = frozenset()
    for kind in KINDS:
        shorter = _failure(number, seed, without | {kind}, 1)
        if shorter[0]:
            without |= {kind}
            what, story = shorter
    for first in range(ROUNDS, 1, -1):
        shorter = _failure(number, seed, without, first)
        if shorter[0]:
            what, story = shorter
            break
    return Found(f"{seed} {number}", what, tuple(story))


def _failure(number: int, seed: str, without: frozenset[str], first: int) -> tuple[str, list[str]]:
    try:
        rounds_of(number, seed, without, first=first)
    except Difference as error:
        return error.args[0], error.args[1].story
    return "", []
