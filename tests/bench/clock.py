"""Times contenders against each other on a machine that does other things too."""

from collections.abc import Callable, Mapping
from math import inf
from timeit import timeit

ROUNDS = 40

Contender = Callable[[], list[object]]
"""One run of a contender; it gives what it worked out, one item an operation."""


def race(contenders: Mapping[str, Contender]) -> dict[str, float]:
    """Give each contender's best time for one operation, in seconds.

    Everyone runs once a round, so a slow spell of the machine hits all of them, and
    the best round has none. Each run follows an untimed one of its own, so that
    nobody starts with cold caches.
    """
    operations = {name: len(run()) for name, run in contenders.items()}
    best = dict.fromkeys(contenders, inf)
    for _ in range(ROUNDS):
        for name, run in contenders.items():
            seconds = timeit(run, setup=run, number=1)
            best[name] = min(best[name], seconds / operations[name])
    return best
