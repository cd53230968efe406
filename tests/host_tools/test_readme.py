"""The commands in the top README, run as they are printed there."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.host_tools.command import PATIENCE_S, PLAIN, run

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```console\n(.*?)```", README, re.DOTALL)


def examples(block: str) -> Iterator[tuple[str, str]]:
    """Yield each command of a console block with the output shown below it."""
    for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        lines = example.splitlines(keepends=True)
        length = next(n for n in range(1, len(lines) + 1) if is_complete("".join(lines[:n])))
        yield "".join(lines[:length]).strip(), "".join(lines[length:])


def is_complete(command: str) -> bool:
    """Return whether a command ends here, with no quote left open."""
    try:
        shlex.split(command)
    except ValueError:
        return False
    return True


SHOWN = [(command, out) for block in BLOCKS for command, out in examples(block) if out]


def test_the_readme_shows_the_output_of_a_settlement_and_a_ruling() -> None:
    commands = "\n".join(command for command, _ in SHOWN)
    assert "underfelt rules settle --explain <" in commands
    assert "underfelt rules ruling" in commands


@pytest.mark.parametrize(("command", "out"), SHOWN)
def test_a_command_of_the_readme_prints_what_is_shown(command: str, out: str) -> None:
    here = command.replace(".venv/bin/", f"{shlex.quote(str(Path(sys.executable).parent))}/")

    ended = subprocess.run(
        ["/bin/sh", "-c", here],
        cwd=ROOT,
        env=PLAIN,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )

    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.strip() == out.strip()


@pytest.mark.parametrize(("question", "file"), [("settle", "round"), ("award", "claims")])
def test_the_files_named_in_the_help_are_shipped_and_answered(question: str, file: str) -> None:
    path = f"host_tools/rules/{file}.json"

    ended = run("rules", question, "--explain", given=(ROOT / path).read_bytes())

    assert (ended.status, ended.err) == (0, "")
    assert path in run("rules", question, "--help").out
