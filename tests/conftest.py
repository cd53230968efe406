"""What all tests share: the long searches, and what was missing on this machine.

A test marked `soak` is left out of `make test`, visibly, as deselected. Searches that
have a shorter form read `SOAK` themselves and run in both.
"""

import os
import shutil
import signal
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings

from sim.broker import mosquitto_path
from tests.devices import hardware
from tests.spot_board import interpreters as spot_board

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell script starts what runs in its background so, and every command that a test
    # starts and interrupts would inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)

# `make test` looks at the same examples every time, so that a change is what fails it;
# the search for new ones is `make soak`'s, which remembers what it found.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("searching", deadline=None)
settings.load_profile("searching" if os.environ.get("SOAK") else "repeatable")


def pytest_configure(config: pytest.Config) -> None:
    """Keep the names of the tables that tests play from those of other floors on this machine.

    Before anything is collected, since some tests note the environment when they are imported.
    """
    names = TemporaryDirectory(prefix="names-")
    os.environ["XDG_RUNTIME_DIR"] = names.name
    config.add_cleanup(names.cleanup)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the long searches out unless SOAK is set."""
    if os.environ.get("SOAK"):
        return
    long = [item for item in items if item.get_closest_marker("soak")]
    config.hook.pytest_deselected(items=long)
    items[:] = [item for item in items if item not in long]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was measured and, loudly, last, what could not be tested here."""
    _tell_measured(terminalreporter)
    untested = [f"no real device: {name} is not set" for name in hardware.missing()]
    if mosquitto_path() is None:
        untested.append("mosquitto is not installed: nothing ran on the real broker")
    if shutil.which("openssl") is None:
        untested.append("openssl is not installed: nothing ran with certificates")
    if spot_board.interpreter is None:
        untested.append(f"nothing of the spot board ran on MicroPython: {spot_board.REMEDY}")
    elif not spot_board.UNITTEST.exists():
        untested.append(f"the spot board's own tests did not run: {spot_board.REMEDY}")
    if untested:
        terminalreporter.section("NOT TESTED", sep="!", red=True, bold=True)
    for line in untested:
        terminalreporter.line(line)


def _tell_measured(reporter: pytest.TerminalReporter) -> None:
    """Say what tests have recorded as `measured`: a figure is of interest when it is good, too."""
    reports = [*reporter.stats.get("passed", []), *reporter.stats.get("failed", [])]
    told = [text for each in reports for name, text in each.user_properties if name == "measured"]
    if told:
        reporter.section("measured")
    for text in sorted(told):
        reporter.line(text)
