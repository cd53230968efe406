"""What the contract suites run on: the simulated hardware, and the real one where it is.

Real hardware is named by environment variables, which whoever sits at the bench sets:

UNDERFELT_REAL_SHOE, _SHUFFLER, _PANEL, _SIGN   the path of the device's port
UNDERFELT_REAL_PINS                             two GPIO numbers that a wire joins: 17,27

What is not there is skipped, and the last lines of a test run say so.
"""

import os
from typing import Literal

import pytest

Kind = Literal["shoe", "shuffler", "panel", "sign"]
KINDS: tuple[Kind, ...] = ("shoe", "shuffler", "panel", "sign")
PINS = "UNDERFELT_REAL_PINS"
Where = Literal["simulated", "real"]
BOTH: tuple[Where, ...] = ("simulated", "real")


def variable(kind: Kind) -> str:
    """Name the variable of a device."""
    return f"UNDERFELT_REAL_{kind.upper()}"


def real(name: str) -> str:
    """Give what a variable names, or skip the test."""
    value = os.environ.get(name, "")
    if not value:
        pytest.skip(f"no real hardware: {name} is not set")
    return value


def missing() -> list[str]:
    """Name every variable that is not set: what could not be tested on real hardware."""
    names = (*map(variable, KINDS), PINS)
    return [name for name in names if not os.environ.get(name)]
