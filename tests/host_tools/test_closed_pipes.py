"""A pipe that is closed, as by `head`, is not a finding: no command whose status says something ends so."""

import os
from pathlib import Path

import pytest

from firmware.shell.command_line import PIPE_CLOSED
from tests.host_tools import won
from tests.host_tools.command import start
from tests.host_tools.hostile import answers, hostile_table


def unread(*arguments: str) -> tuple[int, bytes]:
    """Run a command whose output nobody reads; return its status and its complaints."""
    reader, writer = os.pipe()
    os.close(reader)
    with start(*arguments, stdout=writer) as ran:
        os.close(writer)
        _, complaints = ran.communicate(timeout=60)
    return ran.returncode, complaints


@pytest.mark.parametrize(
    "form", [(), ("--json",), ("--prometheus",)], ids=["words", "json", "prom"]
)
@pytest.mark.parametrize("reached", [True, False])
def test_a_diagnosis_that_nobody_reads_finds_nothing(
    tmp_path: Path, form: tuple[str, ...], *, reached: bool
) -> None:
    with hostile_table(tmp_path, answers()) as target:
        where = target if reached else f"unix:{tmp_path}/nowhere"
        assert unread("diagnose", where, *form) == (PIPE_CLOSED, b"")


@pytest.mark.parametrize(
    "words", [("verify",), ("verify", "--json"), ("replay",), ("show",), ("slip",)]
)
def test_a_journal_that_nobody_reads_about_has_nothing_wrong(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    playing = won.table(won.house())
    won.win_a_round(playing)
    folder = won.written(playing, tmp_path / "journal")
    command, *options = words
    assert unread("journal", command, str(folder), *options) == (PIPE_CLOSED, b"")


@pytest.mark.parametrize(
    "words", [("rules", "games"), ("phases",), ("faults",), ("--help",), ("check", "nowhere.toml")]
)
def test_what_only_prints_ends_so_too(words: tuple[str, ...]) -> None:
    status, complaints = unread(*words)
    if words[0] == "check":
        assert status not in {0, PIPE_CLOSED}, "what is not carried out is complained of elsewhere"
    else:
        assert (status, complaints) == (PIPE_CLOSED, b"")
