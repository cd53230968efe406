"""What all tests share: the searches that only `make soak` runs whole.

A test marked `soak` is left out of `make test`, visibly, as deselected. Searches that
have a shorter form read `SOAK` themselves and run in both.
"""

import os

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the long searches out unless SOAK is set."""
    if os.environ.get("SOAK"):
        return
    long = [item for item in items if item.get_closest_marker("soak")]
    config.hook.pytest_deselected(items=long)
    items[:] = [item for item in items if item not in long]
