"""Builds the lookup tables of `hands.py`, and packs them into `hand_tables.bin`.

Building takes a second or two, loading some milliseconds; so a developer builds the file
(`make tables`) and commits it, and a test proves that it is what this module builds. At run
time only `load` is used.

A *strength* is an integer from 1 (7-5-4-3-2 of several suits) to 7462 (a royal
flush); equal strength means a stand-off. The tables are keyed by the base-5 rank
sums of `cards.py`, so hands of five, six and seven cards live in one table: the
digits of their sums add up to different totals and cannot collide.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from struct import Struct, pack

from firmware.rules.cards import SUITS

FILE = Path(__file__).with_name("hand_tables.bin")
_COUNTS = Struct("<3I")

CATEGORIES = (
    "five_odd_cards",
    "one_pair",
    "two_pairs",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
)
_SHAPES = {(2, 1, 1, 1): 1, (2, 2, 1): 2, (3, 1, 1): 3, (3, 2): 6, (4, 1): 7}
_WHEEL = (12, 3, 2, 1, 0)
_ACE = 12

HandClass = tuple[int, tuple[int, ...]]


def _straight_high(ranks: tuple[int, ...]) -> int | None:
    """Return the top rank of a straight, the five for a wheel (A-2-3-4-5), or None."""
    high_to_low = tuple(sorted(ranks, reverse=True))
    if high_to_low == _WHEEL:
        return 3
    high = high_to_low[0]
    return high if high_to_low == tuple(range(high, high - 5, -1)) else None


def classify(ranks: tuple[int, ...], *, suited: bool) -> HandClass:
    """Describe five ranks as (category number, tie-breaking ranks), comparable as tuples."""
    counts = Counter(ranks)
    by_weight = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = tuple(counts[rank] for rank in by_weight)
    if shape in _SHAPES:
        return _SHAPES[shape], tuple(by_weight)
    high = _straight_high(ranks)
    if high is None:
        return (5 if suited else 0), tuple(by_weight)
    if not suited:
        return 4, (high,)
    return (9 if high == _ACE else 8), (high,)


def _sum(ranks: Iterable[int]) -> int:
    return sum(5**rank for rank in ranks)


def _possible(size: int) -> Iterator[tuple[int, ...]]:
    """Yield every combination of ranks that one deck can deal, lowest first."""
    for ranks in combinations_with_replacement(range(13), size):
        if max(Counter(ranks).values()) <= len(SUITS):
            yield ranks


def build() -> tuple[dict[int, int], dict[int, int], bytes]:
    """Build (strength by rank sum, strength by suited rank sum, category by strength)."""
    plain = {ranks: classify(ranks, suited=False) for ranks in _possible(5)}
    suited = {ranks: classify(ranks, suited=True) for ranks in combinations(range(13), 5)}
    classes = sorted(set(plain.values()) | set(suited.values()))
    strength = {hand_class: place for place, hand_class in enumerate(classes, start=1)}

    of_ranks = {_sum(ranks): strength[found] for ranks, found in plain.items()}
    of_suited = {_sum(ranks): strength[found] for ranks, found in suited.items()}
    for size in (6, 7):
        for ranks in _possible(size):
            of_ranks[_sum(ranks)] = max(of_ranks[_sum(five)] for five in combinations(ranks, 5))
        for ranks in combinations(range(13), size):
            of_suited[_sum(ranks)] = max(of_suited[_sum(five)] for five in combinations(ranks, 5))
    category = bytes([0, *(number for number, _ in classes)])
    return of_ranks, of_suited, category


def packed() -> bytes:
    """Lay the tables out as the file holds them: three counts, then keys and values."""
    of_ranks, of_suited, category = build()
    parts = [_COUNTS.pack(len(of_ranks), len(of_suited), len(category))]
    for table in (of_ranks, of_suited):
        parts.append(pack(f"<{len(table)}I", *table.keys()))
        parts.append(pack(f"<{len(table)}H", *table.values()))
    return b"".join([*parts, category])


def load() -> tuple[dict[int, int], dict[int, int], bytes]:
    """Read what `build` made from the file next to this module.

    The numbers are read in place, little-endian as every machine we run on is, and the
    same strength is the same object everywhere: that saves a third of the memory.
    """
    data = memoryview(FILE.read_bytes())
    *sizes, categories = _COUNTS.unpack_from(data)
    strengths = tuple(range(categories))
    at = _COUNTS.size
    tables = []
    for size in sizes:
        middle, end = at + 4 * size, at + 6 * size
        keys, values = data[at:middle].cast("I"), data[middle:end].cast("H")
        tables.append(dict(zip(keys, map(strengths.__getitem__, values), strict=True)))
        at = end
    of_ranks, of_suited = tables
    return of_ranks, of_suited, bytes(data[at:])


if __name__ == "__main__":
    FILE.write_bytes(packed())
    print(f"wrote {FILE.name}, {FILE.stat().st_size} bytes")
