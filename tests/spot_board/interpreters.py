"""MicroPython for the tests, if it was fetched; and an answering program that runs on it.

`make test` fetches it; where that was not possible, tests that need it are skipped, loudly.
"""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from sim.spot_board.interpreter import PROJECT, UNITTEST, here

__all__ = ["PROJECT", "REMEDY", "UNITTEST", "Answers", "interpreter", "needs_interpreter"]

REMEDY = "`python -m sim.spot_board.interpreter` fetches it, or says why not"
interpreter = here()
needs_interpreter = pytest.mark.skipif(interpreter is None, reason=f"no MicroPython: {REMEDY}")
_ANSWERS = Path(__file__).parent / "on_board/answers.py"


def micropython(*arguments: str | Path) -> list[str]:
    """Return the command that runs a program on MicroPython."""
    assert interpreter is not None
    return interpreter.runs(*arguments)


class Answers:
    """`on_board/answers.py` on MicroPython: one process that is asked many things."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            micropython(_ANSWERS, PROJECT),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="ascii",
        )

    def ask(self, function: str, *arguments: Any) -> Any:  # noqa: ANN401  # any JSON
        """Call a function of the program there."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([function, *arguments]) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert self._process.wait(10) == 0
