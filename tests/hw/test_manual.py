"""The man pages: what is committed is what the commands take, and it can be typeset."""

import shutil
import subprocess
from pathlib import Path

import pytest

from host_tools.commands import COMMANDS
from sim import main as sim
from tests.manual import FOLDER, pages

PAGES = pages()


def test_the_committed_pages_are_what_the_commands_take() -> None:
    committed = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}
    assert committed == PAGES, "make docs"


def test_every_command_has_its_place_in_a_page() -> None:
    assert {
        "underfelt.1",
        "underfelt-sim.1",
        "underfelt-table.8",
        "underfelt-table-bridge.8",
    } == set(PAGES)
    for name in COMMANDS:
        assert f'.SH "underfelt {name}"' in PAGES["underfelt.1"]
    for command in (*sim.COMMANDS, sim.JACKPOT):
        assert f'.SH "underfelt\\-sim {command.name}"' in PAGES["underfelt-sim.1"]


def test_a_page_says_how_a_command_is_called_and_what_holds_if_nothing_is_said() -> None:
    page = PAGES["underfelt.1"]
    assert "\\fBunderfelt test\\fR [OPTION \\&...] TARGET" in page
    for words in ("UNDERFELT_PIN", "\\-\\-install\\-completion", "Default: 50."):
        assert words in page
    assert all(".SH SYNOPSIS" in each for each in PAGES.values())


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_typeset_without_a_warning(name: str) -> None:
    groff = shutil.which("groff") or "groff"
    ended = subprocess.run(
        [groff, "-man", "-ww", "-Tutf8", "-z", "-Kutf8", Path(FOLDER / name)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def test_what_may_be_left_out_is_in_brackets() -> None:
    page = PAGES["underfelt-sim.1"]
    for called in (
        "play\\fR [OPTION \\&...] [FILE \\&...]",
        "hands\\fR [OPTION \\&...] [TABLE] [SENTENCE \\&...]",
    ):
        assert called in page
