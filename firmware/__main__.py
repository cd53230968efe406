"""`underfelt-table`: the firmware's entry. The simulator calls `main` with its own pins.

The process ends with one of these, and with one sentence on standard error unless it is 0:

    0   it was told to stop, by SIGTERM or SIGINT
    1   a bug; the traceback is for the developer
    2   the command line or the table file is wrong: restarting does not help
    3   a self-test failed, or pins, journal or ports were not available: restarting may help
"""

import argparse
import asyncio
import logging
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from gpiozero import GPIOZeroError
from gpiozero.pins import Factory

from firmware.errors import BadInput, UnderfeltError
from firmware.protocol.version import VERSION
from firmware.settings import machine_checks, table_file
from firmware.shell import logs, wiring
from firmware.shell.systemd import Notifier

STOPPED, WRONG_FILE, NOT_READY = 0, 2, 3

_log = logging.getLogger("underfelt-table")


def main(argv: Sequence[str] | None = None, *, pin_factory: Factory | None = None) -> int:
    """Run the table described in a table file until SIGTERM or SIGINT."""
    parser = argparse.ArgumentParser(prog="underfelt-table", description="Run a poker table.")
    parser.add_argument("--config", type=Path, required=True, help="the table file (TOML)")
    options = parser.parse_args(argv)
    logs.begin()
    notifier = Notifier()
    try:
        file = table_file.load(options.config)
        machine_checks.check_before_start(options.config, file)
        _warn_of_open_secrets(options.config, file)
        _log.info("version %s, table %s: %s", VERSION, file.table.name, options.config)
        asyncio.run(_run(options.config, file, pin_factory, notifier))
    except BadInput as error:
        return _end(notifier, error, WRONG_FILE)
    except (UnderfeltError, GPIOZeroError, OSError) as error:
        return _end(notifier, error, NOT_READY)
    _log.info("stopped")
    return STOPPED


def command() -> None:
    """Be the console script."""
    sys.exit(main())


def _warn_of_open_secrets(path: Path, file: table_file.TableFile) -> None:
    try:
        machine_checks.check_secrets(path, file)
    except BadInput as error:
        _log.warning("%s", error)


def _end(notifier: Notifier, error: Exception, status: int) -> int:
    logs.complain(str(error))
    notifier.status(str(error))
    return status


async def _run(
    path: Path, file: table_file.TableFile, pin_factory: Factory | None, notifier: Notifier
) -> None:
    stop = asyncio.Event()

    def told_to_stop() -> None:
        notifier.stopping()
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, told_to_stop)
    await wiring.run(path, file, pin_factory, stop, notifier)


if __name__ == "__main__":
    command()
