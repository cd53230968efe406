"""What a terminal that can show only ASCII shows instead of suits, lamps and lines."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.shell.ascii_signs import HANDLER
from host_tools.watch.fitting import LAMP_WORDS
from host_tools.watch.seats import LAMPS
from tests.sim.processes import HANG_S

BIN = Path(sys.executable).parent
ROUND = Path(__file__).parents[2] / "host_tools" / "rules" / "round.json"


def shown(text: str, encoding: str = "ascii") -> str:
    """Print a text on a terminal of an encoding."""
    return text.encode(encoding, HANDLER).decode(encoding)


def test_suits_and_signs_stay_readable() -> None:
    assert shown("A♠ K♥ 9♦ 2♣ … – − × §1.14") == "As Kh 9d 2c ... - - x par. 1.14"
    assert shown("A♠ × §", "latin-1") == "As × §"
    assert shown("漢") == "?"


def test_every_lamp_has_its_own_sign_in_ascii_and_its_legend_has_the_same() -> None:
    signs = {shown(sign) for sign, _ in LAMPS.values()} | {shown("◉"), shown("·")}
    assert len(signs) == len(LAMPS) + 2
    assert "?" not in signs
    for sign, _ in LAMPS.values():
        assert f"{shown(sign)} " in shown(LAMP_WORDS[0])


@pytest.mark.parametrize("frame", ["╭─┬╮", "│ ┃║", "╰═┴╯", "█▀▄▌"])
def test_frames_keep_their_columns(frame: str) -> None:
    assert len(shown(frame)) == len(frame)
    assert "?" not in shown(frame)


def test_a_drawing_keeps_the_length_of_its_lines() -> None:
    assert shown("cut sho…") == "cut sho..."
    assert shown("\x1b[1Acut sho…") == "\x1b[1Acut sho~"


def test_the_rules_are_explained_on_a_terminal_that_has_only_ascii() -> None:
    told = subprocess.run(
        [BIN / "underfelt", "rules", "settle", "--explain", ROUND],
        capture_output=True,
        check=True,
        timeout=HANG_S,
        env={
            **os.environ,
            "LC_ALL": "C",
            "PYTHONUTF8": "0",
            "PYTHONCOERCECLOCALE": "0",
            "PYTHONIOENCODING": "",
        },
    ).stdout
    assert b"As Kd 9c 5h 2s" in told
    assert b"qualifies (par. 1.14)" in told
