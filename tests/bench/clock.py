"""Times contenders against each other on a machine that does other things too."""

from collections.abc import Callable, Mapping
from math import inf
from timeit import timeit

ROUNDS = 60
PATIENCE_S = 1.5
"""When a contender has used up this much, it sits out the rounds that are left."""


def race(contenders: Mapping[str, Callable[[], object]], operations: int) -> dict[str, float]:
    """Give each contender's best time for one operation, in seconds.

    A run of a contender is so many operations. Everyone runs once a round, so a
    slow spell of the machine hits all of them, and the best round has none. Each
    run follows an untimed one of its own, so that nobody starts with cold caches.
    """
    best = dict.fromkeys(contenders, inf)
    spent = dict.fromkeys(contenders, 0.0)
    for _ in range(ROUNDS):
        for name, run in contenders.items():
            if spent[name] < PATIENCE_S:
                seconds = timeit(run, setup=run, number=1)
                spent[name] += seconds
                best[name] = min(best[name], seconds / operations)
    return best
