"""Which combinations `make test` tries of what can be combined; `make soak` tries them all.

Where two things have little to do with each other (a command, and a stream that is closed), each value
of each is tried at least once in `make test`, and every pair of them in `make soak`.
"""

import os
from collections.abc import Sequence
from itertools import product

SOAK = bool(os.environ.get("SOAK"))


def paired(*lists: Sequence[object]) -> list[tuple[object, ...]]:
    """Combine the values of several lists so that each occurs; in a soak, in every combination."""
    if SOAK:
        return list(product(*lists))
    longest = max(len(each) for each in lists)
    return [tuple(each[place % len(each)] for each in lists) for place in range(longest)]
