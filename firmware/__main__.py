"""`underfelt-table`: the firmware's entry. The simulator calls `main` with its own pins.

What is typed is read here; `shell/starting.py` does it, and is imported only then, so that `--help` is
quick. The process ends with one of these, and with one sentence on standard error unless it is 0:

    0   it was told to stop, by SIGTERM or SIGINT
    1   a bug; the traceback is for the developer
    2   the command line or the table file is wrong: restarting does not help
    3   a self-test failed, or pins, journal or ports were not available: restarting may help
"""

import logging
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.shell import command_line

if TYPE_CHECKING:
    from gpiozero.pins import Factory

_NAME = "underfelt-table"


def main(argv: Sequence[str] | None = None, *, pin_factory: "Factory | None" = None) -> int:
    """Run the table described in a table file until SIGTERM or SIGINT."""
    options = parser().parse_args(argv)
    from firmware.shell.starting import run_table  # noqa: PLC0415  # pins and loop are slow to import

    return run_table(options.config, pin_factory)


def parser() -> command_line.Parser:
    """Return what reads the command line."""
    reads = command_line.Parser(
        prog=_NAME,
        description="Run a poker table until SIGTERM or SIGINT.",
        examples=("--config /etc/underfelt/table.toml",),
    )
    reads.add_version()
    reads.add_argument("--config", type=Path, required=True, help="the table file (TOML)")
    return reads


def command() -> None:
    """Be the console script."""
    sys.exit(command_line.run(_NAME, main, on_bug=_log_bug))


def _log_bug(error: BaseException) -> None:
    logging.getLogger(_NAME).critical("a mistake in the program", exc_info=error)


if __name__ == "__main__":
    command()
