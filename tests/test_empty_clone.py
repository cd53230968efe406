"""The README followed word for word on a machine that has nothing of the project: an empty clone.

Every command of a console block is run as it is printed, in its order, in one shell's folder.
It installs from the package index, so `make test` leaves it out; `make readme-test` runs it, and CI.
"""

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.host_tools.test_readme import BLOCKS, examples

ROOT = Path(__file__).parent.parent
COMMANDS = [each for block in BLOCKS for each in examples(block)]
GIT = shutil.which("git") or "git"
PATIENCE_S = 900
_OURS = ("VIRTUAL_ENV", "PYTHONPATH", "PYTEST_ADDOPTS", "MAKEFLAGS", "MFLAGS", "MAKELEVEL", "ARGS")
CLEAN = {
    name: value
    for name, value in os.environ.items()
    if name not in _OURS and not name.startswith("PYTEST_") and name != "SOAK"
} | {
    # `make test` is followed as it is printed, and only the documents' own tests are run by it: all
    # of them would run this one's siblings once more.
    "PYTEST_ADDOPTS": "tests/test_documents.py"
}


@pytest.mark.soak
def test_every_command_of_the_readme_works_in_an_empty_clone(tmp_path: Path) -> None:
    clone = tmp_path / "underfelt"
    subprocess.run([GIT, "clone", "--quiet", ROOT, clone], check=True)
    assert not (clone / ".venv").exists()
    followed = []
    for command, shown in COMMANDS:
        spoken = re.sub(r"\s+#.*$", "", command)
        if spoken == "make run":
            _run_until_rounds_are_played(spoken, clone)
        else:
            _follow(spoken, shown, clone)
        followed.append(spoken)
    assert {"make run", "make test"} < set(followed)
    shutil.rmtree(clone / ".venv")


def _follow(command: str, shown: str, clone: Path) -> None:
    """Run a command to its end; where the README shows its output, that is what it prints."""
    ended = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=clone,
        env=CLEAN,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert ended.returncode == 0, f"{command}:\n{ended.stdout}\n{ended.stderr}"
    if shown:
        assert (ended.stdout.strip(), ended.stderr) == (shown.strip(), "")


def _run_until_rounds_are_played(command: str, clone: Path) -> None:
    """Run the floor as a person does, in a terminal, and end it with Ctrl-C after some rounds."""
    keyboard, screen = pty.openpty()
    floor = subprocess.Popen(
        ["/bin/sh", "-c", f"stty rows 50 cols 200; exec {command}"],
        cwd=clone,
        env=CLEAN | {"TERM": "xterm-256color"},
        stdin=screen,
        stdout=screen,
        stderr=screen,
        start_new_session=True,
    )
    os.close(screen)
    seen = _seen_until(keyboard, r"[1-9]\d* rounds? played")
    # To all of it, as a terminal does.
    os.killpg(floor.pid, signal.SIGINT)
    seen += _seen_until(keyboard, "all processes have ended")
    assert "starting 3 tables" in seen
    assert "Traceback" not in seen
    floor.wait(PATIENCE_S)
    os.close(keyboard)


def _seen_until(screen: int, words: str) -> str:
    """Read what a terminal shows until these words are there."""
    seen, until_s = "", time.monotonic() + PATIENCE_S
    while not re.search(words, _plain(seen)):
        left_s = until_s - time.monotonic()
        assert left_s > 0, f"it never showed {words}:\n{seen[-4000:]}"
        if select.select([screen], [], [], left_s)[0]:
            try:
                seen += os.read(screen, 65536).decode(errors="replace")
            except OSError:
                pytest.fail(f"it ended before it showed {words}:\n{seen[-4000:]}")
    return _plain(seen)


def _plain(seen: str) -> str:
    """Return what was written on the screen without colours and movements of the cursor."""
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", seen)
