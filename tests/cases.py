"""Many small cases in one test: each is named when it fails, and none costs a test of its own.

Thousands of tests that take a millisecond each cost more to pass around than to run.
"""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def case(*names: object) -> Iterator[None]:
    """Name the case in whatever goes wrong with it."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"in the case: {', '.join(map(str, names))}")
        raise
