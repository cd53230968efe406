"""The image for the tests of the emulated board: built once, and what was measured told at the end.

`make test` leaves these tests out, since they build MicroPython and emulate every instruction of it;
`make board-test` sets BOARD, and then whatever keeps the image from being built is a failure.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from sim.pico import uf2
from sim.pico.image import Image, build_image
from tests.board.table import Table, switched_on

MEASURED = "measured on the emulated board"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the tests of the board out unless BOARD is set."""
    if os.environ.get("BOARD"):
        return
    here = Path(__file__).parent
    ours = [item for item in items if here in item.path.parents]
    config.hook.pytest_deselected(items=ours)
    items[:] = [item for item in items if item not in ours]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell what was measured, in whichever process."""
    reports = terminalreporter.getreports("passed") + terminalreporter.getreports("failed")
    lines = {
        str(text) for report in reports for name, text in report.user_properties if name == MEASURED
    }
    if lines:
        terminalreporter.section(MEASURED)
    for line in sorted(lines):
        terminalreporter.line(line)


@pytest.fixture(scope="session")
def image() -> Image:
    """Build the image, or find that it is built."""
    return build_image()


@pytest.fixture(scope="session")
def flash(image: Image) -> bytes:
    """Give what a new board has in its flash."""
    return uf2.decode(image.uf2.read_bytes())


@pytest.fixture
def table(flash: bytes) -> Table:
    """Switch a new board on that senses all its spots, at a table that knows it."""
    return switched_on(flash)


@pytest.fixture
def measured(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Take a line to be told at the end."""
    return lambda line: request.node.user_properties.append((MEASURED, line))
