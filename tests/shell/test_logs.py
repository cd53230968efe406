"""How the firmware's log lines look, in a terminal and in journald."""

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

CODE = """
import logging
from firmware.shell import logs
logs.begin()
log = logging.getLogger("firmware.x")
log.info("hello")
log.warning("two\\nlines")
try:
    1 / 0
except ZeroDivisionError:
    log.exception("a bug")
logs.complain("T1.toml: table.seats: wrong\\nREADY")
"""


def logged(folder: Path, *, journald: bool, stream: str = "") -> list[str]:
    """Log in a process whose standard error is a file, as if it were journald's or not."""
    path = folder / "log"
    with path.open("wb") as file:
        found = os.fstat(file.fileno())
        told = f"{found.st_dev}:{found.st_ino}" if journald else stream
        subprocess.run(
            [sys.executable, "-c", CODE],
            stderr=file,
            check=True,
            timeout=60,
            env={**os.environ, "JOURNAL_STREAM": told},
        )
    return path.read_text(encoding="utf-8").splitlines()


def test_journald_reads_the_level_of_every_line(tmp_path: Path) -> None:
    lines = logged(tmp_path, journald=True)
    assert lines[:3] == ["<6>firmware.x: hello", "<4>firmware.x: two", "<4>lines"]
    assert lines[3] == "<3>firmware.x: a bug"
    assert all(line.startswith("<3>") for line in lines[4:])
    assert lines[-1] == "<3>underfelt-table: T1.toml: table.seats: wrong READY"


def test_elsewhere_a_line_has_its_time_and_the_name_of_the_level(tmp_path: Path) -> None:
    before = datetime.now(UTC) - timedelta(seconds=1)
    lines = logged(tmp_path, journald=False)
    at, _, rest = lines[0].partition(" ")
    assert rest == "INFO firmware.x: hello"
    assert at.endswith("Z")
    assert before <= datetime.fromisoformat(at) <= datetime.now(UTC)
    assert lines[-1] == "underfelt-table: T1.toml: table.seats: wrong READY"


def test_a_stream_that_was_redirected_is_not_journald_s(tmp_path: Path) -> None:
    lines = logged(tmp_path, journald=False, stream="8:12345")
    assert lines[0].endswith("Z INFO firmware.x: hello")
