"""Measures what each command costs before it does anything: its `--help` and its `--version`.

Beside them a bare typer program of two commands, with rich's help and without, and the interpreter
alone. The time is the processor's, of the whole process, which a busy machine stretches less; the
least of several runs counts, and everyone runs once a round.
"""

import os
import subprocess
import sys
from math import inf
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

ROUNDS = 8
BARE = "a bare typer program, plain help"
_PROGRAM = """
import typer
app = typer.Typer({options})

@app.command()
def one() -> None:
    "Do one thing."

@app.command()
def other() -> None:
    "Do another."

app()
"""
COMMANDS = ("underfelt", "underfelt-sim", "underfelt-table", "underfelt-table-bridge")


def costs() -> dict[str, float]:
    """Return the least seconds of processor time of each start."""
    lines = _lines()
    best = dict.fromkeys(lines, inf)
    for _ in range(ROUNDS):
        for name, line in lines.items():
            best[name] = min(best[name], _seconds(line))
    return best


def _lines() -> dict[str, list[str]]:
    here = Path(sys.executable)
    plain = _PROGRAM.format(options="rich_markup_mode=None, pretty_exceptions_enable=False")
    return {
        "python alone": [sys.executable, "-c", "pass"],
        BARE: [sys.executable, "-c", plain, "--help"],
        "the same with rich's help": [sys.executable, "-c", _PROGRAM.format(options=""), "--help"],
        **{
            f"{command} {asked}": [str(here.with_name(command)), asked]
            for command in COMMANDS
            for asked in ("--help", "--version")
        },
    }


def _seconds(line: list[str]) -> float:
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run(line, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "COLUMNS": "80"})
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
