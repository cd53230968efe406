"""A copy of the tree in which code is made wrong and tested; the tree itself is never touched."""

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Literal

TREE = Path(__file__).parents[2]
_LEFT_OUT = (".*", "*.egg-info", "__pycache__", "build")
_TESTS_FAILED, _INTERRUPTED = 1, 2

Verdict = Literal["killed", "survived", "timed out"]
"""The tests failed, or passed all the same, or came to no end; only the second is a hole."""


class Workshop:
    """One copy, for one mutant at a time."""

    def __init__(self, folder: Path) -> None:
        self.tree = folder / "tree"
        shutil.copytree(TREE, self.tree, ignore=shutil.ignore_patterns(*_LEFT_OUT))
        self.last_words = ""
        """What the tests printed last."""

    def judge(self, file: str, source: bytes, tests: tuple[str, ...], *, limit_s: float) -> Verdict:
        """Run tests with a file replaced; then put the file back."""
        path = self.tree / file
        good = path.read_bytes()
        try:
            _replace(path, source)
            return self._run(tests, limit_s)
        finally:
            _replace(path, good)

    def seconds_unchanged(self, tests: tuple[str, ...], *, limit_s: float) -> float:
        """Run tests on the copy as it is: if they failed now, they would prove nothing later."""
        began_s = time.monotonic()
        verdict = self._run(tests, limit_s)
        assert verdict == "survived", f"{verdict} without a mutation:\n{self.last_words}"
        return time.monotonic() - began_s

    def _run(self, tests: tuple[str, ...], limit_s: float) -> Verdict:
        # Not the long searches: the same examples for every mutant. And wherever a test starts
        # a process, it is one of the copy.
        environment = {name: value for name, value in os.environ.items() if name != "SOAK"}
        for name in [name for name in environment if name.startswith("PYTEST_")]:
            del environment[name]
        options = ("-x", "-q", "-n", "0", "-p", "no:cacheprovider", "--no-header", "--tb=line")
        process = subprocess.Popen(
            [sys.executable, "-m", "pytest", *options, *tests],
            cwd=self.tree,
            # What a mutant of the link never does need not be waited for as long as elsewhere.
            env=environment | {"PYTHONPATH": str(self.tree), "HANGS_AFTER_S": "20"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            self.last_words, _ = process.communicate(timeout=limit_s)
        except subprocess.TimeoutExpired:
            # Its whole session: a broker that a test has started goes with it.
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return "timed out"
        if process.returncode == 0:
            return "survived"
        # An import that fails is the mutation's doing as well; any other status is ours.
        assert process.returncode in {_TESTS_FAILED, _INTERRUPTED, 4}, self.last_words
        return "killed"


def _replace(path: Path, source: bytes) -> None:
    path.write_bytes(source)
    # Python knows stale code by time and length, and a mutation may have neither of its own.
    Path(importlib.util.cache_from_source(path)).unlink(missing_ok=True)
