"""The board's own tests, run by micropython-lib's `unittest` on the real MicroPython with a Pico's heap."""

import subprocess
from pathlib import Path

import pytest

from tests.spot_board.interpreters import (
    PROJECT,
    REMEDY,
    UNITTEST,
    micropython,
    needs_interpreter,
)

pytestmark = [
    needs_interpreter,
    pytest.mark.skipif(not UNITTEST.exists(), reason=f"no unittest for MicroPython: {REMEDY}"),
]
FILES = sorted((Path(__file__).parent / "on_board").glob("*_cases.py"))


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_the_board_s_own_tests_pass_on_its_own_interpreter(file: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        micropython(file, PROJECT, tmp_path),
        check=False,
        capture_output=True,
        text=True,
        env={"MICROPYPATH": f"{UNITTEST}:.frozen"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "OK" in done.stdout
    assert "Ran 0 tests" not in done.stdout


def test_a_failing_test_on_the_board_fails_here(tmp_path: Path) -> None:
    file = tmp_path / "fails.py"
    file.write_text(
        "import unittest\nclass T(unittest.TestCase):\n"
        "    def test(self):\n        self.assertEqual(1, 2)\nunittest.main()\n",
        encoding="ascii",
    )
    done = subprocess.run(
        micropython(file),
        check=False,
        capture_output=True,
        env={"MICROPYPATH": f"{UNITTEST}:.frozen"},
    )
    assert done.returncode != 0
