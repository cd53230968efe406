"""`underfelt-table`: the firmware's entry. The simulator calls `main` with its own pins."""

import argparse
import asyncio
import logging
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from gpiozero import GPIOZeroError
from gpiozero.pins import Factory

from firmware import config, wiring
from firmware.errors import UnderfeltError


def main(argv: Sequence[str] | None = None, *, pin_factory: Factory | None = None) -> int:
    """Run the table described in a table file until SIGTERM or SIGINT."""
    parser = argparse.ArgumentParser(prog="underfelt-table", description="Run a poker table.")
    parser.add_argument("--config", type=Path, required=True, help="the table file (TOML)")
    options = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    try:
        asyncio.run(_run(config.load(options.config), pin_factory))
    except (UnderfeltError, GPIOZeroError, OSError) as error:
        print(f"underfelt-table: {error}", file=sys.stderr)
        return 2
    return 0


def command() -> None:
    """Be the console script."""
    sys.exit(main())


async def _run(loaded: config.Config, pin_factory: Factory | None) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await wiring.run(loaded, pin_factory, stop)


if __name__ == "__main__":
    command()
