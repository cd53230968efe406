"""The emulated Pi for its tests: built once, and what was measured on it told at the end.

`make test` leaves these tests out, since they boot a machine; `make emulate-test` sets
EMULATE, and then whatever keeps the machine from being built is a failure.
"""

import os
from pathlib import Path

import pytest

from sim.emulator.build import MachineParts, build_machine
from tests.emulator.machines import MEASURED


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the emulator's tests out unless EMULATE is set."""
    if os.environ.get("EMULATE"):
        return
    here = Path(__file__).parent
    ours = [item for item in items if here in item.path.parents]
    config.hook.pytest_deselected(items=ours)
    items[:] = [item for item in items if item not in ours]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell what was measured on the machine."""
    if MEASURED:
        terminalreporter.section("measured on the emulated Pi")
        for line in MEASURED:
            terminalreporter.line(line)


@pytest.fixture(scope="session")
def parts() -> MachineParts:
    """Build the machine, or find that it is built."""
    return build_machine()
