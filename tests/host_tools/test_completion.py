"""Completion in a real bash, to which a colon ends a word."""

import os
import pty
import select
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from host_tools.completion import joined
from sim.floor.running import announced
from tests.host_tools.command import PLAIN, UNDERFELT
from tests.host_tools.tables import own_runtime_folder

__all__ = ["own_runtime_folder"]

PATIENCE_S = 120
SHELL = {"TERM": "dumb", "COLUMNS": "200", "HISTFILE": ""}


@pytest.mark.parametrize(
    ("words", "at", "put_together"),
    [
        (["underfelt", "diagnose", "si"], 2, (["underfelt", "diagnose", "si"], 2, "")),
        (["u", "watch", "sim", ":"], 3, (["u", "watch", "sim:"], 2, "sim:")),
        (["u", "watch", "sim", ":", "T"], 4, (["u", "watch", "sim:T"], 2, "sim:")),
        (["u", "watch", "sim", ":", "T1", ""], 5, (["u", "watch", "sim:T1", ""], 3, "")),
        (
            ["u", "watch", "sim", ":", "T1", "sim", ":", "T"],
            7,
            (["u", "watch", "sim:T1", "sim:T"], 3, "sim:"),
        ),
        # Whoever has taken the colon out of COMP_WORDBREAKS gets whole words.
        (["u", "watch", "sim:T"], 2, (["u", "watch", "sim:T"], 2, "")),
    ],
)
def test_words_that_bash_has_cut_are_put_together(
    words: list[str], at: int, put_together: tuple[list[str], int, str]
) -> None:
    assert joined(words, at) == put_together


class Bash:
    """A bash at a terminal, with the completion that `underfelt` prints for it."""

    def __init__(self, folder: Path) -> None:
        ours, theirs = pty.openpty()
        self._terminal = ours
        path = f"{UNDERFELT.parent}:{os.environ['PATH']}"
        self.process = subprocess.Popen(
            ["/usr/bin/env", "bash", "--norc", "--noprofile", "-i"],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=folder,
            env={**PLAIN, **SHELL, "PATH": path, "XDG_RUNTIME_DIR": os.environ["XDG_RUNTIME_DIR"]},
            start_new_session=True,
        )
        os.close(theirs)
        self.typed('eval "$(underfelt --show-completion)"; echo rea"dy"\n', "ready\r\n")

    def typed(self, keys: str, until: str) -> str:
        """Type something, and read until bash has said something."""
        os.write(self._terminal, keys.encode())
        said, ends = "", time.monotonic() + PATIENCE_S
        while until not in said:
            assert time.monotonic() < ends, said
            if select.select([self._terminal], [], [], 1)[0]:
                said += os.read(self._terminal, 65_536).decode(errors="replace")
        return said

    def completed(self, line: str) -> str:
        """Type a line and a tab; return what bash makes of it, without running it."""
        # Ctrl-A and a word make it the argument of echo; the quote keeps the echo of the keys apart.
        said = self.typed(f"{line}\t\x01echo '=''>' \n", "\n=> ")
        said += self.typed("echo do'ne'\n", "done\r\n")
        return said.rpartition("\n=> ")[2].partition("\r")[0].rstrip()

    def close(self) -> None:
        """End it; an interactive bash takes no notice of SIGTERM."""
        self.process.kill()
        self.process.wait()
        os.close(self._terminal)


@pytest.mark.usefixtures("own_runtime_folder")
def test_bash_completes_a_table_after_its_colon(tmp_path: Path) -> None:
    with ExitStack() as stack:
        for name in ("T1", "Roulette"):
            (tmp_path / name).mkdir()
            stack.enter_context(announced(name, tmp_path / name))
        shell = Bash(tmp_path)
        stack.callback(shell.close)
        assert shell.completed("underfelt diagnose sim:T") == "underfelt diagnose sim:T1"
        assert shell.completed("underfelt watch sim:T1 sim:R") == (
            "underfelt watch sim:T1 sim:Roulette"
        )
        assert shell.completed("underfelt journal pull si") == "underfelt journal pull sim:"
        assert shell.completed("underfelt diag") == "underfelt diagnose"
        # After a kind that is no simulated table, bash completes the names of files.
        (tmp_path / "maintenance.sock").touch()
        assert shell.completed("underfelt log unix:main") == "underfelt log unix:maintenance.sock"


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("underfelt faults F20", ["F201", "F202", "F203"]),
        ("underfelt faults sensor_s", ["sensor_stuck"]),
        ("underfelt test sim:T1 --only s", ["spots", "sensors", "sign", "seat 1"]),
        ("underfelt test sim:T1 --skip p", ["panel", "power"]),
    ],
)
def test_faults_and_parts_of_a_test_are_completed(typed: str, found: list[str]) -> None:
    words = typed.split()
    asked = {"_UNDERFELT_COMPLETE": "complete_bash", "COMP_CWORD": str(len(words) - 1)}
    out = subprocess.run(
        [UNDERFELT],
        env={**PLAIN, **asked, "COMP_WORDS": "\n".join(words)},
        capture_output=True,
        check=False,
        text=True,
    ).stdout
    assert {*found} <= {*out.splitlines()}
