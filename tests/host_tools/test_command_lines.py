"""What every command line of `underfelt` has: help with an example, a version, and clear mistakes.

Real processes. What a command does is tested with the command.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup

from firmware.protocol.version import VERSION
from host_tools.commands import COMMANDS, loaded
from tests.host_tools.command import PLAIN, UNDERFELT, run
from tests.settings.bad_table_files import GOOD, STAFF


def walked() -> Iterator[tuple[str, ...]]:
    """Walk all commands, those of groups too."""
    for name in COMMANDS:
        command = loaded(name)
        if isinstance(command, TyperGroup):
            yield from ((name, each) for each in command.commands)
        else:
            yield (name,)


EVERY = list(walked())


def test_the_walk_has_found_the_commands() -> None:
    assert {("diagnose",), ("log",), ("journal", "pull"), ("rules", "games")} <= {*EVERY}


@pytest.mark.parametrize("command", EVERY, ids=" ".join)
def test_every_command_has_help_with_an_example_and_no_word_of_a_program(
    command: tuple[str, ...],
) -> None:
    ran = run(*command, "--help")
    assert (ran.status, ran.err) == (0, "")
    usage, _, rest = ran.out.partition("\n")
    assert usage.startswith(f"Usage: underfelt {' '.join(command)}")
    examples = rest.partition("Examples:\n")[2].splitlines()
    assert examples, "no example"
    assert all(f"underfelt {' '.join(command)}" in example for example in examples)
    # No type of the program's language behind an option, and nothing cut off.
    assert "{" not in usage
    assert not re.search(r"<\w+(\[\w+\])?>|\.\.\.$", ran.out, re.MULTILINE)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_each_says_of_itself(name: str) -> None:
    where = COMMANDS[name]
    found = getattr(import_module(where.module), where.attribute)
    if isinstance(found, typer.Typer):
        assert found.registered_callback is not None
        found = found.registered_callback.callback
    assert where.help == " ".join(found.__doc__.partition("\n\n")[0].split())
    assert where.help in " ".join(run("--help").out.split())


@pytest.mark.parametrize("group", ["journal", "staff", "rules"])
def test_the_help_of_a_group_has_an_example_too(group: str) -> None:
    assert f"Examples:\n    underfelt {group} " in run(group, "--help").out


def test_the_version_is_that_of_the_firmware() -> None:
    assert run("--version") == (0, f"underfelt {VERSION}\n", "")


def test_help_and_version_import_no_command() -> None:
    """What is imported is the time that a start takes; what it takes is measured by the bench."""
    script = "import sys\nfrom host_tools.main import main\ntry:\n main()\nfinally:\n print(*sys.modules)"
    for asked in ("--help", "--version"):
        out = subprocess.run(
            [sys.executable, "-c", script, asked], capture_output=True, check=True, text=True
        ).stdout
        imported = set(out.splitlines()[-1].split())
        assert "host_tools.main" in imported
        heavy = {"rich", "msgspec", "textual", "asyncio", "firmware.table", "host_tools.terminal"}
        assert imported & heavy == set()


@pytest.mark.parametrize(
    ("typed", "helping"),
    [
        (("diagnos",), "underfelt"),
        (("--nope",), "underfelt"),
        (("journal", "pul"), "underfelt journal"),
        (("journal", "pull"), "underfelt journal pull"),
        (("journal", "show", "x", "--round", "many"), "underfelt journal show"),
        (("log", "sim:T1", "--level", "loud"), "underfelt log"),
        (("journal", "verify", "x", "--head"), "underfelt journal verify"),
    ],
)
def test_a_mistake_names_the_help_of_its_own_command(typed: tuple[str, ...], helping: str) -> None:
    ran = run(*typed)
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.endswith(f" (see '{helping} --help')\n")
    assert ". (see" not in ran.err


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (("journal", "show", "x", "--round", "many"), "--round: must be a whole number"),
        (("journal", "show", "x", "--round", "0"), "--round: must be 1 or more"),
        (("log", "x", "--level", "loud"), "--level: 'loud' is not one of 'debug', 'info',"),
        (("log", "a", "b"), "b: is more than this command takes"),
        (("staff", "entry"), "Missing argument 'NUMBER'"),
    ],
)
def test_a_mistake_is_told_in_the_words_of_a_person(typed: tuple[str, ...], said: str) -> None:
    assert run(*typed).err.startswith(f"underfelt: {said}")


def test_a_full_disk_is_told_with_the_file_that_did_not_fit(tmp_path: Path) -> None:
    """No file may be longer than a few blocks here, as on a disk that fills up meanwhile."""
    table, picture = tmp_path / "T1.toml", tmp_path / "header.svg"
    table.write_text(GOOD + STAFF, encoding="utf-8")
    script = f'ulimit -f 1; exec "{UNDERFELT}" check "{table}" --svg "{picture}"'
    ended = subprocess.run(
        ["/bin/sh", "-c", script],
        capture_output=True,
        check=False,
        env=PLAIN,
        text=True,
    )
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"underfelt: {picture}: ")


def test_a_file_that_was_opened_names_itself_when_it_cannot_be_written(tmp_path: Path) -> None:
    """Whoever writes it: a pull, an export, a report."""
    script = (
        "import pathlib, resource, signal\n"
        "from firmware.journal.regular_files import open_to_append\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))\n"
        "try:\n"
        " with open_to_append(pathlib.Path('copy')) as file: file.write(bytes(99))\n"
        "except OSError as error: print(error.filename)"
    )
    named = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, check=True, text=True
    )
    assert named.stdout == "copy\n"


def test_a_full_standard_output_is_told_as_such() -> None:
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [UNDERFELT, "rules", "games"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert ended.returncode == 2
    assert ended.stderr.startswith(b"underfelt: standard output: its disk is full")


def test_a_folder_that_is_gone_is_told_as_such(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    script = (
        f'cd "{gone}" && rmdir "{gone}" && exec "{UNDERFELT}" diagnose unix:x --json --output f'
    )
    ended = subprocess.run(["/bin/sh", "-c", script], capture_output=True, check=False, env=PLAIN)
    assert ended.returncode == 64
    assert b"the folder that you are in is gone" in ended.stderr
    assert os.linesep.encode() not in ended.stderr.strip()
