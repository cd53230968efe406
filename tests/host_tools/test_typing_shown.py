"""A PIN that is typed early: never shown, never lost, and the terminal as it was, whatever happens.

The command is held at its first slow import for as long as a test wants, so nothing here depends on how fast
anybody is. The guided test itself is in `test_guided_test.py`.
"""

import ast
import asyncio
import fcntl
import os
import pty
import shlex
import signal
import subprocess
import sys
import termios
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from host_tools import typing_shown
from sim.table.table_file import PIN
from tests.host_tools.command import PATIENCE_S, UNDERFELT
from tests.host_tools.hostile import answers, hostile_table
from tests.host_tools.terminals import Typist

_ROOM = Path(typing_shown.__file__).parent
_HELD = """
import os, sys, time
folder = os.environ["HELD_IN"]
open(folder + "/arrived", "w").close()
while not os.path.exists(folder + "/go"):
    time.sleep(0.01)
sys.path.remove(folder)
del sys.modules["typer"]
import typer
"""
"""Stands before the real typer, and waits."""


@asynccontextmanager
async def held(folder: Path, *arguments: str) -> AsyncIterator[Typist]:
    """Start a command that has done nothing yet but begun to import."""
    (folder / "typer.py").write_text(_HELD)
    paths = {"PYTHONPATH": str(folder), "HELD_IN": str(folder), "UNDERFELT_PIN": ""}
    async with asyncio.timeout(90), Typist(*arguments, **paths) as typist:
        while not (folder / "arrived").exists():
            assert typist.process.poll() is None
            await asyncio.sleep(0.01)
        yield typist


@pytest.fixture(autouse=True)
def own_runtime_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))


@pytest.mark.parametrize(
    "asking",
    [
        ("test", "sim:T7", "--staff", "400"),
        ("journal", "pull", "sim:T7", "copy", "--mark", "--staff", "400"),
        ("staff", "entry", "100", "Rowan", "dealer"),
        ("staff", "hash-pin"),
    ],
)
def test_a_command_that_may_ask_for_a_pin_hides_what_is_typed_before_all_else(
    tmp_path: Path, asking: tuple[str, ...]
) -> None:
    async def typed() -> None:
        async with held(tmp_path, *asking) as typist:
            assert not typist.shows_typing()
            typist.types("\x03")
            assert await typist.ends() == 130
            assert typist.shows_typing()
            assert "Traceback" not in typist.screen

    asyncio.run(typed())


def test_a_new_pin_typed_before_the_question_is_taken_and_not_shown(tmp_path: Path) -> None:
    async def typed() -> None:
        async with held(tmp_path, "staff", "hash-pin") as typist:
            typist.types("739281\n739281\n")
            (tmp_path / "go").touch()
            assert await typist.ends() == 0, typist.screen
            assert 'pin = "scrypt' in typist.screen
            assert "739281" not in typist.screen
            assert typist.shows_typing()

    asyncio.run(typed())


@pytest.mark.parametrize("staff", [("--staff", "400"), ()])
def test_a_pin_typed_before_a_test_asks_begins_it_and_its_questions_are_shown(
    tmp_path: Path, staff: tuple[str, ...]
) -> None:
    table = answers()
    table["show"]["table"]["phase"] = "closed"

    async def typed(target: str) -> None:
        async with held(tmp_path, "test", target, *staff, "--only", "lamps") as typist:
            typist.types(f"{PIN}\n" if staff else f"400\n{PIN}\n")
            (tmp_path / "go").touch()
            await typist.sees("lit? [y/n/s]")
            assert typist.shows_typing()
            typist.types("\x03")
            assert await typist.ends() == 130
            assert PIN not in typist.screen

    with hostile_table(tmp_path, table) as target:
        asyncio.run(typed(target))


def test_a_number_and_a_pin_that_are_pasted_together_show_the_number_alone(tmp_path: Path) -> None:
    table = answers()
    table["show"]["table"]["phase"] = "closed"

    async def typed(target: str) -> None:
        async with Typist("test", target, "--only", "lamps", UNDERFELT_PIN="") as typist:
            await typist.sees("Staff number: ")
            typist.types(f"499\x7f\x7f00\n{PIN}\nn\n")
            await typist.sees("lit? [y/n/s]")
            assert typist.shows_typing()
            typist.types("y\n")
            await typist.sees("dark? [y/n/s]")  # what was pasted too was no answer to a question
            typist.types("\x03")
            assert await typist.ends() == 130
            assert PIN not in typist.screen
            assert "Staff number: 499\b \b\b \b00\nPIN: \n" in typist.screen
            assert typist.shows_typing()

    with hostile_table(tmp_path, table) as target:
        asyncio.run(typed(target))


@pytest.mark.parametrize("key", ["\x03", "\x04", "terminate"])
def test_whoever_leaves_at_the_number_finds_the_terminal_as_it_was(
    monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    """In a process of its own, as the command asks: the terminal is one that this process holds."""
    code = (
        "import sys; from host_tools import application, main; "
        "from host_tools.terminal import ask_before_pin; "
        "application.run = lambda: ask_before_pin('Staff number:') and 0; "
        "sys.argv[1:] = ['log']; main.main()"
    )
    master, slave = pty.openpty()
    before = termios.tcgetattr(slave)
    monkeypatch.setenv("PYTHONPATH", str(_ROOM.parent))
    process = subprocess.Popen(
        ["/usr/bin/setsid", "--ctty", sys.executable, "-c", code],
        stdin=slave,
        stdout=slave,
        stderr=slave,
    )
    screen = b""
    while b"Staff number: " not in screen:
        screen += os.read(master, 1_000)
    if key == "terminate":
        process.terminate()
    else:
        os.write(master, key.encode())
    assert process.wait(PATIENCE_S) != 0
    assert termios.tcgetattr(slave) == before
    os.close(master)
    os.close(slave)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_the_terminal_as_it_was(tmp_path: Path, number: signal.Signals) -> None:
    async def typed() -> None:
        async with held(tmp_path, "staff", "hash-pin") as typist:
            assert not typist.shows_typing()
            typist.process.send_signal(number)
            assert await typist.ends() == -number
            assert typist.shows_typing()

    asyncio.run(typed())


def test_a_command_that_asks_for_no_pin_leaves_the_terminal_alone(tmp_path: Path) -> None:
    async def typed() -> None:
        async with held(tmp_path, "log", "sim:T7") as typist:
            assert typist.shows_typing()
            typist.types("\x03")
            await typist.ends()

    asyncio.run(typed())


def test_every_module_that_asks_for_a_pin_is_that_of_a_command_known_to_ask() -> None:
    asking = {
        path.relative_to(_ROOM).parts[0].removesuffix(".py")
        for path in _ROOM.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and "ask_pin" in {name.name for name in node.names}
    }
    assert asking == {"guided_test", "journal", "staff"}
    assert {words[0] for words in typing_shown.ASK_FOR_PIN} == {"test", "journal", "staff"}


def test_a_pin_that_is_given_otherwise_is_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("UNDERFELT_PIN", raising=False)
    assert typing_shown.may_ask_for_pin(["test", "sim:T1"])
    assert not typing_shown.may_ask_for_pin(["test", "sim:T1", "--pin", PIN])
    assert not typing_shown.may_ask_for_pin(["journal", "pull", "sim:T1", "copy"])
    monkeypatch.setenv("UNDERFELT_PIN", PIN)
    assert not typing_shown.may_ask_for_pin(["test", "sim:T1"])
    assert typing_shown.may_ask_for_pin(["staff", "hash-pin"])


def test_a_pin_that_nobody_asked_for_is_not_handed_to_the_shell() -> None:
    keyboard, terminal = pty.openpty()
    os.write(keyboard, b"654321\n")
    shell = f"{shlex.quote(str(UNDERFELT))} staff hash-pin --nope; read -t 0 && echo pending"
    ended = subprocess.run(
        ["/bin/bash", "-c", shell],
        stdin=terminal,
        capture_output=True,
        text=True,
        check=False,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # one thread
        timeout=PATIENCE_S,
    )
    os.close(keyboard)
    os.close(terminal)
    assert "--nope" in ended.stderr
    assert ended.stdout == ""
