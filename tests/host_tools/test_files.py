"""What is no file, or one that is far too long, ends in one sentence: nothing hangs or runs out of memory.

A pipe that nobody else has open, a device without an end, a segment of gigabytes, a folder where a
file belongs, and a table that gives its journal a byte at a time.
"""

import base64
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware.journal.files import MOST_BYTES
from firmware.maintenance.protocol import JOURNAL_CHUNK
from firmware.shell.runtime import Runtime
from host_tools.journal import pull
from sim.main import main as simulator
from tests.host_tools.command import run
from tests.host_tools.hostile import Tool, answers, hostile_table, tool
from tests.sim.floors import SETTINGS

__all__ = ["tool"]

SEGMENT = "000000000001.journal"
NO_FILE = "is a pipe or a device and not a file"


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Begin a journal."""
    folder = tmp_path / "journal"
    folder.mkdir()
    Runtime(SETTINGS, folder).close()
    return folder


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    """Make a pipe that nobody reads or writes."""
    path = tmp_path / "pipe.toml"
    os.mkfifo(path)
    return path


def listing(**sizes: int) -> dict[str, Any]:
    """List files of a journal."""
    files = [{"name": f"{name[1:]}.journal", "bytes": size} for name, size in sizes.items()]
    return {**answers()["journal_files"], "files": files}


def piece(data: bytes) -> dict[str, Any]:
    """Send a piece of a journal."""
    return {**answers()["journal_read"], "data": base64.b64encode(data).decode()}


HOSTILE = answers() | {"journal_files": listing(_000000000001=6), "journal_read": piece(b"owned\n")}


@pytest.mark.parametrize("path", ["/dev/zero", "pipe"])
def test_a_table_file_that_is_no_file_is_refused(path: str, pipe: Path, tool: Tool) -> None:
    given = str(pipe) if path == "pipe" else path
    assert NO_FILE in tool("check", given).err
    ran = tool("diagnose", f"unix:{pipe.parent}/no.sock", "--config", given)
    assert NO_FILE in ran.out


@pytest.mark.parametrize("path", ["/dev/zero", "pipe"])
def test_a_scenario_that_is_no_file_is_refused(
    path: str, pipe: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        simulator(["play", str(pipe) if path == "pipe" else path])
    assert NO_FILE in capfd.readouterr().err


def test_books_that_are_no_file_are_refused(pipe: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        simulator(["jackpot", "show", "--database", str(pipe)])
    assert "is not a file; name the file of the books" in capfd.readouterr().err


@pytest.mark.parametrize("command", ["verify", "show", "replay", "export"])
def test_a_segment_that_is_far_too_long_is_not_read(
    journal: Path, command: str, tool: Tool
) -> None:
    os.truncate(journal / SEGMENT, 6 << 30)
    more = ("--html", str(journal / "x.html")) if command == "export" else ()
    ran = tool("journal", command, str(journal), *more)
    assert ran.status in {1, 2}
    assert f"cannot be read: It is longer than {MOST_BYTES:,} bytes" in ran.out + ran.err


def test_what_is_written_is_written_to_a_file_alone(
    journal: Path, pipe: Path, tmp_path: Path, tool: Tool
) -> None:
    export = ("journal", "export", str(journal))
    assert NO_FILE in tool(*export, "--html", str(pipe)).err
    assert "a folder; name a file" in tool(*export, "--html", "/").err
    assert "/dev/null: a file, but a folder is needed" in tool(*export, "--csv", "/dev/null").err
    with hostile_table(tmp_path, answers()) as target:
        assert NO_FILE in tool("diagnose", target, "--bundle", str(pipe)).err
        nowhere = tmp_path / "no" / "b.zip"
        ran = tool("diagnose", target, "--bundle", str(nowhere))
        assert f"{nowhere}: there is no such folder; make it, or correct the name" in ran.err
        ran = tool("journal", "pull", target, str(journal / SEGMENT))
        assert f"{journal / SEGMENT}: a file, but a folder is needed" in ran.err


def _pipe(path: Path, _target: Path) -> None:
    os.mkfifo(path)


def _link(path: Path, target: Path) -> None:
    target.touch()
    path.symlink_to(target)


def _dangling(path: Path, target: Path) -> None:
    path.symlink_to(target)


@pytest.mark.parametrize("put", [_pipe, _link, _dangling])
def test_what_a_table_sends_goes_through_no_pipe_and_no_link(
    tmp_path: Path, put: Callable[[Path, Path], None], tool: Tool
) -> None:
    copy, target_file = tmp_path / "copy", tmp_path / "authorized_keys"
    copy.mkdir()
    put(copy / SEGMENT, target_file)
    with hostile_table(tmp_path, HOSTILE) as target:
        ran = tool("journal", "pull", target, str(copy))
    assert ran.status == 2
    assert str(copy / SEGMENT) in ran.err
    assert not target_file.exists() or target_file.read_bytes() == b""


def test_a_table_that_sends_a_byte_at_a_time_is_given_up(tmp_path: Path, tool: Tool) -> None:
    scraps = {"journal_files": listing(_000000000001=MOST_BYTES), "journal_read": piece(b"x")}
    with hostile_table(tmp_path, HOSTILE | scraps) as target:
        pulled = tool("journal", "pull", target, str(tmp_path / "copy"))
        bundled = tool("diagnose", target, "--bundle", str(tmp_path / "b.zip"))
    assert "sends 000000000001.journal in scraps, as no table does" in pulled.err
    assert "sends 000000000001.journal in scraps" in bundled.out


def test_a_table_that_sends_too_slowly_is_given_up(
    tmp_path: Path, tool: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Clock:
        """Goes on by ten seconds whenever it is looked at."""

        now_s = 0.0

        @classmethod
        def monotonic(cls) -> float:
            cls.now_s += 10
            return cls.now_s

    monkeypatch.setattr(pull, "time", Clock)
    slow = {
        "journal_files": listing(_000000000001=MOST_BYTES),
        "journal_read": piece(b"x" * JOURNAL_CHUNK),
    }
    with hostile_table(tmp_path, HOSTILE | slow) as target:
        pulled = tool("journal", "pull", target, str(tmp_path / "copy"))
        bundled = tool("diagnose", target, "--bundle", str(tmp_path / "b.zip"))
    assert pulled.err.endswith(
        "sends less than 4,096 bytes a second; try again over a better line\n"
    )
    assert "sends less than 4,096 bytes a second" in bundled.out


def test_a_table_that_lists_a_file_that_no_journal_has_is_refused(
    tmp_path: Path, tool: Tool
) -> None:
    slow = HOSTILE | {"journal_files": listing(_000000000001=MOST_BYTES + 1)}
    with hostile_table(tmp_path, slow) as target:
        assert "nothing was fetched" in tool("journal", "pull", target, str(tmp_path / "c")).err


def test_only_what_has_come_is_counted(tmp_path: Path, tool: Tool) -> None:
    none = HOSTILE | {"journal_read": piece(b"")}
    with hostile_table(tmp_path, none) as target:
        ran = tool("journal", "pull", target, str(tmp_path / "copy"))
    assert "Fetched 0 new bytes." in ran.out


# What is said of folders and copies


def test_a_journal_without_a_settled_round_is_told(journal: Path, tool: Tool) -> None:
    ran = tool("journal", "replay", str(journal))
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == f"No round of {journal} was settled: there is nothing to replay.\n"
    assert tool("journal", "replay", str(journal), "--json").out == "[]\n"


def test_an_empty_folder_is_nothing_to_compare_with(
    journal: Path, tmp_path: Path, tool: Tool
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    ran = tool("journal", "verify", str(journal), "--against", str(empty))
    assert ran.status == 2
    assert ran.err == (
        f"underfelt: --against: {empty} holds no journal to compare with; name another\n"
    )


@pytest.mark.parametrize("command", ["verify", "show", "replay"])
def test_a_file_is_no_folder(command: str, tool: Tool) -> None:
    ran = tool("journal", command, "/etc/passwd")
    assert ran.err == (
        "underfelt: /etc/passwd: is not a folder; name the folder of a journal or of a copy\n"
    )


@pytest.mark.parametrize("command", ["verify", "show", "replay"])
def test_damage_to_a_copy_has_the_remedy_of_a_copy(journal: Path, command: str, tool: Tool) -> None:
    path = journal / SEGMENT
    path.write_bytes(path.read_bytes().replace(b'"at_ms"', b'"at_mz"', 1))
    own = tool("journal", command, str(journal))
    assert "stop the table, keep this folder for the auditor" in own.out + own.err
    (journal / "head.key").unlink()
    copy = tool("journal", command, str(journal))
    assert "if this is a copy, pull the journal again into an empty folder" in copy.out + copy.err
    assert "start with an empty one" not in copy.out + copy.err


def test_a_pin_that_nobody_can_be_asked_for_is_one_sentence(tmp_path: Path) -> None:
    ran = run("test", f"unix:{tmp_path}/no.sock", "--staff", "400", given="")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "underfelt: PIN: there is no terminal to ask for it; set UNDERFELT_PIN\n"
    ran = run("test", f"unix:{tmp_path}/no.sock", given="")
    assert ran.status == 2
    assert ran.err == (
        "underfelt: a question had no answer, since standard input has ended: run it at a terminal (see "
        "'underfelt test --help')\n"
    )


# What is said of the simulator's options


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("floor", "--tables", "x"), "'x' is not a whole number"),
        (("rounds", "--rounds", "-3"), "'-3' is not a whole number from 1 up"),
        (
            ("floor", "--broker", "mqtt://127.0.0.1:1", "--no-controller", "--tables", "1"),
            "--broker: no broker answers at 127.0.0.1:1; start one, or correct the address",
        ),
    ],
)
def test_what_the_simulator_cannot_do_is_said_at_once(
    arguments: tuple[str, ...], sentence: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        simulator(arguments)
    assert ended.value.code in {1, 2}
    assert sentence in capfd.readouterr().err
